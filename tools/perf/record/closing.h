/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The closing lines of a recording: upstream's lines, and the losses. */
#ifndef RECORD_CLOSING_H
#define RECORD_CLOSING_H

#include <stdio.h>

#include "record/base/queue.h"
#include "record/collector.h"
#include "record/consumer_file.h"
#include "record/drainer.h"

struct closing_facts {
	struct drainer_counts drained;
	struct collector_counts collected;
	struct queue_counts queue;
	bool enough; /* --max-size ended the recording */
	u64 lost_side; /* records of forks, exits and mappings, lost by events that have nothing else */

	/* About the file; NULL and 0: there is no file. */
	char *path;
	u64 bytes;
	double ratio;
	u64 told_wakes;	 /* wake-ups that were reported with earlier parts */
	char *last_part; /* name; NULL: none */
};

/* Copies the facts about the file. To be called before it is closed. */
void closing_keep(struct closing_facts *facts, const struct file_consumer *file);
void closing_release(struct closing_facts *facts);

void closing_say(const struct closing_facts *facts, const struct record_options *opts,
		 const GPtrArray *sources, FILE *out);

#endif
