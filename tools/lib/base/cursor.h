/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bounds-checked reader for untrusted bytes. A read past the end returns 0 (or NULL) and sets `failed`, which stays
 * set. So a caller can read a whole structure and check once.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <string.h>

#include "base/types.h"

struct cursor {
	const u8 *pos;
	const u8 *end;
	bool failed; /* a read went past the end */
};

static inline struct cursor cursor_of(const void *data, size_t size)
{
	return (struct cursor){ .pos = data, .end = size ? (const u8 *)data + size : data };
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->pos);
}

/* A pointer to the next @size bytes, not a copy; NULL: there are fewer. */
static inline const void *cursor_bytes(struct cursor *c, u64 size)
{
	const u8 *at = c->pos;

	if (c->failed || size > cursor_left(c)) {
		c->failed = true;
		return NULL;
	}
	c->pos += size;
	return at;
}

static inline void cursor_read(struct cursor *c, void *dst, size_t size)
{
	const void *at = cursor_bytes(c, size);

	if (at)
		memcpy(dst, at, size);
	else
		memset(dst, 0, size);
}

static inline u8 cursor_u8(struct cursor *c)
{
	u8 v;

	cursor_read(c, &v, sizeof(v));
	return v;
}

static inline u16 cursor_u16(struct cursor *c)
{
	u16 v;

	cursor_read(c, &v, sizeof(v));
	return v;
}

static inline u32 cursor_u32(struct cursor *c)
{
	u32 v;

	cursor_read(c, &v, sizeof(v));
	return v;
}

static inline u64 cursor_u64(struct cursor *c)
{
	u64 v;

	cursor_read(c, &v, sizeof(v));
	return v;
}

/* The NUL-terminated string at the cursor. NULL: there is no NUL before the end of the bytes. */
static inline const char *cursor_string(struct cursor *c)
{
	const u8 *nul = c->failed ? NULL : memchr(c->pos, 0, cursor_left(c));

	if (!nul) {
		c->failed = true;
		return NULL;
	}
	return cursor_bytes(c, (u64)(nul - c->pos) + 1);
}

#endif
