/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What bpf/pinned.bpf.c writes, and the loader and readers know: a part of an image (perfdata/image/image.h). */
#ifndef BPF_PINNED_H
#define BPF_PINNED_H

#include "bpf/processes.h"

#define PINNED_PIECE	  16384 /* bytes of an element of the map; a chunk is one */
#define PINNED_KERNEL_IPS 32
#define PINNED_USER_IPS	  94
#define PINNED_IPS	  (PINNED_KERNEL_IPS + PINNED_USER_IPS + 2) /* and two markers */

/* IDENTIFIER, IP, TID, TIME, CPU, PERIOD, and CALLCHAIN if that is asked for. */
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

/* struct image_chunk. */
struct pinned_chunk {
	__u64 generation, key, first_time, last_time, used, zero[3];
	__u8 entries[PINNED_PIECE - 64];
};

/* What a CPU has done. */
struct pinned_cursor {
	__u64 chunks; /* that it has begun so far */
	/* Of mappings (bpf/follow.h): */
	__u64 samples; /* whose frames were looked at */
	__u64 ask_at;  /* the first one of which the kernel may be asked again */
	__u32 frame,
		wait; /* the next one to look at; samples until the kernel is asked after it knew nothing */
};

/* Room that a sample needs at most, with its check. */
#define PINNED_MOST (sizeof(__u64) + sizeof(struct pinned_sample))

#endif
