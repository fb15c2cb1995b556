/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Long output on a terminal goes through the user's pager: $PERF_PAGER, else $PAGER, else
 * less. Nothing happens where stdout is no terminal, or where the pager is empty or "cat".
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

/* From here on, what is printed on stdout goes to the pager. */
void pager_start(struct pager *pager);

/* True where stdout is a terminal in the end, though not itself: for colours and widths. */
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
