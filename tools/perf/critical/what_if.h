/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much shorter would a request be, if a lock or a function cost nothing? The request is walked again without it, forward, with
 * all threads on which it depends:
 *
 *	thread 7	ran 0-10	blocked by 8's lock 10-50	ran 50-60
 *	thread 8	ran f 0-35, g 35-50
 *
 *	without the lock	7 does not wait: 60 - 40 = 20
 *	without f		8 gives the lock up at 15 instead of 50, so 7 waits from 10 to 15: 25
 *	without g		8 gives it up at 35: 45
 *	without f and g		7 would not wait, but cannot be there before 10
 *
 * So a thread goes on when it is there itself, and when whoever ended its wait, or had the lock, is done: the later of both counts. All
 * that is before the request's begin stays as it was. A wait that cannot be followed (a timer, a disk, the network, the run queue, a
 * thread that is not recorded) keeps its length.
 *
 * It is an upper bound of what can be saved: threads also depend on each other where none of them slept, which nobody
 * recorded; and others may come into the way that came later.
 */
#ifndef CRITICAL_WHAT_IF_H
#define CRITICAL_WHAT_IF_H

#include "critical/history.h"

/* What costs nothing. */
struct what_if_cause {
	bool is_lock; /* the waits for a lock; else the samples of a function */
	u32 what;     /* text: stay.object, or tick.code */
};

struct what_if;

#define WHAT_IF_MOST 32 /* causes */

/*
 * Borrows @h, which is sealed, and @causes. Takes 12 bytes for each stay, and 8 for each cause of it, but for that at most 128 MB, if
 * there is a choice: then each request is walked several times.
 */
struct what_if *what_if_new(const struct history *h, const struct what_if_cause *causes, u32 nr);
void what_if_free(struct what_if *w);

/*
 * How much shorter [@from, @to) of @thread is without each cause alone, ns, in @shorter. Returns the number of stays and ticks that were
 * looked at.
 */
u64 what_if_shorter(struct what_if *w, u32 thread, u64 from, u64 to, u64 *shorter);

#endif
