/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which bytes of thread-local storage belong to which sample?
 *
 * The BPF program (bpf/sample_tls.bpf.c) writes one record B into a ring just before the kernel
 * writes the sample E that it was taken for. A joiner is fed the records of one ring in their
 * order, drops each B and appends to each sample the section of PERF_SAMPLE_TLS_USER: B's bytes
 * where the pair is certain, else none. It never guesses:
 *
 *  - Where B names the sample's event, time, thread and address, E must have all four.
 *  - Where the kernel does not let the program see them, E must follow B directly and have its
 *    thread and address. Had anything been lost in between, the kernel's LOST record would
 *    stand there.
 *  - Where B was taken at the hit of a tracepoint, E must be a tracepoint's and belong to that hit
 *    (tls_hits.h).
 *
 * A sample without B is one of a thread that has no thread pointer or of a process in which
 * there is nothing to read: it gets a section of size 0. Behind a LOST record B may be what was
 * lost: then nothing is known, and the section states bytes of which none were read.
 *
 * Not in here: where B comes from (tls_bpf.h) and what the bytes mean (activity/layout.h).
 */
#ifndef RECORD_TLS_JOIN_H
#define RECORD_TLS_JOIN_H

#include <linux/perf_event.h>

#include "base/types.h"
#include "record/source.h"

/* Every sampled event has these, in this order at the front of its samples. */
#define TLS_JOIN_SAMPLE_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

struct tls_counts {
	u64 joined;	/* samples with bytes */
	u64 unreadable; /* samples whose bytes the program could not read */
	u64 none;	/* samples for which the program had nothing to read */
	u64 unknown;	/* samples behind a LOST record whose bytes may be what was lost */
	u64 lone;	/* B records whose sample did not come, those of tracepoints apart */
	u64 oversized;	/* samples that the section would make too large for a record: dropped */
};

struct tls_joiner;

/* The fields of B's samples and trailers, as far as E's have them. */
#define TLS_JOIN_SHARED_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |            \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

/*
 * @output_id: the id of the B event, whose sample_type is @shared, of TLS_JOIN_SHARED_TYPE, and
 * RAW. In LOST records that it caused, the id @event_id of the ring's sampling event is put
 * instead; that has the same @shared, so that such a record looks like its own. @backward: the
 * ring is read from the newest record to the oldest, so that B comes after its sample.
 */
struct tls_joiner *tls_joiner_new(u64 output_id, u64 shared, u64 event_id, bool backward);
void tls_joiner_free(struct tls_joiner *j);

/* A sample on its way, and the section that it got: of @size bytes, 0: none. */
struct tls_joined {
	u32 pid;
	u64 time;
	const u8 *data;
	u64 size, dyn_size;
};
typedef void (*tls_join_fn)(const struct tls_joined *sample, void *arg);
void tls_joiner_listen(struct tls_joiner *j, tls_join_fn fn, void *arg);

/*
 * The number of the program's own records that were lost so far. LOST records count these too, but
 * the file must count only the user's, so they are subtracted from the next LOST records. Call it
 * before a LOST record is passed.
 */
void tls_joiner_own_lost(struct tls_joiner *j, u64 total);

struct perfdata_decoder;

/* The samples with this id are a tracepoint's; @decoder, which must live as long, decodes them. */
void tls_joiner_add_tracepoint(struct tls_joiner *j, u64 id,
			       const struct perfdata_decoder *decoder);

/* Takes the next @record of the ring and puts into @out what the file shall have of it. */
void tls_joiner_pass(struct tls_joiner *j, const struct perf_event_header *record,
		     struct outlet *out);

/* The reading of a backward ring ends: what waits for an older record goes into @out. */
void tls_joiner_flush(struct tls_joiner *j, struct outlet *out);

/* So far, with those that still wait among the lone ones; to be asked after the last pass. */
struct tls_counts tls_joiner_counts(const struct tls_joiner *j);

#endif
