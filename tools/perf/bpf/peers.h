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
 *
 * A socket of UDP may have no connection. Then its call says where a datagram is sent to, and the receiver's own address must be that one, or any:
 *
 *	thread 8: sendto(127.0.0.1:40000) on 127.0.0.1:53	thread 7: recv() on 127.0.0.1:40000, connected to 127.0.0.1:53
 */
#ifndef BPF_PEERS_H
#define BPF_PEERS_H

#include "bpf/threads.h"

#define IPPROTO_UDP  17
#define SYS_SENDTO   44
#define SYS_SENDMSG  46
#define SYS_SENDMMSG 307

#define MESSAGE_SIZE  64 /* of struct mmsghdr */
#define MOST_MESSAGES 16 /* of one call that are looked at */

/* An end of a connection. */
struct connection_end {
	__u64 local[2], remote[2];
	__u16 family, local_port,
		remote_port; /* remote_port as on the wire; 0: there is no connection */
	__u16 is_udp;
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

/* ::ffff:127.0.0.1, on a socket for both IPv4 and IPv6, is 127.0.0.1 to its other end. */
static __always_inline void make_plain(struct connection_end *end)
{
	const __u64 low = 0xffffffff, mapped = 0xffff0000; /* as on the wire */

	if (end->local[0] || (end->local[1] & low) != mapped)
		return;
	end->family = AF_INET;
	end->local[0] = end->local[1] >> 32;
	end->remote[0] = end->remote[1] >> 32;
	end->local[1] = end->remote[1] = 0;
}

/* The addresses of the socket that the file is. False: it has none. */
static __always_inline bool find_end(struct connection_end *end, struct file *file)
{
	struct sock *sk = sock_of(file);

	if (!sk)
		return false;
	__builtin_memset(end, 0, sizeof(*end));
	end->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	end->is_udp = BPF_CORE_READ(sk, sk_protocol) == IPPROTO_UDP;
	end->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	end->remote_port = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (end->family == AF_INET) {
		bpf_core_read(end->local, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(end->remote, 4, &sk->__sk_common.skc_daddr);
	} else if (end->family == AF_INET6) {
		bpf_core_read(end->local, 16, &sk->__sk_common.skc_v6_rcv_saddr);
		bpf_core_read(end->remote, 16, &sk->__sk_common.skc_v6_daddr);
		make_plain(end);
	} else {
		return false;
	}
	return true;
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

static __always_inline struct pt_regs *regs_of_call(void)
{
	return (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
}

/* How many messages the current thread's call sends. Which of them is on its way is not known. */
static __always_inline __u32 nr_messages(void)
{
	struct pt_regs *regs = regs_of_call();

	return BPF_CORE_READ(regs, orig_ax) == SYS_SENDMMSG ? (__u32)BPF_CORE_READ(regs, dx) : 1;
}

/* Where the current thread's call sends its message @i to. False: it does not say. */
static __always_inline bool find_destination(struct connection_end *end, __u32 i)
{
	struct pt_regs *regs = regs_of_call();
	struct {
		__u16 family, port;
		__u32 ipv4; /* IPv6 has its address behind this */
	} to = { 0 };
	__u64 call = BPF_CORE_READ(regs, orig_ax), at = 0;

	if (call == SYS_SENDTO)
		at = BPF_CORE_READ(regs, r8);
	else if (call == SYS_SENDMSG || call == SYS_SENDMMSG) /* the address comes first in both */
		bpf_probe_read_user(&at, sizeof(at),
				    (void *)(BPF_CORE_READ(regs, si) + i * MESSAGE_SIZE));
	if (!at || bpf_probe_read_user(&to, sizeof(to), (void *)at) || to.family != end->family)
		return false;
	end->remote_port = to.port;
	if (end->family == AF_INET)
		end->remote[0] = to.ipv4;
	else if (bpf_probe_read_user(end->remote, sizeof(end->remote), (void *)(at + sizeof(to))))
		return false;
	return to.port;
}

/* Is the socket's own address @address, or any? Without branches: the verifier follows each. */
static __always_inline bool is_at(const __u64 *own, const __u64 *address, bool is_udp)
{
	__u64 differs = (own[0] ^ address[0]) | (own[1] ^ address[1]);

	return !(is_udp ? differs & -(__u64) !!(own[0] | own[1]) : differs);
}

/* Are both of one family? A socket of IPv6 without addresses also gets datagrams of IPv4. */
static __always_inline bool are_of_one_family(const struct connection_end *x,
					      const struct connection_end *y)
{
	return x->family == y->family ||
	       (y->is_udp && !y->remote_port && !(y->local[0] | y->local[1]));
}

/* Does what is sent at @x arrive at @y? Both are of one family and protocol. */
static __always_inline bool arrives(const struct connection_end *x, const struct connection_end *y)
{
	if (y->local_port != __builtin_bswap16(x->remote_port) ||
	    !is_at(y->local, x->remote, y->is_udp))
		return false;
	if (!y->remote_port)
		return y->is_udp;
	return x->local_port == __builtin_bswap16(y->remote_port) &&
	       is_at(x->local, y->remote, x->is_udp);
}

/*
 * Does what the current thread sends on the struct file @sends arrive at @receives? A global function: the verifier checks it once.
 */
__attribute__((noinline)) int are_connected(__u64 sends, __u64 receives)
{
	struct connection_end x, y;
	__u32 nr;

	if (!find_end(&x, (struct file *)sends) || !find_end(&y, (struct file *)receives) ||
	    x.is_udp != y.is_udp || !are_of_one_family(&x, &y))
		return false;
	if (x.remote_port || !x.is_udp)
		return x.remote_port && arrives(&x, &y);
	nr = nr_messages();
	for (__u32 i = 0; i < nr && i < MOST_MESSAGES; i++)
		if (find_destination(&x, i) && arrives(&x, &y))
			return true;
	return false;
}

/*
 * @waker is interrupted, and @woken waits. @ready: the socket that became ready, of several for which the thread waits; NULL: its call has
 * only one.
 */
static __always_inline bool are_peers(struct task_struct *waker, struct task_struct *woken,
				      struct file *ready)
{
	return are_connected((__u64)file_of_call(waker), (__u64)(ready ?: file_of_call(woken)));
}

#endif
