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
#include "hist/hist.h"
#include "session/session.h"

struct profile_totals {
	u64 period, samples;		 /* of all samples that --time and --cpu left */
	u64 shown_period, shown_samples; /* of those that pass the other filters too */
	u64 latency, shown_latency;	 /* of the same, as struct hist_sum has it */
	/* Where the event records call chains: of all its samples, of those that pass the filters. */
	u64 chain_period, shown_chain_period;
};

/* Shares of latency tell parallel from serial time only below this share of serial samples. */
#define PROFILE_SERIAL_PERCENT 99

/* One event, or a group's leader with its members. */
struct profile_event {
	GPtrArray *evsels;  /* const struct evsel * */
	struct hist *taken; /* what was fed */
	struct hist *hist;  /* what is shown, as of the last look: the same, or with callers */
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
	bool branches;	    /* a row per branch of a sample's branch stack */
	bool memory;	    /* weigh by the sample's weight */
	bool no_inline;	    /* inlined calls are no frames of their own */
	bool latency;	    /* the file has switch records: sum latencies */
	bool no_unresolved; /* leave out what has no symbol */
	/* Only to be projected (project.h): as many rows as there are, and looks make nothing. */
	bool wide;
};

#define NR_ACTIVITY_STATES ACTIVITY_NR_STATES

struct profile {
	struct session *session;
	struct lexicon *lexicon;
	struct profile_options options;
	GPtrArray *events; /* struct profile_event *, in order of their first evsel */
	struct stacks *stacks;
	/* Samples by dso_id(): without a symbol, and without debug information where a column
	 * asks for it. u64 each. */
	GArray *without_symbol, *without_debug;
	u64 without_memory; /* late samples (resolve/data.h) of instructions that access nothing */
	u64 activity_states[NR_ACTIVITY_STATES]; /* samples, where a column shows activities */
	u64 with_ids, with_span; /* of them, samples of a span; of one that the files know */
	/* Where ids are limited: rows that may have ids of their own, samples whose ids have none. */
	u32 max_rows;
	u64 folded_samples;
	u64 serial_samples; /* during which no other thread ran; with options.latency */
	struct profile_own *own;
};

struct profile *profile_new(struct session *session, struct lexicon *lexicon,
			    const struct profile_options *options);
void profile_free(struct profile *profile);

/* What profile_take() wants to know of samples: enum place_need. */
u32 profile_needs(const struct profile *profile);

/* A sample, as session_each_sample() hands it out. */
void profile_take(struct profile *profile, const struct place *place, u32 filtered);

/* Takes all samples of the session, and looks. False with @error where a file cannot be read. */
bool profile_read(struct profile *profile, GError **error);

void profile_look(struct profile *profile);

/*
 * All that was taken is multiplied with @factor, from 0 to 1, and what is nothing by then is
 * forgotten. To be followed by a look.
 */
void profile_fade(struct profile *profile, double factor);

#endif
