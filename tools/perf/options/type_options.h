/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options on data types that report and annotate share: --skid, --type-min, --type-names. */
#ifndef OPTIONS_TYPE_OPTIONS_H
#define OPTIONS_TYPE_OPTIONS_H

#include "base/error.h"
#include "cli/options.h"
#include "resolve/waited.h"

struct type_options {
	const char *min_text, *names_text, *skid_text;
	/* The parsed values, by type_options_parse(). */
	enum access_rank min;
	enum skid_mode skid;
	bool short_names;
	bool for_terminal; /* not given, and the output is a terminal: names are shortened when printed */
};

#define SKID_HELP                                                                                  \
	"Which instruction a sample is charged to: auto (default): the one that took the time; "   \
	"before: that by the kind of event alone; sampled: the one that the sample names"

/* Rows for a command's table; its struct type_options is at @offset of the options. */
#define TYPE_OPTION_ROWS(offset)                                                                   \
	{ 0,                                                                                       \
	  "skid",                                                                                  \
	  OPT_STRING,                                                                              \
	  "mode",                                                                                  \
	  SKID_HELP,                                                                               \
	  (offset) + offsetof(struct type_options, skid_text),                                     \
	  .fallback = "before" },                                                                  \
		{ 0,                                                                               \
		  "type-min",                                                                      \
		  OPT_STRING,                                                                      \
		  "rank",                                                                          \
		  "Minimum certainty of a data type: variable, flow or inferred (default); less "  \
		  "certain ones are unknown",                                                      \
		  (offset) + offsetof(struct type_options, min_text) },                            \
	{                                                                                          \
		0, "type-names", OPT_STRING, "form",                                               \
			"Names of data types: full (default but on a terminal) or short, without " \
			"template arguments",                                                      \
			(offset) + offsetof(struct type_options, names_text)                       \
	}

/* PERF_ERROR_USAGE for an invalid value of --skid. @text NULL: "auto". */
bool skid_option_parse(const char *text, enum skid_mode *mode, GError **error);

/* @on_terminal: the output is shown on one, by a pager or without. PERF_ERROR_USAGE for invalid values. */
bool type_options_parse(struct type_options *options, bool on_terminal, GError **error);

#endif
