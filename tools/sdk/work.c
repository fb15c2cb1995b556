// SPDX-License-Identifier: GPL-2.0-or-later
/* Work for the programs that try the SDKs: functions of their own, so that a sample tells which. */
#include <stdint.h>

static volatile uint64_t sink;

#define WORK(name)                                                                                 \
	void name(void);                                                                           \
	__attribute__((noinline)) void name(void)                                                  \
	{                                                                                          \
		for (uint64_t i = 0; i < 200000; i++)                                              \
			sink = sink + i;                                                           \
	}
WORK(work_outer_1)
WORK(work_inner_1)
WORK(work_outer_2)
WORK(work_inner_2)
WORK(work_task_3)
WORK(work_task_4)
