/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Follows the threads for a recording without a running recorder (pinned.bpf.c): forks, names,
 * exec() and exits. They are written into an array of slots, which is pinned with the recording.
 * follow.h follows their mappings, in the same way.
 *
 * When all slots are used, slots are reused. A living thread or mapping keeps its slot:
 *
 *  - a thread's slot is free after the thread has ended
 *  - a mapping's slot is free after its process has ended, or has called exec() since
 *
 * The search for a free slot is circular. At its first visit of a slot whose owner has ended, it
 * clears the flag "recent" and goes on: samples may still need the slot for about one round. If all
 * visited slots belong to living owners, the search takes the last one and counts it.
 */
#ifndef BPF_FOLLOW_TASKS_H
#define BPF_FOLLOW_TASKS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/processes.h"

#define LOOKS 64 /* slots visited in one search */

const volatile bool follows_all; /* else: only processes with a slot, and their children */

struct processes_counts counts;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, PROCESSES_TASKS);
	__type(key, __u32);
	__type(value, struct process_task);
} tasks SEC(".maps");

/* Living threads -> slot. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 2 * PROCESSES_TASKS);
	__type(key, __u32);
	__type(value, __u32);
} slots SEC(".maps");

static __always_inline void begin_change(__u64 *changes)
{
	*(volatile __u64 *)changes |= 1;
	barrier();
}

static __always_inline void end_change(__u64 *changes)
{
	barrier();
	*(volatile __u64 *)changes += 1;
}

static __always_inline struct process_task *find(__u32 tid, __u32 *at)
{
	__u32 *index = bpf_map_lookup_elem(&slots, &tid);
	struct process_task *task;

	if (!index)
		return 0;
	*at = *index;
	task = bpf_map_lookup_elem(&tasks, at);
	return task && task->tid == tid && !task->ended ? task : 0;
}

/* If the slot cannot be looked up, it counts as free: the thread's end would not be noticed. */
static __always_inline bool is_living(const struct process_task *task, __u32 at)
{
	__u32 tid = task->tid, *found = bpf_map_lookup_elem(&slots, &tid);

	return !task->ended && found && *found == at;
}

/* The owner has ended. True at the search's second visit. */
static __always_inline bool is_free(__u32 *recent)
{
	if (!*recent)
		return true;
	*recent = 0;
	return false;
}

static __always_inline struct process_task *take_task(__u32 *at)
{
	struct process_task *task = 0, *ended = 0;
	__u32 ended_at = 0;

	for (__u32 i = 0; i < LOOKS; i++) {
		*at = __sync_fetch_and_add(&counts.next_task, 1) % PROCESSES_TASKS;
		task = bpf_map_lookup_elem(&tasks, at);
		if (!task || !task->id)
			return task;
		if (is_living(task, *at))
			continue;
		if (is_free(&task->recent))
			return task;
		ended = task;
		ended_at = *at;
	}
	if (ended)
		*at = ended_at;
	else
		__sync_fetch_and_add(&counts.tasks_lost, 1);
	return ended ? ended : task;
}

/* Takes a slot for a thread without one. */
static __noinline struct process_task *new_task(__u32 pid, __u32 tid, __u64 forked)
{
	__u32 at;
	struct process_task *task = take_task(&at);

	if (!task)
		return 0;
	if (task->id && is_living(task, at)) {
		__u32 old = task->tid;

		bpf_map_delete_elem(&slots, &old);
	}
	begin_change(&task->changes);
	task->id = __sync_fetch_and_add(&counts.ids, 1) + 1;
	task->forked = task->began = forked;
	task->ended = 0;
	task->pid = pid;
	task->tid = tid;
	task->ppid = task->ptid = 0;
	task->recent = 0;
	task->execs = 0;
	task->nr_comms = task->nr_maps = 0;
	end_change(&task->changes);
	if (bpf_map_update_elem(&slots, &tid, &at, BPF_ANY))
		__sync_fetch_and_add(&counts.tasks_lost, 1);
	return task;
}

static __always_inline struct process_task *find_or_make(__u32 pid, __u32 tid, __u32 *at)
{
	struct process_task *task = find(tid, at);

	if (task || !follows_all || !new_task(pid, tid, 0))
		return task;
	return find(tid, at);
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(pinned_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 ppid = parent->tgid, at;
	struct process_task *task;

	if (!follows_all && !find(ppid, &at))
		return 0;
	task = new_task(child->tgid, child->pid, bpf_ktime_get_ns());
	if (!task)
		return 0;
	begin_change(&task->changes);
	task->ppid = ppid;
	task->ptid = parent->pid;
	end_change(&task->changes);
	return 0;
}

/*
 * Place of the next name. If it is full: exec() and the name before it are kept, other names are
 * not.
 */
static __always_inline struct process_comm *next_comm(struct process_task *task, bool exec)
{
	__u64 nr = task->nr_comms;

	if (nr >= PROCESSES_COMMS && exec) {
		task->comms[0] = task->comms[PROCESSES_COMMS - 1];
		nr = 1;
	}
	if (nr >= PROCESSES_COMMS)
		nr = PROCESSES_COMMS - 1;
	task->nr_comms = nr + 1;
	return &task->comms[nr];
}

/* exec() sets the program's name before it maps the program. */
SEC("tp_btf/task_rename")
int BPF_PROG(pinned_rename, struct task_struct *renamed, const char *name)
{
	__u32 at;
	struct process_task *task = find_or_make(renamed->tgid, renamed->pid, &at);
	struct process_comm *comm;
	bool exec = false;

	if (!task)
		return 0;
	if (bpf_core_field_exists(renamed->in_execve))
		exec = BPF_CORE_READ_BITFIELD(renamed, in_execve);
	begin_change(&task->changes);
	comm = next_comm(task, exec);
	comm->time = bpf_ktime_get_ns();
	comm->exec = exec;
	bpf_probe_read_kernel_str(comm->text, sizeof(comm->text), name);
	if (exec) {
		task->execs++;
		task->began = comm->time;
	}
	end_change(&task->changes);
	return 0;
}

static __always_inline void end_task(__u32 tid)
{
	__u32 at;
	struct process_task *task = find(tid, &at);

	if (!task)
		return;
	begin_change(&task->changes);
	task->ended = bpf_ktime_get_ns();
	task->recent = 1;
	end_change(&task->changes);
	bpf_map_delete_elem(&slots, &tid);
}

/* A thread that calls exec() becomes the first thread of its process, and gets that thread's id. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(pinned_exec, struct task_struct *task, int old_tid)
{
	if (old_tid != task->pid)
		end_task(old_tid);
	return 0;
}

/* The first thread may end before the others. Its slot stands for the process. */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(pinned_exit, struct task_struct *task)
{
	__u32 pid = task->tgid, tid = task->pid;

	if (tid != pid)
		end_task(tid);
	if (!task->signal->live.counter)
		end_task(pid);
	return 0;
}

#endif
