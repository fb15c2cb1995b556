// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <zstd.h>

#include "perfdata/read/inflate.h"

#define INFLATE_BUFFER (512 * 1024)

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	u8 *buf; /* INFLATE_BUFFER bytes, of which [start, end) are unread */
	size_t start, end;
	bool drained; /* the stream gave less than there was room for */
};

struct inflate *inflate_new(void)
{
	struct inflate *in = g_new0(struct inflate, 1);

	in->stream = ZSTD_createDStream();
	in->buf = g_malloc(INFLATE_BUFFER);
	inflate_reset(in);
	return in;
}

void inflate_free(struct inflate *in)
{
	if (!in)
		return;
	ZSTD_freeDStream(in->stream);
	g_free(in->buf);
	g_free(in);
}

void inflate_reset(struct inflate *in)
{
	ZSTD_initDStream(in->stream);
	in->in = (ZSTD_inBuffer){ 0 };
	in->start = in->end = 0;
	in->drained = true;
}

void inflate_feed(struct inflate *in, const void *data, size_t size)
{
	in->in = (ZSTD_inBuffer){ .src = data, .size = size };
	in->drained = false;
}

/* Moves what is left to the front, keeping its alignment. */
static void make_room(struct inflate *in)
{
	size_t to = in->start % 8;

	if (in->start == to)
		return;
	memmove(in->buf + to, in->buf + in->start, in->end - in->start);
	in->end -= in->start - to;
	in->start = to;
}

int inflate_peek(struct inflate *in, size_t size, const u8 **at, const char **problem)
{
	while (in->end - in->start < size && !in->drained) {
		ZSTD_outBuffer out;
		size_t ret;

		if (in->end == INFLATE_BUFFER)
			make_room(in);
		out = (ZSTD_outBuffer){ .dst = in->buf, .size = INFLATE_BUFFER, .pos = in->end };
		ret = ZSTD_decompressStream(in->stream, &out, &in->in);
		if (ZSTD_isError(ret)) {
			*problem = ZSTD_getErrorName(ret);
			return -1;
		}
		in->end = out.pos;
		in->drained = in->in.pos == in->in.size && out.pos < out.size;
	}
	*at = in->buf + in->start;
	return in->end - in->start >= size;
}

void inflate_skip(struct inflate *in, size_t size)
{
	in->start += size;
}

size_t inflate_left(const struct inflate *in)
{
	return in->end - in->start;
}
