/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about a thread's wait, from a sample of thread states (perfdata/wall.h). */
#ifndef FIELDS_WAITS_H
#define FIELDS_WAITS_H

#include "perfdata/wall.h"

struct evsel;
struct sample;

struct wait {
	struct wall_raw raw;
	/* "" where there is none; they point into the sample. waker: the name of its thread */
	const char *wchan, *file, *connection, *waker;
	const char *result;    /* what a call that has ended returned, as a number */
	const char *owner;     /* of raw.lock: the name of the thread */
	const char *owner_tls; /* its activity, raw.lock.activity_size bytes; NULL: none */
	/* Of several descriptors, the one that ended the wait: "TCP ...", "pipe:[4711]", "anon_inode:[eventfd]"; or the request to a disk that did: "disk vda, read, in the device"; "": none, or not known */
	const char *ready;
	const char *
		messages; /* edge.nr_messages of struct wall_message, perhaps not aligned; wait_message() */
	struct wall_edge edge; /* all 0, and owner_syscall -1, if the recording does not tell */
};

/* True if its samples are thread states or waits. */
bool wait_is_event(const struct evsel *evsel);

/* True if its samples are whole waits (record --off-cpu), not what looks have seen. */
bool wait_is_exact(const struct evsel *evsel);

/* False: the sample is not one of these, or has an unknown version. */
bool wait_of(const struct evsel *evsel, const struct sample *sample, struct wait *wait);

/* @i < wait->edge.nr_messages */
struct wall_message wait_message(const struct wait *wait, u32 i);

/* The end of a connection's text, where its other end's process is known: " of redis-server[9]". Else "". */
const char *wait_peer(const char *connection);

/* "read", or NULL for an unknown number. */
const char *wait_syscall_name(s32 number);

/* How many of the recorded arguments are the call's; all if that is not known. */
u32 wait_syscall_nr_args(s32 number);

/* "S (sleep)". */
const char *wait_state_name(enum wall_state state);

#endif
