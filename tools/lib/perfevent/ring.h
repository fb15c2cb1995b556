/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records that the kernel writes into a ring buffer.
 *
 * A ring is the mapping of one event fd: a control page and 2^n pages of data. A forward ring is read from tail to
 * head; ring_end() frees the space. A backward ("overwrite") ring keeps the newest data. It is read as a whole while it
 * is paused, newest record first. If the oldest record is incomplete, it is skipped.
 *
 *   if (ring_begin(&r)) {
 *           while ((h = ring_next(&r)))
 *                   use(h, h->size);
 *           ring_end(&r);
 *   }
 *
 * A ring has only one reader. Different threads may read different rings.
 */
#ifndef PERFEVENT_RING_H
#define PERFEVENT_RING_H

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/types.h"
#include "perfevent/paths.h"

/* 1 GiB of 4 KiB pages: an offset in a ring fits 31 bits. */
#define RING_PAGES_MAX (1u << 18)

struct ring {
	int fd; /* the mapped event, not owned; -1: plain memory */
	struct perf_event_mmap_page *control;
	const u8 *data;
	u64 data_size; /* a power of two */
	bool backward;
	u64 at;	       /* position of the next byte; positions grow without wrapping */
	u64 end;       /* the end of the data at ring_begin() */
	u64 seen_head; /* backward: the head at the previous reading */
	u64 bad;       /* records with an impossible size: the reader skipped to the head */
	u8 *whole;     /* 64 KiB, to copy a record that wraps around; allocated once */
};

/*
 * Maps 1 + @pages pages of @fd; @pages is a power of two. A backward ring's event must
 * have write_backward set. Errors: mmap_refusal() of perfevent/refusal.h.
 */
bool ring_open(struct ring *r, int fd, u32 pages, bool backward, const struct kernel_paths *paths,
	       GError **error);
void ring_close(struct ring *r);

/* A ring in the caller's memory: a control page and @data_size bytes. ring_close() does not free them. */
void ring_over(struct ring *r, struct perf_event_mmap_page *control, const void *data,
	       u64 data_size, bool backward);

/* Makes the events of @fd write into this ring as well (same CPU, or same thread). */
bool ring_attach(const struct ring *r, int fd, GError **error);

/* Reads the kernel's head. False: there are no new records. */
bool ring_begin(struct ring *r);

/* The next whole record, valid until ring_end() or, where it wraps around the ring's end, until the next call;
 * NULL at the end of what ring_begin() saw. */
const struct perf_event_header *ring_next(struct ring *r);

/*
 * The same bytes without looking at records: up to two runs of memory from the reading
 * position to the end. Takes them all. Forward rings only.
 */
struct ring_bytes {
	const void *data[2];
	size_t size[2];
};
struct ring_bytes ring_take(struct ring *r);

/* Frees the space of all records read so far, so that the kernel can write there. */
void ring_end(struct ring *r);

/* The number of unread bytes. Forward rings only. */
u64 ring_used(const struct ring *r);

/* Pauses or resumes the kernel's writing (PERF_EVENT_IOC_PAUSE_OUTPUT), for reading a backward ring. */
bool ring_pause(const struct ring *r, bool pause, GError **error);

/*
 * Parses the argument of -m: a number of pages, or a size with B, K, M or G. The result is rounded up to a power of
 * two; if so, *rounded is true. It is at least 1 and at most RING_PAGES_MAX. @text NULL: the size that
 * perf_event_mlock_kb permits to any user per CPU (usually 128 pages of 4 KiB).
 */
bool ring_pages_parse(const struct kernel_paths *paths, const char *text, u32 *pages, bool *rounded,
		      GError **error);

/* Sets the attributes so that the reader wakes up when @bytes are unread. 0: half of the ring. */
void ring_set_watermark(struct perf_event_attr *attr, u32 pages, u32 bytes);

#endif
