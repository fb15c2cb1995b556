// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/cpu_context.h"

#include <glib.h>

static const char *const names[] = {
	[CPU_IN_UNKNOWN] = "unknown", [CPU_IN_TASK] = "task", [CPU_IN_SOFTIRQ] = "softirq",
	[CPU_IN_HARDIRQ] = "hardirq", [CPU_IN_NMI] = "nmi",
};

G_STATIC_ASSERT(G_N_ELEMENTS(names) == CPU_NR_CONTEXTS);

const char *cpu_context_name(enum cpu_context context)
{
	return names[(u32)context < CPU_NR_CONTEXTS ? context : CPU_IN_UNKNOWN];
}

/* u16 type; u8 flags; u8 preempt_count; s32 pid */
#define FLAGS_AT     2
#define FLAG_HARDIRQ 0x08
#define FLAG_SOFTIRQ 0x10
#define FLAG_NMI     0x40

enum cpu_context cpu_context_of_tracepoint(const void *raw, u32 size)
{
	u8 flags = size > FLAGS_AT ? ((const u8 *)raw)[FLAGS_AT] : 0;

	if (size <= FLAGS_AT)
		return CPU_IN_UNKNOWN;
	if (flags & FLAG_NMI)
		return CPU_IN_NMI;
	if (flags & FLAG_HARDIRQ)
		return CPU_IN_HARDIRQ;
	return flags & FLAG_SOFTIRQ ? CPU_IN_SOFTIRQ : CPU_IN_TASK;
}
