/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a thread's state, its system call and the file that the call is on, and its stack. Nothing
 * here sleeps.
 */
#ifndef BPF_THREADS_H
#define BPF_THREADS_H

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#include "bpf/cgroups.h"
#include "bpf/numbers.h"
#include "bpf/wall.h"

#define PF_KTHREAD    0x200000
#define S_IFMT	      0170000
#define S_IFSOCK      0140000
#define AF_UNIX	      1
#define AF_INET	      2
#define AF_INET6      10
#define AF_NETLINK    16
#define MAX_FD	      65536
#define NR_SYSCALLS   512
#define USER_CS_64    0x33
#define FRAMES_OFFSET __builtin_offsetof(struct wall_bpf_thread, frames)

const volatile __u8 has_fd[NR_SYSCALLS]; /* system calls whose first argument is a descriptor */

/* The peer is the process that connected, or that called socketpair(). */
static __always_inline void look_at_peer(struct wall_bpf_socket *s, struct unix_sock *sk)
{
	struct sock *peer = BPF_CORE_READ(sk, peer);

	s->peer_inode = BPF_CORE_READ(peer, sk_socket, file, f_inode, i_ino);
	s->peer_pid = own_ns ? own_number((__u64)BPF_CORE_READ(sk, sk.sk_peer_pid))
			     : BPF_CORE_READ(sk, sk.sk_peer_pid, numbers[0].nr);
}

static __always_inline void look_at_addresses(struct wall_bpf_socket *s, struct sock *sk)
{
	__u16 port = BPF_CORE_READ(sk, __sk_common.skc_dport);

	s->state = BPF_CORE_READ(sk, __sk_common.skc_state);
	s->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	s->remote_port = __builtin_bswap16(port);
	if (s->family == AF_INET) {
		bpf_core_read(s->local, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(s->remote, 4, &sk->__sk_common.skc_daddr);
	} else {
		bpf_core_read(s->local, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(s->remote, 16, &sk->__sk_common.skc_v6_daddr);
	}
}

static __always_inline void look_at_socket(struct wall_bpf_socket *s, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);

	s->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	BPF_CORE_READ_INTO(&s->protocol, sk, sk_prot_creator, name);
	if (s->family == AF_UNIX)
		look_at_peer(s, (struct unix_sock *)sk);
	if (s->family == AF_NETLINK)
		s->number = BPF_CORE_READ(sk, sk_protocol);
	if (s->family == AF_INET || s->family == AF_INET6)
		look_at_addresses(s, sk);
}

/*
 * NULL: no file has this descriptor. (Not task->files->fdt: for each pointer that is loaded so, the verifier of Linux 6.2 and later
 * searches all types of the kernel by name, 3 to 9 ms on each path to it.)
 */
static __always_inline struct file *file_of(struct task_struct *task, __u64 fd)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file *file = 0;

	if (fd >= MAX_FD || fd >= BPF_CORE_READ(table, max_fds))
		return 0;
	if (bpf_probe_read_kernel(&file, sizeof(file), BPF_CORE_READ(table, fd) + fd))
		return 0;
	return file;
}

static __always_inline void look_at_file(struct wall_bpf_thread *l, struct file *file)
{
	l->inode = BPF_CORE_READ(file, f_inode, i_ino);
	l->dev = BPF_CORE_READ(file, f_inode, i_sb, s_dev);
	l->mode = BPF_CORE_READ(file, f_inode, i_mode);
	if ((l->mode & S_IFMT) == S_IFSOCK)
		look_at_socket(&l->socket, file);
}

/* The registers of a system call's number and first arguments: the last ones of struct pt_regs before flags. */
struct call_args {
	__u64 dx, si, di, orig_ax, ip, cs;
};

/* False: the thread is in no system call of 64-bit code. */
static __always_inline bool read_call_args(struct task_struct *task, struct call_args *args)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	return !(task->flags & PF_KTHREAD) && regs &&
	       !bpf_probe_read_kernel(args, sizeof(*args), &regs->dx) && args->cs == USER_CS_64;
}

/* The file of the first argument; NULL: the call's is none. */
static __always_inline struct file *file_of_args(struct task_struct *task,
						 const struct call_args *args)
{
	__u64 nr = args->orig_ax;

	return nr < NR_SYSCALLS && has_fd[nr] ? file_of(task, args->di) : 0;
}

/* The thread's position in user space, and its system call. */
struct user_call {
	struct pt_regs regs;
	struct file *file; /* the file of the first argument; or NULL */
};

/* False: the registers could not be read. */
static __always_inline bool read_call(struct user_call *call, struct task_struct *task,
				      const struct pt_regs *regs)
{
	__u64 nr;

	call->file = 0;
	if (bpf_probe_read_kernel(&call->regs, sizeof(call->regs), regs))
		return false;
	nr = call->regs.orig_ax;
	if (nr < NR_SYSCALLS && has_fd[nr])
		call->file = file_of(task, call->regs.di);
	return true;
}

