/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-ids of the files that recorded processes map. The file of a mapping can be opened with certainty only while its
 * process runs: afterwards, the name may lead to another file here (the program was built again), or to none (its
 * container has ended). So a file is read as soon as anybody sees the mapping, and the answer is kept for those who
 * come to the same record later.
 *
 * Threads: any thread may call any function here, until seen_files_free(). A build-id lives until then.
 */
#ifndef RECORD_SEEN_FILES_H
#define RECORD_SEEN_FILES_H

#include "dso/buildid.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfevent/paths.h"

struct seen_files;
struct open_files; /* "dso/open_files.h" */

/*
 * @held, if not NULL, gets each file that has a build-id, and with @copies the lists of generated functions
 * ("record/jit_maps.h") and, by their contents, files without a build-id. It must outlive the result.
 */
struct seen_files *seen_files_new(const struct kernel_paths *paths, struct open_files *held,
				  bool copies);
void seen_files_free(struct seen_files *seen);

/*
 * Reads the file of @map, for the seen_files_get() of the same mapping. If it is generated code without a file: looks for the
 * list of its functions.
 */
void seen_files_look(struct seen_files *seen, const struct event_mmap *map);

/*
 * The build-id of the file of @map, of size 0 if it has none: as seen_files_look() found it, or else read now, or else
 * that of an earlier mapping of the same file. NULL: it cannot be found any more.
 */
const struct build_id *seen_files_get(struct seen_files *seen, const struct event_mmap *map);

/*
 * Puts the build-ids of the lists into the table of @info, and a note about each file without a build-id
 * ("perfdata/contents.h"). With copies, it reads these files: 0.2 s for 100 MB.
 */
void seen_files_tell(struct seen_files *seen, struct perfdata_info *info);

#endif
