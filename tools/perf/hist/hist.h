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

#include <glib.h>

#include "base/types.h"
#include "fields/accesses.h"
#include "hist/stacks.h"

struct thread;

/* The cpumodes of --show-cpu-utilization. */
enum hist_mode { HIST_SYS, HIST_US, HIST_GUEST_SYS, HIST_GUEST_US, HIST_NR_MODES };

struct hist_sum {
	u64 period;
	u64 samples;
	u64 latency; /* period divided by the number of threads that ran at that time */
	u64 by_mode[HIST_NR_MODES]; /* of period */
	u64 weight[3];		    /* sums of weight, ins_lat, p_stage_cyc */
};

struct hist_entry {
	u64 *keys;
	struct hist_sum *self;	     /* one per event of the group */
	struct hist_sum *children;   /* own sums and those of all callees; NULL without children */
	const struct thread *thread; /* the smallest of its samples, see hist_add_thread() */
	u32 id;			     /* dense, in order of appearance */
	u32 max_depth;		     /* of its chains */
	u32 stacks;		     /* head of its (chain, sum) list, +1 */
	bool shown; /* a sample of it has passed the filters; set by the caller of hist_add() */
};

/* Branches on the way to the samples of an entry. */
struct hist_branches {
	u64 nr, predicted, aborts, cycles;
};

/* Parts of the period of an entry, by enum access_class. */
struct hist_accesses {
	u64 period[NR_ACCESS_CLASSES];
};

/* The sums that one or several samples add. */
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

/* Adds @weight to the sums of event @member in the entry for @keys. Returns the entry. */
struct hist_entry *hist_add(struct hist *hist, const u64 *keys, u32 member,
			    const struct hist_weight *weight, const struct thread *thread);

/*
 * A sample of the entry belongs to @thread. The entry keeps the thread with the smallest pid and tid, so the result
 * does not depend on the order of samples.
 */
void hist_add_thread(struct hist_entry *entry, const struct thread *thread);

/* The same for an entry that is known. */
void hist_add_to(struct hist_entry *entry, u32 member, const struct hist_weight *weight);

/* The arguments of hist_add() and hist_add_stack(), and whether the entry is to be shown. */
struct hist_row {
	struct hist_weight weight;
	const struct thread *thread;
	u32 member;
	u32 stack; /* 0: none */
	bool shown;
};

/*
 * Adds a sample a few calls later, after its memory was prefetched, and at the latest in hist_settle(). Call
 * hist_settle() before any other function of the hist.
 */
void hist_queue(struct hist *hist, const u64 *keys, const struct hist_row *row);
void hist_settle(struct hist *hist);

/* True if the hist has an entry for @keys. */
bool hist_has(const struct hist *hist, const u64 *keys);

/* Adds a sample with the call chain @stack to @entry. Chains of a group's members add up. */
void hist_add_stack(struct hist *hist, struct hist_entry *entry, u32 member, u32 stack,
		    const struct hist_weight *weight);

/*
 * --children: adds the sums of each chain of each entry to the children sums of every function on the chain, once per
 * chain. @keys_of fills @keys with the keys of @from for a sample at @frame, and returns false if such an entry shall
 * not be shown.
 */
typedef bool hist_frame_keys_fn(void *arg, const u64 *from, const struct stack_frame *frame,
				u64 *keys);
void hist_add_callers(struct hist *hist, const struct stacks *stacks, hist_frame_keys_fn *keys_of,
		      void *arg);

/*
 * Adds all sums of @from, a hist with the same options, times @factor to @to, after its present entries. Entries
 * whose sums become 0 are left out. Chains of @from are in @theirs, and get numbers in @mine. Neither hist may have
 * callers yet.
 */
void hist_merge(struct hist *to, struct stacks *mine, const struct hist *from,
		const struct stacks *theirs, double factor);

/*
 * Adds the sums of @from to @to, whose entries have other keys. @keys_of makes these from an entry of @from, or
 * returns false to leave it out. Both hists have their chains in @stacks.
 */
typedef bool hist_project_fn(void *arg, const struct hist_entry *entry, u64 *keys);
struct progress;
/* @progress has one step per entry of @from. If it is stopped, @to is incomplete. */
void hist_project(struct hist *to, const struct hist *from, const struct stacks *stacks,
		  hist_project_fn *keys_of, void *arg, struct progress *progress);

/* The branch sums of an entry, for adding. Entries without branches need no memory for them. */
struct hist_branches *hist_branches(struct hist *hist, const struct hist_entry *entry);
/* The branch sums for reading; all 0 if none were added. */
struct hist_branches hist_branches_of(const struct hist *hist, const struct hist_entry *entry);

/* The same for where the accesses of an entry's samples ended. */
struct hist_accesses *hist_accesses(struct hist *hist, const struct hist_entry *entry);
u64 hist_accesses_of(const struct hist *hist, const struct hist_entry *entry,
		     enum access_class class);

u32 hist_nr(const struct hist *hist);
struct hist_entry *hist_at(const struct hist *hist, u32 id);

/* The call chains of an entry, with the sums of each. */
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

/*
 * What an entry has in one cluster (clusters.h), with one call chain. Feeders give each sample's part, or sums of several; a hist
 * keeps those of one chain and cluster apart or adds them up. Parts of a group's members are not told apart.
 */
struct hist_part {
	u32 entry, stack, cluster;
	u64 period, samples;
};

/* Adds up parts of the same entry, chain and cluster. */
void hist_add_part(struct hist *hist, const struct hist_part *part);
/* For a part that differs from most others: faster. */
void hist_append_part(struct hist *hist, const struct hist_part *part);
const GArray *hist_parts(const struct hist *hist); /* struct hist_part */

#endif
