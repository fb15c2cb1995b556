/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format in which bpf/pinned.bpf.c writes samples: a part of an image (perfdata/image/image.h).
 */
#ifndef BPF_PINNED_H
#define BPF_PINNED_H

#include "bpf/processes.h"

#define PINNED_PIECE	  16384 /* bytes per element of the map; one chunk */
#define PINNED_KERNEL_IPS 32
#define PINNED_USER_IPS	  94
#define PINNED_IPS	  (PINNED_KERNEL_IPS + PINNED_USER_IPS + 2) /* plus two markers */

/* A PERF_RECORD_SAMPLE with IDENTIFIER, IP, TID, TIME, CPU, PERIOD, and CALLCHAIN if requested. */
struct pinned_sample {
	__u32 type; /* struct perf_event_header */
	__u16 misc, size;
	__u64 id, ip;
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, zero;
	__u64 period, nr;
	__u64 ips[PINNED_IPS];
};

/* Same layout as struct image_chunk. */
struct pinned_chunk {
	__u64 generation, key, first_time, last_time, used, zero[3];
	__u8 entries[PINNED_PIECE - 64];
};

/* State of one CPU. */
struct pinned_cursor {
	__u64 chunks; /* number of chunks begun */
	/* Search for mappings (bpf/follow.h): */
	__u64 samples; /* number of samples whose frames were looked up */
	__u64 ask_at;  /* the kernel may be asked again from this sample on */
	__u32 frame,
		wait; /* next frame to look up; samples to wait after the kernel found nothing */
};

/* Maximum size of a sample with its check. */
#define PINNED_MOST (sizeof(__u64) + sizeof(struct pinned_sample))

#endif
