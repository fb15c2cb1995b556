/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns periodic looks at threads (struct wall_look) into stretches: intervals with one state each. The stretches of a
 * thread follow each other without gaps.
 *
 * Time on a CPU and in the run queue comes from the scheduler's sums (exec, delay). It does not come from the share of
 * looks that found the thread there. The observer itself uses a CPU, so it would find threads running too rarely.
 *
 *	look at 0 ms: asleep in read(), exec 10 ms, delay 1 ms
 *	look at 50 ms: asleep in futex(), exec 14 ms, delay 3 ms, asleep for 20 ms
 *	= 24 ms asleep in read(), 2 ms in the run queue, 4 ms on a CPU; 20 ms in futex() go on
 *
 * A sleep makes no stretch before it ends, or before wall_account_flush().
 *
 * Stretches of one kind (equal state, system call, stack ...) are merged within a window of time. The merged stretches
 * are placed one after the other, so there are still no gaps:
 *
 *	asleep 9 ms in read(), 1 ms on a CPU, asleep 9 ms in read(), 1 ms on a CPU ... for 250 ms
 *	= asleep 225 ms in read(), 25 ms on a CPU
 */
#ifndef RECORD_WALL_ACCOUNT_H
#define RECORD_WALL_ACCOUNT_H

#include "record/waits/wall.h"

struct wall_account;

/*
 * A stretch of @length ns that ends at @end. Of @look, the state, system call, stack and file are the stretch's.
 * look->nr: the number of merged stretches.
 */
typedef void wall_stretch_fn(const struct wall_look *look, u64 end, u64 length, void *arg);

/* @window: ns within which equal stretches of a thread are merged, up to 4 times that with activities; 0: never. */
struct wall_account *wall_account_new(u64 window, wall_stretch_fn *fn, void *arg);
void wall_account_free(struct wall_account *a);

/* Adds one look. @begin: start of the recording; time before it is ignored. */
void wall_account_take(struct wall_account *a, const struct wall_look *look, u64 begin);

/*
 * To be called after each pass; @time: of the pass. Forgets zombies that the pass did not report: they are gone.
 * Returns a lower bound for the ends of all stretches in open windows; @time if no window is open.
 */
u64 wall_account_passed(struct wall_account *a, u64 time);

/* Thread @tid ended at @time. It may still be a zombie. */
void wall_account_exit(struct wall_account *a, u32 tid, u64 time);

/*
 * Reports sleeps that go on, up to @time. If this is called often enough, no stretch is longer than @longest ns: a
 * thread that sleeps all the time gets a stretch every two thirds of @longest. @longest 0: reports everything now.
 */
void wall_account_flush(struct wall_account *a, u64 time, u64 longest);

/* The last look at thread @tid, valid until the next call; NULL: there was none. */
const struct wall_look *wall_account_look(const struct wall_account *a, u32 tid);

/* Sets the activity of a thread that still sleeps, if it was read after the look. */
void wall_account_set_tls(struct wall_account *a, u32 tid, const struct wall_bytes *tls);

/* Sets the lock that a thread that still sleeps waits for, if it was read after the look. */
void wall_account_set_lock(struct wall_account *a, u32 tid, const struct wall_lock *lock);

/* Number of threads that ended before any look at them. Their time is missing. */
u64 wall_account_nr_unseen(const struct wall_account *a);

/*
 * Times of all threads so far, ns. @estimated: part of @asleep, of threads that slept several times between two looks. Of
 * these sleeps, only the last one's start is known. The others count for the place of the look before.
 */
struct wall_account_sums {
	u64 asleep, estimated;
};
struct wall_account_sums wall_account_sums(const struct wall_account *a);

/* Number of known threads. */
u32 wall_account_nr(const struct wall_account *a);

#endif
