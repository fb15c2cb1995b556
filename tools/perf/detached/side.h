/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which descriptions of processes (FORK, COMM, MMAP2, layouts of activities, symbols of the kernel) does a
 * recording that forgets its old samples still need?
 *
 *   - those of what lives: a map, until it is unmapped by another one at its place, or exec, or the end
 *   - those of what has ended, while there are samples from before
 *   - a child's inherited maps, also when the parent is gone: they are then told as the child's own
 *
 * Records are kept as they came. The image's side area (image.h) gets each at once; when the area is full, it is
 * written anew from what is still needed. So neither grows with time, only with what lives at once.
 */
#ifndef DETACHED_SIDE_H
#define DETACHED_SIDE_H

#include "perfdata/decoder.h"
#include "perfdata/image/image_store.h"

struct side;

/* @decoder, which must outlive it, decodes the records again that it is given. */
struct side *side_new(const struct perfdata_decoder *decoder);
void side_free(struct side *s);

/* A side record and what it says; its bytes are copied. Then @w's area gets it, or is written anew. */
void side_take(struct side *s, const struct event *ev, const struct perf_event_header *record,
	       struct image_store *w);

/* Descriptions that are kept now, and their bytes. */
u32 side_nr(const struct side *s);
u64 side_size(const struct side *s);

#endif
