/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records inside COMPRESSED records. A recorder keeps one zstd stream per file (per
 * thread's file in a directory), flushed at the end of each record and never ended, so a
 * record is understood only after all before it, and one that was cut in two by the flush
 * goes on in the next. What comes out is given piece by piece through a buffer of fixed
 * size: a small input that inflates to gigabytes costs time in proportion, but no memory.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_INFLATE_H
#define PERFDATA_INFLATE_H

#include <glib.h>

#include "base/types.h"

struct inflate;

struct inflate *inflate_new(void);
void inflate_free(struct inflate *in);

/* Forgets all: another stream begins. */
void inflate_reset(struct inflate *in);

/*
 * A payload that will be fed later, after all that were expected before it, and that is in place
 * until then or inflate_reset(). Where there are several, a thread inflates them meanwhile.
 */
void inflate_expect(struct inflate *in, const void *data, size_t size);
u32 inflate_nr_expected(const struct inflate *in); /* and not fed yet */

/*
 * The payload of the next COMPRESSED record; in place until inflate_peek() has given 0. Where some
 * are expected, it is the first of these.
 */
void inflate_feed(struct inflate *in, const void *data, size_t size);

/*
 * The next @size (at most 65535) inflated bytes, 8-aligned where their offset in the stream
 * is: 1 with *@at, valid until the next call; 0 when the payload is used up and fewer are left;
 * -1 with *@problem when it is no zstd stream. inflate_skip() passes over bytes that peek gave.
 */
int inflate_peek(struct inflate *in, size_t size, const u8 **at, const char **problem);
void inflate_skip(struct inflate *in, size_t size);

/* Inflated bytes that were not skipped yet. */
size_t inflate_left(const struct inflate *in);
/* Where they are, valid as what inflate_peek() gives is. */
const u8 *inflate_ready(const struct inflate *in, size_t *size);

#endif
