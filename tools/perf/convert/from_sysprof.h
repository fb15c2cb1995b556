/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does a frame of a sysprof capture say in perf's words? Samples, mappings, names, forks and exits become events; what perf
 * has no word for (marks, counters, log lines, embedded files) becomes none, and is counted.
 *
 * Two things are not in a capture. What is mapped when the recording begins comes with the time at which it was read, which may
 * be after the first samples: until a process's first sample comes, its frames are taken to be of the beginning. And a
 * fork frame does not tell a process from a thread: it becomes an event when something else shows that there is such a
 * process.
 */
#ifndef CONVERT_FROM_SYSPROF_H
#define CONVERT_FROM_SYSPROF_H

#include "perfdata/event.h"
#include "sysprof/frame.h"

/* The events (struct evsel.idx) of samples with a call chain, and of those with registers and a copy of the stack. */
enum { FROM_SYSPROF_CHAINS, FROM_SYSPROF_STACKS, FROM_SYSPROF_EVSELS };

struct from_sysprof;

struct from_sysprof *from_sysprof_new(void);
void from_sysprof_free(struct from_sysprof *f);

/* Owned by @f. */
struct evsel *const *from_sysprof_evsels(const struct from_sysprof *f);

/*
 * The events that @frame becomes, in this order, up to FROM_SYSPROF_MOST: how many. They are valid until the next call, or until @frame is
 * not any more; they have no bytes (raw).
 */
#define FROM_SYSPROF_MOST 3
u32 from_sysprof_events(struct from_sysprof *f, const struct sysprof_frame *frame,
			struct event events[FROM_SYSPROF_MOST]);

/* "12 Mark, 3 FileChunk": the frames that became nothing, though they say something; NULL: none. To free. */
char *from_sysprof_passed_over(const struct from_sysprof *f);

#endif
