// SPDX-License-Identifier: GPL-2.0-or-later
#include "mcp/line_reader.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

struct line_reader {
	int fd;
	size_t max;
	GString *open; /* the beginning of the next line */
	bool skips;    /* the rest of a line that was too long */
	bool ended;    /* the input */
	GQueue *queued; /* GString *; NULL data cannot be queued: too_long stands for a line that was too long */
	u32 nr_peeked; /* of those queued */
	GString *too_long;
};

struct line_reader *line_reader_new(int fd, size_t max)
{
	struct line_reader *l = g_new0(struct line_reader, 1);

	l->fd = fd;
	l->max = max;
	l->open = g_string_new(NULL);
	l->queued = g_queue_new();
	l->too_long = g_string_new(NULL);
	return l;
}

void line_reader_free(struct line_reader *l)
{
	GString *line;

	while ((line = g_queue_pop_head(l->queued)))
		if (line != l->too_long)
			g_string_free(line, TRUE);
	g_queue_free(l->queued);
	g_string_free(l->open, TRUE);
	g_string_free(l->too_long, TRUE);
	g_free(l);
}

static void end_line(struct line_reader *l)
{
	if (l->skips) {
		g_queue_push_tail(l->queued, l->too_long);
	} else {
		g_queue_push_tail(l->queued, l->open);
		l->open = g_string_new(NULL);
	}
	l->skips = false;
}

static void add_part(struct line_reader *l, const char *part, size_t size)
{
	if (l->skips)
		return;
	if (l->open->len + size <= l->max) {
		g_string_append_len(l->open, part, (gssize)size);
		return;
	}
	l->skips = true;
	g_string_free(l->open, TRUE); /* with its memory */
	l->open = g_string_new(NULL);
}

static void take(struct line_reader *l, const char *bytes, size_t size)
{
	while (size) {
		const char *end = memchr(bytes, '\n', size);
		size_t part = end ? (size_t)(end - bytes) : size;

		add_part(l, bytes, part);
		if (!end)
			return;
		end_line(l);
		bytes += part + 1;
		size -= part + 1;
	}
}

/* Reads once. False: nothing came. */
static bool read_some(struct line_reader *l, bool wait)
{
	struct pollfd pfd = { .fd = l->fd, .events = POLLIN };
	char bytes[4096];
	ssize_t n;

	if (l->ended || (!wait && poll(&pfd, 1, 0) <= 0))
		return false;
	do
		n = read(l->fd, bytes, sizeof(bytes));
	while (n < 0 && errno == EINTR);
	if (n > 0) {
		take(l, bytes, (size_t)n);
		return true;
	}
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
		pfd.revents = 0;
		return wait && poll(&pfd, 1, -1) >= 0;
	}
	l->ended = true;
	if (l->open->len || l->skips)
		end_line(l);
	return false;
}

enum line_got line_reader_next(struct line_reader *l, GString **line)
{
	GString *next;

	while (g_queue_is_empty(l->queued) && !l->ended)
		read_some(l, true);
	next = g_queue_pop_head(l->queued);
	if (!next)
		return LINE_READER_END;
	if (l->nr_peeked)
		l->nr_peeked--;
	if (next == l->too_long)
		return LINE_READER_TOO_LONG;
	*line = next;
	return LINE_READER_ONE;
}

void line_reader_peek(struct line_reader *l, void (*fn)(void *arg, const GString *line), void *arg)
{
	while (g_queue_get_length(l->queued) < LINE_READER_MAX_QUEUED && read_some(l, false))
		;
	for (; l->nr_peeked < g_queue_get_length(l->queued); l->nr_peeked++) {
		const GString *line = g_queue_peek_nth(l->queued, l->nr_peeked);

		if (line != l->too_long)
			fn(arg, line);
	}
}
