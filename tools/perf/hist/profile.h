/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The samples of a session, grouped: one hist per event, or per group of events. A profile
 * asks the session for what its columns need, makes the keys, and keeps the totals that
 * headings and percentages are made of.
 *
 * It is fed, then looked at, and both again:
 *
 *	profile_new()	empty
 *	profile_read()	all samples of the session's files...
 *	profile_take()	...or one at a time, as they come
 *	profile_look()	brings what is shown up to date: --children is made of what was taken
 *	profile_fade()	what was taken counts less from now on
 */
#ifndef HIST_PROFILE_H
#define HIST_PROFILE_H

#include "activity/layout.h"
#include "fields/columns.h"
#include "hist/chain.h"
#include "hist/clusters.h"
#include "hist/hist.h"
#include "resolve/data_address.h"
#include "session/session.h"

struct profile_totals {
	u64 period, samples;		 /* of all samples that match --time and --cpu */
	u64 shown_period, shown_samples; /* of those that also match the other filters */
	u64 latency, shown_latency;	 /* the same, as struct hist_sum */
	/* With options.children: of those that --dsos or --symbols keep out, but not one of their callers. */
	u64 called_period, called_latency;
	/*
	 * If the event records call chains: of all its samples, and of those that match the filters.
	 */
	u64 chain_period, shown_chain_period;
};

/* Latency columns are useful only if the share of serial samples is below this. */
#define PROFILE_SERIAL_PERCENT 99

/* One event, or a group's leader with its members. */
struct profile_event {
	GPtrArray *evsels;  /* const struct evsel * */
	struct hist *taken; /* what was fed */
	struct hist *hist;  /* shown, as of the last look: @taken, or a copy with callers */
	GArray *totals;	    /* struct profile_totals, one per member */
	bool has_chains;
};

struct profile_options {
	const struct columns *columns;
	struct chain_options chain;
	bool chains;	    /* keep call chains for display */
	bool children;	    /* charge callers */
	bool group;	    /* events of a group side by side */
	bool group_all;	    /* all events as one group */
	bool branches;	    /* one row per branch of a sample's branch stack */
	bool memory;	    /* weigh by the sample's weight */
	bool no_inline;	    /* inlined calls are no frames of their own */
	bool latency;	    /* the file has switch records: sum latencies */
	bool no_unresolved; /* leave out what has no symbol */
	/*
	 * Only for projections (project.h): the number of rows is unlimited, and a look computes nothing.
	 */
	bool wide;
	enum clusters_kind clusters; /* what parts of rows are told apart, see hist_parts() */
};

#define NR_ACTIVITY_STATES ACTIVITY_NR_STATES

struct profile {
	struct session *session;
	struct lexicon *lexicon;
	struct profile_options options;
	GPtrArray *events; /* struct profile_event *, in order of their first evsel */
	struct stacks *stacks;
	struct clusters *clusters; /* NULL: options.clusters does not ask for them */
	/*
	 * Samples by dso_id(), u64 each: without a symbol, and without debug information if a column needs it.
	 */
	GArray *without_symbol, *without_debug;
	u64 without_memory;	       /* of session_names_later(), on no memory access */
	u64 moved;		       /* charged to another function than the sampled one */
	u64 masked;		       /* of kernel code with interrupts off: ACCESS_MASKED */
	u64 by_btf;		       /* of code whose types are by BTF: dso_is_by_btf() */
	u64 addresses[NR_ADDRESS_HOW]; /* by place->addr_how, if a column needs the data address */
	/* Samples by code->function, u64 each: the object has debug information, but not of this function. */
	GArray *without_unit;
	u64 with_chain,
		broken_chains; /* samples with a call chain; those where it is cut (place->broken) */
	u64 activity_states[NR_ACTIVITY_STATES]; /* samples, if a column shows activities */
	u64 with_ids, with_span; /* samples with a span id; with a span in the files */
	/* If ids are limited: rows with ids, and samples whose ids have no rows. */
	u32 max_rows;
	u64 folded_samples;
	u64 serial_samples; /* during them no other thread ran; with options.latency */
	struct profile_own *own;
};

struct profile *profile_new(struct session *session, struct lexicon *lexicon,
			    const struct profile_options *options);
void profile_free(struct profile *profile);

/* enum place_need: what profile_take() needs of a place. */
u32 profile_needs(const struct profile *profile);

/* Adds a sample, see session_each_sample(). */
void profile_take(struct profile *profile, const struct place *place, u32 filtered);

/* Counts the place's call chain for the notes, if the profile itself needs no chains: for who reads them beside it. */
void profile_count_chain(struct profile *profile, const struct place *place);

/* Adds all samples of the session, then looks. False with @error if a file cannot be read. */
bool profile_read(struct profile *profile, GError **error);

void profile_look(struct profile *profile);

/*
 * Multiplies all sums with @factor, from 0 to 1, and removes what becomes 0. Call profile_look() afterwards.
 */
void profile_fade(struct profile *profile, double factor);

#endif
