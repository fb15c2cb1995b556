/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of perf diff, and the sides that its words name. */
#ifndef CMD_DIFF_OPTIONS_H
#define CMD_DIFF_OPTIONS_H

#include "cli/config.h"
#include "cli/options.h"
#include "compare/compare.h"
#include "options/span_options.h"
#include "options/type_options.h"
#include "options/upstream_options.h"
#include "report/compared_report.h"

struct diff_options {
	struct session_options session;
	struct span_options spans;
	struct type_options types;
	struct upstream_options upstream;
	const char *sort, *format, *compute, *per_text, *cluster_text, *requests_text, *split_text,
		*separator, *percentage, *fail_text, *time, *critical;
	double slowest;
	bool old_only, formula, period, plain, quiet, all, cycles, stdio, tui, tui_wanted, chains,
		counts_spans;
	int order, verbose;
	/* What the texts say; filled by diff_options_complete(). */
	GPtrArray *sides; /* struct compared_side *; with --split the only one has all recordings */
	u32 nr_sides;
	char **labels;	   /* one per side, ends in NULL */
	GArray *requests;  /* double */
	char **patterns;   /* of --split, one per side; NULL as the last: the rest */
	char *split_key;   /* NULL: none */
	char *fail_key;	   /* pattern of keys; NULL: any */
	double fail_above; /* percent; below 0: not given */
	enum compare_per per;
	enum compare_cluster cluster;
	struct compare_view look;
	struct view_options print;
	const struct view *view;
};

extern const struct options_spec diff_options_spec;

/* The defaults. False: a configuration file is invalid, after a message. */
bool diff_options_begin(struct diff_options *o, const struct config *config);
/* @words: those of the command line as they stood (upstream_words()). 0, or an exit status after a message. */
int diff_options_complete(struct diff_options *o, int argc, char **argv, char *const *words,
			  bool colour);
void diff_options_release(struct diff_options *o);

/* What they ask for; @o must outlive it. */
struct compared_report_options diff_options_compared(const struct diff_options *o);

/* True if it is a browser: stdout is a terminal, and no option needs text. */
bool diff_options_want_screen(const struct diff_options *o);

#endif
