/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No byte of a recording, a program or a file system steers the user's terminal.
 *
 * Names that others chose (a comm, a symbol, a path) are escaped where they become a cell
 * (base/text.h). This is the net below: whatever command prints something by stdio, what is
 * neither text, newline, tab nor one of our own colours is escaped as text_append_shown() does
 * it. Bytes for other programs (a recording on stdout) are written by write(2) and pass.
 */
#ifndef CLI_GUARD_H
#define CLI_GUARD_H

struct guards;

/*
 * Puts the guard between stdout and stderr and their descriptors, once, before anything is
 * printed. Buffering stays as it is: by lines on a terminal, none for stderr.
 */
struct guards *guard_output(void);

/* Prints what still waits, and takes the guard away. The descriptors stay open. */
void guard_end(struct guards *guards);

#endif
