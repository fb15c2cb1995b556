/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the side records (FORK, COMM, MMAP2, layouts of activities, kernel symbols) that a
 * recording still needs when it overwrites old samples:
 *
 *  - of things that exist: a map counts until it is replaced, or exec, or the process's end
 *  - of things that have ended, as long as there are older samples
 *  - a child's inherited maps, also after the parent's end: they are then written as the child's
 *    own
 *
 * Records are kept unchanged. Each record is added to the image's side area (image.h) immediately.
 * When the area is full, it is rewritten with the records that are still needed. So the size of
 * both depends on the number of living processes, not on time.
 */
#ifndef DETACHED_SIDE_H
#define DETACHED_SIDE_H

#include "perfdata/decoder.h"
#include "perfdata/image/image_store.h"

struct side;

/* @decoder decodes the given records again. It must outlive the result. */
struct side *side_new(const struct perfdata_decoder *decoder);
void side_free(struct side *s);

/*
 * Takes a side record and its decoded form, and copies it. Then adds it to @w's area, or rewrites
 * the area.
 */
void side_take(struct side *s, const struct event *ev, const struct perf_event_header *record,
	       struct image_store *w);

/* Size of the kept records. */
u64 side_size(const struct side *s);

#endif
