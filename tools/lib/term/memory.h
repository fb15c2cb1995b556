/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A screen in memory, for tests. The test sets its size and its keys. */
#ifndef TERM_MEMORY_H
#define TERM_MEMORY_H

#include "term/screen.h"

struct screen *memory_screen_new(u32 rows, u32 columns);

/* Queues a key. When the queue is empty, screen_wait() returns INPUT_END. */
void memory_screen_press(struct screen *screen, u32 key);

/* Queues a ^C for screen_interrupted(). It has no effect if no work asks. */
void memory_screen_interrupt(struct screen *screen);

/* Queues a new size. screen_wait() reports it after the keys that were queued before. */
void memory_screen_resize(struct screen *screen, u32 rows, u32 columns);

/* Appends the screen as last shown: one line per row, without trailing blanks. */
void memory_screen_print(const struct screen *screen, GString *out);

/* The same, with marks for inks other than INK_PLAIN, "{hot: 18.01%}", and for reversed cells, "{>cursor's cells<}". */
void memory_screen_print_inks(const struct screen *screen, GString *out);

/*
 * The cost of each input: CPU time of the thread, in ns, from the screen_wait() that returned the input to the next
 * screen_wait(). The first element is the time before the first input. An input is in the list once its next wait has
 * begun.
 */
const GArray *memory_screen_costs(const struct screen *screen);

/*
 * ^C during work: from now on screen_interrupted() returns false @nr times, then true once. UINT32_MAX: never true.
 */
void memory_screen_interrupt_later(struct screen *screen, u32 nr);

#endif
