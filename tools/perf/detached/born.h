/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When did a process start? A pid alone does not tell a process: the kernel gives the numbers of ended processes to later ones. */
#ifndef DETACHED_BORN_H
#define DETACHED_BORN_H

#include <stdbool.h>
#include <time.h>

#include "base/types.h"

struct born {
	u64 ticks; /* since boot, in units of sysconf(_SC_CLK_TCK) */
	bool dead; /* nobody has waited for it yet; or only its first thread has ended */
};

/* Fields 3 and 22 of /proc/PID/stat. False: there is no such process. */
bool born_read(s32 pid, struct born *born);

/* The same time on @clock, ns, at most one tick early. */
u64 born_on(const struct born *born, clockid_t clock);

#endif
