/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which exact files did the recording run? Adds build-ids of files that are there now: as BUILD_ID records and in
 * the header's table, or in the records of mappings (MMAP2).
 */
#ifndef PASS_BUILD_IDS_H
#define PASS_BUILD_IDS_H

#include "pass/pass.h"

struct machine;

enum build_ids_mode {
	BUILD_IDS_OF_HITS, /* of files that samples or their callers are in */
	BUILD_IDS_OF_ALL,  /* of all that is mapped */
	BUILD_IDS_MMAP2, /* in the mappings that samples or their callers are in; others are left out */
	BUILD_IDS_MMAP2_ALL, /* in all mappings */
};

/*
 * @machine is the pipeline's. @known, which may be NULL: path -> struct build_id *, instead of the file's own.
 * @verbose: files without a build-id are named on stderr.
 */
struct pass *build_ids_pass_new(struct machine *machine, enum build_ids_mode mode,
				GHashTable *known, bool verbose);

/* "HEX PATH,HEX PATH" or "@FILE" with one a line, into a table for build_ids_pass_new(); NULL with @error. */
GHashTable *build_ids_parse_known(const char *text, GError **error);

#endif
