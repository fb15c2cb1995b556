/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options of `perf report`, from the command line and configuration files, in the form of the stages: session,
 * columns, chains, pages, view.
 */
#ifndef REPORT_OPTIONS_H
#define REPORT_OPTIONS_H

#include "cli/options.h"
#include "cli/pager.h"
#include "hist/chain.h"
#include "options/code_options.h"
#include "options/recordings.h"
#include "options/span_options.h"
#include "options/type_options.h"
#include "options/upstream_options.h"
#include "pages/report/report_pages.h"
#include "pages/report/timeline_pages.h"
#include "report/report_panels.h"
#include "session/session.h"
#include "view/view.h"

struct report_options {
	const struct options_spec *spec; /* of the command that messages name */
	struct session_options session;
	struct span_options spans;
	struct upstream_options upstream;
	struct recordings recordings; /* what the inputs are, in the end */
	GPtrArray *inputs, *beside;   /* const char *: -i; all except the first */
	GPtrArray *baselines;	      /* const char *: --baseline; NULL: none */
	const char *format;
	const char *sort, *fields, *separator, *widths, *colour, *percentage, *quantum;
	const char *critical;	/* what is asked for; NULL: nothing */
	double slowest;		/* percent */
	bool compares_requests; /* -s or -F has the key class or critical, of which @critical is */
	const char *timeline, *wall_unit, *show_value;
	enum time_unit time_unit;
	u64 slice_ns;
	struct type_options types;
	struct code_options code;
	struct annotate_pages_options code_look; /* of the browser */
	struct chain_options chain;
	struct view_options look;
	const struct view *view;
	struct report_pages_options pages;
	struct panels_options panels;
	bool chain_given, inverted, children, children_given, group, group_given, hierarchy;
	bool show_samples, show_period, show_modes, exclude_other, branches, branches_given, memory;
	bool header, header_only, header_full, stats, tasks, mmaps, dump, disable_order, quiet,
		inline_off;
	bool stdio_given, tui_given, tui_wanted, skip_empty, full_source_path, ns, raw_trace,
		latency;
	bool no_unresolved, raw_chains, least_given, tree, browses, fold_idle, fold_given;
	const char *idle_rules;
	u64 max_ids, top;
	int verbose;
	u64 max_stack;
	int sort_member;
	double least;
	/* Defaults from configuration files. */
	const char *sort_default;
	bool grouping, cumulating;
	double config_least; /* below 0: nothing */
};

/* The options and their help, for options_parse(). */
extern const struct options_spec report_options_spec;

/* The defaults. False: a configuration file is invalid, after a message. */
bool report_options_begin(struct report_options *o, const struct config *config);

/*
 * Converts the parsed options to the form of the stages; @argv has the remaining arguments. Returns 0, or an exit
 * status after a message.
 */
int report_options_complete(struct report_options *o, int argc, char **argv,
			    const struct pager *pager);
void report_options_release(struct report_options *o);

/* True if the report is a browser: stdout is a terminal, and no option needs text. */
bool report_options_want_screen(const struct report_options *o);

/* True if rows are compared with those of --baseline; panels do this in their own way. */
bool report_options_compare(const struct report_options *o);

/* Reports settings in configuration files that have no effect here. */
void report_options_note_unused(const struct config *config);

/* True if the keys of -s and -F are valid for any file without tracepoints. */
bool report_options_know_keys(const struct report_options *o, GError **error);

/* "100ms" -> ns. */
bool report_time_parse(const char *text, u64 *ns);

/* True if -s or -F contains @key. */
bool report_options_ask_for(const struct report_options *o, const char *key);

#endif
