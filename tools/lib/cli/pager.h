/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends long output on a terminal through the user's pager: $PERF_PAGER, else $PAGER, else less. No pager is started if
 * stdout is no terminal, or if the pager is "" or "cat". If the pager cannot be run, the shell says why, and the output is
 * printed without it.
 *
 *	struct pager pager;
 *
 *	pager_start(&pager);
 *	... print to stdout ...
 *	pager_finish(&pager);
 */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

struct pager {
	pid_t pid; /* 0: stdout was left alone */
};

/* Output on stdout goes to the pager from now on. */
void pager_start(struct pager *pager);

/* Does a pager show stdout on a terminal? Then colours and the terminal's width apply, though stdout is a pipe. */
static inline bool pager_in_use(const struct pager *pager)
{
	return pager->pid != 0;
}

/*
 * Ends the pager's input and waits until the user has left it. Call it before exiting on
 * every path, or the shell's prompt appears while the pager still owns the terminal.
 */
void pager_finish(struct pager *pager);

#endif
