/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processes say that they publish activities, and are not read?
 *
 * A process context of OTEP 4719 that speaks of thread contexts, and a file of another machine that
 * defines a variable of a publisher, tell that there is something. Where the look-up finds
 * nothing in such a process by the end of the recording, the closing lines name it, with what its owner can do.
 */
#ifndef RECORD_TLS_UNREAD_H
#define RECORD_TLS_UNREAD_H

#include <glib.h>

#include "base/types.h"
#include "perfevent/paths.h"

struct tls_unread;

struct tls_unread *tls_unread_new(const struct kernel_paths *paths);
void tls_unread_free(struct tls_unread *u);

/* Process @pid states @size bytes of itself: the payload of a process context. */
void tls_unread_context(struct tls_unread *u, u32 pid, const void *data, u32 size);
/* Process @pid has mapped a file, for a machine that is none of ours, that has a variable. */
void tls_unread_foreign(struct tls_unread *u, u32 pid);
/* A publisher was found in process @pid. */
void tls_unread_found(struct tls_unread *u, u32 pid);

/* Whether samples of a process were recorded. */
typedef bool (*tls_sampled_fn)(u32 pid, void *arg);

/*
 * One line for each process that was @sampled, without an end of line; some of them if they are many.
 */
void tls_unread_say(const struct tls_unread *u, tls_sampled_fn sampled, void *arg,
		    GPtrArray *lines);

#endif
