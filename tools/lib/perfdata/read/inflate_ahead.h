/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inflates payloads on a thread of its own, in the order in which they are put, while what came out
 * of earlier ones is taken. At most 2 MB wait to be taken. One thread puts and takes.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_INFLATE_AHEAD_H
#define PERFDATA_INFLATE_AHEAD_H

#include <sys/types.h>
#include <zstd.h>

#include "base/types.h"

struct inflate_ahead;

/* From now on only it uses @stream, until inflate_ahead_free(). NULL: no thread can be started. */
struct inflate_ahead *inflate_ahead_new(ZSTD_DStream *stream);
/* Stops, wherever it is. */
void inflate_ahead_free(struct inflate_ahead *ahead);

/* A further payload, in place until inflate_ahead_free() or until it is taken. */
void inflate_ahead_put(struct inflate_ahead *ahead, const void *data, size_t size);

/*
 * Waits for inflated bytes of the first payload that is not used up, of which there must be one,
 * and copies up to @room of them: how many, with *@last where none of this payload are left.
 * -1 with *@problem when it is no zstd stream, from then on always.
 */
ssize_t inflate_ahead_take(struct inflate_ahead *ahead, void *to, size_t room, bool *last,
			   const char **problem);

#endif
