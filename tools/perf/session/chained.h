/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples whose call chain is not whole get a whole one, so that nobody behind sees a difference to chains that were
 * recorded whole. Those with registers and a copy of the stack are unwound (chains/chainer.h), those whose user part came
 * later are put together (deferred.h), and calls that the processor kept (record --call-graph lbr) become the user part.
 * One per thread.
 */
#ifndef SESSION_CHAINED_H
#define SESSION_CHAINED_H

#include "chains/ends.h"
#include "perfdata/read/samples.h"

struct chained;
struct session;

/* Whether some event's samples may have no whole chain. */
bool chained_asked(const struct session *session);

/* Each chain that was unwound is counted in @ends. */
struct chained *chained_new(struct session *session, struct chain_ends *ends);
void chained_free(struct chained *c);

/* A sample with an evsel: itself, or a copy of it with the whole chain, good until the next call. */
const struct event *chained_event(struct chained *c, const struct event *sample);

/* The same for heads, good until the next call. What cannot be decoded stays as it is. */
void chained_heads(struct chained *c, struct sample_head *heads, u32 nr);

#endif
