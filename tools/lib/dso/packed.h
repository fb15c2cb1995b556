/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are packed behind a recording (perf data pack), so that a report needs nothing else. A pack is a perf.data
 * file with a zip archive appended: any perf reads its records, and any unzip its files:
 *
 *	.build-id/ab/cdef.../elf, debug, kallsyms, vdso	as in the build-id cache (dso/cache.h)
 *	files/PATH					a file by its path: sources, maps of JITs, programs without a build-id
 *	spans/NAME					files of spans
 *
 * A file is unpacked into memory when it is asked for. Untrusted input: all files together may not unpack to more than
 * PACKED_RATIO times the size of the pack.
 *
 * Threads: any thread may call any function here, except packed_free().
 */
#ifndef DSO_PACKED_H
#define DSO_PACKED_H

#include <glib.h>

#include "base/error.h"
#include "base/types.h"

#define PACKED_RATIO 64
#define PACKED_FILES "files" /* the folder of files by path */
#define PACKED_SPANS "spans/"

struct packed;

/*
 * The pack in the file at @path. NULL: it has none, or this build has no minizip. NULL with @error: there is one, but it
 * is damaged (PERF_ERROR_FORMAT).
 */
struct packed *packed_open(const char *path, GError **error);
/* Paths from packed_path() end here. */
void packed_free(struct packed *packed);

/*
 * A path that opens the file called @name ("/proc/self/fd/7"). The caller frees it. NULL: the pack has no such file, or it
 * cannot be unpacked; @packed may be NULL, which has no files.
 */
char *packed_path(struct packed *packed, const char *name);
/* The same for files by path: @path "/usr/src/server.c". Relative paths are not packed. */
char *packed_path_of(struct packed *packed, const char *path);

/* The names that start with @prefix, in the order of the archive: char *. Free with g_ptr_array_unref(). */
GPtrArray *packed_names(struct packed *packed, const char *prefix);

struct packing;

/*
 * Starts an archive where the file @fd stands, which is its end. @fd stays the caller's. NULL with @error;
 * PERF_ERROR_UNSUPPORTED: this build has no minizip.
 */
struct packing *packing_new(int fd, GError **error);
/* Adds the contents of the file at @path as @name; a second file of a name is left out. False with @error. */
bool packing_add(struct packing *packing, const char *name, const char *path, GError **error);
/* Adds @bytes as @name in the same way. */
bool packing_add_bytes(struct packing *packing, const char *name, const void *bytes, size_t size,
		       GError **error);
/* Completes the archive, and frees @packing. *@nr: its files. False with @error. */
bool packing_end(struct packing *packing, u32 *nr, GError **error);
/* Frees @packing. The file ends somewhere in the archive. */
void packing_abandon(struct packing *packing);

#endif
