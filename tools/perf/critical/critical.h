/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why was this request slow? For all instances of a span, or for one span, trace or thread: what their time went to, by
 * their critical paths (walk.h), and what is different in the slowest ones (path_tree.h).
 *
 * Needs a recording of perf record --off-cpu; for spans with --sample-tls; samples of a clock tell what ran.
 */
#ifndef CRITICAL_CRITICAL_H
#define CRITICAL_CRITICAL_H

#include "base/error.h"
#include "critical/path_tree.h"
#include "critical/points.h"

#define CRITICAL_SLOWEST 1.0 /* percent */

struct critical_options {
	struct lexicon *lexicon; /* of the session */
	const char *what;	 /* name or pattern of spans, id of a span or trace, tid */
	double slowest;		 /* percent of the instances that are the first class, > 0 */
	bool points;		 /* single instances are wanted, too */
};

struct critical_class {
	u32 nr;	    /* instances */
	u32 walked; /* of these; the others are left out of the tree */
	u64 ns;	    /* of those that were walked */
};

struct critical_answer {
	const char *title;	/* what was asked for */
	u32 nr;			/* instances */
	u64 p50, p90, p99, max; /* ns */
	u64 least_slow;		/* the shortest one of the slow class */
	u32 nr_stated;		/* whose times are of files of spans */
	u64 beyond;		/* samples of instances that were not counted */
	struct critical_class classes[NR_CLASSES];
	const struct history *history;
	const struct doings *doings;
	const struct path_tree *tree;
	const GArray
		*steps; /* struct critical_step, the first one first; NULL: several instances */
	const struct points *points; /* NULL: not wanted */
	const GArray *clocks;	     /* struct collected_clock: of each host behind the first one */
	u64 from;		     /* of the single instance */
	bool is_thread, has_ticks;
	const struct lexicon *lexicon;
};

struct critical;

/* Reads the session. NULL with @error: the recording lacks what is needed, or has nothing that was asked for. */
struct critical *critical_new(const struct critical_options *options, GError **error);
void critical_free(struct critical *c);

const struct critical_answer *critical_answer(const struct critical *c);

/* How much shorter the instances would be without each lock and function (what_if.h). */
struct critical_savings {
	GArray *sums;				   /* struct path_sum, the most first */
	struct critical_class classes[NR_CLASSES]; /* the instances that were walked for that */
};

/* Found when it is asked for first, because that may take as long as the paths. Of the answer's owner. */
const struct critical_savings *critical_savings(const struct critical_answer *answer);

#endif
