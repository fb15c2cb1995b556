/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle: sleeps that are waits for work. Rules decide by the system call and, if this is not sufficient, by a function
 * on the stack. The first rule that matches counts. perf-report(1), IDLE, has the format of additional rules.
 */
#ifndef FIELDS_IDLE_H
#define FIELDS_IDLE_H

#include "base/error.h"
#include "fields/waits.h"

struct idle_rules;
struct place;

/*
 * @path: file of rules that precede the built-in ones, one per line; NULL: none. NULL with @error.
 */
struct idle_rules *idle_rules_new(const char *path, GError **error);
void idle_rules_free(struct idle_rules *rules);

/*
 * "event loop": the reason why the thread is idle; NULL: it is busy, or its wait is not for work. @rules may be NULL.
 */
const char *idle_reason(const struct idle_rules *rules, const struct wait *wait,
			const struct place *place);

#endif
