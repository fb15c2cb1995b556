/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What differs between sides? A side is one or several recordings, or a part of one. The profiles of all recordings have
 * the same keys. They are joined by what is the same thing in all of them (identity.h):
 *
 *	comparison_new()	no rows yet
 *	comparison_take()	the sums of one recording's profile; the profile is not needed afterwards
 *	comparison_judge()	values, intervals and what is certain (judge.c)
 *
 * Side 0 is the old one, to which each other side is compared.
 */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <glib.h>

#include "base/intern.h"
#include "fields/fields.h"
#include "hist/profile.h"

/* What a value is counted per. */
enum compare_per {
	PER_SHARE,   /* of all samples of its side: percent */
	PER_TOTAL,   /* the sum, of one recording on average */
	PER_SECOND,  /* of the recordings' time */
	PER_REQUEST, /* as the user states their number */
	PER_CPU_SECOND,
};

/* Which samples are not independent of each other. */
enum compare_cluster {
	CLUSTER_AUTO,	 /* see compare_clusters_kind() */
	CLUSTER_NONE,	 /* all are independent */
	CLUSTER_THREAD,	 /* those of a thread; threads of one name are alike */
	CLUSTER_RUN,	 /* those of a recording */
	CLUSTER_REQUEST, /* those of a request; samples without one are of their thread */
};

struct compare_sum {
	u64 period, samples;
};

struct compare_verdict {
	double difference; /* of the values: new less old */
	double margin;	   /* the interval of 95 % is difference +- margin */
	double p; /* the rate of false discoveries with this row as the last one, see noise_adjust() */
	double single_p; /* the same of this row alone */
	bool certain;
};

/* What has another text in the old recording. */
enum compare_moved {
	MOVED_MEMBER,	/* +0x18 */
	MOVED_LINE,	/* of source: shop.c:74 */
	MOVED_FUNCTION, /* to another file: parse (json.c) */
};

struct compare_row {
	u32 *texts;		  /* one per key: what is shown, ids in the comparison's texts */
	struct compare_sum *sums; /* one per side */
	double *values;		  /* one per side, as per compare_per; after the judgement */
	struct compare_verdict *verdicts; /* one per side; [0] is unused */
	u32 old_text;  /* of what has moved: its text in the old recording; 0: it has not */
	u32 moved_key; /* the key of that text */
	enum compare_moved moved;
};

/* What is known of a recording. */
struct compare_recording {
	const char *path;
	double seconds;	 /* that its samples cover; 0: not known */
	double requests; /* that were counted; 0: they were not */
};

struct compare_run {
	struct compare_recording is; /* owns its path */
	u32 side;
};

/* One event; those of the recordings are the same if kind and number agree. */
struct compare_event {
	char *name;
	u32 type;
	u64 config;
	bool is_time; /* periods are ns */
	bool is_cpu;  /* ... of CPU time */
	/*
	 * Its samples are waits, whose lengths vary without limit: how much their sum varies is not known from one recording.
	 */
	bool is_wait;
	struct compare_sum *totals; /* one per side: what shares are of */
	struct compare_sum *shown;  /* one per side: of samples that pass the filters */
	GPtrArray *rows;	    /* struct compare_row * */
	/* The total as a row, if it is a difference that can be judged; NULL: shares. */
	struct compare_row *total;
	enum compare_cluster cluster; /* as it was judged */
	struct compare_event_own *own;
};

struct compare_options {
	u32 nr_sides;
	GPtrArray *
		keys; /* const struct field *: the first groups of all profiles; owned by the caller */
	bool chains;   /* the last key is compare_chain_key: a row is a call chain (chains.h) */
	bool relative; /* shares are of the samples that pass the filters, not of all */
	enum compare_per per;
	enum compare_cluster cluster;
	/*
	 * PER_REQUEST: one per recording; with a split one per side. NULL: they are counted, see struct compare_recording.
	 */
	const double *requests;
	/* The side is told by a key: the samples of which the text of group @split matches side_patterns[side]. */
	s32 split;			  /* -1: it is not */
	const char *const *side_patterns; /* NULL as the last one: all the rest */
};

struct compare_names; /* functions.h */

struct comparison {
	struct compare_options options;
	struct intern *texts;
	struct compare_lines *lines;
	struct compare_functions *functions;
	GHashTable *plain; /* text with the file of a function -> without it */
	GPtrArray *runs;   /* struct compare_run * */
	GPtrArray *events; /* struct compare_event *: those of the old side */
	u32 nr_keys;
};

/*
 * What the profiles of its recordings are to tell apart for @options. @several: each side has several recordings. @needs: enum
 * place_need of the keys, which tell whether requests are looked at.
 */
enum clusters_kind compare_clusters_kind(const struct compare_options *options, bool several,
					 u32 needs);

/* The objects in @options must outlive it. */
struct comparison *comparison_new(const struct compare_options *options);
void comparison_free(struct comparison *c);

/*
 * Before recordings are taken: those that are open at once, one of each side if possible, tell which functions have one name
 * (functions.h). Otherwise, functions of one name are one.
 */
void comparison_learn(struct comparison *c, u32 side, struct compare_names *names);

/*
 * Adds the profile of a recording to @side (with a split: to the side of each row). The groups of its columns begin with
 * the keys, but for that of chains. @names are those of the profile. It has clusters. With chains, it has them, too. False with @error: the profile
 * has left ids out, or there are no chains.
 */
bool comparison_take(struct comparison *c, u32 side, const struct profile *profile,
		     struct compare_names *names, const struct compare_recording *recording,
		     GError **error);

/* After the last recording. False with @error: values per this are not known. */
bool comparison_judge(struct comparison *c, GError **error);

/* The text @text of a key, without a file that was added to it: "[.] parse" of "[.] parse (shop.c)". */
const char *comparison_plain_text(const struct comparison *c, u32 text);

/* Is the difference of a side certain? */
bool compare_is_certain(const struct comparison *c, const struct compare_row *row);

/*
 * How often as many samples as now would be needed to make the difference of @side certain, if it stays; at least 1, and
 * INFINITY if the row has none.
 */
double comparison_needed(const struct compare_event *event, const struct compare_row *row,
			 u32 side);

static inline struct compare_row *compare_row_at(const struct compare_event *event, u32 i)
{
	return g_ptr_array_index(event->rows, i);
}

#endif
