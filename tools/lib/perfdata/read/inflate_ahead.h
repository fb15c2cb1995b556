/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inflates payloads on a second thread, in the order in which they were put, while the reader takes the output of
 * earlier ones. The output buffer has at most 2 MB. Only one thread may put and take. Internal to perfdata/.
 */
#ifndef PERFDATA_INFLATE_AHEAD_H
#define PERFDATA_INFLATE_AHEAD_H

#include <sys/types.h>
#include <zstd.h>

#include "base/types.h"

struct inflate_ahead;

/* Only the second thread uses @stream until inflate_ahead_free(). NULL: the thread cannot be started. */
struct inflate_ahead *inflate_ahead_new(ZSTD_DStream *stream);
/* Stops the thread, even in the middle of a payload. */
void inflate_ahead_free(struct inflate_ahead *ahead);

/* Queues a payload. It must stay in memory until it is taken, or until inflate_ahead_free(). */
void inflate_ahead_put(struct inflate_ahead *ahead, const void *data, size_t size);

/*
 * Waits for inflated bytes of the first payload that is not finished (there must be one). Copies up to @room bytes and
 * returns their number. *@last: this payload has no more. -1 with *@problem: it is no zstd stream; later calls fail,
 * too.
 */
ssize_t inflate_ahead_take(struct inflate_ahead *ahead, void *to, size_t room, bool *last,
			   const char **problem);

#endif
