/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A consumer of a recording (record/base/consumer.h) that keeps the newest records in images
 * (perfdata/image/image.h): one image in a file for readers, and one in memory that the recorded
 * program has mapped.
 */
#ifndef DETACHED_IMAGE_CONSUMER_H
#define DETACHED_IMAGE_CONSUMER_H

#include "perfdata/decoder.h"
#include "perfdata/image/image_store.h"
#include "record/base/consumer.h"

/* Further observers of the records, called in the collector's thread. Each may be NULL. */
struct image_watch {
	/*
	 * Called for every sample before it is kept. True: the sample triggers the saving of a
	 * copy. May replace *@record by another one, which is valid until the next call.
	 */
	bool (*sample)(struct image_watch *watch, const struct perfdata_decoder *decoder,
		       const struct perf_event_header **record);
	/* Called for every side record that describes something that exists. */
	void (*side)(struct image_watch *watch, const struct event *ev);
	/*
	 * Called when all records so far are in the images: after SIGUSR2, or (@triggered) after
	 * sample() returned true.
	 */
	void (*save)(struct image_watch *watch, bool triggered);
};

/*
 * @by_cpu: one ring per CPU instead of one per process. @watch may be NULL. close() frees the
 * consumer.
 */
struct consumer *image_consumer_new(bool by_cpu, struct image_watch *watch);
/*
 * To be called before begin(). @memory: zeros, of image_layout_size(), owned by the caller. Returns
 * its header.
 */
struct image_header *image_consumer_add(struct consumer *c, void *memory,
					const struct image_layout *layout);

#endif
