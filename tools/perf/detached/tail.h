/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows a detached recording: writes its contents and then new records, as perf.data in the form
 * for pipes.
 */
#ifndef DETACHED_TAIL_H
#define DETACHED_TAIL_H

#include "perfdata/image/image.h"
#include "record/base/source.h"

/*
 * Runs until the recording ends or is removed, or until the reader closes @fd. False with @error.
 */
bool tail_image(const char *path, int fd, GError **error);

/* An image, for any kind of writer. */
struct perfdata;
struct tail_source {
	const void *data;
	const struct image_header *header; /* checked */
	struct perfdata *pd;		   /* the same image as a file, for the events */
	/*
	 * Called before each reading: updates the image. False: the recording has ended, this is
	 * the last reading.
	 */
	bool (*is_written)(struct tail_source *source);
	/*
	 * Called after each reading, or NULL: writes further facts about processes. Facts that were
	 * written before are left out.
	 */
	void (*describe)(struct tail_source *source, struct outlet *out);
};
bool tail_source(struct tail_source *source, int fd, GError **error);

#endif
