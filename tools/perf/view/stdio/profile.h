/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole profile as text: per event a heading, its rows, and a closing remark. */
#ifndef VIEW_STDIO_PROFILE_H
#define VIEW_STDIO_PROFILE_H

#include "hist/profile.h"
#include "view/stdio/stdio.h"

struct stdio_profile_options {
	struct stdio_options stdio;
	bool hierarchy;
	bool relative;	   /* percentages of what passes the filters */
	double least;	   /* percent: entries below are left out */
	u32 top;	   /* rows of the first level, with one more for the others; 0: all */
	u32 sort_member;   /* --group-sort-idx */
	bool all_events;   /* those without a sample too */
	const char *time;  /* --time's text, for the heading */
	const char *order; /* memory profiles: the keys, for the heading */
	bool symbol_first; /* -s begins with the symbol */
};

bool stdio_print_profile(const struct profile *profile, const struct stdio_profile_options *options,
			 FILE *out, GError **error);

#endif
