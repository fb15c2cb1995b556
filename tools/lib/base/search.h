/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Binary search for the index at which a value belongs in a sorted array. (g_array_binary_search() finds only equal
 * elements.)
 *
 *	u32 at = SEARCH(i, 0, nr, rows[i].address <= address);
 *
 * The condition must be true for the first elements and false for all others. The result is the
 * first index for which it is false, or nr. In the example: the first row whose address is greater than @address.
 */
#ifndef BASE_SEARCH_H
#define BASE_SEARCH_H

#include "base/types.h"

#define SEARCH(i, from, to, is_before)                                                             \
	({                                                                                         \
		u32 low_ = (from), high_ = (to);                                                   \
		while (low_ < high_) {                                                             \
			u32 i = low_ + (high_ - low_) / 2;                                         \
			if (is_before)                                                             \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

#endif
