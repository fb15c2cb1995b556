/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts the frames of a sysprof capture to perf events. Samples, mappings, names, forks and exits become events.
 * Frames that perf has no record for (marks, counters, log lines, embedded files) are counted and left out.
 *
 * A capture lacks two facts. First, mappings that existed at the start have the time at which sysprof read them, which
 * may be after the first samples. So until a process's first sample, its frames get the time of the recording's start.
 * Second, a fork frame does not tell whether the child is a process or a thread. So the fork becomes an event only when
 * another frame shows that the child is a process or a thread that runs.
 */
#ifndef CONVERT_FROM_SYSPROF_H
#define CONVERT_FROM_SYSPROF_H

#include "perfdata/event.h"
#include "sysprof/frame.h"

/* The events (struct evsel.idx): samples with a call chain; samples with registers and a copy of the stack. */
enum { FROM_SYSPROF_CHAINS, FROM_SYSPROF_STACKS, FROM_SYSPROF_EVSELS };

struct from_sysprof;

struct from_sysprof *from_sysprof_new(void);
void from_sysprof_free(struct from_sysprof *f);

/* Owned by @f. */
struct evsel *const *from_sysprof_evsels(const struct from_sysprof *f);

/*
 * Converts @frame to events, at most FROM_SYSPROF_MOST, in this order. Returns how many. They are valid until the next
 * call, and as long as @frame is. They have no bytes (raw).
 */
#define FROM_SYSPROF_MOST 3
u32 from_sysprof_events(struct from_sysprof *f, const struct sysprof_frame *frame,
			struct event events[FROM_SYSPROF_MOST]);

/* "12 Mark, 3 FileChunk": counts of frames that were left out; NULL: none. The caller frees it. */
char *from_sysprof_passed_over(const struct from_sysprof *f);

#endif
