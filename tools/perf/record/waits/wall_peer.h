/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other end of a Unix socket, asked of the kernel (sock_diag(7)). Only of the recorder's own network namespace. */
#ifndef RECORD_WALL_PEER_H
#define RECORD_WALL_PEER_H

#include "base/types.h"

struct wall_peer;

struct wall_peer *wall_peer_new(void);
void wall_peer_free(struct wall_peer *p);

/* Inode of the socket to which the Unix socket @inode is connected; 0: none, or not known. */
u64 wall_peer_of(struct wall_peer *p, u64 inode);

#endif
