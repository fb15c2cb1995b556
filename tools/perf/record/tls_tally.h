/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many of the samples say what their thread worked for, and why not the others?
 *
 * For the closing line of a recording: each sample's bytes are decoded as they pass, by what is
 * known of its process at that moment. A report, which knows what was found out later, may say
 * a little more (resolve/activity.h).
 */
#ifndef RECORD_TLS_TALLY_H
#define RECORD_TLS_TALLY_H

#include "activity/layout.h"
#include "base/types.h"

struct tls_tally;

struct tls_tally *tls_tally_new(void);
void tls_tally_free(struct tls_tally *t);

/* Process @pid publishes in @nr layouts, by rank; 0: in none. Any thread. */
void tls_tally_process(struct tls_tally *t, u32 pid, const struct activity_layout *layouts, u32 nr);

/* A sample of @pid with @size bytes of which @dyn_size were read. One thread. */
void tls_tally_sample(struct tls_tally *t, u32 pid, const u8 *data, u64 size, u64 dyn_size);

/* Samples by state; ACTIVITY_NR_STATES of them. */
const u64 *tls_tally_states(const struct tls_tally *t);

#endif
