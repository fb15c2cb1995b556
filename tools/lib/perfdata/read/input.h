/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of the records, wherever they come from: segments of mapped files, or a pipe.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_INPUT_H
#define PERFDATA_INPUT_H

#include <glib.h>
#include <sys/types.h>

#include "base/types.h"

struct perf_event_header;
struct input;

/* Bytes in place. Not owned. */
struct input *input_new_bytes(const char *name, const void *data, u64 size, u64 foff);
/* A descriptor that is read from its position on, which is @foff; closed when @close_fd. */
struct input *input_new_fd(const char *name, int fd, bool close_fd, u64 foff);

/* What @read gives, which is as read(2): bytes, 0 at the end, -1 with errno. */
typedef ssize_t input_read_fn(void *arg, void *to, size_t size);
struct input *input_new_reader(const char *name, input_read_fn *read, void (*close)(void *arg),
			       void *arg, u64 foff);
void input_free(struct input *in);

/* A further segment, read after those before it. */
void input_add_bytes(struct input *in, const char *name, const void *data, u64 size, u64 foff);

/*
 * The segments are mapped files: pages that lie some megabytes behind are given back to the system,
 * which reads them again when somebody still looks at them. So memory does not grow with the file.
 */
void input_is_mapped(struct input *in);
/* Nothing is given back from now on. */
void input_stays_mapped(struct input *in);

const char *input_name(const struct input *in); /* of the present segment */
u64 input_foff(const struct input *in);		/* of the next byte, in its file */
u64 input_position(const struct input *in);	/* bytes given so far, of all segments */
u32 input_segment(const struct input *in);	/* its number, from 0 */

/*
 * The next @size bytes, which stay next until input_skip(): 1 with *@at set (valid until the
 * next call), 0 when fewer are left in the segment (*@left says how many, and they are at
 * *@at), -1 with @error when reading fails.
 */
int input_peek(struct input *in, u64 size, const u8 **at, u64 *left, GError **error);

/*
 * Passes over @taken bytes that were peeked at, and peeks at the next record as its header states
 * it: its place, or NULL where one of the calls above has to say what is there: too few bytes, a
 * descriptor, a size that cannot be.
 */
const struct perf_event_header *input_next_record(struct input *in, u64 taken);

/*
 * Passes over @taken bytes that were peeked at, and then over whole records of @type that follow one
 * another, some @most bytes of them: returns how many, and where they end in *@end. Any other record,
 * and one that input_next_record() would not give, stays next.
 */
u64 input_skip_records(struct input *in, u64 taken, u32 type, u64 most, const u8 **end);

/*
 * The whole record that begins @ahead bytes behind the next byte: its place, which need not be
 * aligned, with a copy of its header. NULL where the segment has none there; for a descriptor always.
 */
const u8 *input_record_ahead(const struct input *in, u64 ahead, struct perf_event_header *header);

/* Passes over @size bytes: as input_peek(), but nothing needs to be in memory. */
int input_skip(struct input *in, u64 size, GError **error);

/* On to the next segment; false when there is none. */
bool input_next_segment(struct input *in);

/* Back to the first byte of the first segment; not for a descriptor. */
void input_rewind(struct input *in);

#endif
