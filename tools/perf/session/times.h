/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time ranges of --time. */
#ifndef SESSION_TIMES_H
#define SESSION_TIMES_H

#include <glib.h>

#include "base/error.h"
#include "session/filter.h"

/*
 * An array of struct time_span, ends included, in order and apart, to be freed. Seconds with up to nine decimals,
 * "a,b" with either end left out, several with blanks between; or "10%-20%", "10%/2" (the
 * second tenth), several with commas between, as parts of @span.
 */
GArray *times_parse(const char *text, const struct time_span *span, GError **error);

/* The ranges that are in both @a and @b, which are in order and apart; to be freed. */
GArray *times_both(const GArray *a, const GArray *b);

/* The first range that ends at @time or later; times->len: none. */
u32 times_from(const GArray *times, u64 time);

bool times_have(const GArray *times, u64 time);

#endif
