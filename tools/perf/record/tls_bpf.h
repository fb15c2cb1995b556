/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of thread-local storage, on kernels that do not put them into samples themselves. A BPF
 * program (bpf/sample_tls.bpf.c) runs on every sampling event and writes its output into the same
 * rings; the joiners (tls_join.h) then make one sample of each pair.
 *
 * A build without libbpf, clang or bpftool has tls_bpf_none.c instead.
 */
#ifndef RECORD_TLS_BPF_H
#define RECORD_TLS_BPF_H

#include "base/error.h"
#include "base/types.h"
#include "record/source.h"
#include "record/tls_join.h"

struct tls_bpf;
struct sample_tls_plan; /* bpf/sample_tls.h */

/*
 * Loads the program. NULL with @error: PERF_ERROR_PERMISSION with the capabilities that are
 * missing, PERF_ERROR_UNSUPPORTED where the kernel or this build cannot.
 */
struct tls_bpf *tls_bpf_load(const struct kernel_paths *paths, GError **error);
void tls_bpf_free(struct tls_bpf *b);

/*
 * Sets it to work on the open events of @rec, whose rings are of one CPU each, and overwrite all or
 * none. On a tracepoint it looks at hits by the threads of rec->target and their children. The event for
 * side records is left out.
 */
bool tls_bpf_attach(struct tls_bpf *b, struct recording *rec, GError **error);

/* Who gets to see each sample's bytes, see tls_joiner_listen(); to be called after attaching. */
void tls_bpf_listen(struct tls_bpf *b, tls_join_fn fn, void *arg);

/* One record of ring @ring of those in rec->rings. */
void tls_bpf_pass(struct tls_bpf *b, u32 ring, const struct perf_event_header *record,
		  struct outlet *out);

/* All rings are empty at this moment. */
void tls_bpf_flush(struct tls_bpf *b, struct outlet *out);

/*
 * What to read in process @pid's threads. Children that it forks have the same, until they or it
 * execute another program. Without a word on it: a window of SAMPLE_TLS_WINDOW_DEFAULT. A full
 * map leaves it at that.
 */
void tls_bpf_set_plan(struct tls_bpf *b, u32 pid, const struct sample_tls_plan *plan);
void tls_bpf_forget(struct tls_bpf *b, u32 pid);

/* The map of plans, for another program that reads by them (bpf/offcpu.bpf.c); -1: there is none. */
int tls_bpf_plans_fd(const struct tls_bpf *b);

/* out: the plan of @pid. False: it has none. Any thread may call. */
bool tls_bpf_plan(const struct tls_bpf *b, u32 pid, struct sample_tls_plan *plan);

/*
 * What to read, from an exec on, in processes that execute the file with @dev and @ino (stat(2)).
 * It may be a guess: what is read says by its mark where.
 */
void tls_bpf_set_program(struct tls_bpf *b, u64 dev, u64 ino, const struct sample_tls_plan *plan);

/* Process @pid executes that file: the earlier plan of @pid is void. */
void tls_bpf_executes(struct tls_bpf *b, u32 pid, u64 dev, u64 ino);

/* Whether OBI's pinned map was found; the program then looks up each sample's thread in it. */
bool tls_bpf_has_obi(const struct tls_bpf *b);

/*
 * Whether the program tells of each sample what the event hit: every sample without a frame is
 * then the task's own. To be asked after attaching.
 */
bool tls_bpf_has_context(const struct tls_bpf *b);

/* Sums over all rings. */
struct tls_counts tls_bpf_counts(const struct tls_bpf *b);

#endif
