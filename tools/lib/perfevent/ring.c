// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/ring.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perfevent/refusal.h"

#define RECORD_MAX 65536 /* a record's size is a u16 */

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

bool ring_open(struct ring *r, int fd, u32 pages, bool backward, const struct kernel_paths *paths,
	       GError **error)
{
	size_t page = page_size();
	int prot = PROT_READ | (backward ? 0 : PROT_WRITE);
	u8 *base;

	*r = (struct ring){ .fd = -1 };
	if (!pages || pages & (pages - 1) || pages > RING_PAGES_MAX)
		return error_set(error, PERF_ERROR_USAGE, "%u is not a power of two of pages",
				 pages);
	base = mmap(NULL, (1 + (size_t)pages) * page, prot, MAP_SHARED, fd, 0);
	if (base == MAP_FAILED)
		return mmap_refusal(paths, pages, errno, error);
	ring_over(r, (struct perf_event_mmap_page *)base, base + page, pages * page, backward);
	r->fd = fd;
	return true;
}

void ring_over(struct ring *r, struct perf_event_mmap_page *control, const void *data,
	       u64 data_size, bool backward)
{
	*r = (struct ring){
		.fd = -1,
		.control = control,
		.data = data,
		.data_size = data_size,
		.backward = backward,
		.whole = g_malloc(RECORD_MAX),
	};
}

void ring_close(struct ring *r)
{
	if (r->fd >= 0)
		munmap(r->control, page_size() + r->data_size);
	g_free(r->whole);
	*r = (struct ring){ .fd = -1 };
}

bool ring_attach(const struct ring *r, int fd, GError **error)
{
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, r->fd))
		return error_set_errno(error, errno, "cannot direct an event into another's ring");
	return true;
}

/* The kernel writes records before the head that covers them: acquire pairs with that. */
static u64 load_head(const struct ring *r)
{
	return __atomic_load_n(&r->control->data_head, __ATOMIC_ACQUIRE);
}

static void copy_out(const struct ring *r, u64 at, void *to, size_t size)
{
	u64 offset = at & (r->data_size - 1);
	size_t first = MIN(size, r->data_size - offset);

	memcpy(to, r->data + offset, first);
	memcpy((u8 *)to + first, r->data, size - first);
}

static bool begin_forward(struct ring *r)
{
	u64 head = load_head(r);

	if (head - r->at > r->data_size) {
		/* A kernel never does this: it checks the tail before it writes. */
		r->bad++;
		r->at = head;
	}
	r->end = head;
	return r->at != r->end;
}

/*
 * In a backward ring, the head moves to lower positions. The newest record is at the head, and older ones follow. All
 * records up to the head of the previous reading are new, but the oldest of them may have been overwritten.
 */
static bool begin_backward(struct ring *r)
{
	u64 head = load_head(r);
	u64 fresh = r->seen_head - head;

	r->at = head;
	r->end = head + MIN(fresh, r->data_size);
	r->seen_head = head;
	return r->at != r->end;
}

bool ring_begin(struct ring *r)
{
	return r->backward ? begin_backward(r) : begin_forward(r);
}

const struct perf_event_header *ring_next(struct ring *r)
{
	u64 left = r->end - r->at, offset = r->at & (r->data_size - 1);
	struct perf_event_header header;
	const void *record;

	if (left < sizeof(header))
		return NULL;
	copy_out(r, r->at, &header, sizeof(header));
	if (r->backward && (!header.size || header.size > left)) {
		/* Unwritten space, or the oldest record, partly overwritten. */
		r->at = r->end;
		return NULL;
	}
	if (header.size < sizeof(header) || header.size > left) {
		r->bad++;
		r->at = r->end;
		return NULL;
	}
	r->at += header.size;
	if (offset + header.size <= r->data_size) {
		record = r->data + offset;
	} else {
		copy_out(r, r->at - header.size, r->whole, header.size);
		record = r->whole;
	}
	return record;
}

struct ring_bytes ring_take(struct ring *r)
{
	u64 offset = r->at & (r->data_size - 1), left = r->end - r->at;
	struct ring_bytes bytes = { 0 };

	bytes.data[0] = r->data + offset;
	bytes.size[0] = MIN(left, r->data_size - offset);
	bytes.data[1] = r->data;
	bytes.size[1] = left - bytes.size[0];
	r->at = r->end;
	return bytes;
}

void ring_end(struct ring *r)
{
	if (!r->backward)
		__atomic_store_n(&r->control->data_tail, r->at, __ATOMIC_RELEASE);
}

u64 ring_used(const struct ring *r)
{
	return load_head(r) - r->at;
}

bool ring_pause(const struct ring *r, bool pause, GError **error)
{
	if (ioctl(r->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, pause ? 1 : 0))
		return error_set_errno(error, errno, "cannot %s a ring",
				       pause ? "pause" : "continue");
	return true;
}

/* "128" pages or "512K" bytes, as pages that are not rounded yet. */
static bool parse_size(const char *text, u64 *pages)
{
	static const char units[] = "BKMG";
	const char *unit;
	char *end;
	u64 n;

	errno = 0;
	n = g_ascii_strtoull(text, &end, 10);
	if (!g_ascii_isdigit(*text) || errno)
		return false;
	if (*end) {
		unit = strchr(units, g_ascii_toupper(*end));
		if (!unit || end[1] || n > G_MAXUINT32)
			return false;
		n <<= 10 * (unit - units);
		n = n / page_size() + (n % page_size() ? 1 : 0);
	}
	*pages = n;
	return true;
}

static u64 pages_by_sysctl(const struct kernel_paths *paths)
{
	s64 kb = kernel_sysctl(paths, "perf_event_mlock_kb", 516);
	u64 pages = kb > 0 ? (u64)kb * 1024 / page_size() : 0, power = 1;

	while (power * 2 + 1 <= pages && power < RING_PAGES_MAX)
		power *= 2;
	return power;
}

bool ring_pages_parse(const struct kernel_paths *paths, const char *text, u32 *pages, bool *rounded,
		      GError **error)
{
	u64 n, power = 1;

	*rounded = false;
	if (!text) {
		*pages = pages_by_sysctl(paths);
		return true;
	}
	if (!parse_size(text, &n) || !n)
		return error_set(error, PERF_ERROR_USAGE,
				 "a ring's size is a number of pages, or one of bytes with B, K, M "
				 "or G, not '%s'",
				 text);
	if (n > RING_PAGES_MAX)
		return error_set(error, PERF_ERROR_USAGE, "a ring of %s is too large: at most 1G",
				 text);
	while (power < n)
		power *= 2;
	*rounded = power != n;
	*pages = power;
	return true;
}

void ring_set_watermark(struct perf_event_attr *attr, u32 pages, u32 bytes)
{
	u64 size = pages * (u64)page_size();

	attr->watermark = 1;
	attr->wakeup_watermark = bytes ? MIN(bytes, size) : size / 2;
}
