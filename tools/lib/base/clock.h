/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times in nanoseconds. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

#include "base/types.h"

#define NS_PER_S 1000000000ull

static inline u64 timespec_ns(const struct timespec *ts)
{
	return (u64)ts->tv_sec * NS_PER_S + (u64)ts->tv_nsec;
}

/* The time of the clock @id now, as of clock_gettime(2); 0: the kernel has no such clock. */
static inline u64 clock_ns(clockid_t id)
{
	struct timespec now = { 0 };

	clock_gettime(id, &now);
	return timespec_ns(&now);
}

#endif
