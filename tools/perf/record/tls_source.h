/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source behind --sample-tls: the bytes below each sampled thread's pointer go into its
 * samples, by the kernel where it can (PERF_SAMPLE_TLS_USER) or else by a BPF program, and
 * records that say where the threads of each process keep their activity among them go into
 * the file. What the file says is the same for both.
 */
#ifndef RECORD_TLS_SOURCE_H
#define RECORD_TLS_SOURCE_H

#include "record/source.h"

/*
 * For opts->tls_layout and opts->tls_source. NULL with @error: the layout's text is wrong, or
 * there is no source, with what is missing and what to do.
 */
struct source *tls_source_new(const struct record_options *opts, const struct kernel_paths *paths,
			      GError **error);

/* Whether a BPF program reads; from open() on. */
bool tls_source_by_bpf(const struct source *tls);

/* The BPF map that says so, for programs; -1: no program reads. */
int tls_source_plans_fd(const struct source *tls);

/* What it reads of process @pid's threads. False: nothing is known. From any thread, while it is open. */
struct sample_tls_plan;
bool tls_source_plan(const struct source *tls, u32 pid, struct sample_tls_plan *plan);

#endif
