/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sockets by /proc. The kernel names the protocol of any descriptor's socket; addresses are in the tables of the
 * thread's network namespace (/proc/PID/task/TID/net/tcp ...). A table is read at most a few times a second, and seldom
 * if it is long, so the state of a connection may be a second old.
 */
#ifndef RECORD_WALL_NET_H
#define RECORD_WALL_NET_H

#include "base/types.h"

struct wall_net;

struct wall_net *wall_net_new(const char *proc);
void wall_net_free(struct wall_net *n);

/*
 * Text of descriptor @fd of thread @tid, as in record/waits/wall_conn.h. Without addresses: the socket is not bound, or of
 * another network namespace than the thread. @file: what the descriptor refers to, "socket:[815]". NULL: it is no
 * socket, or cannot be read. The caller frees it.
 */
char *wall_net_ask(struct wall_net *n, u32 pid, u32 tid, u64 fd, const char *file);

#endif
