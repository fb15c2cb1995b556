/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes at the end of a GString, where millions of short texts go there: GLib's own functions ask, for
 * each, whether the text lies within the string, and move what stands behind its place.
 */
#ifndef BASE_APPEND_H
#define BASE_APPEND_H

#include <glib.h>
#include <string.h>

#include "base/types.h"

/* Room for @nr bytes at the end; append_done() says how many of them were filled. */
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

/* @nr times; none where it is negative. */
static inline void append_many(GString *out, s64 nr, char c)
{
	if (nr <= 0)
		return;
	memset(append_room(out, (size_t)nr), c, (size_t)nr);
	append_done(out, (size_t)nr);
}

#endif
