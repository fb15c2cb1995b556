/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest samples of a recording that goes on, as the records that they are: as many as fit into some bytes. They
 * have numbers, from 0 in the order in which they came.
 */
#ifndef SESSION_KEPT_H
#define SESSION_KEPT_H

#include <linux/perf_event.h>

#include "base/types.h"

struct kept_samples;

/* At least the newest sample is kept, whatever @most_bytes says. */
struct kept_samples *kept_new(size_t most_bytes);
void kept_free(struct kept_samples *k);

void kept_add(struct kept_samples *k, const struct perf_event_header *sample);

/* Numbers of the oldest sample that is kept, and of the next one to come. */
u64 kept_first(const struct kept_samples *k);
u64 kept_end(const struct kept_samples *k);

/* A place among the samples; good until the next kept_add(). */
struct kept_cursor {
	const struct kept_samples *kept;
	u32 chunk, at; /* of the chunk's bytes */
	u64 number;
};

/* At sample @number, or the oldest one that is kept where that is gone. */
struct kept_cursor kept_find(const struct kept_samples *k, u64 number);
/* NULL: there is none any more. */
const struct perf_event_header *kept_next(struct kept_cursor *c);

#endif
