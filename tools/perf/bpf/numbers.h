/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of threads and processes in the recorder's pid namespace. task->pid and task->tgid are the numbers in the
 * initial namespace: if the recorder runs in a container, its /proc has other ones. Programs use task->pid only for
 * themselves.
 */
#ifndef BPF_NUMBERS_H
#define BPF_NUMBERS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define PIDTYPE_TGID  1
#define MAX_PID_LEVEL 32 /* MAX_PID_NS_LEVEL */

const volatile __u32 own_ns; /* id of the recorder's namespace; 0: the initial one */

/* Only if own_ns: the own numbers of ended threads. A freed task has no struct pid any more. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__type(key, __u32); /* task->pid */
	__type(value, __u32);
	__uint(max_entries, 8192);
} ended SEC(".maps");

static __always_inline __u64 number_at(__u64 pid, __u32 level)
{
	return pid + bpf_core_field_offset(struct pid, numbers) +
	       level * bpf_core_type_size(struct upid);
}

/* 0: it does not exist in the recorder's namespace. Not inlined, so that the verifier checks the loop only once. */
__noinline __u32 own_number(__u64 pid)
{
	__u32 level = pid ? BPF_CORE_READ((struct pid *)pid, level) : 0, nr = 0;

	for (__u32 i = 0; i < MAX_PID_LEVEL && level; i++, level--) {
		struct upid *at = (struct upid *)number_at(pid, level);

		if (BPF_CORE_READ(at, ns, ns.inum) != own_ns)
			continue;
		bpf_core_read(&nr, sizeof(nr), &at->nr);
		return nr;
	}
	return 0;
}

/* Number of the thread; 0: it is not in the recorder's namespace. */
static __always_inline __u32 tid_of(struct task_struct *task)
{
	return own_ns ? own_number((__u64)BPF_CORE_READ(task, thread_pid)) : task->pid;
}

/* Number of its process; or 0. */
static __always_inline __u32 pid_of(struct task_struct *task)
{
	return own_ns ? own_number((__u64)BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]))
		      : task->tgid;
}

/* Stores the number for freed_tid(). Call it when the thread ends. */
static __always_inline void keep_tid(struct task_struct *task)
{
	__u32 key = task->pid, tid = tid_of(task);

	if (own_ns && tid)
		bpf_map_update_elem(&ended, &key, &tid, BPF_ANY);
}

/* tid_of() of a task that is being freed. */
static __always_inline __u32 freed_tid(struct task_struct *task)
{
	__u32 key = task->pid, tid = 0, *kept;

	if (!own_ns)
		return key;
	kept = bpf_map_lookup_elem(&ended, &key);
	if (kept) {
		tid = *kept;
		bpf_map_delete_elem(&ended, &key);
	}
	return tid;
}

#endif
