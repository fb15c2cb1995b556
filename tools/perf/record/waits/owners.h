/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who had a lock when? A thread that begins to wait for a lock sees its owner, and a thread whose wait has ended has the
 * lock. Both are told when that thread's wait is over. From these sights, another thread's longer wait for the same lock
 * gets its pieces, each with one owner:
 *
 *	thread 7 waits from 10 to 50	at 10 the owner is 8
 *	thread 9 waits from 12 to 30	8 gives it the lock at 30
 *
 *	owners_split() of 7's wait	[10, 30) 8, [30, 50) 9
 *
 * The number of sights is limited. If there are too many, all are forgotten, and the owners of waits that began before are
 * not known.
 *
 * Times are CLOCK_MONOTONIC, ns. One thread at a time.
 */
#ifndef RECORD_OWNERS_H
#define RECORD_OWNERS_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/wall.h"

struct owners;

/* Who has the lock at @time. */
struct lock_holder {
	u64 time;
	u32 tid;  /* if @state is WALL_OWNER_KNOWN */
	u32 pid;  /* its process: a lock of the kernel may be another process's */
	u8 state; /* enum wall_owner */
	char comm[16];
	const u8 *tls; /* the activity, @tls_size bytes; NULL: none */
	u32 tls_size;
	u32 giver; /* of a sight: the thread that gave it the lock; 0: not known */
	u64 given; /* the number of the sample that shows where the giver was; 0: none */
	/* Of a piece: the number of the sample that shows where this owner gave the lock up; 0: none. */
	u64 left;
};

/* A wait of thread @tid for the lock at @va of process @pid (0: of the kernel), from first.time to @to. */
struct owned_wait {
	u32 pid, tid;
	u64 va;
	struct lock_holder first; /* whom the thread saw when it began to wait */
	u64 to;
	u32 releaser; /* the thread that gave the lock up and so ended the wait; 0: not known */
	u64 released; /* the number of the sample that shows where; 0: none */
};

struct owners *owners_new(void);
void owners_free(struct owners *owners);

/* Remembers what a thread has seen; copies @seen. */
void owners_add(struct owners *owners, u32 pid, u64 va, const struct lock_holder *seen);

/*
 * Fills @pieces (struct lock_holder) with the owners in order: each from its time until the next one's, the last one until
 * @wait->to. At least one. Valid until owners_add().
 */
void owners_split(const struct owners *owners, const struct owned_wait *wait, GArray *pieces);

#endif
