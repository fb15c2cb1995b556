/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that wait for each other at the end of a recording. Each waits for one lock, which one thread has, so the waits are
 * arrows; where they lead back to a thread, no thread of the circle can go on:
 *
 *	7 waits for a lock that 8 has, 8 for one that 9 has, 9 for one that 8 has: 8 and 9
 *
 * Not among these: a wait with a timeout, and a lock without an owner.
 */
#ifndef RECORD_DEADLOCKS_H
#define RECORD_DEADLOCKS_H

#include <glib.h>

#include "base/types.h"
#include "perfdata/wall.h"
#include "perfevent/paths.h"

struct deadlocks;

/* A thread that waits for a lock. */
struct stuck {
	u32 pid, tid;
	u32 own_tid; /* in its own pid namespace */
	char comm[16];
	u64 runs; /* how often it has got a CPU */
	struct wall_lock lock;
};

struct deadlocks *deadlocks_new(void);
void deadlocks_free(struct deadlocks *deadlocks);

/* Takes a copy. */
void deadlocks_add(struct deadlocks *deadlocks, const struct stuck *stuck);

/*
 * Looks at the threads and their locks again: a circle counts only if none of its threads has run since, and each lock still
 * names its owner. Returns the circles in order, as "8 9, 11 12": a thread waits for the lock of the next one, the last one for
 * that of the first. NULL: there is none. To free. @words: the same for people, if not NULL.
 */
char *deadlocks_find(const struct deadlocks *deadlocks, const struct kernel_paths *paths,
		     GString *words);

#endif
