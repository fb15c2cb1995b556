// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One question to the kernel by a netlink socket (NETLINK_SOCK_DIAG), for one Unix socket:
 *
 *	request:  family AF_UNIX, inode 4711, show UDIAG_SHOW_PEER, cookie -1 (any)
 *	answer:   unix_diag_msg, then attributes; UNIX_DIAG_PEER has the peer's inode
 *
 * The kernel handles the request within send(), so recv() never waits. A request that failed is
 * answered by an error message (type NLMSG_ERROR), which has no peer. If an earlier answer is still
 * in the socket, its sequence number differs, and it is dropped.
 *
 * The kernel needs CONFIG_UNIX_DIAG. Without it, and for sockets of other network namespaces, there
 * is no peer.
 */
#include "record/waits/wall_peer.h"

#include <glib.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sys/socket.h>
#include <unistd.h>

struct wall_peer {
	int fd; /* -1: this kernel cannot be asked */
	u32 asked;
};

struct wall_peer *wall_peer_new(void)
{
	struct wall_peer *p = g_new0(struct wall_peer, 1);

	p->fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
	return p;
}

void wall_peer_free(struct wall_peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	g_free(p);
}

/* Of an answer of @size bytes. */
static u64 peer_in(const struct nlmsghdr *h, size_t size)
{
	const struct unix_diag_msg *m = NLMSG_DATA(h);
	const struct rtattr *attr = (const void *)(m + 1);
	long left;

	if (!NLMSG_OK(h, size) || h->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    h->nlmsg_len < NLMSG_LENGTH(sizeof(*m)))
		return 0;
	left = (long)(h->nlmsg_len - NLMSG_LENGTH(sizeof(*m)));
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left))
		if (attr->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(attr) >= sizeof(u32))
			return *(const u32 *)RTA_DATA(attr);
	return 0;
}

u64 wall_peer_of(struct wall_peer *p, u64 inode)
{
	struct {
		struct nlmsghdr head;
		struct unix_diag_req body;
	} ask = {
		.head = { .nlmsg_len = sizeof(ask),
			  .nlmsg_type = SOCK_DIAG_BY_FAMILY,
			  .nlmsg_flags = NLM_F_REQUEST,
			  .nlmsg_seq = ++p->asked },
		.body = { .sdiag_family = AF_UNIX,
			  .udiag_states = ~0u,
			  .udiag_ino = (u32)inode,
			  .udiag_show = UDIAG_SHOW_PEER,
			  .udiag_cookie = { ~0u, ~0u } },
	};
	union {
		struct nlmsghdr head;
		u8 bytes[512];
	} answer;
	ssize_t size;

	if (p->fd < 0 || send(p->fd, &ask, sizeof(ask), 0) != sizeof(ask))
		return 0;
	/* The kernel has answered when send() returns. */
	size = recv(p->fd, &answer, sizeof(answer), MSG_DONTWAIT);
	return size > 0 && answer.head.nlmsg_seq == p->asked ? peer_in(&answer.head, (size_t)size)
							     : 0;
}
