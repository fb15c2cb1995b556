/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which threads had a CPU, for those that waited for it (offcpu.bpf.c). Each CPU has its last CPU_RUNS runs of threads, in a ring:
 *
 *	switch from 7 to 8 at 10 ms, to 9 at 14 ms, to 7 at 15 ms	runs: 8 10-14, 9 14-15, 7 15-
 *
 * 7 was preempted at 10 ms, and waited until 15: its wait is reported after the runs that overlap it, each run once. All
 * threads have runs, also those that are not recorded.
 *
 * A CPU's ring is written on that CPU only. Another CPU reads it when a thread moves from one run queue to another; what it reads may
 * be overwritten meanwhile, if the CPU switches CPU_RUNS times in that moment.
 */
#ifndef BPF_CPU_RUNS_H
#define BPF_CPU_RUNS_H

#include "bpf/numbers.h"
#include "bpf/offcpu.h"

#define CPU_RUNS 128 /* a power of two */

struct cpu_runs {
	__u32 present; /* number of the run that has begun last; it is in runs[present % CPU_RUNS] */
	__u32 reserved;
	struct offcpu_run runs[CPU_RUNS];
};

/* The loader makes room for all CPUs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__type(key, __u32);
	__type(value, struct cpu_runs);
	__uint(max_entries, 1);
} cpu_runs SEC(".maps");

static __always_inline struct offcpu_run *run_at(struct cpu_runs *r, __u32 number)
{
	return &r->runs[number & (CPU_RUNS - 1)];
}

/* The thread is about to run on this CPU; without one, the CPU becomes idle. */
static __always_inline void begin_run(struct cpu_runs *r, __u32 cpu, struct task_struct *task,
				      __u64 now)
{
	struct offcpu_run *run = run_at(r, r->present + 1);

	run->kind = OFFCPU_RUN;
	run->cpu = cpu;
	run->from = now;
	run->to = 0;
	run->told_to = 0;
	run->pid = run->tid = run->tls_size = 0;
	run->unread = 1; /* until end_run() */
	if (task->pid) {
		run->pid = pid_of(task);
		run->tid = tid_of(task);
		bpf_probe_read_kernel(run->comm, sizeof(run->comm), task->comm);
	}
	run->foreign = task->pid && !run->tid;
	r->present++;
}

/* It leaves the CPU. @tls: its activity, @size bytes; NULL: not read. */
static __always_inline void end_run(struct cpu_runs *r, const __u8 *tls, __u32 size, __u64 now)
{
	struct offcpu_run *run = run_at(r, r->present);

	run->to = now;
	run->unread = !tls || size > OFFCPU_RUN_TLS;
	if (run->unread || !size)
		return;
	if (!bpf_probe_read_kernel(run->tls, size & (2 * OFFCPU_RUN_TLS - 1), tls))
		run->tls_size = size;
}

#endif
