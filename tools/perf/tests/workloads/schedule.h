/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Format of the log: written by workloads/schedule.c, read by tools/schedule_check.c. */
#ifndef WORKLOADS_SCHEDULE_H
#define WORKLOADS_SCHEDULE_H

#include <stdint.h>
#include <string.h>

#define SCHEDULE_CLASSES 5 /* class 0: no activity */
#define SCHEDULE_HALF	 5 /* not a class: an incomplete update */

/* One change of a thread's activity: made between two readings of CLOCK_MONOTONIC. */
struct schedule_change {
	uint32_t pid, tid;
	uint32_t class;
	uint32_t owner;	 /* owner of the work: the thread, or a job that moves between threads */
	uint64_t number; /* of the owner's changes, from 1 */
	uint64_t before_ns, after_ns;
};

/* The trace id of a change. The span id is a hash of it, so a mix of two changes is detected. */
struct schedule_trace {
	uint32_t owner;
	uint32_t class;
	uint64_t number;
};

static inline uint64_t schedule_span(const struct schedule_trace *trace)
{
	uint64_t hash = 0x243f6a8885a308d3u;
	unsigned char bytes[sizeof(*trace)];

	memcpy(bytes, trace, sizeof(bytes));
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		hash = (hash ^ bytes[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 31;
	return hash;
}

#endif
