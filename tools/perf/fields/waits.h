/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is a thread's wait for? Of a sample of thread states (perfdata/wall.h). */
#ifndef FIELDS_WAITS_H
#define FIELDS_WAITS_H

#include "perfdata/wall.h"

struct evsel;
struct sample;

struct wait {
	struct wall_raw raw;
	/* "" where there is none; they point into the sample. waker: the name of its thread */
	const char *wchan, *file, *connection, *waker;
};

/* Whether its samples are of states and waits of threads. */
bool wait_is_event(const struct evsel *evsel);

/* False: the sample is none of these, or of a version that is not known here. */
bool wait_of(const struct evsel *evsel, const struct sample *sample, struct wait *wait);

/* "read", or NULL where the number is not known here. */
const char *wait_syscall_name(s32 number);

/* "S (sleep)". */
const char *wait_state_name(enum wall_state state);

#endif
