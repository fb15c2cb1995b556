/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by latency.bpf.c, wall.bpf.c and record/waits/latency.c: system calls and block requests during
 * which a thread was sampled.
 */
#ifndef BPF_LATENCY_H
#define BPF_LATENCY_H

#include "bpf/wall.h"

enum latency_of {
	LATENCY_OF_NOTHING,
	LATENCY_OF_SYSCALL,
	LATENCY_OF_BLOCK_IO,
};

/* Per thread: the current system call, or the request that it began last. */
struct latency_call {
	__u64 sequence; /* counts the thread's calls from 1 */
	__u64 entered;	/* CLOCK_MONOTONIC; 0: in no call */
	__u64 caught;	/* the sequence of the last one that was sampled */
	__u64 request;	/* the key of the request; 0: none */
	__u32 state;	/* the state of the thread when it was sampled */
	__u32 reserved;
};

/* Per request to a block device; the key is its address in the kernel. */
struct latency_request {
	__u64 sequence;
	__u64 inserted, issued;
	__u64 sector;
	__u64 cgroup;
	__u32 pid, tid;
	__u32 bytes, dev;
	__u32 flags;		    /* cmd_flags: the operation in the lowest 8 bits */
	__u32 issue_pid, issue_tid; /* the thread that gave it to the device; 0: not yet given */
	__u32 caught;		    /* its thread was sampled waiting for it */
	__u32 state;
	__s32 error; /* the first error of its parts that are complete; or 0 */
	char comm[16];
	__u32 requeued; /* given back by the device: its next beginning is no new request */
	__u32 reserved;
};

/*
 * @bytes of the @left bytes of the request are complete, with @error (as latency_record.result). A request may complete
 * in parts. True: this is the last part. q->error is the result then.
 */
static inline bool latency_request_ends(struct latency_request *q, __u32 left, __u32 bytes,
					__s32 error)
{
	if (!q->error)
		q->error = error;
	return bytes >= left;
}

/* The request is inserted, or issued to the device. True: it is the known request @q, which goes on. */
static inline bool latency_request_goes_on(struct latency_request *q, bool issued, __u64 now,
					   __u32 pid, __u32 tid)
{
	bool requeued = q->requeued;

	if (!requeued && (!issued || q->issued))
		return false; /* a new request at the address of one whose end was not seen */
	if (issued)
		q->requeued = 0;
	if (issued && !q->issued) {
		q->issued = now;
		q->issue_pid = pid;
		q->issue_tid = tid;
	}
	return true;
}

/* A call or request that was sampled and has ended. */
struct latency_record {
	__u64 began, ended;
	__s64 result; /* of the call; of a request: 0, a negative errno, or a blk_status_t */
	struct latency_request request; /* LATENCY_OF_BLOCK_IO */
	__u32 context; /* LATENCY_OF_BLOCK_IO: in which it completed, enum sample_tls_context */
	__u32 reserved;
	/*
	 * Without frames. LATENCY_OF_SYSCALL: the thread of the call. LATENCY_OF_BLOCK_IO: the thread
	 * that the CPU ran when the request completed; only pid, tid and comm.
	 */
	struct wall_bpf_thread thread;
};

#ifdef __bpf__
/* Both programs use the same maps. */
struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct latency_call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u64);
	__type(value, struct latency_request);
	__uint(max_entries, 16384);
} requests SEC(".maps");
#endif

#endif
