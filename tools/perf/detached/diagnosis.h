/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists the preconditions for keeping a process's crash on this machine: for each one its present
 * value, its effect, and the command that changes it.
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
	char *command; /* the command that changes it; NULL: nothing to do, or not possible */
};

/*
 * Findings for process @pid; 0: this process and its future children. struct finding *, in the
 * order of the steps by which a core is made.
 */
GPtrArray *diagnose(pid_t pid);

#endif
