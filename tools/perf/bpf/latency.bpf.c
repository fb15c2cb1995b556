// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the duration of system calls and block requests during which a thread was sampled.
 *
 * Each call or request gets a number when it begins. If a pass over the threads (wall.bpf.c) finds
 * a thread waiting in it, the pass stores the number in the call and in the sample. When the call
 * or request ends, its duration is reported only if it was sampled, with the same number. So few
 * are reported, no matter how many there are, and long ones are more likely to be reported.
 *
 * Example, block I/O by thread 7:
 *
 *	10	block_rq_insert		number 12 of thread 7; requests[address of rq] = { inserted 10 }
 *	11	block_rq_issue		issued 11
 *	15	a pass finds 7 waiting for it: caught; its sample has the number 12
 *	19	block_rq_complete	1 ms in the queue, 8 ms served: a record with the number 12
 *
 * The key of a request is its address, which the kernel uses again for later requests.
 * latency_request_goes_on() tells a new request from one that was given back by the device. A
 * request that never completes is evicted from the table in the end (LRU).
 *
 * sys_enter is not seen for calls that were in progress when the recording began: entered is 0, and
 * their end is not reported.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_tracing.h>

#include "bpf/context.h"
#include "bpf/latency.h"
#include "bpf/threads.h"

char LICENSE[] SEC("license") = "GPL";

__u64 lost;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22);
} ends SEC(".maps");

#define CALL_SIZE __builtin_offsetof(struct latency_record, thread.frames)

SEC("tp_btf/sys_enter")
int BPF_PROG(call_begins, struct pt_regs *regs, long id)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct latency_call *c =
		bpf_task_storage_get(&calls, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);

	if (!c)
		return 0;
	c->sequence++;
	c->entered = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(call_ends, struct pt_regs *regs, long ret)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct latency_call *c = bpf_task_storage_get(&calls, task, 0, 0);
	struct latency_record *r;

	if (!c || !c->entered)
		return 0;
	if (c->caught == c->sequence) {
		r = bpf_ringbuf_reserve(&ends, CALL_SIZE, 0);
		if (!r) {
			__sync_fetch_and_add(&lost, 1);
		} else {
			look_at(&r->thread, task);
			r->began = c->entered;
			r->ended = bpf_ktime_get_ns();
			r->result = ret;
			r->thread.sequence = c->sequence;
			r->thread.state = c->state;
			r->thread.on_cpu = r->thread.on_rq = 0;
			bpf_ringbuf_submit(r, 0);
		}
	}
	c->entered = 0;
	return 0;
}

static __always_inline void request_begins(struct request *rq, bool issued)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct latency_request q = { 0 }, *known;
	__u64 key = (__u64)rq, now = bpf_ktime_get_ns();
	struct latency_call *c;

	known = bpf_map_lookup_elem(&requests, &key);
	if (known && latency_request_goes_on(known, issued, now, pid_of(task), tid_of(task)))
		return;
	c = bpf_task_storage_get(&calls, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!c)
		return;
	c->sequence++;
	c->request = key;
	q.sequence = c->sequence;
	q.inserted = now;
	q.issued = issued ? now : 0;
	q.issue_pid = issued ? pid_of(task) : 0;
	q.issue_tid = issued ? tid_of(task) : 0;
	q.flags = BPF_CORE_READ(rq, cmd_flags);
	q.sector = BPF_CORE_READ(rq, __sector);
	q.bytes = BPF_CORE_READ(rq, __data_len);
	q.dev = BPF_CORE_READ(rq, part, bd_dev);
	q.pid = pid_of(task);
	q.tid = tid_of(task);
	q.cgroup = cgroup_of(task);
	bpf_probe_read_kernel(q.comm, sizeof(q.comm), task->comm);
	bpf_map_update_elem(&requests, &key, &q, BPF_ANY);
}

SEC("tp_btf/block_rq_insert")
int BPF_PROG(request_inserted, struct request *rq)
{
	request_begins(rq, false);
	return 0;
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(request_issued, struct request *rq)
{
	request_begins(rq, true);
	return 0;
}

/* The device did not take it, or only a part of it is complete. The rest is issued later. */
SEC("tp_btf/block_rq_requeue")
int BPF_PROG(request_requeued, struct request *rq)
{
	__u64 key = (__u64)rq;
	struct latency_request *q = bpf_map_lookup_elem(&requests, &key);

	if (q)
		q->requeued = 1;
	return 0;
}

/*
 * Notes the thread that the CPU runs. In an interrupt, it has nothing to do with the request; and
 * the idle task does nothing but interrupts.
 */
static __always_inline void note_completer(struct latency_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();

	r->thread.pid = pid_of(task);
	r->thread.tid = tid_of(task);
	bpf_get_current_comm(r->thread.comm, sizeof(r->thread.comm));
	r->context = task->pid ? find_context(SAMPLE_TLS_OWN_NONE, false) : SAMPLE_TLS_IN_HARDIRQ;
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(request_ends, struct request *rq, int error, unsigned int bytes)
{
	__u64 key = (__u64)rq;
	struct latency_request *q = bpf_map_lookup_elem(&requests, &key);
	struct latency_record *r;

	if (!q || !latency_request_ends(q, BPF_CORE_READ(rq, __data_len), bytes, error))
		return 0;
	if (q->caught) {
		r = bpf_ringbuf_reserve(&ends, CALL_SIZE, 0);
		if (!r) {
			__sync_fetch_and_add(&lost, 1);
		} else {
			__builtin_memset(r, 0, CALL_SIZE);
			r->began = q->inserted;
			r->ended = bpf_ktime_get_ns();
			r->result = q->error;
			note_completer(r);
			__builtin_memcpy(&r->request, q, sizeof(r->request));
			bpf_ringbuf_submit(r, 0);
		}
	}
	bpf_map_delete_elem(&requests, &key);
	return 0;
}
