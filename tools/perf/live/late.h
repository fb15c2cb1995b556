/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that could not be unwound in time, written with their registers and stacks (record --live-wait=stacks). They are samples of an
 * event of their own, so that readers know how they are laid out, and see which they are: "cpu-clock-late" beside "cpu-clock".
 */
#ifndef LIVE_LATE_H
#define LIVE_LATE_H

#include "record/base/source.h"

struct evsel;

/* To be added to a recorder, which frees it. Recordings of more than one event are refused. */
struct source *late_source_new(void);

/* The event; NULL before the recording is prepared. */
const struct evsel *late_source_evsel(const struct source *src);

#endif
