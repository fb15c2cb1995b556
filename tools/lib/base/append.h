/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fast appending to a GString, for millions of short texts. GLib's own functions are slower: for each text, they check
 * whether it is part of the string itself, and call memmove() for the bytes after the position.
 */
#ifndef BASE_APPEND_H
#define BASE_APPEND_H

#include <glib.h>
#include <string.h>

#include "base/types.h"

/* Makes room for @nr bytes at the end. After filling it, call append_done() with the number of filled bytes. */
static inline char *append_room(GString *out, size_t nr)
{
	if (G_UNLIKELY(nr >= out->allocated_len - out->len)) {
		size_t len = out->len;

		g_string_set_size(out, len + nr);
		out->len = len;
	}
	return out->str + out->len;
}

static inline void append_done(GString *out, size_t nr)
{
	out->len += nr;
	out->str[out->len] = 0;
}

static inline void append_bytes(GString *out, const char *text, size_t size)
{
	memcpy(append_room(out, size), text, size);
	append_done(out, size);
}

static inline void append_text(GString *out, const char *text)
{
	append_bytes(out, text, strlen(text));
}

static inline void append_char(GString *out, char c)
{
	*append_room(out, 1) = c;
	append_done(out, 1);
}

/* Appends @c @nr times. A negative @nr counts as 0. */
static inline void append_many(GString *out, s64 nr, char c)
{
	if (nr <= 0)
		return;
	memset(append_room(out, (size_t)nr), c, (size_t)nr);
	append_done(out, (size_t)nr);
}

#endif
