/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How alike are two words? For "did you mean" after a name that does not exist. */
#ifndef BASE_EDITS_H
#define BASE_EDITS_H

#include "base/types.h"

/*
 * The least number of letters to change, add, drop or swap with their neighbour that makes
 * @b of @a. Takes time and memory in proportion to the product of their lengths: the caller
 * keeps words from outside short.
 */
u32 edits_between(const char *a, const char *b);

#endif
