/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns a stretch of a thread's time into a sample: for the events "wall" and "offcpu-time", and for ended calls. */
#ifndef RECORD_WALL_SAMPLE_H
#define RECORD_WALL_SAMPLE_H

#include <glib.h>

#include "record/waits/wall.h"

struct evsel;

/* Appends a sample of @evsel to @out: the thread was in @look->state for @length ns, until @end. */
void wall_sample_make(const struct wall_look *look, u64 end, u64 length, const struct evsel *evsel,
		      GByteArray *out);

#endif
