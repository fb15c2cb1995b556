/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The instances of what was asked for (doings.h) by their length, and which of them are the slow ones. */
#ifndef CRITICAL_INSTANCES_H
#define CRITICAL_INSTANCES_H

#include "critical/doings.h"
#include "fields/request_keys.h"

/* ns */
static inline u64 instance_length(const struct critical_instance *instance)
{
	return instance->to - instance->from;
}

/* u32: indices of the instances that were seen, the longest one first. To free. */
GArray *instances_order(const struct doings *d);

/* Of @nr instances, how many are the slow ones: @percent of them, rounded up; at least one, and not all, unless there is one. */
u32 instances_nr_slow(u32 nr, double percent);

/*
 * u8: enum request_class of each instance; REQUEST_NONE: it was not seen. @by_name: the slow ones of each name, in which all
 * without a name are of one, and a single one is of the rest; else the slow ones of all. To free.
 */
GByteArray *instances_classes(const struct doings *d, double percent, bool by_name);

#endif
