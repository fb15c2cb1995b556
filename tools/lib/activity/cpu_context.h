/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The context in which a CPU ran when a sample was taken: thread, softirq, interrupt or NMI. */
#ifndef ACTIVITY_CPU_CONTEXT_H
#define ACTIVITY_CPU_CONTEXT_H

#include "base/types.h"

/*
 * The context that the sampling event interrupted. A softirq, an interrupt or an NMI runs on top of the current thread,
 * and usually not for this thread. The numbers are written into files.
 */
enum cpu_context {
	CPU_IN_UNKNOWN = 0,
	CPU_IN_TASK = 1, /* the thread's own code, also in system calls and page faults */
	CPU_IN_SOFTIRQ = 2,
	CPU_IN_HARDIRQ = 3,
	CPU_IN_NMI = 4,
	CPU_NR_CONTEXTS
};

/* From the flags at the start of a tracepoint's @raw data. UNKNOWN: there are none. */
enum cpu_context cpu_context_of_tracepoint(const void *raw, u32 size);

/* "unknown", "task", "softirq", "hardirq", "nmi". */
const char *cpu_context_name(enum cpu_context context);

/* Has it interrupted the thread? */
static inline bool cpu_context_interrupts(enum cpu_context context)
{
	return context > CPU_IN_TASK;
}

#endif
