/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is the build-id of this file, of the running kernel, of one of its modules?
 *
 * A build-id is the descriptor of the note {name "GNU", type NT_GNU_BUILD_ID (3)}, found
 * in a PT_NOTE segment or an SHT_NOTE section. Records of perf.data have room for 20
 * bytes, so a longer one counts as absent, as it does for the kernel.
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

/* From @size bytes; absent when there are none, all are zero, or they are too many. */
struct build_id build_id_of(const void *bytes, size_t size);

/* Equal and not absent. A recorded id padded with zeros to 20 bytes equals the short one. */
bool build_id_equal(const struct build_id *a, const struct build_id *b);

/* Lower-case hexadecimal digits into @hex, "" for an absent one; returns @hex. */
const char *build_id_hex(const struct build_id *id, char hex[static BUILD_ID_HEX]);

/* From hexadecimal digits, an even number of them, at most 40; false when they are not. */
bool build_id_parse(const char *hex, struct build_id *out);

/* The first build-id note among the notes (as an ELF segment holds them), or false. */
bool build_id_from_notes(const void *notes, size_t size, struct build_id *out);

/*
 * The build-id of the ELF file at @path. False and PERF_ERROR_SYSTEM where it cannot be
 * opened, PERF_ERROR_FORMAT where it is no ELF file, PERF_ERROR_ABSENT where it has none.
 * Never blocks on what is no regular file.
 */
bool build_id_read(const char *path, struct build_id *out, GError **error);

/* The running kernel's, from /sys/kernel/notes. */
bool build_id_read_kernel(struct build_id *out, GError **error);

/* A loaded module's, from /sys/module/NAME/notes; @name without brackets and ".ko". */
bool build_id_read_module(const char *name, struct build_id *out, GError **error);

/* The cache of files by build-id, where nobody names another folder. To free. */
char *build_id_cache_folder(void);

#endif
