/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes records to an image (image.h) in memory. Memory does not grow: if there is no room, a new record replaces the
 * oldest ones. For one thread. Readers, also in other processes, may read the image at any time.
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
/* The header, so that the caller can set the fields that the store does not set. */
struct image_header *image_store_header(struct image_store *w);

/* Starts recording. @facts: a perf.data file without records. False: there is not enough room for it. */
bool image_store_facts(struct image_store *w, const void *facts, u64 size, GError **error);

/* Puts a sample, or another record that describes a moment and not a process. */
void image_store_put(struct image_store *w, u64 key, u64 time,
		     const struct perf_event_header *record);
/* The process that has this key has ended: its chunks may be taken before those of others. */
void image_store_end_key(struct image_store *w, u64 key);
/* The time of the oldest sample that is still there, ns; 0: there is none. */
u64 image_store_oldest(const struct image_store *w);

/* Appends to the valid half of the side area. False: it is full. */
bool image_store_side(struct image_store *w, const struct perf_event_header *record);
/*
 * Rewrites the side area in its other half: begin, then put each record to keep (false: full), then end, which makes
 * the half valid.
 */
void image_store_side_begin(struct image_store *w);
bool image_store_side_put(struct image_store *w, const struct perf_event_header *record);
void image_store_side_end(struct image_store *w);

#endif
