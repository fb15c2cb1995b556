/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The input of the reader: bytes of records, from segments of mapped files or from a pipe.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_INPUT_H
#define PERFDATA_INPUT_H

#include <glib.h>
#include <sys/types.h>

#include "base/types.h"

struct perf_event_header;
struct input;

/* Bytes in memory; not owned. */
struct input *input_new_bytes(const char *name, const void *data, u64 size, u64 foff);
/* A descriptor, read from its current position @foff on. @close_fd: input_free() closes it. */
struct input *input_new_fd(const char *name, int fd, bool close_fd, u64 foff);

/* Bytes from a function like read(2): it returns a number of bytes, 0 at the end, -1 with errno. */
typedef ssize_t input_read_fn(void *arg, void *to, size_t size);
struct input *input_new_reader(const char *name, input_read_fn *read, void (*close)(void *arg),
			       void *arg, u64 foff);
void input_free(struct input *in);

/* Adds a segment after the others. */
void input_add_bytes(struct input *in, const char *name, const void *data, u64 size, u64 foff);

/*
 * States that the segments are mapped files. Then pages some megabytes before the current position are given back to
 * the system, so memory does not grow with the file. The system reads them again if they are accessed later.
 */
void input_is_mapped(struct input *in);
/* From now on, no pages are given back. */
void input_stays_mapped(struct input *in);

const char *input_name(const struct input *in); /* of the current segment */
u64 input_foff(const struct input *in);		/* of the next byte, in its file */
u64 input_position(const struct input *in);	/* bytes read so far, in all segments */

/*
 * Looks at the next @size bytes without consuming them. 1: they are at *@at, valid until the next call. 0: the segment
 * has fewer; the *@left remaining ones are at *@at. -1 with @error: reading failed.
 */
int input_peek(struct input *in, u64 size, const u8 **at, u64 *left, GError **error);

/*
 * Fast path: skips @taken bytes that were peeked at, and returns the next record. NULL: too few bytes, a descriptor, or
 * an impossible size. Then use the functions above.
 */
const struct perf_event_header *input_next_record(struct input *in, u64 taken);

/*
 * Skips @taken bytes that were peeked at, and then consecutive records of @type, about @most bytes of them. Returns the
 * number of skipped records. out: *@end, their end. Stops before a record of another type, and before one for which
 * input_next_record() would return NULL.
 */
u64 input_skip_records(struct input *in, u64 taken, u32 type, u64 most, const u8 **end);

/*
 * The record at @ahead bytes after the current position, and a copy of its header. The record may be misaligned. NULL:
 * the segment has no whole record there, or the input is a descriptor.
 */
const u8 *input_record_ahead(const struct input *in, u64 ahead, struct perf_event_header *header);

/* Skips @size bytes. Results as of input_peek(); the bytes are not read into memory. */
int input_skip(struct input *in, u64 size, GError **error);

/* Goes to the next segment. False: there is none. */
bool input_next_segment(struct input *in);

/* Goes to the first byte of the first segment. Not for descriptors. */
void input_rewind(struct input *in);

#endif
