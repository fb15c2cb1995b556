/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread waits in epoll_wait(), poll() or select() for several descriptors. Which one became ready? At its wake-up:
 *
 *	epoll_wait()	The kernel has just put the descriptor at the end of the list of ready ones (struct eventpoll's rdllist).
 *	poll(), select()	The kernel keeps nothing. But the thread that ends the wait is in a call on the other end, or on the same
 *			file: it is compared with each descriptor. They were read when the wait began, as the memory is not at hand now.
 *
 * Example: thread 7 waits in poll({3, 4}), where 4 reads from a pipe. Thread 8 is in write() on that pipe: 4 is ready.
 *
 * What no thread makes ready, such as a terminal or a network, is not told by poll(), unless the thread waits for one descriptor, and has no
 * timeout.
 */
#ifndef BPF_READY_H
#define BPF_READY_H

#include "bpf/offcpu.h"
#include "bpf/peers.h"
#include "bpf/threads.h"

#define SYS_POLL	 7
#define SYS_SELECT	 23
#define SYS_EPOLL_WAIT	 232
#define SYS_PSELECT6	 270
#define SYS_PPOLL	 271
#define SYS_EPOLL_PWAIT	 281
#define SYS_EPOLL_PWAIT2 441
#define S_IFIFO		 0010000
#define POLLED_MOST	 16 /* descriptors of one call; further ones are not compared */
#define SELECTED_MOST	 64 /* of select() */

/* As poll() has it. */
struct polled_fd {
	__s32 fd;
	__u32 events;
};

/* The descriptors for which a thread waits. */
struct polled {
	struct polled_fd fds[POLLED_MOST];
	__u64 selected; /* of select(): a bit for each */
	__u32 nr;
	__u8 alone; /* it is all of them, and there is no timeout */
	__u8 reserved[3];
};

static __always_inline void read_pollfds(struct polled *p, const struct call_args *args)
{
	__u64 nr = args->si < POLLED_MOST ? args->si : POLLED_MOST;

	if (!nr || bpf_probe_read_user(p->fds, nr * sizeof(*p->fds), (void *)args->di))
		return;
	p->nr = nr;
	p->alone = args->si == 1 && (args->orig_ax == SYS_POLL ? (__s32)args->dx < 0 : !args->dx);
}

static __always_inline void read_selected(struct polled *p, const struct call_args *args)
{
	__u64 writes = 0;

	if (args->si)
		bpf_probe_read_user(&p->selected, sizeof(p->selected), (void *)args->si);
	if (args->dx)
		bpf_probe_read_user(&writes, sizeof(writes), (void *)args->dx);
	p->selected |= writes;
}

/* The current thread is leaving its CPU: notes the descriptors of its call. */
static __always_inline void note_polled(struct polled *p, struct task_struct *task)
{
	struct call_args args;

	p->nr = p->alone = 0;
	p->selected = 0;
	if (!read_call_args(task, &args))
		return;
	if (args.orig_ax == SYS_POLL || args.orig_ax == SYS_PPOLL)
		read_pollfds(p, &args);
	else if (args.orig_ax == SYS_SELECT || args.orig_ax == SYS_PSELECT6)
		read_selected(p, &args);
}

/* The last one of the ready descriptors. NULL: none is. */
static __always_inline struct file *last_ready(struct file *file)
{
	struct eventpoll *ep = BPF_CORE_READ(file, private_data);
	struct list_head *last = BPF_CORE_READ(ep, rdllist.prev);
	__u64 offset = bpf_core_field_offset(struct epitem, rdllink);

	if (!last || last == &ep->rdllist)
		return 0;
	return BPF_CORE_READ((struct epitem *)((__u64)last - offset), ffd.file);
}

/* Does what is written to the struct file @writes arrive at @reads? A global function: the verifier checks it once. */
__attribute__((noinline)) int are_ends(__u64 writes, __u64 reads)
{
	struct file *to = (struct file *)writes, *from = (struct file *)reads;
	__u16 mode = BPF_CORE_READ(to, f_inode, i_mode) & S_IFMT;
	struct socket *sockets[2];
	struct unix_sock *sk;

	if (mode != (BPF_CORE_READ(from, f_inode, i_mode) & S_IFMT))
		return false;
	if (mode == S_IFIFO)
		return BPF_CORE_READ(to, f_inode) == BPF_CORE_READ(from, f_inode);
	sockets[0] = BPF_CORE_READ(to, private_data);
	sockets[1] = BPF_CORE_READ(from, private_data);
	if (mode != S_IFSOCK) /* an eventfd */
		return sockets[0] && sockets[0] == sockets[1];
	sk = (struct unix_sock *)BPF_CORE_READ(sockets[0], sk);
	if (BPF_CORE_READ(sk, sk.__sk_common.skc_family) == AF_UNIX)
		return BPF_CORE_READ(sk, peer) == BPF_CORE_READ(sockets[1], sk);
	return are_connected(writes, reads);
}

static __always_inline bool waits_for_epoll(__u64 call)
{
	return call == SYS_EPOLL_WAIT || call == SYS_EPOLL_PWAIT || call == SYS_EPOLL_PWAIT2;
}

/* The file for which @woken is woken by the current thread, or by an interrupt on it; NULL: not known, or it has only one. */
static __always_inline struct file *find_ready(struct task_struct *waker, struct task_struct *woken,
					       const struct polled *p, bool in_task)
{
	struct call_args args;
	struct file *writes, *file;

	if (!read_call_args(woken, &args))
		return 0;
	if (waits_for_epoll(args.orig_ax)) {
		file = file_of(woken, args.di);
		return file ? last_ready(file) : 0;
	}
	if (p->alone && !in_task)
		return file_of(woken, p->fds[0].fd);
	writes = p->nr || p->selected ? file_of_call(waker) : 0;
	if (!writes)
		return 0;
	for (__u32 i = 0; i < SELECTED_MOST; i++) {
		bool wanted = p->selected ? p->selected >> i & 1 : i < p->nr;

		if (!wanted)
			continue;
		file = file_of(woken, p->selected ? i : p->fds[i & (POLLED_MOST - 1)].fd);
		if (file && are_ends((__u64)writes, (__u64)file))
			return file;
	}
	return 0;
}

/* Likewise. */
__attribute__((noinline)) int look_at_ready(struct offcpu_ready *r, __u64 at)
{
	struct file *file = (struct file *)at;
	struct dentry *entry = BPF_CORE_READ(file, f_path.dentry);

	if (!r)
		return 0;
	__builtin_memset(r, 0, sizeof(*r));
	r->inode = BPF_CORE_READ(file, f_inode, i_ino);
	r->mode = BPF_CORE_READ(file, f_inode, i_mode);
	bpf_probe_read_kernel_str(r->name, sizeof(r->name), BPF_CORE_READ(entry, d_name.name));
	if ((r->mode & S_IFMT) == S_IFSOCK)
		look_at_socket(&r->socket, file);
	return 0;
}

#endif
