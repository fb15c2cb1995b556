/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted text on a terminal: escapes what must not be shown, and counts columns.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <glib.h>
#include <stdio.h>

#include "base/types.h"

/* True if text_append_shown() would not escape anything in @text. */
bool text_is_shown(const char *text);

/*
 * Appends @text of @size bytes, and escapes what must not reach a terminal. "\x1b": a control character of ASCII, or a
 * byte that is not UTF-8. "\u202e": another control character, line separator or invisible reordering character of
 * Unicode. All else is copied. @start_only: a character that is incomplete at the end of @text is left for the next
 * call. Returns the number of bytes taken.
 */
size_t text_append_shown(GString *out, const char *text, size_t size, bool start_only);

/* @text with escapes as in text_append_shown(). The caller frees it. */
char *text_shown(const char *text);

/* The same for @text of @size bytes. The result has at most @max bytes, in whole characters. The caller frees it. */
char *text_clean(const char *text, size_t size, size_t max);

/* Escapes the part of @out from @start on, in place. */
void text_make_shown(GString *out, size_t start);

/* Prints @text with escapes. */
void text_print(const char *text, FILE *out);

/* The plural "s" for messages such as "%u sample%s"; "" if @nr is 1. */
static inline const char *text_plural(u64 nr)
{
	return nr == 1 ? "" : "s";
}

/* The width in columns: wide characters have two, combining ones none. Text that is not UTF-8 counts in bytes. */
u32 text_columns(const char *text, size_t size);

/* The length in bytes of the longest prefix of @text, in whole characters, that fits into @columns. */
size_t text_fit(const char *text, size_t size, u32 columns);

/*
 * Appends @text, which is UTF-8 and wider than @columns (at least 1), cut to this width: its start in @start columns (less than
 * @columns), "…", and its end. "level_g…ined)"
 */
void text_append_cut(GString *out, const char *text, u32 columns, u32 start);

/*
 * @text in lines of at most @columns, broken at blanks; a wider word has a line of its own. At most @max lines: the last
 * one then ends in "…" if there is more. To be freed with g_strfreev().
 */
char **text_wrapped(const char *text, u32 columns, u32 max);

#endif
