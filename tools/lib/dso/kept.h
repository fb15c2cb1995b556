/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was worked out of an object, kept in a file for later runs: one file per object, found by its build-id.
 *
 * A file is only used by the program that wrote it (its own build-id is in the head), for the object that it was made of,
 * and only where it is the user's and nobody else may write it. Its head, its size and a sum over its bytes are checked before
 * it is given to the caller. So a damaged file, or one of another version, costs time and nothing else: it is made anew.
 * The sum is no signature. A caller checks what would do harm, such as indices, when it uses it.
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
	u32 version;	   /* of the form of the caller's bytes */
	u32 variant;	   /* part of the file's name: one file for each */
	struct build_id object;
	u64 contents; /* a sum over what the answers depend on: build-ids can be chosen */
};

/* A file that is mapped. The bytes begin at a multiple of 8. */
struct kept_file {
	const u8 *bytes;
	size_t size;
	void *map;
	size_t map_size;
};

/* Tells contents apart that are not made to look alike. */
u64 kept_sum(const void *bytes, size_t size, u64 seed);

/*
 * $@variable where it is set, else the folder @name of the user's cache of this program. NULL: the variable is empty, so nothing
 * is kept. To free.
 */
char *kept_folder(const char *variable, const char *name);

/* False: nothing is kept, or nothing that can be used. */
bool kept_open(const struct kept_key *key, struct kept_file *kept);
void kept_close(struct kept_file *kept);

/*
 * Replaces the object's file, and removes the least recently used ones where all together are
 * too large. Readers have the old file or the new one; of several writers the last one stays. What
 * fails leaves no file: it is a cache.
 */
void kept_write(const struct kept_key *key, const void *bytes, size_t size);

#define KEPT_FILE_MAX ((u64)256 << 20)

#endif
