/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds the build-ids of the present files: as BUILD_ID records and in the header's table, or in the records of
 * mappings (MMAP2).
 */
#ifndef PASS_BUILD_IDS_H
#define PASS_BUILD_IDS_H

#include "pass/pass.h"

struct machine;

enum build_ids_mode {
	BUILD_IDS_OF_HITS, /* of files that samples or their callers hit */
	BUILD_IDS_OF_ALL,  /* of all that is mapped */
	BUILD_IDS_MMAP2, /* in the mappings that samples or their callers hit; others are removed */
	BUILD_IDS_MMAP2_ALL, /* in all mappings */
};

/*
 * @machine is the pipeline's. @known, which may be NULL: path -> struct build_id *, used instead of the file's own.
 * @verbose: lists files without a build-id on stderr.
 */
struct pass *build_ids_pass_new(struct machine *machine, enum build_ids_mode mode,
				GHashTable *known, bool verbose);

/*
 * Parses "HEX PATH,HEX PATH", or "@FILE" with one per line, into a table for build_ids_pass_new(); NULL with @error.
 */
GHashTable *build_ids_parse_known(const char *text, GError **error);

#endif
