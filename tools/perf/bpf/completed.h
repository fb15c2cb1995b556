/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which request to a disk has ended a wait? The kernel tells that a request is complete, and then, in the same interrupt, wakes the threads
 * that wait for it:
 *
 *	interrupt on CPU 2:	block_rq_complete, ..., sched_waking of 7, which sleeps as one that waits for I/O
 *
 * So it is the last request that was complete on this CPU. A wait that a thread of the kernel ends, after a request of its own, has that
 * thread as its waker.
 *
 * When the request came into its queue, and when it went to the device, is kept by its address until then.
 */
#ifndef BPF_COMPLETED_H
#define BPF_COMPLETED_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/offcpu.h"

#define COMPLETED_LATEST 1000000 /* ns: what is older is another interrupt's */

struct completed {
	__u64 time;
	struct offcpu_request request;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct completed);
	__uint(max_entries, 1);
} completed SEC(".maps");

/* A request that is not complete. CLOCK_MONOTONIC, ns; inserted 0: it went to the device at once. */
struct begun_request {
	__u64 inserted, issued;
};

/* The oldest ones are forgotten, if there are more. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u64);
	__type(value, struct begun_request);
	__uint(max_entries, 16384);
} begun_requests SEC(".maps");

SEC("tp_btf/block_rq_insert")
int BPF_PROG(offcpu_inserted, struct request *request)
{
	struct begun_request begun = { .inserted = bpf_ktime_get_ns() };
	__u64 key = (__u64)request;

	bpf_map_update_elem(&begun_requests, &key, &begun, BPF_ANY);
	return 0;
}

/* The request becomes a part of another one: it is never complete, and its memory may be another request's. */
SEC("tp_btf/block_rq_merge")
int BPF_PROG(offcpu_merged, struct request *request)
{
	__u64 key = (__u64)request;

	bpf_map_delete_elem(&begun_requests, &key);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(offcpu_issued, struct request *request)
{
	struct begun_request begun = { .issued = bpf_ktime_get_ns() }, *known;
	__u64 key = (__u64)request;

	known = bpf_map_lookup_elem(&begun_requests, &key);
	if (known)
		known->issued = begun.issued;
	else
		bpf_map_update_elem(&begun_requests, &key, &begun, BPF_ANY);
	return 0;
}

/* Moves the times of the request to @to. A request of which only a part is complete goes on. */
static __always_inline void take_begun(struct request *request, int error, __u32 bytes,
				       struct offcpu_request *to)
{
	__u64 key = (__u64)request;
	struct begun_request *known = bpf_map_lookup_elem(&begun_requests, &key);

	to->inserted = known ? known->inserted : 0;
	to->issued = known ? known->issued : 0;
	if (known && (error || bytes >= BPF_CORE_READ(request, __data_len)))
		bpf_map_delete_elem(&begun_requests, &key);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(offcpu_completed, struct request *request, int error, unsigned int bytes)
{
	__u32 zero = 0;
	struct completed *c = bpf_map_lookup_elem(&completed, &zero);

	if (!c || bpf_core_type_exists(struct hd_struct))
		return 0;
	c->time = bpf_ktime_get_ns();
	c->request.flags = BPF_CORE_READ(request, cmd_flags);
	c->request.disk[0] = 0;
	take_begun(request, error, bytes, &c->request);
	BPF_CORE_READ_INTO(&c->request.disk, request, part, bd_disk, disk_name);
	return 0;
}

/* The request that has ended the wait of @task, in this interrupt; NULL: none. */
static __always_inline struct offcpu_request *completed_for(struct task_struct *task, __u64 now)
{
	__u32 zero = 0;
	struct completed *c = bpf_map_lookup_elem(&completed, &zero);

	if (!c || !c->time || now - c->time > COMPLETED_LATEST || !c->request.disk[0] ||
	    !BPF_CORE_READ_BITFIELD(task, in_iowait))
		return 0;
	return &c->request;
}

#endif
