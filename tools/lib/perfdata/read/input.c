// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "perfdata/read/input.h"

#define PIPE_BUFFER (256 * 1024) /* more than the largest record, 65535 bytes */

struct input_segment {
	char *name;
	const u8 *data;
	u64 size;
	u64 foff; /* of data[0] in its file */
};

struct input {
	GArray *segments; /* struct input_segment; for a descriptor: one without data */
	u32 current;
	u64 pos;    /* in the current segment */
	u64 before; /* bytes of the segments before it */
	bool mapped;
	u64 given_back; /* of the current segment */

	input_read_fn *read; /* NULL: segments in memory */
	void (*close)(void *arg);
	void *arg;
	u8 *buf; /* PIPE_BUFFER bytes, of which [start, end) are unread */
	u64 start, end;
};

static void clear_segment(void *segment)
{
	g_free(((struct input_segment *)segment)->name);
}

static struct input *new_input(void)
{
	struct input *in = g_new0(struct input, 1);

	in->segments = g_array_new(false, true, sizeof(struct input_segment));
	g_array_set_clear_func(in->segments, clear_segment);
	return in;
}

struct input *input_new_bytes(const char *name, const void *data, u64 size, u64 foff)
{
	struct input *in = new_input();

	input_add_bytes(in, name, data, size, foff);
	return in;
}

struct input *input_new_reader(const char *name, input_read_fn *read, void (*close)(void *arg),
			       void *arg, u64 foff)
{
	struct input *in = new_input();

	input_add_bytes(in, name, NULL, 0, foff);
	in->read = read;
	in->close = close;
	in->arg = arg;
	in->buf = g_malloc(PIPE_BUFFER);
	return in;
}

static ssize_t read_fd(void *fd, void *to, size_t size)
{
	return read(GPOINTER_TO_INT(fd), to, size);
}

static void close_fd(void *fd)
{
	close(GPOINTER_TO_INT(fd));
}

struct input *input_new_fd(const char *name, int fd, bool closes, u64 foff)
{
	return input_new_reader(name, read_fd, closes ? close_fd : NULL, GINT_TO_POINTER(fd), foff);
}

void input_add_bytes(struct input *in, const char *name, const void *data, u64 size, u64 foff)
{
	struct input_segment seg = { g_strdup(name), data, size, foff };

	g_array_append_val(in->segments, seg);
}

void input_free(struct input *in)
{
	if (!in)
		return;
	if (in->close)
		in->close(in->arg);
	g_free(in->buf);
	g_array_unref(in->segments);
	g_free(in);
}

void input_stays_mapped(struct input *in)
{
	in->mapped = false;
}

void input_is_mapped(struct input *in)
{
	in->mapped = true;
}

static const struct input_segment *present(const struct input *in)
{
	return &g_array_index(in->segments, struct input_segment, in->current);
}

const char *input_name(const struct input *in)
{
	return present(in)->name;
}

u64 input_foff(const struct input *in)
{
	return present(in)->foff + in->pos;
}

u64 input_position(const struct input *in)
{
	return in->before + in->pos;
}

/* Reads until @size bytes are buffered or the input ends. */
static bool fill(struct input *in, u64 size, GError **error)
{
	if (in->start && in->start + size > PIPE_BUFFER) {
		memmove(in->buf, in->buf + in->start, in->end - in->start);
		in->end -= in->start;
		in->start = 0;
	}
	while (in->end - in->start < size) {
		ssize_t n = in->read(in->arg, in->buf + in->end, PIPE_BUFFER - in->end);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(error, errno, "%s: at offset 0x%" PRIx64 ": read",
					       input_name(in), input_foff(in));
		if (n == 0)
			break;
		in->end += (u64)n;
	}
	return true;
}

int input_peek(struct input *in, u64 size, const u8 **at, u64 *left, GError **error)
{
	if (in->read) {
		if (!fill(in, size, error))
			return -1;
		*at = in->buf + in->start;
		*left = in->end - in->start;
	} else {
		*at = present(in)->data + in->pos;
		*left = present(in)->size - in->pos;
	}
	return *left >= size;
}