/* False: the thread is in no system call. */
static __always_inline bool find_call(struct wall_bpf_thread *l, struct task_struct *task,
				      struct user_call *call)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);

	if (l->flags & PF_KTHREAD || l->exit_state || !regs)
		return false;
	l->faults = !read_call(call, task, regs);
	return !l->faults;
}

static __always_inline void take_call(struct wall_bpf_thread *l, struct task_struct *task,
				      const struct user_call *call)
{
	const struct pt_regs *regs = &call->regs;

	l->tp = task->thread.fsbase;
	l->syscall = regs->orig_ax;
	l->ip = regs->ip;
	l->sp = regs->sp;
	l->bp = regs->bp;
	l->bx = regs->bx;
	l->r12 = regs->r12;
	l->r13 = regs->r13;
	l->r14 = regs->r14;
	l->r15 = regs->r15;
	l->in_64_bit_code = regs->cs == USER_CS_64;
	l->args[0] = regs->di;
	l->args[1] = regs->si;
	l->args[2] = regs->dx;
	l->args[3] = regs->r10;
	l->args[4] = regs->r8;
	l->args[5] = regs->r9;
	if (call->file)
		look_at_file(l, call->file);
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

/*
 * The id in its own pid namespace; 0: it is in the recorder's namespace. out: @ns, the namespace's id; 0: the thread is
 * gone.
 */
static __always_inline __u32 inner_number(struct pid *pid, __u32 *ns)
{
	__u32 level = BPF_CORE_READ(pid, level), nr = 0;
	struct upid *at = (struct upid *)number_at((__u64)pid, level);

	*ns = 0;
	if (!pid || level > MAX_PID_LEVEL)
		return 0;
	*ns = BPF_CORE_READ(at, ns, ns.inum);
	if (!level || *ns == own_ns)
		return 0;
	bpf_core_read(&nr, sizeof(nr), &at->nr);
	return nr;
}

#define HEAD_OF_LOOK __builtin_offsetof(struct wall_bpf_thread, cgroup)

/* Fills in the members before cgroup, except times: these are in other cache lines. */
static __always_inline void look_at_state(struct wall_bpf_thread *l, struct task_struct *task)
{
	__builtin_memset(l, 0, HEAD_OF_LOOK);
	l->pid = pid_of(task);
	l->tid = tid_of(task);
	l->runs = task->sched_info.pcount;
	l->state = task->__state;
	l->exit_state = task->exit_state;
	l->flags = task->flags;
	l->jobctl = task->jobctl;
	l->on_cpu = task->on_cpu;
	l->on_rq = task->on_rq;
	if (bpf_core_field_exists(task->se.sched_delayed))
		l->delayed = task->se.sched_delayed;
	l->in_io = BPF_CORE_READ_BITFIELD(task, in_iowait);
}

static __always_inline void look_at_times(struct wall_bpf_thread *l, struct task_struct *task)
{
	l->time = bpf_ktime_get_ns();
	l->start = task->start_time;
	l->exec = task->se.sum_exec_runtime;
	l->exec_before = task->se.prev_sum_exec_runtime;
	l->delay = task->sched_info.run_delay;
	l->sleeps = task->nvcsw;
	l->arrival = task->sched_info.last_arrival;
	l->queued = task->sched_info.last_queued;
}

/* Fills in the other members, except the stack. @call NULL: in no system call. */
static __always_inline void look_at_place(struct wall_bpf_thread *l, struct task_struct *task,
					  const struct user_call *call)
{
	__u32 ns;

	__builtin_memset((char *)l + HEAD_OF_LOOK, 0, FRAMES_OFFSET - HEAD_OF_LOOK);
	bpf_probe_read_kernel(l->comm, sizeof(l->comm), task->comm);
	l->cgroup = cgroup_of(task);
	l->user = BPF_CORE_READ(task, real_cred, euid.val) + 1;
	l->inner_tid = inner_number(BPF_CORE_READ(task, thread_pid), &l->pid_ns);
	if (l->inner_tid)
		l->inner_pid = inner_number(BPF_CORE_READ(task, signal, pids[PIDTYPE_TGID]), &ns);
	l->syscall = -1;
	if (call)
		take_call(l, task, call);
}

/* Fills in all members except the stack. */
static __always_inline void look_at(struct wall_bpf_thread *l, struct task_struct *task)
{
	struct user_call call;

	look_at_state(l, task);
	look_at_times(l, task);
	look_at_place(l, task, find_call(l, task, &call) ? &call : 0);
}

#endif
