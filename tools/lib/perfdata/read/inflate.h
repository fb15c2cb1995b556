/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inflates the records inside COMPRESSED records. A recorder has one zstd stream per file (in a directory: one per
 * thread's file). It flushes the stream at the end of each COMPRESSED record and never ends it. So a COMPRESSED record
 * can be inflated only after all previous ones, and a record inside may continue in the next COMPRESSED record. The
 * output goes through a buffer of fixed size: a small input that inflates to gigabytes costs time, but no memory.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_INFLATE_H
#define PERFDATA_INFLATE_H

#include <glib.h>

#include "base/types.h"

struct inflate;

struct inflate *inflate_new(void);
void inflate_free(struct inflate *in);

/* Drops all state: another stream begins. */
void inflate_reset(struct inflate *in);

/*
 * Announces a payload that will be fed later, after those announced before it. It must stay in memory until then, or
 * until inflate_reset(). If there are several, a second thread inflates them in advance.
 */
void inflate_expect(struct inflate *in, const void *data, size_t size);
u32 inflate_nr_expected(const struct inflate *in); /* and not fed yet */

/*
 * Feeds the payload of the next COMPRESSED record. It must stay in memory until inflate_peek() returns 0. If payloads
 * are expected, it must be the first of them.
 */
void inflate_feed(struct inflate *in, const void *data, size_t size);

/*
 * The next @size (at most 65535) inflated bytes. 1: they are at *@at, valid until the next call, and 8-aligned if their
 * offset in the stream is. 0: the payload is finished and fewer bytes are left. -1 with *@problem: it is no zstd
 * stream. inflate_skip() consumes the bytes.
 */
int inflate_peek(struct inflate *in, size_t size, const u8 **at, const char **problem);
void inflate_skip(struct inflate *in, size_t size);

/* The number of inflated bytes that were not skipped yet. */
size_t inflate_left(const struct inflate *in);
/* These bytes; valid until the next call, as for inflate_peek(). */
const u8 *inflate_ready(const struct inflate *in, size_t *size);

#endif
