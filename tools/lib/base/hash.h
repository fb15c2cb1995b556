/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash of 64 bits for texts, also of texts in parts: FNV-1a (glib's g_str_hash() has 32 bits). */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <string.h>

#include "base/types.h"

#define HASH_START 0xcbf29ce484222325ull

/* @hash: HASH_START, or that of the bytes before these. */
static inline u64 hash_bytes(u64 hash, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		hash = (hash ^ (u8)bytes[i]) * 0x100000001b3ull;
	return hash;
}

static inline u64 hash_text(u64 hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text));
}

#endif
