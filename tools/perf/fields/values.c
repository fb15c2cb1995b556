// SPDX-License-Identifier: GPL-2.0-or-later
/* Sums of a group. hist/ computes them; this file names them. */
#include "fields/private.h"

#define VALUE_FIELD(id, title, what, least, ...)                                                   \
	const struct field field_##id = { .name = #id,                                             \
					  .header = title,                                         \
					  .family = FIELD_VALUE,                                   \
					  .value = what,                                           \
					  .width = least,                                          \
					  .right = true,                                           \
					  __VA_ARGS__ }

VALUE_FIELD(overhead, "Overhead", VALUE_OVERHEAD, 8, .kind = CELL_SHARE);
VALUE_FIELD(overhead_sys, "sys", VALUE_OVERHEAD_SYS, 8, .kind = CELL_SHARE);
VALUE_FIELD(overhead_us, "usr", VALUE_OVERHEAD_US, 8, .kind = CELL_SHARE);
VALUE_FIELD(overhead_guest_sys, "guest sys", VALUE_OVERHEAD_GUEST_SYS, 9, .kind = CELL_SHARE);
VALUE_FIELD(overhead_guest_us, "guest usr", VALUE_OVERHEAD_GUEST_US, 9, .kind = CELL_SHARE);
VALUE_FIELD(overhead_children, "Children", VALUE_OVERHEAD_CHILDREN, 8, .kind = CELL_SHARE);
VALUE_FIELD(latency, "Latency", VALUE_LATENCY, 8, .kind = CELL_SHARE);
VALUE_FIELD(latency_children, "Latency", VALUE_LATENCY_CHILDREN, 7, .kind = CELL_SHARE);
VALUE_FIELD(sample, "Samples", VALUE_SAMPLES, 12, .kind = CELL_COUNT, .unit = "samples");
VALUE_FIELD(period, "Period", VALUE_PERIOD, 12, .kind = CELL_COUNT, .unit = "events");
VALUE_FIELD(seconds, "Seconds", VALUE_SECONDS, 12, .kind = CELL_TIME);
VALUE_FIELD(threads, "Threads", VALUE_THREADS, 8, .kind = CELL_AVERAGE);
VALUE_FIELD(weight1, "Weight1", VALUE_WEIGHT1, 8, .needs = NEED_SAMPLE, .kind = CELL_AVERAGE);
VALUE_FIELD(weight2, "Weight2", VALUE_WEIGHT2, 8, .needs = NEED_SAMPLE, .kind = CELL_AVERAGE);
VALUE_FIELD(weight3, "Weight3", VALUE_WEIGHT3, 8, .needs = NEED_SAMPLE, .kind = CELL_AVERAGE);
