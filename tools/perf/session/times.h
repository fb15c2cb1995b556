/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time ranges of --time. */
#ifndef SESSION_TIMES_H
#define SESSION_TIMES_H

#include <glib.h>

#include "base/error.h"
#include "session/filter.h"

/*
 * An array of struct time_span, ends included, to be freed. Seconds with up to nine decimals,
 * "a,b" with either end left out, several with blanks between; or "10%-20%", "10%/2" (the
 * second tenth), several with commas between, as parts of @span.
 */
GArray *times_parse(const char *text, const struct time_span *span, GError **error);

static inline bool times_have(const GArray *times, u64 time)
{
	for (unsigned int i = 0; i < times->len; i++) {
		const struct time_span *t = &g_array_index(times, struct time_span, i);

		if (time >= t->from && time <= t->to)
			return true;
	}
	return false;
}

#endif
