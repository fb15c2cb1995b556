/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile of perf top: one thread reads records while they arrive, another one shows the profile. They take
 * turns, so that neither sees a half-finished state of the other.
 *
 * Samples are kept for a while, and added to the profile in groups. So if a browser needs other keys, or code and
 * types, the answer has the same samples.
 */
#ifndef REPORT_TOP_PROFILE_H
#define REPORT_TOP_PROFILE_H

#include "base/turns.h"
#include "report/one_report.h"

/* Since the last frame. */
struct top_counts {
	u64 samples, kernel, exact, lost_now;
	u64 lost; /* of the whole recording */
};

/* Rates and shares of the samples of one frame. */
struct top_rates {
	double per_second, kernel, exact; /* of samples; percent */
	double own;			  /* CPU time of this process in percent of one CPU */
};

/* Who else looks at each new sample. */
struct top_look {
	void (*look)(struct lexicon *lexicon, const struct place *place,
		     void *arg); /* NULL: nobody */
	u32 needs;		 /* of @place */
	void *arg;
};

struct top_profile {
	struct turns turns;
	struct top_look look; /* set it before samples come */
	/* For the thread that has a turn. */
	struct report report;
	struct explorer *explorer; /* for a browser; NULL: the report has the profile */
	struct top_counts counts;
	u64 frame_ns, frame_own_ns; /* start of the frame: by the clock, and by our own CPU time */
	bool browses;		    /* an explorer is wanted */
	bool ready;		    /* there is a profile */
	bool ended;		    /* no records will come */
	bool frozen;		    /* samples are dropped */
	bool zero;		    /* each frame shows only what came since the last one */
	bool hide_kernel, hide_user;
	bool only_states; /* samples are thread states: none is of the kernel's idle loop */
	u64 first_looks; /* ns of looks at threads that the first frame needs; 0: it is over, or has none */
	u64 looked;	/* time of a pass after them; 0: none yet */
	u64 taken;	/* number of the next sample that is not in the profile yet */
	GArray *frames; /* struct top_frame: the fading of the profile, for a new profile */
	GError *error;	/* of the reading */
};

/* @options outlive it. */
void top_profile_init(struct top_profile *t, struct report_options *options);
void top_profile_release(struct top_profile *t);

/* For struct records_reader: owns @records. */
void top_profile_read(void *top_profile, struct perfdata *records);

/* Call the other functions with the turn. Adds the samples since the last call. */
void top_profile_take(struct top_profile *t);
/* The first frame begins now: the recording has begun. */
void top_profile_begin(struct top_profile *t);
/*
 * When the frame ends, by CLOCK_MONOTONIC, if it lasts @delay ns. The first one lasts until the looks at the threads that it
 * needs have been read, too: on a busy machine they are late. It lasts at most five times @delay.
 */
u64 top_profile_due(const struct top_profile *t, u64 delay);
/* Fades older samples; the counts start at 0 again. */
void top_profile_next_frame(struct top_profile *t);
/* Forgets all samples. */
void top_profile_forget(struct top_profile *t);

struct top_rates top_profile_rates(const struct top_profile *t);
/* Names of the events, separated by commas. */
void top_profile_append_events(const struct top_profile *t, GString *out);

#endif
