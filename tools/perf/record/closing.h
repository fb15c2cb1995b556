/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a recording says when it is over: upstream's lines, and what was lost on the way. */
#ifndef RECORD_CLOSING_H
#define RECORD_CLOSING_H

#include <stdio.h>

#include "record/drainer.h"
#include "record/output.h"
#include "record/queue.h"
#include "record/writer.h"

struct closing_facts {
	struct drainer_counts drained;
	struct writer_counts written;
	struct queue_counts queue;
	u64 size_limit; /* that ended the recording; 0: it did not */
};

void closing_say(const struct closing_facts *facts, const struct record_options *opts,
		 const struct output *output, const GPtrArray *sources, FILE *out);

#endif
