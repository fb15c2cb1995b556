// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks at all threads, each time it is run: what state they are in, in which system call, since when, and where in the
 * kernel. A thread that has not run since the pass before costs a comparison: there is nothing new to tell.
 *
 * The loop is an open-coded iterator over tasks (Linux 6.7), inside of one RCU section. So nothing here may sleep: no
 * memory of user space is read.
 */
#include "bpf/vmlinux.h"

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "bpf/wall.h"

char LICENSE[] SEC("license") = "GPL";

#define PF_KTHREAD    0x200000
#define ALL_THREADS   1 /* BPF_TASK_ITER_ALL_THREADS */
#define S_IFMT	      0170000
#define S_IFSOCK      0140000
#define AF_INET	      2
#define AF_INET6      10
#define EXIT_DEAD     0x10
#define MAX_FD	      65536
#define NR_SYSCALLS   512
#define FRAMES_OFFSET __builtin_offsetof(struct wall_bpf_thread, frames)

extern int bpf_iter_task_new(struct bpf_iter_task *it, struct task_struct *task,
			     unsigned int flags) __ksym;
extern struct task_struct *bpf_iter_task_next(struct bpf_iter_task *it) __ksym;
extern void bpf_iter_task_destroy(struct bpf_iter_task *it) __ksym;
extern void bpf_rcu_read_lock(void) __ksym;
extern void bpf_rcu_read_unlock(void) __ksym;

const volatile bool all;		 /* every process counts, else those in wanted */
const volatile __u8 has_fd[NR_SYSCALLS]; /* system calls whose first argument is a descriptor */
const volatile __u32 self;		 /* the recorder's own process */

/* For each run: the number of the pass; 0 is none. */
__u32 pass;
struct wall_bpf_pass result;
__u64 unseen_ends; /* of threads for which there was no room */

/* Of each thread: when it was looked at, and how often it had run by then. */
struct seen {
	__u64 runs;
	__u32 pass;
	__u32 asleep;
};

struct {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct seen);
} known SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__type(key, __u32);
	__type(value, __u8);
	__uint(max_entries, 65536);
} wanted SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 22);
} looks SEC(".maps");

/* The record being made: too large for the stack. One program runs at a time. */
struct wall_bpf_thread scratch;

static __always_inline void look_at_socket(struct wall_bpf_thread *l, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);
	unsigned short family = BPF_CORE_READ(sk, __sk_common.skc_family);
	__u16 port = BPF_CORE_READ(sk, __sk_common.skc_dport);

	if (family != AF_INET && family != AF_INET6)
		return;
	l->family = family;
	l->sock_state = BPF_CORE_READ(sk, __sk_common.skc_state);
	l->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	l->remote_port = __builtin_bswap16(port);
	if (family == AF_INET) {
		bpf_core_read(l->local, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(l->remote, 4, &sk->__sk_common.skc_daddr);
	} else {
		bpf_core_read(l->local, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(l->remote, 16, &sk->__sk_common.skc_v6_daddr);
	}
}

static __always_inline void look_at_file(struct wall_bpf_thread *l, struct task_struct *task)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	__u64 fd = l->args[0];
	struct file **slots, *file = 0;

	if (fd >= MAX_FD || fd >= BPF_CORE_READ(table, max_fds))
		return;
	slots = BPF_CORE_READ(table, fd);
	if (bpf_probe_read_kernel(&file, sizeof(file), slots + fd) || !file)
		return;
	l->inode = BPF_CORE_READ(file, f_inode, i_ino);
	l->dev = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	l->mode = BPF_CORE_READ(file, f_inode, i_mode);
	if ((l->mode & S_IFMT) == S_IFSOCK)
		look_at_socket(l, file);
}

static __always_inline void look_at_call(struct wall_bpf_thread *l, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct pt_regs copy;

	l->syscall = -1;
	if (l->flags & PF_KTHREAD || l->exit_state || !regs)
		return;
	if (bpf_probe_read_kernel(&copy, sizeof(copy), regs)) {
		result.faults++;
		return;
	}
	l->tp = task->thread.fsbase;
	l->syscall = copy.orig_ax;
	l->ip = copy.ip;
	l->args[0] = copy.di;
	l->args[1] = copy.si;
	l->args[2] = copy.dx;
	l->args[3] = copy.r10;
	l->args[4] = copy.r8;
	l->args[5] = copy.r9;
	if (l->syscall >= 0 && l->syscall < NR_SYSCALLS && has_fd[l->syscall])
		look_at_file(l, task);
}

