// SPDX-License-Identifier: GPL-2.0-or-later
#include "convert/record_tap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "perfdata/abi.h"

#define TAP_BUFFER (256u << 10)

enum { TAP_RUNS, TAP_STOPS, TAP_GIVES_UP };

struct record_tap {
	int in, out;
	volatile sig_atomic_t stopped; /* TAP_* */
	GThread *thread;
	u32 used; /* bytes in the buffer */
	u64 skip; /* bytes of a payload after a record, to be passed on */
	u8 buffer[TAP_BUFFER];
};

/* The size of the data that follows the record without being part of it. */
static u64 payload_of(const struct perf_event_header *header, const u8 *at)
{
	u64 size64 = 0;
	u32 size32 = 0;

	if (header->type == PERFDATA_AUXTRACE && header->size >= 16) {
		memcpy(&size64, at + 8, sizeof(size64));
		return size64;
	}
	if (header->type == PERFDATA_TRACING_DATA && header->size >= 12)
		memcpy(&size32, at + 8, sizeof(size32));
	return size32;
}

/* The number of bytes at the start of the buffer that are complete records and payloads. */
static u32 whole_bytes(struct record_tap *t)
{
	struct perf_event_header header;
	u32 at = 0;

	for (;;) {
		u64 some = MIN(t->skip, t->used - at);

		at += (u32)some;
		t->skip -= some;
		if (t->used - at < sizeof(header))
			return at;
		memcpy(&header, t->buffer + at, sizeof(header));
		/* The file header, or garbage, which the reader will report. */
		if (header.size < sizeof(header))
			return t->used;
		if (t->used - at < header.size)
			return at;
		t->skip = payload_of(&header, t->buffer + at);
		at += header.size;
	}
}

static bool let_through(struct record_tap *t, u32 size)
{
	if (!file_write_fd(t->out, t->buffer, size))
		return false;
	memmove(t->buffer, t->buffer + size, t->used - size);
	t->used -= size;
	return true;
}

/* False: the input ended, or reading was stopped after a complete record. */
static bool take_more(struct record_tap *t)
{
	struct pollfd input = { .fd = t->in, .events = POLLIN };
	ssize_t n = -1;

	while (n < 0) {
		if (t->stopped == TAP_GIVES_UP || (t->stopped && !t->used && !t->skip))
			return false;
		if (poll(&input, 1, 100) <= 0)
			continue;
		n = read(t->in, t->buffer + t->used, sizeof(t->buffer) - t->used);
		if (n < 0 && errno != EINTR)
			return false;
	}
	t->used += (u32)n;
	return n > 0;
}

static gpointer tap_main(gpointer arg)
{
	struct record_tap *t = arg;
	struct perfdata_pipe_header header;

	/* The file header has its size at the place where a record has none. */
	while (t->used < sizeof(header) && take_more(t))
		;
	if (t->used >= sizeof(header))
		t->skip = sizeof(header);
	while (let_through(t, whole_bytes(t)) && take_more(t))
		;
	let_through(t, t->used); /* the input was cut off; the reader reports it */
	close(t->out);
	return NULL;
}

struct record_tap *record_tap_new(int fd, int *out, GError **error)
{
	struct record_tap *t = g_new0(struct record_tap, 1);
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		error_set_errno(error, errno, "pipe");
		g_free(t);
		return NULL;
	}
	t->in = fd;
	t->out = ends[1];
	*out = ends[0];
	t->thread = g_thread_try_new("tap", tap_main, t, error);
	if (t->thread)
		return t;
	close(ends[0]);
	close(ends[1]);
	g_free(t);
	return NULL;
}

void record_tap_stop(struct record_tap *t)
{
	t->stopped = TAP_STOPS;
}

void record_tap_free(struct record_tap *t)
{
	if (!t)
		return;
	t->stopped = TAP_GIVES_UP;
	g_thread_join(t->thread);
	g_free(t);
}
