/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the activity of a sleeping thread from its process: the same bytes that the BPF program (bpf/sample_tls.bpf.c)
 * reads of a running thread.
 */
#ifndef RECORD_WALL_TLS_H
#define RECORD_WALL_TLS_H

#include "base/types.h"
#include "record/waits/wall.h"

struct sample_tls_plan; /* bpf/sample_tls.h */
struct wall_tls;

struct wall_tls *wall_tls_new(void);
void wall_tls_free(struct wall_tls *w);

/*
 * Frame, entries and window, in the format of samples, of a thread of process @pid with thread pointer @tp. Valid until
 * the next call. Empty: there is nothing to read. The caller must check that the thread slept meanwhile.
 */
struct wall_bytes wall_tls_read(struct wall_tls *w, u32 pid, u64 tp,
				const struct sample_tls_plan *plan);

/*
 * The same if nothing is known: each publisher is unreadable. Does not overwrite the bytes of wall_tls_read(). Valid
 * until the next call.
 */
struct wall_bytes wall_tls_unknown(struct wall_tls *w, const struct sample_tls_plan *plan);

#endif
