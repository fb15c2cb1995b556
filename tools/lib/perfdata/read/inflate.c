// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>
#include <zstd.h>

#include "perfdata/read/inflate.h"
#include "perfdata/read/inflate_ahead.h"

#define INFLATE_BUFFER (512 * 1024)

struct inflate {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	GArray *expected; /* ZSTD_inBuffer: payloads to come, as long as there is no thread */
	struct inflate_ahead *ahead; /* NULL: payloads are inflated here */
	u32 nr_expected;
	bool alone; /* no thread could be started */
	u8 *buf;    /* INFLATE_BUFFER bytes, of which [start, end) are unread */
	size_t start, end;
	bool drained; /* the last output did not fill the buffer */
};

struct inflate *inflate_new(void)
{
	struct inflate *in = g_new0(struct inflate, 1);

	in->stream = ZSTD_createDStream();
	in->buf = g_malloc(INFLATE_BUFFER);
	in->expected = g_array_new(FALSE, FALSE, sizeof(ZSTD_inBuffer));
	inflate_reset(in);
	return in;
}

void inflate_free(struct inflate *in)
{
	if (!in)
		return;
	inflate_ahead_free(in->ahead);
	g_array_unref(in->expected);
	ZSTD_freeDStream(in->stream);
	g_free(in->buf);
	g_free(in);
}

void inflate_reset(struct inflate *in)
{
	g_clear_pointer(&in->ahead, inflate_ahead_free);
	g_array_set_size(in->expected, 0);
	in->nr_expected = 0;
	ZSTD_initDStream(in->stream);
	in->in = (ZSTD_inBuffer){ 0 };
	in->start = in->end = 0;
	in->drained = true;
}

void inflate_expect(struct inflate *in, const void *data, size_t size)
{
	ZSTD_inBuffer payload = { .src = data, .size = size };

	if (in->alone)
		return;
	in->nr_expected++;
	if (in->ahead)
		inflate_ahead_put(in->ahead, data, size);
	else
		g_array_append_val(in->expected, payload);
}

u32 inflate_nr_expected(const struct inflate *in)
{
	return in->nr_expected;
}

/* A thread is useful only if more than the payload that is needed now is known. */
static void start_thread(struct inflate *in)
{
	if (!in->ahead && in->nr_expected > 1) {
		in->ahead = inflate_ahead_new(in->stream);
		in->alone = !in->ahead;
	}
	for (u32 i = 0; in->ahead && i < in->expected->len; i++) {
		const ZSTD_inBuffer *p = &g_array_index(in->expected, ZSTD_inBuffer, i);

		inflate_ahead_put(in->ahead, p->src, p->size);
	}
	/* Without a thread, the caller passes the payloads again when they are needed. */
	g_array_set_size(in->expected, 0);
	if (!in->ahead)
		in->nr_expected = 0;
}

void inflate_feed(struct inflate *in, const void *data, size_t size)
{
	start_thread(in);
	if (in->ahead && !in->nr_expected)
		inflate_expect(in, data, size);
	if (in->ahead)
		in->nr_expected--;
	else
		in->in = (ZSTD_inBuffer){ .src = data, .size = size };
	in->drained = false;
}

/* Moves the unread bytes to the front. Their alignment stays the same. */
static void make_room(struct inflate *in)
{
	size_t to = in->start % 8;

	if (in->start == to)
		return;
	memmove(in->buf + to, in->buf + in->start, in->end - in->start);
	in->end -= in->start - to;
	in->start = to;
}

/* Inflates more bytes behind the unread ones. */
static bool inflate_more(struct inflate *in, const char **problem)
{
	ZSTD_outBuffer out = { .dst = in->buf, .size = INFLATE_BUFFER, .pos = in->end };
	size_t ret;

	if (in->ahead) {
		ssize_t got = inflate_ahead_take(in->ahead, in->buf + in->end,
						 INFLATE_BUFFER - in->end, &in->drained, problem);

		in->end += got < 0 ? 0 : (size_t)got;
		return got >= 0;
	}
	ret = ZSTD_decompressStream(in->stream, &out, &in->in);
	if (ZSTD_isError(ret)) {
		*problem = ZSTD_getErrorName(ret);
		return false;
	}
	in->end = out.pos;
	in->drained = in->in.pos == in->in.size && out.pos < out.size;
	return true;
}

int inflate_peek(struct inflate *in, size_t size, const u8 **at, const char **problem)
{
	while (in->end - in->start < size && !in->drained) {
		if (in->end == INFLATE_BUFFER)
			make_room(in);
		if (!inflate_more(in, problem))
			return -1;
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

const u8 *inflate_ready(const struct inflate *in, size_t *size)
{
	*size = in->end - in->start;
	return in->buf + in->start;
}
