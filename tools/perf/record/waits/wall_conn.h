/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Texts of the sockets that threads wait for. Looks by BPF and by /proc give the same text for the same socket:
 *
 *	TCP 127.0.0.1:41234->127.0.0.1:80 ESTABLISHED	addresses, and the state if it says something
 *	UDP [::1]:53					no peer
 *	UDP						not bound, or its addresses are not known
 *	unix:[4711]->[4712] pid 815			inodes of both ends; the process that called connect() or socketpair()
 *	NETLINK ROUTE
 *	PACKET
 *
 * With --off-cpu, the process at the other end may be behind them (socket_users.h).
 */
#ifndef RECORD_WALL_CONN_H
#define RECORD_WALL_CONN_H

#include "base/types.h"

struct wall_bpf_socket; /* bpf/wall.h */

/* @inode: of the socket. NULL: it is none. The caller frees it. */
char *wall_conn_text(const struct wall_bpf_socket *socket, u64 inode);

#endif
