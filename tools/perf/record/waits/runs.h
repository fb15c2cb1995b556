/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which threads had a CPU, as bpf/cpu_runs.h reports it for threads that waited for the CPU. A wait gets its pieces, each with one
 * owner:
 *
 *	runs of CPU 2			8 10-14, 9 14-15
 *	thread 7 waits from 10 to 15	[10, 14) 8, [14, 15) 9
 *
 * Runs that nobody waited for are not reported, and old ones are forgotten: then the owner of that piece is not known.
 *
 * Times are CLOCK_MONOTONIC, ns. One thread at a time.
 */
#ifndef RECORD_RUNS_H
#define RECORD_RUNS_H

#include "record/waits/owners.h"

struct runs;
struct offcpu_run; /* bpf/offcpu.h */

struct runs *runs_new(void);
void runs_free(struct runs *runs);

/* Remembers a run; @tls_size bytes of its activity are there. A longer report of the same run replaces the one before. */
void runs_add(struct runs *runs, const struct offcpu_run *run, u32 tls_size);

/*
 * Appends to @pieces (struct lock_holder) who had @cpu between @from and @to, in order, without gaps. The state is
 * WALL_OWNER_KNOWN, _IDLE, _STRANGER or _UNSEEN. Valid until runs_add().
 */
void runs_split(const struct runs *runs, u32 cpu, u64 from, u64 to, GArray *pieces);

#endif
