/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text from outside on a terminal: which of it may be shown, and how many columns does it take?
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/types.h"

/*
 * @text as it may be shown, at most @max bytes of it in whole characters: valid UTF-8, and a "?"
 * for each control character (escape sequences, also those that start with U+009B), line
 * separator and invisible character that changes the order or look of others. To be freed.
 */
char *text_clean(const char *text, size_t size, size_t max);

/* Columns: wide characters take two, combining ones none. What is no UTF-8 counts in bytes. */
u32 text_columns(const char *text, size_t size);

/* The bytes of the longest start of @text in whole characters that fits into @columns. */
size_t text_fit(const char *text, size_t size, u32 columns);

#endif
