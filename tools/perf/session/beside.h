/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Samples of other threads that samples of waits refer to by number (struct wall_beside, perfdata/wall.h): who ended the
 * wait, and who had the lock. They stand before these in the file.
 *
 * Only what keys need is kept: the function in which the thread was, and its activity. Numbers are remembered until as many more have come
 * as there is room for.
 */
#ifndef SESSION_BESIDE_H
#define SESSION_BESIDE_H

#include "base/types.h"

struct activity;
struct beside;
struct code;
struct event;
struct place;
struct session;

struct beside *beside_new(void);
void beside_free(struct beside *beside);

/* Forgets all, before a pass over the file. */
void beside_restart(struct beside *beside);

/* True if @event is such a sample. */
bool beside_takes(const struct event *event);

/* Remembers the sample of @place, which has its chain with symbols, and its activity. */
void beside_take(struct beside *beside, const struct place *place);

/* NULL: not known. */
const struct code *beside_code(const struct beside *beside, u64 number);
/* NULL: not known. Valid until the next beside_take(). */
const struct activity *beside_activity(const struct beside *beside, u64 number);

#endif
