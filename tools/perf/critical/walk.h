/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The critical path of an interval of a thread: what the interval's time went to, by the facts of a history. The walk goes
 * backward. While the thread was blocked, it is continued on the thread that had the lock, else on the one that ended the
 * wait, and returns to the blocked thread where its wait begins:
 *
 *	thread 7	ran 0-10	blocked by 8's lock 10-50	ran 50-60
 *	thread 8	ran 0-20	asleep, a timer 20-40	ran 40-60
 *
 *	segments	7 ran 50-60; 7 through 8's lock: 8 ran 40-50, timer 20-40, 8 ran 10-20; 7 ran 0-10
 *
 * The segments have no gaps and do not overlap, so their sum is the interval. What cannot be followed is a segment, too,
 * with the reason.
 */
#ifndef CRITICAL_WALK_H
#define CRITICAL_WALK_H

#include "critical/history.h"

enum segment_why {
	WHY_RAN,    /* the thread was on a CPU */
	WHY_QUEUED, /* it waited for a CPU */
	/* It was blocked, and the walk ends there: */
	WHY_TIMER,
	WHY_DISK,
	WHY_NETWORK,
	WHY_WAY,       /* what ended the wait was on its way from where it was sent */
	WHY_APART,     /* before or after what is seen of the child span for which it waited */
	WHY_INTERRUPT, /* of unknown kind */
	WHY_KILLED,
	WHY_OPEN,     /* the wait was not over at the end of the recording */
	WHY_NOT_SEEN, /* nobody saw who ended the wait */
	WHY_STRANGER, /* the owner or the waker is not in the recording */
	WHY_CYCLE,    /* threads wait for each other */
	WHY_DEEP,     /* through more than WALK_DEPTH waits */
	WHY_OUTSIDE,  /* the thread did not exist, or was not recorded */
	WHY_CUT,      /* the walk had too many steps */
	NR_WHYS,
};

#define WALK_DEPTH 24

struct path_segment {
	u64 from, to;
	u32 thread; /* that ran, waited for a CPU, or was blocked */
	u8 why;	    /* enum segment_why */
	/*
	 * What the thread worked for; 0: nothing, or not known. A run is divided where it changes: up to a sample, it was what the
	 * sample has; behind the last one, that with which the thread left its CPU or woke the next thread.
	 */
	u32 activity;
	const struct stay *stay; /* NULL: the thread ran, or there is no record */
	/* The waits through which the walk came to this thread, outermost first. */
	const struct stay *const *through;
	u32 depth;
};

typedef void walk_fn(const struct path_segment *segment, void *arg);

/*
 * Calls @fn for each segment of [@from, @to) of @thread, the last one first. After @steps segments, the rest is one of
 * WHY_CUT. Returns the number of segments.
 */
u64 walk(const struct history *h, u32 thread, u64 from, u64 to, u64 steps, walk_fn *fn, void *arg);

/* The thread on which the walk goes on through @stay; HISTORY_NOBODY: the stay does not tell one. */
u32 walk_next(const struct stay *stay);
/* The activity of that thread, as far as the stay tells it: when the thread had the lock, or when it ended the wait. */
u32 walk_next_activity(const struct stay *stay);

/*
 * What the thread at @depth of the way to @segment worked for, 0 being the interval's own thread: by the wait in which it is on
 * that way, else by the wait that leads to it.
 */
u32 walk_activity_at(const struct path_segment *segment, u32 depth);
#endif
