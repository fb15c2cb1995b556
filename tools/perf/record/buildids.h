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
#include "perfdata/info.h"
#include "perfevent/paths.h"

struct buildids;

struct buildids *buildids_new(const struct kernel_paths *paths);
void buildids_free(struct buildids *ids);

/*
 * The build-id of @filename as process @pid sees it (its root, then ours; "[vdso]" is this
 * process's own, "[kernel.kallsyms]..." the kernel's). Remembered; absent (size 0) for what is
 * no file or has none.
 */
const struct build_id *buildids_get(struct buildids *ids, u32 pid, bool kernel,
				    const char *filename);

/* Puts all that were asked for and found into the table of @info. */
void buildids_tell(const struct buildids *ids, struct perfdata_info *info);

#endif
