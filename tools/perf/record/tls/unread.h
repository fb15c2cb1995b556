/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists processes that publish activities which were not read.
 *
 * There are two signs: a process context of OTEP 4719 that mentions thread contexts, and a file for
 * another architecture that defines a publisher's variable. If the look-up has found nothing in
 * such a process by the end of the recording, the closing lines name the process and say what its
 * owner can do.
 */
#ifndef RECORD_TLS_UNREAD_H
#define RECORD_TLS_UNREAD_H

#include <glib.h>

#include "base/types.h"
#include "perfevent/paths.h"

struct tls_unread;

struct tls_unread *tls_unread_new(const struct kernel_paths *paths);
void tls_unread_free(struct tls_unread *u);

/* Process @pid publishes a process context with a payload of @size bytes. */
void tls_unread_context(struct tls_unread *u, u32 pid, const void *data, u32 size);
/* Process @pid has mapped a file for another architecture, which defines a variable. */
void tls_unread_foreign(struct tls_unread *u, u32 pid);
/* A publisher was found in process @pid. */
void tls_unread_found(struct tls_unread *u, u32 pid);

/* True if samples of process @pid were recorded. */
typedef bool (*tls_sampled_fn)(u32 pid, void *arg);

/*
 * Adds one line, without newline, for each process that was @sampled. If there are many, only for
 * some.
 */
void tls_unread_say(const struct tls_unread *u, tls_sampled_fn sampled, void *arg,
		    GPtrArray *lines);

#endif
