/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer's half of inflate.h: one zstd stream over the whole file, flushed per record.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_DEFLATE_H
#define PERFDATA_DEFLATE_H

#include "base/error.h"
#include "base/types.h"

struct deflate;

/* At *@level, which is lowered to the highest there is. NULL with @error in a build without zstd. */
struct deflate *deflate_new(int *level, GError **error);
void deflate_free(struct deflate *d);

/*
 * Packs @size bytes and flushes: *@used bytes at @out, which has @room. False with *@problem
 * when they do not fit or zstd fails; the stream is of no use then.
 */
bool deflate_flush(struct deflate *d, const void *data, size_t size, u8 *out, size_t room,
		   size_t *used, const char **problem);

#endif
