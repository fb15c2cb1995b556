/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the samples that have an activity, and the reasons why others have none.
 *
 * The closing line of a recording prints these counts. They equal the counts in a report of the
 * file. Each sample is counted when it passes, by what is known of its process at that moment. A
 * later fact may hold from an earlier time on: for example, a library is looked up after it was
 * mapped, or an exec is reported after its first samples. So the latest samples are kept, and
 * counted again when such a fact arrives.
 */
#ifndef RECORD_TLS_TALLY_H
#define RECORD_TLS_TALLY_H

#include "activity/history.h"
#include "base/types.h"
#include "record/tls/join.h"

struct tls_tally;

/* @log_size: bytes of kept samples; 0: TLS_TALLY_LOG. */
struct tls_tally *tls_tally_new(size_t log_size);
void tls_tally_free(struct tls_tally *t);

#define TLS_TALLY_LOG (32u << 20)

/* Takes a layout record of the file. Any thread may call. */
void tls_tally_change(struct tls_tally *t, const struct activity_change *change);

/* Takes a sample of the file. Any thread may call. */
void tls_tally_sample(struct tls_tally *t, const struct tls_joined *sample);

struct tls_tally_counts {
	u64 states[ACTIVITY_NR_STATES]; /* samples by state */
	bool uncertain; /* a fact arrived after samples that it concerns were dropped */
};
struct tls_tally_counts tls_tally_counts(struct tls_tally *t);

/* True if a sample of process @pid has passed. To be called after the last sample. */
bool tls_tally_has(const struct tls_tally *t, u32 pid);

#endif
