/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options on data types that report and annotate share: --skid, --type-min, --type-names. */
#ifndef CMD_TYPE_OPTIONS_H
#define CMD_TYPE_OPTIONS_H

#include "base/error.h"
#include "cli/options.h"
#include "typeflow/typeflow.h"

struct type_options {
	const char *min_text, *names_text;
	bool skid;
	/* The parsed values, by type_options_parse(). */
	enum access_rank min;
	bool short_names;
	bool for_terminal; /* not given, and the output is a terminal: names are shortened when printed */
};

/* Rows for a command's table; its struct type_options is at @offset of the options. */
#define TYPE_OPTION_ROWS(offset)                                                                   \
	{ 0,                                                                                       \
	  "skid",                                                                                  \
	  OPT_FLAG,                                                                                \
	  NULL,                                                                                    \
	  "Charge imprecise samples of instructions that access no memory to the access just "     \
	  "before",                                                                                \
	  (offset) + offsetof(struct type_options, skid) },                                        \
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

/* @on_terminal: the output is shown on one, by a pager or without. PERF_ERROR_USAGE for invalid values. */
bool type_options_parse(struct type_options *options, bool on_terminal, GError **error);

#endif
