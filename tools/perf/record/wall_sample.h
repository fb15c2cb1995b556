/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stretch of a thread's time as a sample: of the events "wall" and "offcpu-time", and of calls that ended. */
#ifndef RECORD_WALL_SAMPLE_H
#define RECORD_WALL_SAMPLE_H

#include <glib.h>

#include "record/wall.h"

struct evsel;

/* @look->state for @length ns up to @end. Appends the record of @evsel to @out. */
void wall_sample_make(const struct wall_look *look, u64 end, u64 length, const struct evsel *evsel,
		      GByteArray *out);

#endif
