/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where in rows that are in order does one belong? (g_array_binary_search() finds equal ones only.)
 *
 *	u32 at = SEARCH(i, 0, nr, rows[i].address <= address);
 *
 * is the first index from 0 to nr for which the condition, a question about row i, is false: here the
 * first row behind the address, or nr. It is true for all rows before and false for all after.
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
