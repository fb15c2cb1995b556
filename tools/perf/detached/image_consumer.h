/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The consumer of a recording (record/consumer.h) that keeps the newest records in images (perfdata/image/image.h):
 * one in a file that others read, and another one where the recorded program has it mapped.
 */
#ifndef DETACHED_IMAGE_CONSUMER_H
#define DETACHED_IMAGE_CONSUMER_H

#include "perfdata/decoder.h"
#include "perfdata/image/image_store.h"
#include "record/consumer.h"

/* What else wants to see the records, in the collector's thread; each may be NULL. */
struct image_watch {
	/* Every sample, before it is kept. True: this is what a copy is to be saved for. */
	bool (*sample)(struct image_watch *watch, const struct perfdata_decoder *decoder,
		       const struct perf_event_header *record);
	/* Every record that describes something. */
	void (*side)(struct image_watch *watch, const struct event *ev);
	/* Records up to now are in the images: somebody has asked, or sample() was true. */
	void (*is_flushed)(struct image_watch *watch, bool triggered);
};

/* @by_cpu: a ring per CPU instead of one per process. @watch may be NULL. close() frees it. */
struct consumer *image_consumer_new(bool by_cpu, struct image_watch *watch);
/* Before begin(). @memory: zeros, of image_layout_size(); stays the caller's. Returns its header. */
struct image_header *image_consumer_add(struct consumer *c, void *memory,
					const struct image_layout *layout);

#endif
