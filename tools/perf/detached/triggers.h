/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Triggers: events that save a copy of a detached recording while it continues.
 *
 *	EVENT                any occurrence of an event: a tracepoint, a breakpoint (mem:ADDRESS:x)
 *	uprobe:FILE:SYMBOL   the call of a function
 *	SIGUSR2              the signal, sent to the recording process: also without being named
 *	span>500ms           samples of one thread with one activity that are more than 500 ms apart
 *
 * A limit keeps frequent triggers from filling the disk: so many copies at most, and so much time between two. The signal
 * has none.
 *
 * With @crashes it also notes which thread got a signal that dumps core, and its position. This
 * needs permission to open the kernel's tracepoint signal:signal_deliver.
 */
#ifndef DETACHED_TRIGGERS_H
#define DETACHED_TRIGGERS_H

#include <glib.h>

#include "base/error.h"
#include "record/base/source.h"

struct triggers;

/*
 * @texts: const char *; NULL: none. @limit: "COUNT", "TIME" or "COUNT,TIME", such as "64,1s", which is also the default;
 * NULL: the default. NULL with @error: a text is not a trigger, or not a limit.
 */
struct triggers *triggers_new(const GPtrArray *texts, const char *limit, bool crashes,
			      GError **error);
void triggers_free(struct triggers *t);

/* The events, for recorder_add_source(). Closing the source releases nothing of @t. */
struct source *triggers_source(struct triggers *t);

struct perfdata_decoder;
struct event;
/*
 * The reason for a copy, if this sample fires a trigger: the trigger's text, and how many it passed over since the last
 * copy. Valid until the next call. NULL: none, or the limit is reached.
 */
const char *triggers_sample(struct triggers *t, const struct perfdata_decoder *decoder,
			    const struct perf_event_header *record);
void triggers_side(struct triggers *t, const struct event *ev);

/* The record of the sample given last: @record, or if a thread crashed there, one with more of its stack. */
const struct perf_event_header *triggers_record(const struct triggers *t,
						const struct perf_event_header *record);

/* The reason for a copy that another event than a trigger asks for; NULL: the limit is reached. As triggers_sample(). */
const char *triggers_limit(struct triggers *t, const char *text);

/* The process and thread of the last signal that dumps core; 0: none. */
struct crashed_thread {
	u32 pid, tid;
	s32 signal; /* that ends the process; 0: a handler goes on, or it is not known */
};
struct crashed_thread triggers_crash(const struct triggers *t);
/* Does the sample given last show that a signal ends a process? Then triggers_crash() is this thread. */
bool triggers_is_death(const struct triggers *t);

#endif
