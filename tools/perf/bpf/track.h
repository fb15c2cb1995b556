/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the activities of threads between two passes. A pass can read a sleeping thread's activity only. So the
 * thread's own CPU reads it, where its memory is at hand:
 *
 *	when the thread leaves the CPU     the activity of its wait, exactly
 *	at ticks of a timer                samples of the activity while it runs
 *	at its end
 *
 * A switch has a record only if the activity is another one than in the thread's last record. So between two records, each
 * wait had the first one's activity. Each tick has one: the recorder divides the running time by them.
 */
#ifndef BPF_TRACK_H
#define BPF_TRACK_H

#include <bpf/bpf_tracing.h>

#include "bpf/current.h"
#include "bpf/wanted.h"

/* Of a thread: its last record. */
struct track {
	__u64 hash;   /* of the activity; 0: none was written */
	__u8 running; /* it was a tick's, or a pass found the thread awake since: the place of its next wait is not known */
	__u8 missed;  /* a record was lost since */
	__u8 ended;   /* its memory is gone: there are no more records */
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct track);
} tracks SEC(".maps");

/* One per CPU: the record that is being made. */
struct track_buffer {
	struct wall_bpf_moment moment;
	__u32 busy; /* a program that this one interrupts uses it */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__type(key, __u32);
	__type(value, struct track_buffer);
	__uint(max_entries, 1);
} buffers SEC(".maps");

__u64 unseen_moments; /* records that did not fit into the ring */

/* Hash of the first @size bytes of the CPU's buffer. Global, so that the verifier checks the loop only once. Not 0. */
__noinline __u64 hash_of_activity(__u32 size)
{
	__u32 zero = 0;
	struct track_buffer *b = bpf_map_lookup_elem(&buffers, &zero);
	__u64 hash = size;

	if (!b)
		return 1;
	for (__u32 i = 0; i < WALL_BPF_TLS / sizeof(__u64); i++) {
		if (i * sizeof(__u64) >= size)
			break;
		hash = (hash ^ ((__u64 *)b->moment.tls)[i]) * 0x9e3779b97f4a7c15;
		hash ^= hash >> 29;
	}
	return hash | 1;
}

/* Fills in the record's thread as it is after the switch, or at the tick. */
static __always_inline void look_at_moment(struct wall_bpf_thread *l, struct task_struct *task,
					   __u8 kind, bool preempted)
{
	look_at(l, task);
	l->moment = kind;
	l->nr_frames = 0;
	if (kind == WALL_BPF_END)
		l->exit_state = EXIT_DEAD;
	if (kind != WALL_BPF_SWITCH)
		return;
	l->on_cpu = 0;
	l->on_rq = preempted || !l->state;
	l->delayed = 0;
	l->queued = 0;
	if (preempted)
		l->state = 0;
}

/* False: there is no record of this moment. Only moments that the thread's own CPU runs. */
static __always_inline bool track(struct task_struct *task, __u8 kind, bool preempted)
{
	__u32 zero = 0, size;
	struct track_buffer *b = bpf_map_lookup_elem(&buffers, &zero);
	struct track *t = bpf_task_storage_get(&tracks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	__u64 hash;

	if (!t || t->ended)
		return false;
	t->ended = kind == WALL_BPF_END;
	if (!b || b->busy)
		return false;
	b->busy = 1;
	b->moment.tls_size = size = read_activity(b->moment.tls, WALL_BPF_TLS);
	hash = hash_of_activity(size);
	if (!size && !t->hash) /* its process has no activities */
		goto out;
	if (kind == WALL_BPF_SWITCH && hash == t->hash && !t->running)
		goto out;
	look_at_moment(&b->moment.thread, task, kind, preempted);
	b->moment.thread.missed = t->missed;
	size = __builtin_offsetof(struct wall_bpf_moment, tls) + (size & (2 * WALL_BPF_TLS - 1));
	if (size > sizeof(b->moment))
		size = sizeof(b->moment);
	t->missed = bpf_ringbuf_output(&looks, &b->moment, size, BPF_RB_NO_WAKEUP) != 0;
	t->hash = t->missed ? 0 : hash;
	t->running = kind == WALL_BPF_TICK;
	if (t->missed)
		__sync_fetch_and_add(&unseen_moments, 1);
	b->busy = 0;
	return !t->missed;
out:
	b->busy = 0;
	return false;
}

/* The thread is awake: its next switch has a record. */
static __always_inline void track_next(struct task_struct *task)
{
	struct track *t = bpf_task_storage_get(&tracks, task, 0, 0);

	if (t)
		t->running = 1;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(track_switch, bool preempt, struct task_struct *from, struct task_struct *to)
{
	if (counts(from))
		track(from, WALL_BPF_SWITCH, preempt);
	return 0;
}

/* A timer of the CPU (record/waits/wall_ticks.h) interrupts what runs there. */
SEC("perf_event")
int track_tick(void *ctx)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (counts(task))
		track(task, WALL_BPF_TICK, false);
	return 0;
}

#endif
