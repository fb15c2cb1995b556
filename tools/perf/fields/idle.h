/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which sleeps are waits for work, so that somebody else decides when there is something to do? Rules say so, by the system
 * call and, where that is not enough, by a function on the stack. The first one that fits counts. perf-report(1), IDLE, has
 * the form of further ones.
 */
#ifndef FIELDS_IDLE_H
#define FIELDS_IDLE_H

#include "base/error.h"
#include "fields/waits.h"

struct idle_rules;
struct place;

/* @path: rules that count before those that are built in, a line each; NULL: none. NULL with @error. */
struct idle_rules *idle_rules_new(const char *path, GError **error);
void idle_rules_free(struct idle_rules *rules);

/*
 * "event loop": why the thread is idle; NULL: it is busy, or waits for something that it needs. @rules may be NULL.
 */
const char *idle_reason(const struct idle_rules *rules, const struct wait *wait,
			const struct place *place);

#endif
