/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Collects the build-ids of the files that were mapped while recording. Each file is read when its
 * first mapping is seen, because the process probably still runs then. At the end the file may be
 * deleted or replaced.
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
 * The build-id of the file of @map, as its process sees the path ("[vdso]": this kernel's,
 * "[kernel.kallsyms]...": the kernel's). Size 0 if it is no file, has no build-id, or was replaced
 * since it was mapped. *@is_told is false if buildids_tell() reports another build-id for this
 * path; then the record itself must carry this one.
 */
const struct build_id *buildids_get(struct buildids *ids, const struct event_mmap *map, bool kernel,
				    bool *is_told);

/* Was the vdso of a 32-bit process mapped? */
bool buildids_saw_narrow(const struct buildids *ids);

/* Puts the build-ids into the table of @info: for each name, that of the first file. */
void buildids_tell(const struct buildids *ids, struct perfdata_info *info);

#endif
