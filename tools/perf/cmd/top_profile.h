/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The profile that perf top shows: one thread feeds it with records while they come, another one looks
 * at it. Both do so in turns, so that neither sees half of what the other does.
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

struct top_profile {
	struct turns turns;
	/* For the thread that has a turn. */
	struct report report;
	struct top_counts counts;
	bool ready;  /* there is a profile */
	bool ended;  /* no records will come */
	bool frozen; /* samples are dropped */
	bool hide_kernel, hide_user;
	GError *error; /* of the reading */
};

/* @options outlive it. */
void top_profile_init(struct top_profile *t, struct report_options *options);
void top_profile_release(struct top_profile *t);

/* For struct records_reader: takes over @records. */
void top_profile_read(void *top_profile, struct perfdata *records);

#endif
