/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has sent what a thread waits for on a TCP connection, perhaps on another host? Both ends count the same bytes, by TCP's sequence
 * numbers. So what is sent and what arrives is noted with the number of the byte behind it, and a reader of both recordings finds the
 * sender without comparing their clocks:
 *
 *	host A, thread 7: send(), net_dev_queue		sent on A:40000->B:80, bytes up to 1500
 *	host B, interrupt, sched_waking of 8		received on B:80->A:40000, bytes up to 1500
 *
 * A packet counts for the current thread if the thread has the socket locked: a softirq never sends on a locked socket. What is sent later, when
 * the other end has confirmed earlier bytes, is nobody's. The time is that of the last packet's way to the network device: the last byte
 * cannot arrive before it.
 *
 * A thread's messages are told with its next wait: one for each connection, and only for the OFFCPU_SENT connections that it sent on last.
 */
#ifndef BPF_MESSAGES_H
#define BPF_MESSAGES_H

#include "bpf/peers.h"

#define IPPROTO_TCP 6
#define TCP_HEADER  20

/* What a thread has sent since its last wait that was told. */
struct sent_messages {
	struct offcpu_message of[OFFCPU_SENT];
	__u32 nr, next; /* @next: the entry that is used for another connection */
};

/* out: @m, without its time and numbers. False: the socket is not of a TCP connection. */
static __always_inline bool find_connection(struct offcpu_message *m, struct sock *sk)
{
	__u16 port = BPF_CORE_READ(sk, __sk_common.skc_dport);

	__builtin_memset(m, 0, sizeof(*m));
	if (BPF_CORE_READ(sk, sk_protocol) != IPPROTO_TCP || !port)
		return false;
	m->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	m->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	m->remote_port = __builtin_bswap16(port);
	if (m->family == AF_INET) {
		bpf_core_read(m->local, 4, &sk->__sk_common.skc_rcv_saddr);
		bpf_core_read(m->remote, 4, &sk->__sk_common.skc_daddr);
		return true;
	}
	bpf_core_read(m->local, 16, &sk->__sk_common.skc_v6_rcv_saddr);
	bpf_core_read(m->remote, 16, &sk->__sk_common.skc_v6_daddr);
	return m->family == AF_INET6;
}

/* Does the packet have bytes of the connection? Not, if it is another protocol's around the connection's (a tunnel). */
static __always_inline bool has_bytes(const struct sk_buff *skb, __u16 port)
{
	unsigned char *head = BPF_CORE_READ(skb, head), *data = BPF_CORE_READ(skb, data);
	__u32 at = BPF_CORE_READ(skb, transport_header), size = BPF_CORE_READ(skb, len);
	struct {
		__be16 source, dest;
		__be32 seq, ack;
		__u8 words, flags; /* @words: size of the header in its high four bits */
	} tcp;
	__u32 before = (__u32)(head + at - data), header;

	if (bpf_probe_read_kernel(&tcp, sizeof(tcp), head + at))
		return false;
	header = (tcp.words >> 4) * 4;
	return tcp.source == __builtin_bswap16(port) && header >= TCP_HEADER &&
	       before + header < size;
}

static __always_inline bool is_same_connection(const struct offcpu_message *a,
					       const struct offcpu_message *b)
{
	return a->local_port == b->local_port && a->remote_port == b->remote_port &&
	       a->family == b->family && is_same_address(a->remote, b->remote) &&
	       is_same_address(a->local, b->local);
}

/* The current thread has sent @m: a global function, so that the verifier checks it once. */
__attribute__((noinline)) int add_sent(struct sent_messages *sent, const struct offcpu_message *m)
{
	__u32 i, at;

	if (!sent || !m)
		return 0;
	for (i = 0; i < OFFCPU_SENT; i++) {
		if (i < sent->nr && is_same_connection(&sent->of[i], m)) {
			sent->of[i].time = m->time;
			sent->of[i].end = m->end;
			return 0;
		}
	}
	at = sent->next & (OFFCPU_SENT - 1);
	__builtin_memcpy(&sent->of[at], m, sizeof(*m));
	sent->next = at + 1;
	if (sent->nr < OFFCPU_SENT)
		sent->nr++;
	return 0;
}

/* A packet goes to a network device. */
static __always_inline void note_sent(struct sent_messages *sent, const struct sk_buff *skb)
{
	struct sock *sk = BPF_CORE_READ(skb, sk);
	struct offcpu_message m;

	if (!BPF_CORE_READ(sk, sk_lock.owned) || !find_connection(&m, sk) ||
	    !has_bytes(skb, m.local_port))
		return;
	m.time = bpf_ktime_get_ns();
	m.end = BPF_CORE_READ((struct tcp_sock *)sk, write_seq);
	add_sent(sent, &m);
}

/* An interrupt wakes a thread that waits for @file. False: it is no TCP connection. */
static __always_inline bool find_received(struct offcpu_message *m, struct file *file, __u64 now)
{
	struct sock *sk = sock_of(file);

	if (!sk || !find_connection(m, sk))
		return false;
	m->received = 1;
	m->time = now;
	m->end = BPF_CORE_READ((struct tcp_sock *)sk, rcv_nxt);
	return true;
}

#endif