#define KEPT_BEHIND (8ull << 20)  /* the reader may still look at it */
#define GIVEN_BACK  (16ull << 20) /* at once */

static void give_back(struct input *in)
{
	uintptr_t page, start, end;

	if (!in->mapped || in->pos - in->given_back < KEPT_BEHIND + GIVEN_BACK)
		return;
	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	start = ALIGN_UP((uintptr_t)(present(in)->data + in->given_back), page);
	in->given_back = in->pos - KEPT_BEHIND;
	end = (uintptr_t)(present(in)->data + in->given_back) & ~(page - 1);
	if (end > start)
		madvise((void *)start, end - start, MADV_DONTNEED);
}

/*
 * Prefetch: code that reads only headers waits for memory at each one. Records near each other often have the same
 * size, so the header after the next few records is assumed at a multiple of this size.
 */
static void expect_header(const struct perf_event_header *header)
{
	__builtin_prefetch((const u8 *)header + 4 * (size_t)header->size);
}

const struct perf_event_header *input_next_record(struct input *in, u64 taken)
{
	const struct input_segment *seg = present(in);
	const struct perf_event_header *header;
	u64 left = seg->size - in->pos;

	if (in->read || left < taken + sizeof(*header))
		return NULL;
	header = (const void *)(seg->data + in->pos + taken);
	if ((uintptr_t)header % sizeof(u64) || header->size < sizeof(*header) ||
	    header->size > left - taken)
		return NULL;
	expect_header(header);
	in->pos += taken;
	give_back(in);
	return header;
}

u64 input_skip_records(struct input *in, u64 taken, u32 type, u64 most, const u8 **end)
{
	const struct input_segment *seg = present(in);
	const u8 *from, *at, *last;
	u64 nr = 0;

	if (in->read || seg->size - in->pos < taken)
		return 0;
	from = at = seg->data + in->pos + taken;
	last = seg->data + seg->size;
	for (; (u64)(last - at) >= sizeof(struct perf_event_header) && (u64)(at - from) < most;
	     nr++) {
		const struct perf_event_header *header = (const void *)at;

		if ((uintptr_t)at % sizeof(u64) || header->type != type ||
		    header->size < sizeof(*header) || header->size > (u64)(last - at))
			break;
		expect_header(header);
		at += header->size;
	}
	if (!nr)
		return 0;
	in->pos = (u64)(at - seg->data);
	give_back(in);
	*end = at;
	return nr;
}

const u8 *input_record_ahead(const struct input *in, u64 ahead, struct perf_event_header *header)
{
	const struct input_segment *seg = present(in);
	u64 left = seg->size - in->pos;
	const u8 *at;

	if (in->read || left < ahead || left - ahead < sizeof(*header))
		return NULL;
	at = seg->data + in->pos + ahead;
	memcpy(header, at, sizeof(*header));
	return header->size < sizeof(*header) || header->size > left - ahead ? NULL : at;
}

int input_skip(struct input *in, u64 size, GError **error)
{
	while (size) {
		const u8 *at;
		u64 left;
		u64 step = in->read ? MIN(size, PIPE_BUFFER) : size;
		int got = input_peek(in, step, &at, &left, error);

		if (got <= 0)
			return got;
		in->pos += step;
		if (in->read)
			in->start += step;
		size -= step;
	}
	if (in->start == in->end)
		in->start = in->end = 0;
	give_back(in);
	return 1;
}

bool input_next_segment(struct input *in)
{
	if (in->current + 1 >= in->segments->len)
		return false;
	in->before += present(in)->size;
	in->current++;
	in->pos = in->given_back = 0;
	return true;
}

void input_rewind(struct input *in)
{
	in->current = 0;
	in->pos = in->given_back = 0;
	in->before = 0;
}
