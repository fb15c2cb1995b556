/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a program with a changed one, by running both: two copies of a tree of sources, one with a changed file; each is built;
 * the command runs in both by turns, so that what changes on the machine meanwhile meets both; the copies are removed.
 */
#ifndef TRIAL_TRIAL_H
#define TRIAL_TRIAL_H

#include <glib.h>
#include <stdio.h>

#include "base/error.h"
#include "base/types.h"

struct trial_options {
	const char *tree;  /* folder of the sources, an absolute path */
	u64 most;	   /* bytes that are copied (trial/tree_files.h) */
	const char *file;  /* the changed file, relative to @tree */
	const char *text;  /* its new text */
	const char *build; /* for sh -c, in the copy of the tree */
	const char *const *
		command; /* ended by NULL; runs in the copy of the folder that is current now, or in that of the tree */
	u32 runs;	/* of each */
	bool keep;	/* do not remove the copies */
	FILE *progress; /* NULL: says nothing */
};

/* What is measured of a run, in seconds. */
enum { TRIAL_CLOCK, TRIAL_CPU, TRIAL_NR_MEASURES };

struct trial_measure {
	double before, after; /* medians */
	double saved, low,
		high; /* 1 - after / before, and its interval of 95 % from the pairs of runs */
};

struct trial_result {
	struct trial_measure measures[TRIAL_NR_MEASURES];
	u32 pairs;
	bool same_output; /* all runs printed the same, or each program's own runs differ already */
	char *kept;	  /* folder of the copies, if they are kept */
};

/* False with @error, which has the end of what a failed build or run printed. */
bool trial_run(const struct trial_options *options, struct trial_result *result, GError **error);
void trial_result_release(struct trial_result *result);

/* The measure of these pairs of seconds: @nr of each, at least 2. For trial_run(), and its tests. */
struct trial_measure trial_measure_of(const double *before, const double *after, u32 nr);

#endif
