/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of a crash will be kept on this machine, for this process: each precondition, its present value, what follows
 * from it, and the command that changes it.
 */
#ifndef DETACHED_DIAGNOSIS_H
#define DETACHED_DIAGNOSIS_H

#include <glib.h>
#include <sys/types.h>

#include "base/types.h"

struct finding {
	const char *what; /* "core limit" */
	bool fine;
	char *value;   /* "0" */
	char *effect;  /* "no core file is written" */
	char *command; /* what would change it; NULL: nothing to do, or nothing can be done */
};

/* For process @pid; 0: this one and what it will start. struct finding *, in the order in which a core is made. */
GPtrArray *diagnose(pid_t pid);

#endif
