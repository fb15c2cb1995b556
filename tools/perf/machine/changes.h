/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Between which times did nothing change about a process or thread? Who keeps versions of
 * something by time notes here when a version of which pid or tid begins. Two samples of one thread
 * within one window then read alike in all that was noted, whatever it is.
 */
#ifndef MACHINE_CHANGES_H
#define MACHINE_CHANGES_H

#include "base/types.h"

struct changes;

struct changes *changes_new(void);
void changes_free(struct changes *c);

/* Something about @number (a pid or tid) is another from @time on. */
void changes_note(struct changes *c, u32 number, u64 time);
/* ... about every process. */
void changes_note_all(struct changes *c, u64 time);

/*
 * Narrows [*@from, *@to), which has @time in it, to the times around @time in which nothing noted
 * for @number, or for all, changes. Safe in several threads after changes_settle().
 */
void changes_settle(struct changes *c);
void changes_window(const struct changes *c, u32 number, u64 time, u64 *from, u64 *to);

#endif
