/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options on the look of code that annotate shares with the browsers of report and top. */
#ifndef OPTIONS_CODE_OPTIONS_H
#define OPTIONS_CODE_OPTIONS_H

#include "base/error.h"
#include "cli/config.h"
#include "cli/options.h"
#include "pages/code/annotate_pages.h"

struct code_options {
	const char *style, *percent_type, *prefix;
	u64 prefix_strip;
	bool no_source, raw_bytes, show_sampled;
};

/* Rows for a command's table; its struct code_options is at @at of the options. */
#define CODE_OPTION_ROWS(at)                                                                       \
	{ 'M',                                                                                     \
	  "disassembler-style",                                                                    \
	  OPT_STRING,                                                                              \
	  "style",                                                                                 \
	  "Syntax of instructions: att (default) or intel",                                        \
	  (at) + offsetof(struct code_options, style) },                                           \
		{ 0,                                                                               \
		  "asm-raw",                                                                       \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "Display raw encoding of assembly instructions",                                 \
		  (at) + offsetof(struct code_options, raw_bytes) },                               \
		{ 0,                                                                               \
		  "no-source",                                                                     \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "Show instructions only",                                                        \
		  (at) + offsetof(struct code_options, no_source) },                               \
		{ 0,                                                                               \
		  "show-sampled",                                                                  \
		  OPT_FLAG,                                                                        \
		  NULL,                                                                            \
		  "Also show the share of samples that name each instruction (see --skid)",        \
		  (at) + offsetof(struct code_options, show_sampled) },                            \
		{ 0,                                                                               \
		  "percent-type",                                                                  \
		  OPT_STRING,                                                                      \
		  "type",                                                                          \
		  "Percentages of the function or type (local) or of all (global), by period or "  \
		  "by number of samples (hits):",                                                  \
		  (at) + offsetof(struct code_options, percent_type),                              \
		  .words = code_percent_types },                                                   \
		{ 0,                                                                               \
		  "prefix",                                                                        \
		  OPT_STRING,                                                                      \
		  "prefix",                                                                        \
		  "Put this in front of the paths of source files",                                \
		  (at) + offsetof(struct code_options, prefix) },                                  \
	{                                                                                          \
		0, "prefix-strip", OPT_U64, "n",                                                   \
			"With --prefix: take the first n folders off the paths of source files",   \
			(at) + offsetof(struct code_options, prefix_strip)                         \
	}

#define CODE_CONFIG_ROWS(at)                                                                       \
	{ "annotate.disassembler_style", CONFIG_STRING,                                            \
	  (at) + offsetof(struct code_options, style) },                                           \
		{ "annotate.hide_src_code", CONFIG_BOOL,                                           \
		  (at) + offsetof(struct code_options, no_source) },                               \
	{                                                                                          \
		"annotate.percent_type", CONFIG_STRING,                                            \
			(at) + offsetof(struct code_options, percent_type)                         \
	}

/* The values of --percent-type. */
char *code_percent_types(void);

/* Converts the options to those of pages. PERF_ERROR_USAGE for invalid values. */
bool code_options_apply(const struct code_options *options, struct annotate_pages_options *look,
			GError **error);

#endif
