/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user's part of call chains that the kernel follows only when the thread returns to user code (record
 * --call-graph fp,defer). The sample's chain ends in PERF_CONTEXT_USER_DEFERRED and a cookie; a CALLCHAIN_DEFERRED
 * record of the same thread with the same cookie comes later and belongs to all samples since the thread
 * entered the kernel.
 */
#ifndef SESSION_DEFERRED_H
#define SESSION_DEFERRED_H

#include "base/types.h"

struct deferred;
struct event;

struct deferred *deferred_new(void);
void deferred_free(struct deferred *d);

/* @event: a CALLCHAIN_DEFERRED record. */
void deferred_add(struct deferred *d, const struct event *event);

/* Does a chain end in a cookie? */
bool deferred_is(const u64 *ips, u64 nr);

/*
 * The user's part for a chain that does, beginning with PERF_CONTEXT_USER: *@nr addresses, or NULL where no record has
 * it. Lives as long as @d.
 */
const u64 *deferred_find(const struct deferred *d, u32 tid, const u64 *ips, u64 nr_ips, u32 *nr);

#endif
