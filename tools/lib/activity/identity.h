/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares decoded activities, hashes them, and writes them as text. How they are decoded is in activity/layout.h.
 */
#ifndef ACTIVITY_IDENTITY_H
#define ACTIVITY_IDENTITY_H

#include "activity/layout.h"
#include "base/types.h"

/* Is there a value to show? It is complete in state OK. In state TRUNCATED it is the part that was read. */
static inline bool activity_has_value(const struct activity *activity)
{
	return activity->value_size && !(activity->has & ACTIVITY_HAS_IDS) &&
	       (activity->state == ACTIVITY_OK || activity->state == ACTIVITY_TRUNCATED);
}

/* Do both have the same state, and the same ids or the same value in the same format? */
bool activity_equal(const struct activity *a, const struct activity *b);

/* A hash: activities that are equal by activity_equal() have the same. */
u32 activity_hash(const struct activity *activity);

/* A total order of identities; those with an id come first. Negative: @a comes before @b. */
int activity_compare(const struct activity *a, const struct activity *b);

/* The longest text of activity_print() with its NUL: a string in which each byte is escaped. */
#define ACTIVITY_TEXT_MAX (4 * ACTIVITY_VALUE_MAX + 1)

/*
 * Writes @activity as text: "<trace id>:<span id>" in hexadecimal digits; a decimal number; plain hexadecimal digits; a
 * UUID with dashes; or a string. In a string, a backslash and each byte that is not printable UTF-8 are written as
 * \xNN. Texts for the other states: "(none)", "(being updated)", "(unreadable)", "(truncated)" if no part is known,
 * "(inexact)", "(not looked up yet)", "(interrupt)". Returns @text.
 */
const char *activity_print(const struct activity *activity, char text[ACTIVITY_TEXT_MAX]);

/* "none", "ok", "being updated", "unreadable", "truncated", "inexact", "not looked up yet", "interrupt". */
const char *activity_state_name(enum activity_state state);

#endif
