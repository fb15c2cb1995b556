/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The messages between a call and the keeper. Internal to keeper.c, keeper_call.c. */
#ifndef DETACHED_KEEPER_WIRE_H
#define DETACHED_KEEPER_WIRE_H

#include <glib.h>
#include <sys/resource.h>
#include <sys/un.h>

#include "base/types.h"

#define WIRE_MAX (8u << 20)
#define WIRE_STREAMS                                                                               \
	3 /* descriptors sent with the first byte: standard input, output, standard error */

/* The directory, the words and the environment follow, as strings that end in NUL. */
struct wire_call {
	u32 size; /* total size, with this struct */
	u32 umask;
	u32 nr_words, nr_variables;
	struct rlimit limits[RLIM_NLIMITS];
};

/* @size bytes of text follow. */
struct wire_answer {
	s32 status;
	u32 size;
};

/* Address of this user's keeper socket. */
bool wire_address(struct sockaddr_un *address, GError **error);

bool wire_read(int fd, void *to, size_t size);
bool wire_write(int fd, const void *from, size_t size);

#endif
