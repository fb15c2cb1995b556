/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Follows a detached recording: what it has, then what comes, as perf.data in the form for pipes. */
#ifndef DETACHED_TAIL_H
#define DETACHED_TAIL_H

#include "perfdata/image/image.h"
#include "record/source.h"

/*
 * Until the recording ends or is removed, or nobody reads @fd any more. False with @error.
 */
bool tail_image(const char *path, int fd, GError **error);

/* An image, whoever writes it. */
struct perfdata;
struct tail_source {
	const void *data;
	const struct image_header *header; /* checked */
	struct perfdata *pd;		   /* the same as a file, for the events */
	/* Before each look: brings the image up to date. False: it has ended, this is the last look. */
	bool (*is_written)(struct tail_source *source);
	/* After each look, NULL: puts what is known of processes besides. What was put before is left out. */
	void (*describe)(struct tail_source *source, struct outlet *out);
};
bool tail_source(struct tail_source *source, int fd, GError **error);

#endif
