/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much time went to each group? A hist groups samples by a tuple of 64-bit keys and
 * sums them, per event of a group (--group). It knows nothing of what the keys mean:
 * fields/ makes them and prints them, view/ shows the entries.
 *
 *	hist_add()		every sample: find or make its entry, add to its sums
 *	hist_add_stack()	...and remember the call chain by which it came (stacks.h)
 *	hist_queue()		both, faster, where the caller needs nothing of the entry
 *	hist_add_callers()	once, at the end: --children, charge every function on a chain
 *
 * tree.h puts entries in order of display, chain.h makes the call tree of one of them.
 * Nothing is allocated per sample, only per new entry and per new (entry, chain) pair.
 */
#ifndef HIST_HIST_H
#define HIST_HIST_H

#include "base/types.h"
#include "hist/stacks.h"

struct thread;

/* perf_event's cpumodes as --show-cpu-utilization tells them apart. */
enum hist_mode { HIST_SYS, HIST_US, HIST_GUEST_SYS, HIST_GUEST_US, HIST_NR_MODES };

struct hist_sum {
	u64 period;
	u64 samples;
	u64 latency;		    /* period, divided by the threads that ran side by side */
	u64 by_mode[HIST_NR_MODES]; /* of period */
	u64 weight[3];		    /* sums of weight, ins_lat, p_stage_cyc */
};

struct hist_entry {
	u64 *keys;
	struct hist_sum *self;	     /* one per event of the group */
	struct hist_sum *children;   /* self and everything called from it; NULL without children */
	const struct thread *thread; /* the least of its samples', see hist_add_thread() */
	u32 id;			     /* dense, in order of appearance */
	u32 max_depth;		     /* of its chains */
	u32 stacks;		     /* head of its (chain, sum) list, +1 */
	bool shown;		     /* some of it passed the filters; hist_add() leaves it alone */
};

/* Branches on the way to the samples of an entry. */
struct hist_branches {
	u64 nr, predicted, aborts, cycles;
};

/* What a sample adds, or several at once. */
struct hist_weight {
	u64 samples;
	u64 period;
	u64 latency;
	u64 weight[3];
	enum hist_mode mode;
};

struct hist_options {
	u32 nr_keys;
	u32 nr_members; /* events shown side by side; 1 without a group */
	bool children;
};

struct hist;

struct hist *hist_new(const struct hist_options *options);
void hist_free(struct hist *hist);

/* The entry for @keys with @weight added to the sums of event @member. */
struct hist_entry *hist_add(struct hist *hist, const u64 *keys, u32 member,
			    const struct hist_weight *weight, const struct thread *thread);

/*
 * One of its samples is of @thread: the entry is said to be of the one with the least process and thread numbers, so
 * that it does not matter in which order samples come.
 */
void hist_add_thread(struct hist_entry *entry, const struct thread *thread);

/* What hist_add() and hist_add_stack() take, and whether the entry is to be shown. */
struct hist_row {
	struct hist_weight weight;
	const struct thread *thread;
	u32 member;
	u32 stack; /* 0: none */
	bool shown;
};

/*
 * Adds a sample some calls later, when what it needs of memory has arrived: the next hist_settle()
 * at the latest, which must come before anything else is asked of the hist.
 */
void hist_queue(struct hist *hist, const u64 *keys, const struct hist_row *row);
void hist_settle(struct hist *hist);

/* Whether there is an entry for @keys. */
bool hist_has(const struct hist *hist, const u64 *keys);

/* Another sample of @entry came by the chain @stack. Chains of group members add up. */
void hist_add_stack(struct hist *hist, struct hist_entry *entry, u32 member, u32 stack,
		    const struct hist_weight *weight);

/*
 * --children: for each chain of each entry, every function on it, once per chain, gets
 * the chain's sums as children. @keys_of fills @keys with @from's keys as they are for a
 * sample at @frame, and tells whether such an entry shall be shown.
 */
typedef bool hist_frame_keys_fn(void *arg, const u64 *from, const struct stack_frame *frame,
				u64 *keys);
void hist_add_callers(struct hist *hist, const struct stacks *stacks, hist_frame_keys_fn *keys_of,
		      void *arg);

/*
 * Adds all that @from, a hist with the same options, has been given to @to, times @factor, as if it had
 * come behind what is there; what is nothing by then is left out. Chains of @from are in @theirs,
 * and get numbers in @mine. Neither has callers yet.
 */
void hist_merge(struct hist *to, struct stacks *mine, const struct hist *from,
		const struct stacks *theirs, double factor);

/*
 * Adds what @from was given to @to, whose entries have other keys: @keys_of makes those of an entry of
 * @from, or returns false to leave it out. Both have their chains in @stacks.
 */
typedef bool hist_project_fn(void *arg, const struct hist_entry *entry, u64 *keys);
struct progress;
/* @progress has a step per entry of @from; where it is stopped, @to is not complete. */
void hist_project(struct hist *to, const struct hist *from, const struct stacks *stacks,
		  hist_project_fn *keys_of, void *arg, struct progress *progress);

/* The sums of branches of an entry, to be added to; kept for those that were asked about. */
struct hist_branches *hist_branches(struct hist *hist, const struct hist_entry *entry);
/* As they are; all 0 where none were added. */
struct hist_branches hist_branches_of(const struct hist *hist, const struct hist_entry *entry);

u32 hist_nr(const struct hist *hist);
struct hist_entry *hist_at(const struct hist *hist, u32 id);

/* The chains of an entry: how much of it came by each. */
struct hist_stack {
	u32 stack;
	u32 next; /* +1 */
	u32 entry;
	u32 member;
	u64 period;
	u64 samples;
	u64 latency;
};
/* Start with NULL; NULL after the last. */
const struct hist_stack *hist_next_stack(const struct hist *hist, const struct hist_entry *entry,
					 const struct hist_stack *last);

#endif
