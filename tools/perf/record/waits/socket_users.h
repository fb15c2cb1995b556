/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which process has the other end of a connection? It is known once a thread of that process has waited on its end, or has sent there what
 * ended a wait on this one:
 *
 *	9 of redis-server waits on 127.0.0.1:6379->127.0.0.1:41234
 *	7 waits on 127.0.0.1:41234->127.0.0.1:6379	"TCP 127.0.0.1:41234->127.0.0.1:6379 ESTABLISHED of redis-server[9]"
 *
 * It is the last one that was seen, and its name is that of the thread that was seen first. The number of ends is limited: if there are too many,
 * all are forgotten.
 */
#ifndef RECORD_SOCKET_USERS_H
#define RECORD_SOCKET_USERS_H

#include "base/types.h"

struct socket_users;
struct wall_bpf_socket; /* bpf/wall.h */

struct socket_users *socket_users_new(void);
void socket_users_free(struct socket_users *users);

/* A thread @comm of process @pid has that end; @inode is the socket's. */
void socket_users_see(struct socket_users *users, const struct wall_bpf_socket *socket, u64 inode,
		      u32 pid, const char comm[16]);
/* The same of the other end. */
void socket_users_see_peer(struct socket_users *users, const struct wall_bpf_socket *socket,
			   u32 pid, const char comm[16]);

/* Appends " of redis-server[9]", if the other end's process is known, to @text, which may be NULL. Takes @text, and returns what to free. */
char *socket_users_tell(const struct socket_users *users, const struct wall_bpf_socket *socket,
			char *text);

#endif
