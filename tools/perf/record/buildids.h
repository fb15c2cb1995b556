/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the build-ids of the files that were mapped while recording, for the table of perf.data. It has one build-id for
 * each name. Where a name is more than one file, records of the others have their own.
 */
#ifndef RECORD_BUILDIDS_H
#define RECORD_BUILDIDS_H

#include "base/types.h"
#include "dso/buildid.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfevent/paths.h"

struct buildids;
struct seen_files; /* "record/seen_files.h" */

/* @seen: the files that were seen so far; it must outlive the result. NULL: none. */
struct buildids *buildids_new(const struct kernel_paths *paths, struct seen_files *seen);
void buildids_free(struct buildids *ids);

/*
 * The build-id of the file of @map, as its process sees the path ("[vdso]": this kernel's,
 * "[kernel.kallsyms]...": the kernel's). Size 0 if it is no file, has no build-id, or cannot be found
 * any more. *@is_told is false if buildids_tell() may report another file's build-id for this path; then the record
 * itself must carry this one. It consists of zeros if the file is not known: a reader must not look for a file then.
 */
const struct build_id *buildids_get(struct buildids *ids, const struct event_mmap *map, bool kernel,
				    bool *is_told);

/* Was the vdso of a 32-bit process mapped? */
bool buildids_saw_narrow(const struct buildids *ids);

/* Puts the build-ids into the table of @info: for each name, that of the first file. */
void buildids_tell(const struct buildids *ids, struct perfdata_info *info);

#endif
