/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program sees of a thread: its state, system call and the file behind it, stack. Nothing here sleeps. */
#ifndef BPF_THREADS_H
#define BPF_THREADS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/wall.h"

#define PF_KTHREAD    0x200000
#define S_IFMT	      0170000
#define S_IFSOCK      0140000
#define AF_UNIX	      1
#define AF_INET	      2
#define AF_INET6      10
#define MAX_FD	      65536
#define NR_SYSCALLS   512
#define PIDTYPE_TGID  1
#define MAX_PID_LEVEL 32 /* MAX_PID_NS_LEVEL */
#define USER_CS_64    0x33
#define FRAMES_OFFSET __builtin_offsetof(struct wall_bpf_thread, frames)

const volatile __u8 has_fd[NR_SYSCALLS]; /* system calls whose first argument is a descriptor */

/* The process is the one that connected, or made the pair. */
static __always_inline void look_at_peer(struct wall_bpf_thread *l, struct unix_sock *sk)
{
	struct sock *peer = BPF_CORE_READ(sk, peer);

	l->family = AF_UNIX;
	l->peer_inode = BPF_CORE_READ(peer, sk_socket, file, f_inode, i_ino);
	l->peer_pid = BPF_CORE_READ(sk, sk.sk_peer_pid, numbers[0].nr);
}

static __always_inline void look_at_socket(struct wall_bpf_thread *l, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);
	unsigned short family = BPF_CORE_READ(sk, __sk_common.skc_family);
	__u16 port = BPF_CORE_READ(sk, __sk_common.skc_dport);

	if (family == AF_UNIX)
		look_at_peer(l, (struct unix_sock *)sk);
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
		l->faults = 1;
		return;
	}
	l->tp = task->thread.fsbase;
	l->syscall = copy.orig_ax;
	l->ip = copy.ip;
	l->sp = copy.sp;
	l->bp = copy.bp;
	l->bx = copy.bx;
	l->r12 = copy.r12;
	l->r13 = copy.r13;
	l->r14 = copy.r14;
	l->r15 = copy.r15;
	l->in_64_bit_code = copy.cs == USER_CS_64;
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

/* Its number in its own namespace, if that is not the first one; else 0. */
static __always_inline __u32 inner_number(struct pid *pid)
{
	__u32 level = BPF_CORE_READ(pid, level), nr = 0;
	__u64 at = (__u64)pid + bpf_core_field_offset(pid->numbers);

	if (!level || level > MAX_PID_LEVEL)
		return 0;
	at += level * bpf_core_type_size(struct upid);
	bpf_probe_read_kernel(&nr, sizeof(nr), (void *)at);
	return nr;
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
	l->inner_tid = inner_number(BPF_CORE_READ(task, thread_pid));
	if (l->inner_tid)
		l->inner_pid = inner_number(BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]));
	look_at_call(l, task);
}

#endif
