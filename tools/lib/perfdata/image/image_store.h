/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts records into an image (image.h) in memory. Memory does not grow: what has no room replaces what is
 * oldest. For one thread; readers may look on at any time, in other processes too.
 */
#ifndef PERFDATA_IMAGE_STORE_H
#define PERFDATA_IMAGE_STORE_H

#include <glib.h>

#include "base/error.h"
#include "perfdata/image/image.h"

struct image_layout {
	u64 facts_room, side_room, chunks_room; /* bytes; rounded up to pages */
	u32 chunk_size;				/* a power of two, 4 KiB to 1 MiB */
};

/* Bytes that an image of this layout takes. */
u64 image_layout_size(const struct image_layout *layout);

struct image_store;

/*
 * Makes @memory, which is zero, page-aligned and of image_layout_size() bytes, an empty image.
 * It stays the caller's.
 */
struct image_store *image_store_new(void *memory, const struct image_layout *layout);
void image_store_free(struct image_store *w);
/* For all that the writer itself does not fill in. */
struct image_header *image_store_header(struct image_store *w);

/* @facts: a perf.data file without records. False where it has no room. Recording begins. */
bool image_store_facts(struct image_store *w, const void *facts, u64 size, GError **error);

/* A sample, or another record that belongs to a time rather than to a process. */
void image_store_put(struct image_store *w, u64 key, u64 time,
		     const struct perf_event_header *record);
/* The process that has this key has ended: its chunks may be taken before those of others. */
void image_store_end_key(struct image_store *w, u64 key);
/* The time of the oldest sample that is still there, ns; 0: there is none. */
u64 image_store_oldest(const struct image_store *w);

/* Appends to the valid half of the side area. False: it is full. */
bool image_store_side(struct image_store *w, const struct perf_event_header *record);
/*
 * Writes the other half: begin, put each record that is to stay (false: full), end, which makes it the
 * valid one.
 */
void image_store_side_begin(struct image_store *w);
bool image_store_side_put(struct image_store *w, const struct perf_event_header *record);
void image_store_side_end(struct image_store *w);

#endif
