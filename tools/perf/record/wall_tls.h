/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The activity of a thread that sleeps: the bytes that the BPF program would have read of it, read from its process
 * while it stands still.
 */
#ifndef RECORD_WALL_TLS_H
#define RECORD_WALL_TLS_H

#include "base/types.h"
#include "record/wall.h"

struct sample_tls_plan; /* bpf/sample_tls.h */
struct wall_tls;

struct wall_tls *wall_tls_new(void);
void wall_tls_free(struct wall_tls *w);

/*
 * Frame, entries and window, as a sample has them, of a thread of process @pid whose thread pointer is @tp. They
 * stay valid until the next call. Empty: there is nothing to read. Whether the thread slept all the while is
 * the caller's to find out.
 */
struct wall_bytes wall_tls_read(struct wall_tls *w, u32 pid, u64 tp,
				const struct sample_tls_plan *plan);

/*
 * The same for a moment of which nothing is known: each publisher is unreadable. Apart from the bytes above, and as
 * long valid.
 */
struct wall_bytes wall_tls_unknown(struct wall_tls *w, const struct sample_tls_plan *plan);

#endif
