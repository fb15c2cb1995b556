/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which records has the kernel written into this ring since the last time?
 *
 * A ring is the mapping of one event fd: a control page and 2^n pages of data. Forward
 * rings are read from tail to head and the space is given back by ring_end(). Backward
 * ("overwrite") rings keep the newest data and are read as a whole while paused: newest
 * record first, the oldest one possibly cut off and then left out.
 *
 *   if (ring_begin(&r)) {
 *           while ((h = ring_next(&r)))
 *                   use(h, h->size);
 *           ring_end(&r);
 *   }
 *
 * One reader per ring; different rings may be read by different threads.
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
	int fd; /* whose mapping it is; not owned. -1: plain memory */
	struct perf_event_mmap_page *control;
	const u8 *data;
	u64 data_size; /* a power of two */
	bool backward;
	u64 at;	       /* next byte to read, in the ring's ever-growing count */
	u64 end;       /* end of what ring_begin() saw */
	u64 seen_head; /* backward: where the last reading began */
	u64 bad;       /* records whose size cannot be: reading skipped to the head */
	u8 *whole;     /* 64 KiB for a record that wraps; allocated once */
};

/*
 * Maps 1 + @pages pages of @fd; @pages is a power of two. A backward ring's event must
 * have write_backward set. Errors: mmap_refusal() of perfevent/refusal.h.
 */
bool ring_open(struct ring *r, int fd, u32 pages, bool backward, const struct kernel_paths *paths,
	       GError **error);
void ring_close(struct ring *r);

/* A ring over memory: a control page and @data_size bytes. ring_close() leaves them alone. */
void ring_over(struct ring *r, struct perf_event_mmap_page *control, const void *data,
	       u64 data_size, bool backward);

/* Makes the events of @fd write into this ring as well (same CPU, or same thread). */
bool ring_attach(const struct ring *r, int fd, GError **error);

/* Looks how far the kernel is. False: nothing new. */
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

/* Gives the space of all records read so far back to the kernel. */
void ring_end(struct ring *r);

/* Bytes that wait now, for a fill level. Forward rings only. */
u64 ring_used(const struct ring *r);

/* Stops or goes on writing (PERF_EVENT_IOC_PAUSE_OUTPUT), for reading a backward ring. */
bool ring_pause(const struct ring *r, bool pause, GError **error);

/*
 * -m's text: a number of pages, or a size with B, K, M or G. Rounded up to a power of two; *rounded tells. At least
 * 1, at most RING_PAGES_MAX. NULL text: what perf_event_mlock_kb lets anybody
 * map per CPU (128 pages of 4 KiB usually).
 */
bool ring_pages_parse(const struct kernel_paths *paths, const char *text, u32 *pages, bool *rounded,
		      GError **error);

/* Sets the attributes so that a reader is woken when @bytes wait (0: half the ring's). */
void ring_set_watermark(struct perf_event_attr *attr, u32 pages, u32 bytes);

#endif
