/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen in memory, for tests: it has the size that it is told, and the keys that it is given. */
#ifndef TERM_MEMORY_H
#define TERM_MEMORY_H

#include "term/screen.h"

struct screen *memory_screen_new(u32 rows, u32 columns);

/* The next keys; when all were taken, screen_wait() says that there is an end. */
void memory_screen_press(struct screen *screen, u32 key);

/* ^C, which only screen_interrupted() takes: it does nothing where no work was going on. */
void memory_screen_interrupt(struct screen *screen);

/* Another size, which screen_wait() tells of when the keys so far are taken. */
void memory_screen_resize(struct screen *screen, u32 rows, u32 columns);

/* As shown last: a line per row, without the blanks at its end. */
void memory_screen_print(const struct screen *screen, GString *out);

/* The same with marks for inks that are not plain: "{hot: 18.01%}", "{>cursor's cells<}". */
void memory_screen_print_inks(const struct screen *screen, GString *out);

/*
 * What each input cost, in ns of CPU time of the thread from screen_wait() that gave it to the next one; the first is
 * what came before all input. Of those whose next wait has come.
 */
const GArray *memory_screen_costs(const struct screen *screen);

/*
 * ^C in the middle of work: from now on screen_interrupted() answers no @nr times, then once yes. UINT32_MAX: never.
 */
void memory_screen_interrupt_later(struct screen *screen, u32 nr);

/* How often screen_show() was called. */
u32 memory_screen_nr_shown(const struct screen *screen);

#endif
