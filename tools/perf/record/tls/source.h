/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of --sample-tls. Each sample gets the bytes below its thread's pointer: from the
 * kernel if it has PERF_SAMPLE_TLS_USER, else from a BPF program. Records in the file state where
 * among these bytes the threads of each process keep their activity. The file is the same in both
 * cases.
 */
#ifndef RECORD_TLS_SOURCE_H
#define RECORD_TLS_SOURCE_H

#include "record/base/source.h"

/*
 * Reads opts->tls.layout and opts->tls.source. NULL with @error: the layout's text is wrong, or
 * nothing can read the bytes; the error says what is missing and what to do.
 */
struct source *tls_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			      GError **error);

/* True if a BPF program reads. Valid after open(). */
bool tls_source_by_bpf(const struct source *tls);

/* The BPF map of plans, for other programs; -1: no program reads. */
int tls_source_plans_fd(const struct source *tls);

/*
 * out: what the program reads in process @pid's threads. False: unknown. Any thread may call while
 * the source is open.
 */
struct sample_tls_plan;
bool tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan);

#endif
