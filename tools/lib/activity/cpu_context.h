/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context in which a CPU ran when a sample was taken: thread, softirq, interrupt or NMI. */
#ifndef ACTIVITY_CPU_CONTEXT_H
#define ACTIVITY_CPU_CONTEXT_H

#include "base/types.h"

/*
 * What the CPU was doing when the sampling event hit. A softirq, an interrupt and an NMI run on
 * top of whatever thread is there, for somebody else as a rule. The numbers are written into files.
 */
enum cpu_context {
	CPU_IN_UNKNOWN = 0,
	CPU_IN_TASK = 1, /* the thread's own code, system calls and page faults included */
	CPU_IN_SOFTIRQ = 2,
	CPU_IN_HARDIRQ = 3,
	CPU_IN_NMI = 4,
	CPU_NR_CONTEXTS
};

/* By the flags in front of every tracepoint's @raw data; UNKNOWN where there are none. */
enum cpu_context cpu_context_of_tracepoint(const void *raw, u32 size);

/* "unknown", "task", "softirq", "hardirq", "nmi". */
const char *cpu_context_name(enum cpu_context context);

/* Is it something that interrupted the thread? */
static inline bool cpu_context_interrupts(enum cpu_context context)
{
	return context > CPU_IN_TASK;
}

#endif
