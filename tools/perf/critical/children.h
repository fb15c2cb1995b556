/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where no message tells who sent what ended a wait (a proxy, addresses that are translated): child spans on other hosts. A span waits while the host
 * that it asked works for a child span of it:
 *
 *	span 7 on host A	waits 100-150
 *	span 8 on host B	its parent is 7; seen 1112-1141, by B's clock
 *
 *	children_each()		8 is a child of that wait. If a child begins and ends within a wait of its parent, B's clock is
 *				ahead by 991 at least (1141 is not after 150), by 1012 at most (1112 is not before 100)
 *	children_each_pair()	once the clocks are known, and only one wait of 7 can have 8 in it: that wait
 *
 * A child's interval is from its first to its last sight, and what the files of spans state, if that has all sights in it. Times are ns.
 */
#ifndef CRITICAL_CHILDREN_H
#define CRITICAL_CHILDREN_H

#include "base/types.h"
#include "spans/spans.h"

#define CHILDREN_MOST 1000000u /* spans, and waits; further ones are left out */

struct span_ids {
	u64 trace_high, trace_low, span;
};

/* What a thread of a host did for a span. */
struct child_sight {
	struct span_ids ids;
	u64 parent; /* id of the span; 0: the sample does not tell it */
	u64 from, to;
	s64 correction; /* of the host's clock: is added to what the files of spans state */
	u32 host, thread, activity;
	bool waits; /* from @from to @to, perhaps for another host */
};

struct children;

/* @spans: NULL: none. Borrowed. */
struct children *children_new(const struct spans *spans);
void children_free(struct children *c);
void children_see(struct children *c, const struct child_sight *sight);

/* A wait, and a child. */
struct child_call {
	u64 sent, received; /* the wait's begin and end */
	u64 begun, ended;
	u32 from_host, host;	    /* of the wait, of the child */
	u32 waiter, from, activity; /* the thread that waits; of the child at its end */
};

typedef void child_fn(const struct child_call *call, void *arg);

/* Ends seeing. Each child whose parent waits on another host, as long at least: with the first one's begin and the last one's end of these waits. */
void children_each(struct children *c, child_fn *fn, void *arg);

/*
 * The child that ended a wait, as far as that is certain: of several, the last one. @errors: by host, how far the times may be wrong; UINT64_MAX: not
 * known, and the host's spans are left out.
 */
void children_each_pair(struct children *c, const u64 *errors, child_fn *fn, void *arg);

#endif
