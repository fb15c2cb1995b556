/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the files of a profile: profile.c takes samples one by one, profile_feed.c takes them by numbers,
 * profile_read.c reads a whole session, profile_ids.c weighs ids, profile_events.c knows the events.
 */
#ifndef HIST_PROFILE_PRIVATE_H
#define HIST_PROFILE_PRIVATE_H

#include "hist/profile.h"

struct feed;

/* Maximum number of rows with ids: several per id, because other keys multiply them. */
#define ROWS_PER_ID 4

/* The event and the member that get an evsel's samples. */
struct slot {
	struct profile_event *event;
	u32 member;
};

/* Buffers that adding samples reuses. */
struct profile_own {
	GArray *slots;	     /* struct slot, by number */
	GPtrArray *evsels;   /* const struct evsel * by number: the first file's, then those that
			      * only others have */
	GHashTable *numbers; /* const struct evsel * of other files -> number, +1 */
	u64 *keys;	     /* a tuple, then the key of profile_set_hidden() */
	GArray *frames;	     /* struct stack_frame */
	GPtrArray *known_stacks; /* by file: GArray of u32: a place's chain_id -> stack, or 0 */
	u32 needs, row_needs;	 /* the latter without those of clusters */
	bool sums_branches;	 /* a column shows them */
	bool sums_accesses;	 /* the same */
	bool weighs;		 /* a column shows weights */
	bool projected;		 /* the stacks are another profile's */
};

/*
 * Makes the slots for all events of the first file, in its order, including events without samples.
 */
void profile_add_events(struct profile *p);
void profile_event_free(void *event);
/*
 * An empty hist for @e. With callers, it has one key more than the columns: samples and callers that a filter keeps out
 * have entries of their own, so that they are in no sum that is shown.
 */
struct hist *profile_new_hist(const struct profile *p, const struct profile_event *e);

/* The slot's number for samples of @evsel in @file. */
u32 profile_slot(struct profile *p, const struct session *file, const struct evsel *evsel);
struct slot *profile_slot_at(const struct profile *p, u32 number);

struct profile_totals *profile_totals_of(const struct slot *slot);

/* The number of the place's call chain in the profile's stacks. */
u32 profile_stack(struct profile *p, const struct place *place);

/* True if samples of the event have call chains, and the options ask for these. */
bool profile_is_chained(const struct profile *p, const struct evsel *evsel);

enum hist_mode profile_mode(u8 cpumode);

/* What the place's sample counts in its row. */
u64 profile_period(const struct profile *p, const struct place *place);

/* Sets the last of @keys, which only hists with callers have. Others have room for it. */
void profile_set_hidden(const struct profile *p, u64 *keys, bool hidden);

/* True if samples with these filter bits make a row, shown or hidden. */
bool profile_has_row(const struct profile *p, u32 filtered);
/* True if a filter keeps the sample out, but shows a caller's row with its time. */
bool profile_is_called(const struct profile *p, const struct place *place, u32 filtered);

/* Facts for notes to the user: what a sample lacks, and the state of its activity. */
struct lacks {
	u32 dso;      /* dso_id() */
	u32 function; /* code->function, if the debug information does not cover it; 0: it does */
	u8 state;     /* of the activity, +1; 0: not asked */
	u8 address;   /* enum address_how, +1; 0: not asked */
	bool ids : 1, span : 1; /* the activity has ids, of a span that is known */
	bool memory : 1, symbol : 1, debug : 1;
	bool moved : 1, masked : 1; /* as in struct profile */
	bool by_btf : 1;
	bool chain : 1, broken : 1; /* it has a call chain; that is cut (place->broken) */
};
G_STATIC_ASSERT(sizeof(struct lacks) <= 2 * sizeof(u64));

/* Padding is 0: equal structs have equal bytes. */
void profile_lacks(const struct profile *p, const struct place *place, struct lacks *out);
/* For @nr samples that are shown. */
void profile_count(struct profile *p, const struct lacks *lacks, u64 nr);

/*
 * If the maximum number of rows is reached, replaces the ids in @keys, a tuple of @hist, by FIELD_OTHERS. Returns
 * true if @keys has such an id now.
 */
bool profile_fold_ids(const struct profile *p, const struct hist *hist, u64 *keys);

/* Computes the weight of the ids of all samples with a row, for fields of ids (profile_ids.c). */
bool profile_weigh_ids(struct profile *p, GError **error);

/* Takes back all that it was fed. */
void profile_make_empty(struct profile *p);

/* Adds all samples of the session by numbers. Only if session_can_feed(). */
bool profile_feed(struct profile *p, GError **error);

#endif
