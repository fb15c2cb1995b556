/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal as a screen, by S-Lang. A process can have only one at a time. Only one thread may use it.
 *
 * The terminal is restored by screen_free(), and also if exit(), a signal or a crash ends the program. ^Z stops the
 * program, as usual, and restores the terminal before. After kill -STOP and fg, or a change of size, the next input is
 * INPUT_REDRAW.
 */
#ifndef TERM_TERMINAL_H
#define TERM_TERMINAL_H

#include "base/error.h"
#include "term/screen.h"

/* Does this build have S-Lang? */
bool terminal_is_built(void);

/* NULL with @error: there is no terminal, or it cannot move its cursor. */
struct screen *terminal_open(GError **error);

#endif
