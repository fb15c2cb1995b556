/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many of the samples say what their thread worked for, and why not the others?
 *
 * For the closing line of a recording, which counts what a report of the file will count. Each
 * sample is read as it passes, by what is known of its process by then. What is found out later may
 * hold from an earlier time on (a library is looked up after it was mapped, an exec is heard of
 * after its first samples), so the latest samples are kept, and read again when that happens.
 */
#ifndef RECORD_TLS_TALLY_H
#define RECORD_TLS_TALLY_H

#include "activity/history.h"
#include "base/types.h"
#include "record/tls_join.h"

struct tls_tally;

/* @log_size: bytes of samples that are kept; 0: TLS_TALLY_LOG. */
struct tls_tally *tls_tally_new(size_t log_size);
void tls_tally_free(struct tls_tally *t);

#define TLS_TALLY_LOG (32u << 20)

/* What a layout record of the file says. Any thread. */
void tls_tally_change(struct tls_tally *t, const struct activity_change *change);

/* A sample that goes into the file. Any thread. */
void tls_tally_sample(struct tls_tally *t, const struct tls_joined *sample);

struct tls_tally_counts {
	u64 states[ACTIVITY_NR_STATES]; /* samples by state */
	bool uncertain; /* something came too late for samples that are not kept any more */
};
struct tls_tally_counts tls_tally_counts(struct tls_tally *t);

/* Whether a sample of process @pid has passed; to be asked after the last. */
bool tls_tally_has(const struct tls_tally *t, u32 pid);

#endif
