/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The edit distance of two words, for "did you mean" messages. */
#ifndef BASE_EDITS_H
#define BASE_EDITS_H

#include "base/types.h"

/*
 * The minimum number of edits that turn @a into @b. An edit changes, adds or removes a letter, or swaps two neighbours.
 * Time and memory are proportional to the product of the lengths, so the caller must limit words from outside.
 */
u32 edits_between(const char *a, const char *b);

#endif
