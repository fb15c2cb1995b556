/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside on a terminal: which of it may be shown, and how many columns does it take?
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

/* Nothing in @text needs to be escaped by text_append_shown(). */
bool text_is_shown(const char *text);

/*
 * Appends @text of @size bytes with an escape for what must not reach a terminal: "\x1b" for a
 * control character of ASCII or a byte that is no UTF-8, "\u202e" for a control character,
 * line separator or invisible reordering character beyond. All else stays as it is. @start_only:
 * a character that the end of @text cuts is left for the next call. Returns the bytes taken.
 */
size_t text_append_shown(GString *out, const char *text, size_t size, bool start_only);

/* @text as text_append_shown() makes it. To be freed. */
char *text_shown(const char *text);

/* The same of @text of @size bytes, at most @max bytes in whole characters. To be freed. */
char *text_clean(const char *text, size_t size, size_t max);

/* What @out has from @start on becomes what may be shown of it. */
void text_make_shown(GString *out, size_t start);

/* Prints @text as it may be shown. */
void text_print(const char *text, FILE *out);

/* "s", or "" for one: "%u sample%s". */
static inline const char *text_plural(u64 nr)
{
	return nr == 1 ? "" : "s";
}

/* Columns: wide characters take two, combining ones none. What is no UTF-8 counts in bytes. */
u32 text_columns(const char *text, size_t size);

/* The bytes of the longest start of @text in whole characters that fits into @columns. */
size_t text_fit(const char *text, size_t size, u32 columns);

#endif
