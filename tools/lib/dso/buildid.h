/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Build-ids of files, of the running kernel and of its modules.
 *
 * A build-id is the descriptor of the note {name "GNU", type NT_GNU_BUILD_ID (3)}, found in a PT_NOTE segment or an
 * SHT_NOTE section. Records of perf.data have room for 20 bytes. So a longer build-id counts as absent, as in the
 * kernel.
 */
#ifndef DSO_BUILDID_H
#define DSO_BUILDID_H

#include "base/error.h"
#include "base/types.h"

#define BUILD_ID_MAX 20
#define BUILD_ID_HEX (2 * BUILD_ID_MAX + 1)

struct build_id {
	u8 size; /* 0: absent */
	u8 bytes[BUILD_ID_MAX];
};

/* Makes a build-id from @size bytes. It is absent if @size is 0 or too large, or if all bytes are 0. */
struct build_id build_id_of(const void *bytes, size_t size);

/* Equal, and not absent? Zeros at the end are ignored, because recorded ids may be padded to 20 bytes. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* Writes the id to @hex in lower-case hexadecimal digits, "" if it is absent. Returns @hex. */
const char *build_id_hex(const struct build_id *id, char hex[static BUILD_ID_HEX]);

/* Parses an even number of hexadecimal digits, at most 40. False: @hex is something else. */
bool build_id_parse(const char *hex, struct build_id *out);

/* Finds the first build-id note in the contents of a note segment. False: there is none. */
bool build_id_from_notes(const void *notes, size_t size, struct build_id *out);

/*
 * The build-id of the ELF file at @path. False with PERF_ERROR_SYSTEM: the file cannot be opened. PERF_ERROR_FORMAT: it
 * is no ELF file. PERF_ERROR_ABSENT: it has no build-id. Does not block on fifos and devices.
 */
bool build_id_read(const char *path, struct build_id *out, GError **error);

/*
 * What stands for a build-id where a file has none, as Go's linker makes them: the SHA-1 of its bytes. Only our own caches
 * and packs know it: it is in no record that another perf takes for a build-id.
 */
struct build_id build_id_of_contents(const void *bytes, size_t size);

/*
 * Is @id that of the ELF file at @path: its build-id, or build_id_of_contents() if it has none? False with @error, as
 * build_id_read(); PERF_ERROR_FORMAT: it is another file.
 */
bool build_id_fits(const char *path, const struct build_id *id, GError **error);

/* The running kernel's build-id, from /sys/kernel/notes. */
bool build_id_read_kernel(struct build_id *out, GError **error);

/* A loaded module's build-id, from /sys/module/NAME/notes. @name is without brackets and ".ko". */
bool build_id_read_module(const char *name, struct build_id *out, GError **error);

/* The default folder of the build-id cache. The caller frees it. */
char *build_id_cache_folder(void);

#endif
