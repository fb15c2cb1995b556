/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds what the recorded processes publish, and where. The BPF program gets a plan for each process, the file gets
 * records of layouts and of facts, and the tally gets each change. The finder searches when it is told of a mapping,
 * an exec, a fork or an exit, and once a round.
 *
 * All functions are for one thread. Records go to the outlet of the last tls_finder_begin().
 */
#ifndef RECORD_TLS_FINDER_H
#define RECORD_TLS_FINDER_H

#include "record/base/source.h"
#include "record/tls/summary.h"

struct tls_finder;

/*
 * @asked: struct activity_layout. @bpf: the program that reads; NULL: the kernel reads. All must
 * outlive the finder.
 */
struct tls_finder *tls_finder_new(const struct record_options *opts,
				  const struct kernel_paths *paths, const GArray *asked,
				  struct tls_bpf *bpf, struct tls_tally *tally);
void tls_finder_free(struct tls_finder *f);

void tls_finder_begin(struct tls_finder *f, struct outlet *out);

/* The head of the first file: finds what the processes of @target publish that already run. */
void tls_finder_state(struct tls_finder *f, const struct open_target *target);
/* The head of a further file: puts again what is known. */
void tls_finder_state_again(struct tls_finder *f);

/* A MMAP, MMAP2, COMM, FORK or EXIT record. */
void tls_finder_event(struct tls_finder *f, const struct event *ev);
/* A data mapping of @pid: tls_mapping_fn, with the finder as its argument. */
void tls_finder_mapping(u32 pid, u64 start, u64 size, const char *name, u64 time, void *finder);

/* Records, or data mappings, of @pid may be lost since @since: reads its mappings again. */
void tls_finder_missed(struct tls_finder *f, u32 pid, u64 since);
void tls_finder_missed_data(struct tls_finder *f, u32 pid, u64 since);

/*
 * Twice a round: first repeats open look-ups; @time is that of the newest sample that has passed.
 * Then takes changes of published facts; these happened after @since. @now_ns: CLOCK_MONOTONIC.
 */
void tls_finder_retry(struct tls_finder *f, u64 now_ns, u64 time);
void tls_finder_poll(struct tls_finder *f, u64 now_ns, u64 since);

/* out: lookup, unread, out_of_reach and dropped. */
void tls_finder_outcome(const struct tls_finder *f, struct tls_outcome *out);

#endif
