/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which build-ids has what was mapped while recording? Each file is looked at when its first
 * mapping goes by, while the process that maps it is probably still there, because at the end the
 * file may be gone or another one.
 */
#ifndef RECORD_BUILDIDS_H
#define RECORD_BUILDIDS_H

#include "base/types.h"
#include "dso/buildid.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfevent/paths.h"

struct buildids;

struct buildids *buildids_new(const struct kernel_paths *paths);
void buildids_free(struct buildids *ids);

/*
 * The build-id of the file of @map, as its process sees it ("[vdso]" is this process's own,
 * "[kernel.kallsyms]..." the kernel's). Absent (size 0) for what is no file, has none, or is
 * another file by now than the one that was mapped. *@is_told is false where buildids_tell() gives
 * that name to another build-id: then the record itself must have this one.
 */
const struct build_id *buildids_get(struct buildids *ids, const struct event_mmap *map, bool kernel,
				    bool *is_told);

/* Puts what was found into the table of @info: for each name the first file's. */
void buildids_tell(const struct buildids *ids, struct perfdata_info *info);

#endif
