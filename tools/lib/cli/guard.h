/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Protects the user's terminal from escape sequences in the output.
 *
 * Names from outside (a comm, a symbol, a path) are escaped when they are put into a cell (base/text.h). The guard is
 * the second protection. It checks everything that commands print by stdio. Text, newlines, tabs and our own colours
 * pass. All other bytes are escaped as in text_append_shown(). Data for other programs (a recording on stdout) is
 * written by write(2), so it does not go through the guard.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

struct guards;

/*
 * Puts the guard between stdout and stderr and their descriptors. Call it once, before anything is printed. Buffering
 * does not change: by lines on a terminal, none for stderr.
 */
struct guards *guard_output(void);

/* Prints what is still buffered and removes the guard. The descriptors stay open. */
void guard_end(struct guards *guards);

#endif
