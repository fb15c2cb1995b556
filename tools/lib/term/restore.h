/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who restores the terminal when the program cannot? Signals that end it, crashes included, and exit().
 *
 * The handlers only call what may be called in one: write() and tcsetattr(). They write fixed bytes
 * that leave the second screen and show the cursor, since S-Lang may be in the middle of something.
 * Then the signal does what it would have done. This is the one place of the tree with state of the
 * process: a handler has no other way to know the terminal.
 */
#ifndef TERM_RESTORE_H
#define TERM_RESTORE_H

#include <stdbool.h>
#include <termios.h>

/* What woke a wait, besides keys. */
struct wakes {
	bool resized;	/* SIGWINCH */
	bool continued; /* SIGCONT: a shell may have set the terminal up for itself */
};

/*
 * From here on @fd, whose settings are @before, is restored by whatever ends the program; the
 * descriptor that becomes readable when there are wakes, or -1.
 */
int restore_begin(int fd, const struct termios *before);

/* Takes the wakes since the last call. */
struct wakes restore_wakes(void);

/* The terminal is as it was (@away), and may be left so; or it is the screen's again. */
void restore_pause(bool away);

/* Signals do what they did before restore_begin(). */
void restore_end(void);

#endif