static __always_inline void look_at_stack(struct wall_bpf_thread *l, struct task_struct *task)
{
	long size;

	if (l->on_cpu || l->exit_state)
		return;
	size = bpf_get_task_stack(task, l->frames, sizeof(l->frames), 0);
	if (size > 0)
		l->nr_frames = (__u64)size / sizeof(__u64);
}

/* Everything but the stack. */
static __always_inline void look_at(struct wall_bpf_thread *l, struct task_struct *task)
{
	__builtin_memset(l, 0, FRAMES_OFFSET);
	l->time = bpf_ktime_get_ns();
	l->pid = task->tgid;
	l->tid = task->pid;
	l->start = task->start_time;
	l->exec = task->se.sum_exec_runtime;
	l->exec_before = task->se.prev_sum_exec_runtime;
	l->delay = task->sched_info.run_delay;
	l->runs = task->sched_info.pcount;
	l->sleeps = task->nvcsw;
	l->arrival = task->sched_info.last_arrival;
	l->queued = task->sched_info.last_queued;
	l->state = task->__state;
	l->exit_state = task->exit_state;
	l->flags = task->flags;
	l->jobctl = task->jobctl;
	l->on_cpu = task->on_cpu;
	l->on_rq = task->on_rq;
	if (bpf_core_field_exists(task->se.sched_delayed))
		l->delayed = task->se.sched_delayed;
	l->in_io = BPF_CORE_READ_BITFIELD(task, in_iowait);
	bpf_probe_read_kernel(l->comm, sizeof(l->comm), task->comm);
	l->cgroup = BPF_CORE_READ(task, cgroups, dfl_cgrp, kn, id);
	look_at_call(l, task);
}

/* False: there is no room now. */
static __always_inline bool hand_on(struct wall_bpf_thread *l)
{
	__u32 size = FRAMES_OFFSET + (l->nr_frames & (WALL_BPF_FRAMES * 2 - 1)) * sizeof(__u64);

	if (size > sizeof(*l))
		size = sizeof(*l);
	return bpf_ringbuf_output(&looks, l, size, 0) == 0;
}

static __always_inline bool counts(__u32 pid)
{
	return (all || bpf_map_lookup_elem(&wanted, &pid)) && pid != self;
}

static __always_inline bool has_nothing_new(const struct seen *s, struct task_struct *task)
{
	return s->asleep && s->runs == task->sched_info.pcount && !task->on_cpu && !task->on_rq;
}

static __always_inline void consider(struct task_struct *task)
{
	__u32 pid = task->tgid;
	struct seen *s;

	if (!counts(pid)) {
		result.skipped++;
		return;
	}
	s = bpf_task_storage_get(&known, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
	if (!s) {
		result.faults++;
		return;
	}
	if (s->pass == pass)
		return;
	result.seen++;
	if (!has_nothing_new(s, task)) {
		look_at(&scratch, task);
		look_at_stack(&scratch, task);
		if (!hand_on(&scratch)) {
			result.seen--;
			result.full++;
			return;
		}
		result.looked++;
		s->runs = scratch.runs;
		s->asleep = !scratch.on_cpu && !scratch.on_rq && !scratch.exit_state;
	}
	s->pass = pass;
}

SEC("syscall")
int look(void *unused)
{
	struct bpf_iter_task it;
	struct task_struct *task;

	__builtin_memset(&result, 0, sizeof(result));
	bpf_rcu_read_lock();
	bpf_iter_task_new(&it, 0, ALL_THREADS);
	while ((task = bpf_iter_task_next(&it)))
		consider(task);
	bpf_iter_task_destroy(&it);
	bpf_rcu_read_unlock();
	return 0;
}

/*
 * A thread ends: its sums will not be there for the next pass, and of one that lived between two passes nobody would
 * know. On its own CPU, so nothing of it changes meanwhile.
 */
SEC("tp_btf/sched_process_exit")
int BPF_PROG(last_look, struct task_struct *task)
{
	struct wall_bpf_thread *l;

	if (!counts(task->tgid))
		return 0;
	l = bpf_ringbuf_reserve(&looks, FRAMES_OFFSET, 0);
	if (!l) {
		__sync_fetch_and_add(&unseen_ends, 1);
		return 0;
	}
	look_at(l, task);
	l->exit_state = EXIT_DEAD;
	bpf_ringbuf_submit(l, 0);
	return 0;
}
