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
