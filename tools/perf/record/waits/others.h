/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of other threads than the one that waits (record --off-cpu): who ended the wait, and who had the lock. They are of
 * events of their own, offcpu-waker and offcpu-owner, so that their stacks are unwound, and their activities decoded, as
 * those of any sample. Each has a number, by which the samples of waits refer to it (struct wall_edge).
 *
 *	the kernel says: thread 8 has woken 7	others_waker()		sample 1 of offcpu-waker
 *	the kernel says: 7's wait is over	others_woke()		1
 *						others_owner()		sample 2 of offcpu-owner
 *	samples of 7's wait			owner_sample 2, waker_sample 1
 *
 * One thread at a time.
 */
#ifndef RECORD_OTHERS_H
#define RECORD_OTHERS_H

#include <glib.h>

#include "record/base/source.h"

struct others;

/* A thread, and what is known of it. Times are the recording's. */
struct other {
	u32 pid, tid;
	u32 waits; /* the thread that waits, or has waited */
	u64 time, period;
	const u64 *kernel; /* stack in the kernel, innermost first, @nr_kernel frames */
	u32 nr_kernel;
	const u64 *
		regs; /* OTHERS_NR_REGS user registers, in the order of their bits; NULL: not known */
	bool in_32_bit_code;
	const u8 *stack; /* @stack_size bytes of the user stack */
	u32 stack_size;
	const u8 *tls; /* @tls_size bytes: its activity */
	u32 tls_size;
};

#define OTHERS_NR_REGS 8

struct others *others_new(void);
void others_free(struct others *others);

/* For prepare(): adds the two events. @waits: that of the waits, which says whether there are stacks and activities. */
void others_prepare(struct others *others, struct recording *rec, const struct evsel *waits);

/* For open(): there will be activities. */
void others_take_activities(struct others *others);

/*
 * Appends the sample of the thread that ended a wait. @woken: the time by the kernel's clock, with which others_woke() finds
 * it. @comm: its process is not recorded, so its name is told, too; else NULL.
 */
void others_waker(struct others *others, const struct other *waker, u64 woken, const char *comm,
		  GByteArray *out);

/* The number of the waker's sample for the wait of @tid that ended at @woken, once; 0: there is none. */
u64 others_woke(struct others *others, u32 tid, u64 woken);

/* Appends the sample of a lock's owner. Returns its number. */
u64 others_owner(struct others *others, const struct other *owner, GByteArray *out);

#endif
