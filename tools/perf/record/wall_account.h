/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at threads, now and then, become stretches of time: what each thread did, without a gap. The shares of time on
 * a CPU and in the run queue come from the scheduler's sums, not from how often a look found the
 * thread there: who looks takes a CPU from those it looks at, and would see half of what they do.
 *
 *	look at 0 ms: asleep in read(), exec 10 ms, delay 1 ms
 *	look at 50 ms: asleep in futex(), exec 14 ms, delay 3 ms, asleep for 20 ms
 *	= 24 ms asleep in read(), 2 ms in the run queue, 4 ms on a CPU; 20 ms in futex() go on
 *
 * A sleep that goes on makes no stretch until it ends, or until wall_account_flush().
 *
 * A thread that does the same again and again has one stretch for all of it in a window of time: what it did in the window is
 * added up by kind, and the kinds follow each other, so that there are still no gaps.
 *
 *	asleep 9 ms in read(), 1 ms on a CPU, asleep 9 ms in read(), 1 ms on a CPU ... for 250 ms
 *	= asleep 225 ms in read(), 25 ms on a CPU
 */
#ifndef RECORD_WALL_ACCOUNT_H
#define RECORD_WALL_ACCOUNT_H

#include "record/wall.h"

struct wall_account;

/* @look: of its state, system call, stack and file; look->state is the stretch's, look->nr how many it is. Ends at @end. */
typedef void wall_stretch_fn(const struct wall_look *look, u64 end, u64 length, void *arg);

/* @window: ns in which equal stretches of a thread become one; 0: none do. */
struct wall_account *wall_account_new(u64 window, wall_stretch_fn *fn, void *arg);
void wall_account_free(struct wall_account *a);

/* @begin: when the recording began: nothing before it counts. */
void wall_account_take(struct wall_account *a, const struct wall_look *look, u64 begin);

/*
 * All threads were looked at, by @time. A zombie is taken in each pass: who was not is gone. Returns a
 * time before which none of the windows that are open will have a stretch end; @time: there is none.
 */
u64 wall_account_passed(struct wall_account *a, u64 time);

/* Thread @tid ended at @time. It may go on as a zombie. */
void wall_account_exit(struct wall_account *a, u32 tid, u64 time);

/*
 * What goes on is told up to @time, so that no stretch is longer than @longest ns if this is called often enough. A thread that
 * sleeps all the time is told each two thirds of @longest. 0: all of it is told now.
 */
void wall_account_flush(struct wall_account *a, u64 time, u64 longest);

/* The last look at thread @tid; NULL: there was none. Until the next call. */
const struct wall_look *wall_account_look(const struct wall_account *a, u32 tid);

/* What the thread works for, where it was found out after the look: for the sleep that goes on. */
void wall_account_set_tls(struct wall_account *a, u32 tid, const struct wall_bytes *tls);

/* What @look, which is the same as @before, leaves out. */
void wall_look_complete(struct wall_look *look, const struct wall_look *before);

/* How many threads there are. */
u32 wall_account_nr(const struct wall_account *a);

#endif
