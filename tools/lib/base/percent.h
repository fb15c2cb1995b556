/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part as a percentage of the whole: for columns, limits and messages. */
#ifndef BASE_PERCENT_H
#define BASE_PERCENT_H

#include "base/types.h"

/* percent_of(1, 4) is 25. If @whole is 0, the result is 0. */
static inline double percent_of(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
