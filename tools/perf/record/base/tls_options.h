/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What --sample-tls asks for: the activities of the sampled threads (record/tls/). */
#ifndef RECORD_TLS_OPTIONS_H
#define RECORD_TLS_OPTIONS_H

#include "base/error.h"
#include "base/types.h"
#include "cli/options.h"

enum tls_source {
	TLS_SOURCE_AUTO,
	TLS_SOURCE_KERNEL,
	TLS_SOURCE_BPF,
};

struct tls_options {
	const char *layout; /* NULL: not requested */
	enum tls_source source;
};

/* For struct option_row, whose offset is that of the struct tls_options. */
bool tls_take_source(const struct option_row *row, const char *arg, bool unset, void *opts,
		     GError **error);

#define TLS_OPTION_ROWS(at)                                                                        \
	{ 0,                                                                                       \
	  "sample-tls",                                                                            \
	  OPT_STRING,                                                                              \
	  "layout",                                                                                \
	  "Record the activity of each sample's thread: 'auto' (default), some of otep, "          \
	  "activity, elastic, labels and go, separated by commas, or any thread-local variable "   \
	  "as SYMBOL[:offset[:size[:u64|hex|uuid|string]]]",                                       \
	  (at) + offsetof(struct tls_options, layout),                                             \
	  .fallback = "auto" },                                                                    \
	{                                                                                          \
		0, "tls-source", OPT_CALL, "auto|kernel|bpf",                                      \
			"what reads the activity for --sample-tls: the kernel itself, or a BPF "   \
			"program",                                                                 \
			at, .call = tls_take_source                                                \
	}

/* "auto", "kernel", "bpf". */
bool tls_source_parse(const char *text, enum tls_source *out, GError **error);

#endif
