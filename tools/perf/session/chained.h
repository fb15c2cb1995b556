/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples with registers and a copy of the stack get the call chain that these lead to (chains/chainer.h), so that nobody
 * behind sees a difference to a chain that was recorded. One per thread.
 */
#ifndef SESSION_CHAINED_H
#define SESSION_CHAINED_H

#include "chains/ends.h"
#include "perfdata/read/samples.h"

struct chained;
struct session;

/*
 * NULL where no event of the file has such samples, or their registers are of a machine that is not known
 * here. Each chain is counted in @ends.
 */
struct chained *chained_new(struct session *session, struct chain_ends *ends);
void chained_free(struct chained *c);

/* @event, or where it has such a sample a copy of it with the chain, good until the next call. */
const struct event *chained_event(struct chained *c, const struct event *event);

/* The same for heads, good until the next call. What cannot be decoded stays as it is. */
void chained_heads(struct chained *c, struct sample_head *heads, u32 nr);

#endif
