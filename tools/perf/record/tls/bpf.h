/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local storage in samples, on kernels without PERF_SAMPLE_TLS_USER. A BPF program
 * (bpf/sample_tls.bpf.c) runs on every sampling event. It writes its output records into the same
 * rings as the samples. The joiners (tls/join.h) merge each output record with its sample.
 *
 * A build without libbpf, clang or bpftool links tls/bpf_none.c instead.
 */
#ifndef RECORD_TLS_BPF_H
#define RECORD_TLS_BPF_H

#include "base/error.h"
#include "base/types.h"
#include "record/base/source.h"
#include "record/tls/join.h"

struct tls_bpf;
struct sample_tls_plan; /* bpf/sample_tls.h */

/*
 * Loads the program. NULL with @error: PERF_ERROR_PERMISSION names the missing capabilities;
 * PERF_ERROR_UNSUPPORTED: the kernel or this build cannot load it.
 */
struct tls_bpf *tls_bpf_load(const struct kernel_paths *paths, GError **error);
void tls_bpf_free(struct tls_bpf *b);

/*
 * Attaches the program to the open events of @rec, except the event for side records. Each ring
 * must be of one CPU, and either all rings overwrite or none does. On a tracepoint the program
 * reads only the threads of rec->target and their children.
 */
bool tls_bpf_attach(struct tls_bpf *b, struct recording *rec, GError **error);

/*
 * Registers the receiver of each sample's bytes, see tls_joiner_listen(). To be called after
 * attaching.
 */
void tls_bpf_listen(struct tls_bpf *b, tls_join_fn fn, void *arg);

/* Passes one record from ring @ring of rec->rings. */
void tls_bpf_pass(struct tls_bpf *b, u32 ring, const struct perf_event_header *record,
		  struct outlet *out);

/* To be called when all rings are empty. */
void tls_bpf_flush(struct tls_bpf *b, struct outlet *out);

/*
 * Sets what the program reads in the threads of process @pid. A forked child has the same plan,
 * until parent or child executes another program. A process without a plan, or one for which the
 * map has no room, has a window of SAMPLE_TLS_WINDOW_DEFAULT bytes.
 */
void tls_bpf_set_plan(struct tls_bpf *b, u32 pid, const struct sample_tls_plan *plan);
void tls_bpf_forget(struct tls_bpf *b, u32 pid);

/*
 * File descriptor of the map of plans, for other programs that read by them (bpf/offcpu.bpf.c). -1:
 * there is no map.
 */
int tls_bpf_plans_fd(const struct tls_bpf *b);

/* out: the plan of @pid. False: it has none. Any thread may call. */
bool tls_bpf_plan(const struct tls_bpf *b, u32 pid, struct sample_tls_plan *plan);

/*
 * Sets what the program reads in processes that execute the file with @dev and @ino (stat(2)), from
 * the exec on. The plan may be wrong: the mark of each entry says which place was read.
 */
void tls_bpf_set_program(struct tls_bpf *b, u64 dev, u64 ino, const struct sample_tls_plan *plan);

/* Process @pid executes the file @dev, @ino. The earlier plan of @pid is dropped. */
void tls_bpf_executes(struct tls_bpf *b, u32 pid, u64 dev, u64 ino);

/* True if OBI's pinned map was found. The program then looks up each sample's thread in it. */
bool tls_bpf_has_obi(const struct tls_bpf *b);

/*
 * True if the program writes into the frame of each sample which context the event hit. A sample
 * without a frame then hit the task's own context. To be asked after attaching.
 */
bool tls_bpf_has_context(const struct tls_bpf *b);

/* Sums over all rings. */
struct tls_counts tls_bpf_counts(const struct tls_bpf *b);

#endif
