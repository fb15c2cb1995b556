/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What share of a whole is a part, in percent: for columns, limits and sentences alike. */
#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include "base/types.h"

/* percent_of(1, 4) is 25. Of an empty whole (0) it is 0. */
static inline double percent_of(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
