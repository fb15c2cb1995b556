/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile that perf top shows: one thread reads records while they come, another one looks at what they
 * say. Both do so in turns, so that neither sees half of what the other does.
 *
 * Samples are kept for a while as they came, and taken into the profile some at a time. So a browser that asks for
 * other keys, or for code and types, gets an answer that is made of the same samples.
 */
#ifndef CMD_TOP_PROFILE_H
#define CMD_TOP_PROFILE_H

#include "base/turns.h"
#include "cmd/one_report.h"

/* Since the last frame. */
struct top_counts {
	u64 samples, kernel, exact, lost_now;
	u64 lost; /* of the whole recording */
};

/* What one frame's time has brought, by rates and shares. */
struct top_rates {
	double per_second, kernel, exact; /* of samples; percent */
	double own;			  /* percent of a CPU that this process used itself */
};

struct top_profile {
	struct turns turns;
	/* For the thread that has a turn. */
	struct report report;
	struct explorer *explorer; /* for a browser; NULL: the report has the profile */
	struct top_counts counts;
	u64 frame_ns, frame_own_ns; /* when the frame began: by the clock, of our own CPU time */
	bool browses;		    /* an explorer is wanted */
	bool ready;		    /* there is a profile */
	bool ended;		    /* no records will come */
	bool frozen;		    /* samples are dropped */
	bool zero;		    /* each frame shows only what came since the last one */
	bool hide_kernel, hide_user;
	bool only_states; /* samples are states of threads: none is of the kernel's idle loop */
	u64 taken;	  /* the number of the next sample that the profile has not got */
	GArray *frames; /* struct top_frame: how the profile was faded, for one that is made anew */
	GError *error;	/* of the reading */
};

/* @options outlive it. */
void top_profile_init(struct top_profile *t, struct report_options *options);
void top_profile_release(struct top_profile *t);

/* For struct records_reader: takes over @records. */
void top_profile_read(void *top_profile, struct perfdata *records);

/* The others are called in a turn. Takes what has come since the last time. */
void top_profile_take(struct top_profile *t);
/* What was there before counts less from now on; counts begin at 0. */
void top_profile_next_frame(struct top_profile *t);
/* Forgets all samples. */
void top_profile_forget(struct top_profile *t);

struct top_rates top_profile_rates(const struct top_profile *t);
/* Names of the events, with commas between. */
void top_profile_append_events(const struct top_profile *t, GString *out);

#endif
