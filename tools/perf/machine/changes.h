/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time windows in which nothing changes for a process or thread. Modules that keep versions by time report here when
 * a new version of a pid or tid starts. Two samples of one thread in the same window see the same version of
 * everything that is reported.
 *
 * Example: pid 7 maps a library at time 20. Its windows are 0 to 20 and 20 to the end. Samples at times 11 and 15 are
 * in one window, so the same address is the same symbol in both.
 */
#ifndef MACHINE_CHANGES_H
#define MACHINE_CHANGES_H

#include "base/types.h"

struct changes;

struct changes *changes_new(void);
void changes_free(struct changes *c);

/* Something changes for @number (a pid or tid) at @time. */
void changes_note(struct changes *c, u32 number, u64 time);
/* ... about every process. */
void changes_note_all(struct changes *c, u64 time);

/*
 * Narrows [*@from, *@to), which contains @time, to the window around @time in which nothing reported for @number, or
 * for all, changes. Thread-safe after changes_settle().
 */
void changes_settle(struct changes *c);
void changes_window(const struct changes *c, u32 number, u64 time, u64 *from, u64 *to);

#endif
