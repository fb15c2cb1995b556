/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer that writes perf.data, and its parts with --switch-output: output.h as a consumer. */
#ifndef RECORD_CONSUMER_FILE_H
#define RECORD_CONSUMER_FILE_H

#include <stdio.h>

#include "record/base/consumer.h"
#include "record/output.h"

struct file_consumer {
	struct consumer consumer;
	const struct record_options *opts;
	FILE *say; /* where a part's name is told; NULL: nowhere */
	struct output output;
	u64 part_began;	       /* output_bytes() at the start of this part */
	u32 parts;	       /* files that were set aside */
	u64 told_wakes;	       /* with the parts but the last */
	const char *last_part; /* its name, the output's own; NULL: none, or it has failed */
};

/* To opts->output. Its close() frees it. */
struct file_consumer *file_consumer_new(const struct record_options *opts);

#endif
