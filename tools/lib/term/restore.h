/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restores the terminal when the program ends abnormally: by a signal, including crashes, or by exit().
 *
 * The signal handlers call only functions that are async-signal-safe: write() and tcsetattr(). S-Lang's state may be
 * inconsistent at that moment, so they write fixed bytes that leave the alternate screen and show the cursor. Then the
 * signal takes its former action. This is the only module of the tree with global state: a handler has no other way to
 * find the terminal.
 */
#ifndef TERM_RESTORE_H
#define TERM_RESTORE_H

#include <stdbool.h>
#include <termios.h>

/* Events other than keys that end a wait. */
struct wakes {
	bool resized;	/* SIGWINCH */
	bool continued; /* SIGCONT: a shell may have changed the terminal's settings */
};

/*
 * From now on the terminal @fd is restored to the settings @before when the program ends. Returns a descriptor that
 * becomes readable when there are wakes, or -1.
 */
int restore_begin(int fd, const struct termios *before);

/* Returns the wakes since the last call, and clears them. */
struct wakes restore_wakes(void);

/* @away: the caller has restored the terminal, so there is nothing to restore. False: the screen uses it again. */
void restore_pause(bool away);

/* Restores the signal actions from before restore_begin(). */
void restore_end(void);

#endif
