/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of the records, wherever they come from: segments of mapped files, or a pipe.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_SOURCE_H
#define PERFDATA_SOURCE_H

#include <glib.h>

#include "base/types.h"

struct perf_event_header;
struct source;

/* Bytes in place. Not owned. */
struct source *source_new_bytes(const char *name, const void *data, u64 size, u64 foff);
/* A descriptor that is read from its position on, which is @foff; closed when @close_fd. */
struct source *source_new_fd(const char *name, int fd, bool close_fd, u64 foff);
void source_free(struct source *src);

/* A further segment, read after those before it. */
void source_add_bytes(struct source *src, const char *name, const void *data, u64 size, u64 foff);

/*
 * The segments are mapped files: pages that lie some megabytes behind are given back to the system,
 * which reads them again when somebody still looks at them. So memory does not grow with the file.
 */
void source_is_mapped(struct source *src);

const char *source_name(const struct source *src); /* of the present segment */
u64 source_foff(const struct source *src);	   /* of the next byte, in its file */
u64 source_position(const struct source *src);	   /* bytes given so far, of all segments */
u32 source_segment(const struct source *src);	   /* its number, from 0 */

/*
 * The next @size bytes, which stay next until source_skip(): 1 with *@at set (valid until the
 * next call), 0 when fewer are left in the segment (*@left says how many, and they are at
 * *@at), -1 with @error when reading fails.
 */
int source_peek(struct source *src, u64 size, const u8 **at, u64 *left, GError **error);

/*
 * Passes over @taken bytes that were peeked at, and peeks at the next record as its header states
 * it: its place, or NULL where one of the calls above has to say what is there: too few bytes, a
 * descriptor, a size that cannot be.
 */
const struct perf_event_header *source_next_record(struct source *src, u64 taken);

/* Passes over @size bytes: as source_peek(), but nothing needs to be in memory. */
int source_skip(struct source *src, u64 size, GError **error);

/* On to the next segment; false when there is none. */
bool source_next_segment(struct source *src);

/* Back to the first byte of the first segment; not for a descriptor. */
void source_rewind(struct source *src);

#endif
