/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes the call chains of samples, so that later stages see no difference from chains that were recorded
 * complete. Samples with registers and a copy of the stack are unwound (chains/chainer.h). Samples whose user part is
 * in a later record are joined with it (deferred.h). Calls from the processor's branch records (record --call-graph
 * lbr) become the user part.
 *
 * Each thread has one.
 */
#ifndef SESSION_CHAINED_H
#define SESSION_CHAINED_H

#include "chains/ends.h"
#include "perfdata/read/samples.h"

struct chained;
struct session;

/* True if samples of some event may have incomplete chains. */
bool chained_asked(const struct session *session);

/* Counts each unwound chain in @ends. */
struct chained *chained_new(struct session *session, struct chain_ends *ends);
void chained_free(struct chained *c);

/*
 * Returns the sample, which must have an evsel, or a copy of it with the complete chain, valid until the next call.
 */
const struct event *chained_event(struct chained *c, const struct event *sample);

/*
 * The same for heads, valid until the next call. A head that cannot be decoded is returned unchanged.
 */
void chained_heads(struct chained *c, struct sample_head *heads, u32 nr);

#endif
