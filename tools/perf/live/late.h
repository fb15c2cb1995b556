/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples that could not be unwound in time are written with their registers and stacks (record --live-wait=stacks).
 * They belong to a second event, "cpu-clock-late" for "cpu-clock". So readers know the layout of these samples, and can
 * tell them from the others.
 */
#ifndef LIVE_LATE_H
#define LIVE_LATE_H

#include "record/base/source.h"

struct evsel;

/* The caller adds the source to a recorder, which frees it. Recordings of more than one event are refused. */
struct source *late_source_new(void);

/* The late event; NULL: the recording is not prepared yet. */
const struct evsel *late_source_evsel(const struct source *src);

#endif
