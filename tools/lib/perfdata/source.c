// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "perfdata/source.h"

#define PIPE_BUFFER (256 * 1024) /* above any record's 65535 bytes */

struct segment {
	char *name;
	const u8 *data;
	u64 size;
	u64 foff; /* of data[0] in its file */
};

struct source {
	GArray *segments; /* struct segment; one with no data for a descriptor */
	u32 current;
	u64 pos;    /* in the present segment */
	u64 before; /* bytes of the segments before it */
	bool mapped;
	u64 given_back; /* of the present segment */

	int fd; /* -1: segments in memory */
	bool close_fd;
	u8 *buf; /* PIPE_BUFFER bytes, of which [start, end) are unread */
	u64 start, end;
};

static void clear_segment(void *segment)
{
	g_free(((struct segment *)segment)->name);
}

static struct source *new_source(void)
{
	struct source *src = g_new0(struct source, 1);

	src->segments = g_array_new(false, true, sizeof(struct segment));
	g_array_set_clear_func(src->segments, clear_segment);
	src->fd = -1;
	return src;
}

struct source *source_new_bytes(const char *name, const void *data, u64 size, u64 foff)
{
	struct source *src = new_source();

	source_add_bytes(src, name, data, size, foff);
	return src;
}

struct source *source_new_fd(const char *name, int fd, bool close_fd, u64 foff)
{
	struct source *src = new_source();

	source_add_bytes(src, name, NULL, 0, foff);
	src->fd = fd;
	src->close_fd = close_fd;
	src->buf = g_malloc(PIPE_BUFFER);
	return src;
}

void source_add_bytes(struct source *src, const char *name, const void *data, u64 size, u64 foff)
{
	struct segment seg = { g_strdup(name), data, size, foff };

	g_array_append_val(src->segments, seg);
}

void source_free(struct source *src)
{
	if (!src)
		return;
	if (src->close_fd)
		close(src->fd);
	g_free(src->buf);
	g_array_unref(src->segments);
	g_free(src);
}

void source_is_mapped(struct source *src)
{
	src->mapped = true;
}

static const struct segment *present(const struct source *src)
{
	return &g_array_index(src->segments, struct segment, src->current);
}

const char *source_name(const struct source *src)
{
	return present(src)->name;
}

u64 source_foff(const struct source *src)
{
	return present(src)->foff + src->pos;
}

u64 source_position(const struct source *src)
{
	return src->before + src->pos;
}

u32 source_segment(const struct source *src)
{
	return src->current;
}

/* Reads until @size bytes are buffered or the input ends. */
static bool fill(struct source *src, u64 size, GError **error)
{
	if (src->start && src->start + size > PIPE_BUFFER) {
		memmove(src->buf, src->buf + src->start, src->end - src->start);
		src->end -= src->start;
		src->start = 0;
	}
	while (src->end - src->start < size) {
		ssize_t n = read(src->fd, src->buf + src->end, PIPE_BUFFER - src->end);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(error, errno, "%s: at offset 0x%" PRIx64 ": read",
					       source_name(src), source_foff(src));
		if (n == 0)
			break;
		src->end += (u64)n;
	}
	return true;
}

int source_peek(struct source *src, u64 size, const u8 **at, u64 *left, GError **error)
{
	if (src->fd >= 0) {
		if (!fill(src, size, error))
			return -1;
		*at = src->buf + src->start;
		*left = src->end - src->start;
	} else {
		*at = present(src)->data + src->pos;
		*left = present(src)->size - src->pos;
	}
	return *left >= size;
}

#define KEPT_BEHIND (16ull << 20)

static void give_back(struct source *src)
{
	const u8 *from = present(src)->data + src->given_back;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = ALIGN_UP((uintptr_t)from, page);
	uintptr_t end = (uintptr_t)(present(src)->data + src->pos) & ~(page - 1);

	if (end > start)
		madvise((void *)start, end - start, MADV_DONTNEED);
	src->given_back = src->pos;
}

const struct perf_event_header *source_next_record(struct source *src, u64 taken)
{
	const struct segment *seg = present(src);
	const struct perf_event_header *header;
	u64 left = seg->size - src->pos;

	if (src->fd >= 0 || left < taken + sizeof(*header))
		return NULL;
	header = (const void *)(seg->data + src->pos + taken);
	if ((uintptr_t)header % sizeof(u64) || header->size < sizeof(*header) ||
	    header->size > left - taken)
		return NULL;
	src->pos += taken;
	if (src->mapped && src->pos - src->given_back > KEPT_BEHIND)
		give_back(src);
	return header;
}

int source_skip(struct source *src, u64 size, GError **error)
{
	while (size) {
		const u8 *at;
		u64 left;
		u64 step = src->fd >= 0 ? MIN(size, PIPE_BUFFER) : size;
		int got = source_peek(src, step, &at, &left, error);

		if (got <= 0)
			return got;
		src->pos += step;
		if (src->fd >= 0)
			src->start += step;
		size -= step;
	}
	if (src->start == src->end)
		src->start = src->end = 0;
	if (src->mapped && src->pos - src->given_back > KEPT_BEHIND)
		give_back(src);
	return 1;
}

bool source_next_segment(struct source *src)
{
	if (src->current + 1 >= src->segments->len)
		return false;
	src->before += present(src)->size;
	src->current++;
	src->pos = src->given_back = 0;
	return true;
}

void source_rewind(struct source *src)
{
	src->current = 0;
	src->pos = src->given_back = 0;
	src->before = 0;
}
