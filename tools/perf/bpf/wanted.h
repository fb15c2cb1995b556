/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Selects the processes whose threads a program looks at. The loader sets them. Children of a
 * selected process are selected, too: the loader would learn of them too late.
 */
#ifndef BPF_WANTED_H
#define BPF_WANTED_H

#include <bpf/bpf_tracing.h>

#include "bpf/cgroups.h"
#include "bpf/numbers.h"

#define MOST_PARENTS 32 /* a group that is deeper below a selected one is not found */

const volatile bool all;    /* all processes are selected; else those in wanted */
const volatile bool by_tid; /* wanted has thread ids */
const volatile __u32 self;  /* the recorder's own process, by its number in own_ns */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u8);
	__uint(max_entries, 65536);
} wanted SEC(".maps");

/*
 * Ids of the selected groups: as many as the loader makes room for. Threads in them, and in groups below them, count.
 * If by_cgroup is not set, the threads of all groups count, and the map has no ids.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u64);
	__type(value, __u8);
	__uint(max_entries, 1);
} wanted_cgroups SEC(".maps");

const volatile bool by_cgroup;

static __attribute__((noinline, unused)) bool is_in_cgroups(struct task_struct *task)
{
	struct cgroup_subsys_state *css = perf_css(task);

	for (__u32 i = 0; i < MOST_PARENTS && css; i++) {
		__u64 id = BPF_CORE_READ(css, cgroup, kn, id);

		if (bpf_map_lookup_elem(&wanted_cgroups, &id))
			return true;
		css = BPF_CORE_READ(css, parent);
	}
	return false;
}

static __always_inline bool counts(struct task_struct *task)
{
	__u32 pid = pid_of(task), key = by_tid ? tid_of(task) : pid;

	return task->pid && pid && (all || bpf_map_lookup_elem(&wanted, &key)) && pid != self &&
	       (!by_cgroup || is_in_cgroups(task));
}

/* False: it is selected, but the map is full. */
static __always_inline bool want_child(struct task_struct *parent, struct task_struct *child)
{
	__u32 from = by_tid ? tid_of(parent) : pid_of(parent);
	__u32 to = by_tid ? tid_of(child) : pid_of(child);
	__u8 one = 1;

	return all || from == to || !bpf_map_lookup_elem(&wanted, &from) ||
	       !bpf_map_update_elem(&wanted, &to, &one, BPF_ANY);
}

/* The task is gone, also as a zombie. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(wanted_gone, struct task_struct *task)
{
	__u32 key = freed_tid(task);

	if (!all && (by_tid || task->pid == task->tgid))
		bpf_map_delete_elem(&wanted, &key);
	return 0;
}

#endif
