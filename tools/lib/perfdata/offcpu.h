/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of exact waits, the event "offcpu-time" of record --off-cpu. The form is upstream's (7.x): what the sample is of
 * stands in its raw data, whatever its other fields say:
 *
 *	u32 pid, tid; u64 period; u64 nr, ips[nr]; u64 cgroup
 *
 * Ours have the same in their other fields, and struct wall_raw with its texts behind (perfdata/wall.h).
 */
#ifndef PERFDATA_OFFCPU_H
#define PERFDATA_OFFCPU_H

#include <glib.h>

#include "perfdata/event.h"

#define OFFCPU_EVENT "offcpu-time"

/* Is it such an event, with raw data? */
bool offcpu_is(const struct evsel *evsel);

/* Fields of @sample become what its raw data say. False: these are damaged. */
bool offcpu_take(struct sample *sample);

/* What is behind upstream's part; @size 0: nothing. */
const u8 *offcpu_rest(const struct sample *sample, u32 *size);

/* The raw data for what @sample's fields say, with @rest behind; to free. A multiple of 8, less 4 for its size. */
GByteArray *offcpu_raw(const struct sample *sample, const u8 *rest, u32 size);

#endif
