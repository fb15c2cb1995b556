/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The build-id cache: copies of object files, which are found by build-id. A report needs them if the program was removed
 * or built again after the recording, or if it ran in a container.
 *
 * The layout is that of upstream perf, and both can use one cache:
 *
 *	DIR/usr/bin/server/HEX/elf		the copy; HEX is the build-id, or a file's that has none: the SHA-1 of its bytes
 *	DIR/[kernel.kallsyms]/HEX/kallsyms	of a kernel: its symbols
 *	DIR/[kernel.kallsyms]/HEX/btf		of a kernel: its types in BTF; not upstream's
 *	DIR/.build-id/ab/cdef...		a symbolic link to the folder of ab/cdef
 *
 * A copy shares its blocks with the file, if the file system can do that. Otherwise it is a hard link if the file belongs to
 * the system (/usr, /lib), or else a copy: a link would change with a file that is written in its place.
 */
#ifndef DSO_CACHE_H
#define DSO_CACHE_H

#include "base/error.h"
#include "base/types.h"
#include "dso/buildid.h"

/* The folder of the cache: $PERF_BUILDID_DIR, which perf sets from --buildid-dir and buildid.dir, or ~/.debug. */
char *cache_folder(void);

/* Is there a file @kind ("elf", "kallsyms", "vdso", "debug", "btf")? */
bool cache_has(const char *dir, const struct build_id *id, const char *kind);

/* The same, and an "elf" is still that file; if there is one, cache_trim() counts it as added now. */
bool cache_use(const char *dir, const struct build_id *id, const char *kind);

/*
 * Adds the file at @path. @name: the path for users, as recorded; parts of it such as ".." are removed. @kind as in
 * cache_has(); a file of this kind is replaced. False with @error. An ELF file must have the build-id @id, or its
 * contents be @id if it has none (build_id_fits(); PERF_ERROR_FORMAT). PERF_ERROR_PERMISSION: the folder belongs to another user: root would leave files in it that the
 * user can neither write nor remove.
 */
bool cache_add(const char *dir, const struct build_id *id, const char *name, const char *kind,
	       const char *path, GError **error);

/* Removes all files with @id. False with @error; PERF_ERROR_ABSENT: there are none. */
bool cache_remove(const char *dir, const struct build_id *id, GError **error);

struct cache_entry {
	struct build_id id;
	char *name; /* as it was added */
	u64 size;   /* bytes on the disk; a hard link to the file of that name has none */
	s64 used;   /* time of the last cache_add(), in seconds */
};

/* All entries, sorted by build-id: struct cache_entry *. Free with g_ptr_array_unref(). */
GPtrArray *cache_entries(const char *dir);

/* Removes the entries that were added longest ago, until the others have at most @limit bytes. Returns their number. */
u32 cache_trim(const char *dir, u64 limit);

#endif
