/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache on disk for results that were computed from an object. There is one file per object, named by its build-id.
 *
 * A file is used only by the program that wrote it (the program's build-id is in the head), and only for the object
 * that it was made from. It must belong to the user, and nobody else may be able to write it. The head, the size and a
 * checksum are verified before the caller gets the file. A file that is damaged or from another version is ignored and
 * written again. The checksum is no signature: callers must check values that could do harm, such as indices.
 *
 * The file, in this machine's byte order: a head of 80 bytes, then the caller's bytes.
 */
#ifndef DSO_KEPT_H
#define DSO_KEPT_H

#include <glib.h>

#include "base/types.h"
#include "dso/buildid.h"

struct kept_key {
	const char *folder;
	const char *magic; /* 8 characters that say what is kept */
	u32 version;	   /* version of the caller's format */
	u32 variant;	   /* part of the file's name: an object has one file per variant */
	struct build_id object;
	u64 contents; /* checksum of the input: a build-id alone can be forged */
};

/* A file that is mapped. The bytes begin at a multiple of 8. */
struct kept_file {
	const u8 *bytes;
	size_t size;
	void *map;
	size_t map_size;
};

/* A checksum. Not cryptographic: different contents with the same sum can be constructed. */
u64 kept_sum(const void *bytes, size_t size, u64 seed);

/*
 * The folder: $@variable if it is set, else @name in this program's cache folder of the user. NULL: the variable is set
 * but empty, so nothing is kept. The caller frees it.
 */
char *kept_folder(const char *variable, const char *name);

/* False: there is no file, or it cannot be used. */
bool kept_open(const struct kept_key *key, struct kept_file *kept);
void kept_close(struct kept_file *kept);

/*
 * Replaces the object's file. If the folder is too large, removes the least recently used files. Readers see the old or
 * the new file. If several programs write, the last one counts. Errors are ignored; then there is no file.
 */
void kept_write(const struct kept_key *key, const void *bytes, size_t size);

#define KEPT_FILE_MAX ((u64)256 << 20)

#endif
