/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Do two threads wait for, and send on, the two ends of one connection? Over the loopback, and between network namespaces, the kernel
 * delivers what a thread sends in a softirq on that thread, and wakes the receiver there:
 *
 *	thread 8: send(), tcp_sendmsg, ip_queue_xmit, softirq: tcp_v4_rcv, sock_def_readable, sched_waking of 7
 *	thread 7: recv() on the other end
 *
 * So the interrupted thread is the one that ended the wait. An interrupt of a network card hits any thread; it is told apart by the
 * addresses and ports.
 */
#ifndef BPF_PEERS_H
#define BPF_PEERS_H

#include "bpf/threads.h"

/* An end of a connection. */
struct connection_end {
	__u16 family, local_port, remote_port; /* remote_port as on the wire */
	__u8 local[16], remote[16];
};

/* The connection of the socket that the thread's system call is on. False: it is on none. */
static __always_inline bool find_end(struct connection_end *end, struct task_struct *task)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
	struct user_call call;
	struct socket *socket;
	struct file *file;
	struct sock *sk;

	if (task->flags & PF_KTHREAD || !regs || !read_call(&call, task, regs) || !call.file)
		return false;
	file = call.file;
	if ((BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return false;
	socket = BPF_CORE_READ(file, private_data);
	sk = BPF_CORE_READ(socket, sk);
	__builtin_memset(end, 0, sizeof(*end));
	end->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	end->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	end->remote_port = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (end->family == AF_INET) {
		bpf_core_read(end->local, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(end->remote, 4, &sk->__sk_common.skc_daddr);
	} else if (end->family == AF_INET6) {
		bpf_core_read(end->local, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(end->remote, 16, &sk->__sk_common.skc_v6_daddr);
	}
	return (end->family == AF_INET || end->family == AF_INET6) && end->remote_port;
}

static __always_inline bool is_same_address(const __u8 *a, const __u8 *b)
{
	bool same = true;

	for (int i = 0; i < 16; i++)
		same &= a[i] == b[i];
	return same;
}

static __always_inline bool are_peers(struct task_struct *a, struct task_struct *b)
{
	struct connection_end x, y;

	return find_end(&x, a) && find_end(&y, b) && x.family == y.family &&
	       x.local_port == __builtin_bswap16(y.remote_port) &&
	       y.local_port == __builtin_bswap16(x.remote_port) &&
	       is_same_address(x.local, y.remote) && is_same_address(x.remote, y.local);
}

#endif
