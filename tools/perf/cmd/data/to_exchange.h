/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf data convert --to=FORMAT, for the formats of export/exchange. */
#ifndef CMD_DATA_TO_EXCHANGE_H
#define CMD_DATA_TO_EXCHANGE_H

#include <stdbool.h>

#include "options/span_options.h"
#include "session/session.h"

struct to_exchange_options {
	const char *format, *output; /* output NULL: perf.FORMAT */
	const char *table;	     /* NULL: all */
	struct session_options *session;
	struct span_options *spans;
	bool verbose;
};

/* Returns the exit status. */
int to_exchange(const struct to_exchange_options *options);

#endif
