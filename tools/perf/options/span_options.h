/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options for activities in report and script. */
#ifndef OPTIONS_SPAN_OPTIONS_H
#define OPTIONS_SPAN_OPTIONS_H

#include "cli/options.h"
#include "session/session.h"

/* As the option rows below fill it. */
struct span_options {
	GPtrArray *files, *spans, *labels; /* const char *, as given */
	GPtrArray *trace_names, *span_names;
	bool charge_interrupts;
	const char *traces;
	GPtrArray *paths, *keys; /* char *: files, patterns expanded; attributes wanted */
};

/* Rows of an option table; @at is the offset of the struct span_options. */
#define SPAN_OPTION_ROWS(at)                                                                       \
	{ 0,                                                                                       \
	  "irq-activity",                                                                          \
	  OPT_FLAG,                                                                                \
	  NULL,                                                                                    \
	  "count interrupts and softirqs for the activity that they interrupted",                  \
	  (at) + offsetof(struct span_options, charge_interrupts) },                               \
		{ 0,                                                                               \
		  "trace-label",                                                                   \
		  OPT_LIST,                                                                        \
		  "key",                                                                           \
		  "take the label KEY of custom-labels and of Go for the trace id",                \
		  (at) + offsetof(struct span_options, trace_names) },                             \
		{ 0,                                                                               \
		  "span-label",                                                                    \
		  OPT_LIST,                                                                        \
		  "key",                                                                           \
		  "take the label KEY of custom-labels and of Go for the span id",                 \
		  (at) + offsetof(struct span_options, span_names) },                              \
		{ 0,                                                                               \
		  "label",                                                                         \
		  OPT_LIST,                                                                        \
		  "key=pattern",                                                                   \
		  "only consider samples whose activity has a label KEY that fits; several must "  \
		  "all fit",                                                                       \
		  (at) + offsetof(struct span_options, labels) },                                  \
		{ 0,                                                                               \
		  "span",                                                                          \
		  OPT_LIST,                                                                        \
		  "id|name",                                                                       \
		  "only consider samples of the span with that id, or of spans whose name "        \
		  "matches "                                                                       \
		  "the pattern",                                                                   \
		  (at) + offsetof(struct span_options, spans) },                                   \
		{ 0,                                                                               \
		  "spans",                                                                         \
		  OPT_LIST,                                                                        \
		  "file[,file...]",                                                                \
		  "read names, services and parents of spans from OTLP, Jaeger or Zipkin JSON",    \
		  (at) + offsetof(struct span_options, files) },                                   \
	{                                                                                          \
		0, "trace", OPT_STRING, "id[,id...]", "only consider samples of these traces",     \
			(at) + offsetof(struct span_options, traces)                               \
	}

/*
 * Copies @options into @session. @columns are the texts of -s and -F (may be NULL): their label:KEY state which
 * attributes of spans are needed. Everything lives until span_options_release().
 */
void span_options_apply(struct span_options *options, struct session_options *session,
			const char *const *columns, u32 nr_columns);
void span_options_release(struct span_options *options);

#endif
