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

/* The socket that the file is; NULL: it is none. */
static __always_inline struct sock *sock_of(struct file *file)
{
	struct socket *socket;

	if (!file || (BPF_CORE_READ(file, f_inode, i_mode) & S_IFMT) != S_IFSOCK)
		return 0;
	socket = BPF_CORE_READ(file, private_data);
	return BPF_CORE_READ(socket, sk);
}

/* The connection of the socket that the file is. False: it is none. */
static __always_inline bool find_end(struct connection_end *end, struct file *file)
{
	struct sock *sk = sock_of(file);

	if (!sk)
		return false;
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

/* The file that the thread's system call is on; NULL: it is on none. */
static __always_inline struct file *file_of_call(struct task_struct *task)
{
	struct call_args args;

	return read_call_args(task, &args) ? file_of_args(task, &args) : 0;
}

/* Are they the two ends of one connection? */
static __always_inline bool are_connected(struct file *a, struct file *b)
{
	struct connection_end x, y;

	return find_end(&x, a) && find_end(&y, b) && x.family == y.family &&
	       x.local_port == __builtin_bswap16(y.remote_port) &&
	       y.local_port == __builtin_bswap16(x.remote_port) &&
	       is_same_address(x.local, y.remote) && is_same_address(x.remote, y.local);
}

/*
 * @waker is interrupted, and @woken waits. @ready: the socket that became ready, of several for which the thread waits; NULL: its call has
 * only one.
 */
static __always_inline bool are_peers(struct task_struct *waker, struct task_struct *woken,
				      struct file *ready)
{
	return are_connected(file_of_call(waker), ready ? ready : file_of_call(woken));
}

#endif
