// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples of a recording that goes on, once more. */
#include "session/private.h"

u64 session_kept_end(const struct session *s)
{
	return kept_end(s->kept);
}

bool session_each_kept(struct session *s, u64 from, u64 to, u32 needs, session_place_fn *fn,
		       void *arg, GError **error)
{
	struct kept_cursor c = kept_find(s->kept, from);
	const struct perf_event_header *raw;

	needs |= filter_needs(s->filter);
	session_seal(s);
	while (c.number < to && (raw = kept_next(&c))) {
		struct activity activity;
		struct place place;
		struct event event;
		u32 filtered;

		if (!perfdata_decode(s->pd, raw, 0, &event, error))
			return false;
		filtered = session_place(s, &event, needs, &place, &activity);
		if (!fn(&place, filtered, arg, error))
			return false;
	}
	return true;
}
