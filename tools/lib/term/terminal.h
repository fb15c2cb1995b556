/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal as a screen, by S-Lang. One at a time in a process, used by one thread.
 *
 * The terminal is restored whatever ends the program: screen_free(), exit(), a signal that kills or a
 * crash. ^Z stops the program as it does any other, with the terminal restored meanwhile; what comes
 * from others (kill -STOP and fg, a new size) is an INPUT_REDRAW.
 */
#ifndef TERM_TERMINAL_H
#define TERM_TERMINAL_H

#include "base/error.h"
#include "term/screen.h"

/* Whether this build has S-Lang. */
bool terminal_is_built(void);

/* NULL with @error: there is no terminal, or it cannot place its cursor. */
struct screen *terminal_open(GError **error);

#endif
