/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Joins the bytes of thread-local storage with the sample that they belong to.
 *
 * The BPF program (bpf/sample_tls.bpf.c) writes a record B into a ring just before the kernel
 * writes the sample E. A joiner gets the records of one ring in order. It removes each B, and
 * appends a PERF_SAMPLE_TLS_USER section to each sample. The section has B's bytes if the pair is
 * certain, and no bytes otherwise. A pair is certain:
 *
 *  - if B names the sample's event, time, thread and address, and E has the same four;
 *  - if the kernel hides these from the program, and E follows B directly and has the same thread
 *    and address. If records were lost between both, the kernel's LOST record stands there;
 *  - if B is of the hit of a tracepoint, and E is a tracepoint's sample of that hit (tls/hits.h).
 *
 *	records of the ring	output
 *	B  thread 7
 *	E  thread 7		E + B's bytes
 *	E  thread 8		E + section of size 0
 *	LOST 2			LOST 1 (one lost record was a B)
 *	E  thread 7		E + section without readable bytes
 *
 * A sample without B is of a thread without thread pointer, or of a process without anything to
 * read: its section has size 0. After a LOST record B may be lost. Then nothing is known, and the
 * section states bytes of which none was read.
 *
 * tls/bpf.h attaches the program that writes B. activity/layout.h decodes the bytes.
 */
#ifndef RECORD_TLS_JOIN_H
#define RECORD_TLS_JOIN_H

#include <linux/perf_event.h>

#include "base/types.h"
#include "record/base/source.h"

/* Fields of all sampled events, in this order at the start of each sample. */
#define TLS_JOIN_SAMPLE_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)

struct tls_counts {
	u64 joined;	/* samples with bytes */
	u64 unreadable; /* samples whose bytes the program could not read */
	u64 none;	/* samples for which the program had nothing to read */
	u64 unknown;	/* samples after a LOST record, whose B may be lost */
	u64 lone;	/* B records without a sample, except those of tracepoints */
	u64 oversized;	/* dropped samples: with the section they are larger than a record can be */
};

struct tls_joiner;

/* Fields of B's samples and trailers, if E has them. */
#define TLS_JOIN_SHARED_TYPE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |            \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

/*
 * @output_id: the id of the event that writes B. The sample_type of that event is @shared (of
 * TLS_JOIN_SHARED_TYPE) and RAW. @event_id: the id of the ring's sampling event, which has the same
 * @shared. LOST records with @output_id get @event_id instead, so they look like the sampling
 * event's own. @backward: the ring is read from the newest record to the oldest, so B comes after
 * its sample.
 */
struct tls_joiner *tls_joiner_new(u64 output_id, u64 shared, u64 event_id, bool backward);
void tls_joiner_free(struct tls_joiner *j);

/* A passing sample, and its section of @size bytes; 0: it has none. */
struct tls_joined {
	u32 pid;
	u64 time;
	const u8 *data;
	u64 size, dyn_size;
	bool absent; /* samples of its event have no section */
};
typedef void (*tls_join_fn)(const struct tls_joined *sample, void *arg);
void tls_joiner_listen(struct tls_joiner *j, tls_join_fn fn, void *arg);

/*
 * Sets the total of lost B records. LOST records count them too. The file must count only lost
 * records of the user's events, so the joiner subtracts them from the next LOST records. To be
 * called before a LOST record is passed.
 */
void tls_joiner_own_lost(struct tls_joiner *j, u64 total);

struct perfdata_decoder;

/* Samples with this @id are a tracepoint's. @decoder decodes them, and must outlive the joiner. */
void tls_joiner_add_tracepoint(struct tls_joiner *j, u64 id,
			       const struct perfdata_decoder *decoder);

/* Takes the next @record of the ring. Writes the records for the file into @out. */
void tls_joiner_pass(struct tls_joiner *j, const struct perf_event_header *record,
		     struct outlet *out);

/* To be called at the end of a backward ring: passes the held sample to @out. */
void tls_joiner_flush(struct tls_joiner *j, struct outlet *out);

/* Counts so far. B records that still wait count as lone. To be called after the last pass. */
struct tls_counts tls_joiner_counts(const struct tls_joiner *j);

#endif
