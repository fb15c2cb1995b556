/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer that writes perf.data, and with --switch-output its parts, by output.h. */
#ifndef RECORD_CONSUMER_FILE_H
#define RECORD_CONSUMER_FILE_H

#include <stdio.h>

#include "record/base/consumer.h"
#include "record/output.h"

struct file_consumer {
	struct consumer consumer;
	const struct record_options *opts;
	FILE *say; /* where names of parts are printed; NULL: nowhere */
	struct output output;
	u64 part_began;	       /* output_bytes() at the start of this part */
	u32 parts;	       /* number of finished parts */
	u64 told_wakes;	       /* wake-ups that were reported with earlier parts */
	const char *last_part; /* its name, owned by the output; NULL: none, or renaming failed */
};

/* Writes to opts->output. Its close() frees it. */
struct file_consumer *file_consumer_new(const struct record_options *opts);

#endif
