/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lists of functions that just-in-time compilers write (/tmp/perf-PID.map). After the end of a container, nobody finds its
 * lists any more; and here, a later process with the same pid may overwrite one. So the list of each process that maps executable memory
 * without a file is found while it runs, and is copied at the end of the recording. The copy is known by the SHA-1 of its
 * contents: the recording says that this is the build-id of /tmp/perf-PID.map, and the build-id cache has it as "map".
 *
 * Threads: any thread may call any function here, until jit_maps_free().
 */
#ifndef RECORD_JIT_MAPS_H
#define RECORD_JIT_MAPS_H

#include "perfdata/event.h"
#include "perfdata/info.h"

struct jit_maps;
struct open_files; /* "dso/open_files.h" */

/* @held gets the copies. It must outlive the result. */
struct jit_maps *jit_maps_new(struct open_files *held);
void jit_maps_free(struct jit_maps *maps);

/* Does @map have code that a compiler may have generated: executable memory of a process, without a file? */
bool jit_maps_covers(const struct event_mmap *map);
/* Looks for the list of @map's process, which jit_maps_covers(). Does nothing if it has been found. */
void jit_maps_see(struct jit_maps *maps, const struct event_mmap *map);
/* Copies the lists as they are now, and puts their build-ids into the table of @info. */
void jit_maps_tell(struct jit_maps *maps, struct perfdata_info *info);

#endif
