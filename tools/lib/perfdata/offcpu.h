/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of exact waits: the event "offcpu-time" of record --off-cpu. The format is upstream's (7.x): the raw data has
 * the sample's values, and the sample's other fields do not count:
 *
 *	u32 pid, tid; u64 period; u64 nr, ips[nr]; u64 cgroup
 *
 * Our samples have the same values in their other fields, too. Their raw data continues with struct wall_raw and its
 * texts (perfdata/wall.h).
 */
#ifndef PERFDATA_OFFCPU_H
#define PERFDATA_OFFCPU_H

#include <glib.h>

#include "perfdata/event.h"

#define OFFCPU_EVENT "offcpu-time"

/* Is it such an event, with raw data? */
bool offcpu_is(const struct evsel *evsel);

/* Sets the fields of @sample to the values in its raw data. False: the raw data is damaged. */
bool offcpu_take(struct sample *sample);

/* The raw data after upstream's part. @size 0: there is none. */
const u8 *offcpu_rest(const struct sample *sample, u32 *size);

/* Makes raw data from @sample's fields and @rest. Its size is a multiple of 8, minus 4 for the size field. To free. */
GByteArray *offcpu_raw(const struct sample *sample, const u8 *rest, u32 size);

#endif
