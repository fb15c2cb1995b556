// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/deferred.h"

#include <glib.h>

#include "base/table.h"
#include "perfdata/event.h"

struct user_part {
	u64 cookie;
	u32 tid, nr;
	u64 first; /* in words */
};

struct deferred {
	GArray *parts; /* struct user_part */
	struct table index;
	GArray *words; /* u64: addresses of all */
};

struct deferred *deferred_new(void)
{
	struct deferred *d = g_new0(struct deferred, 1);

	d->parts = g_array_new(FALSE, FALSE, sizeof(struct user_part));
	d->words = g_array_new(FALSE, FALSE, sizeof(u64));
	table_init(&d->index);
	return d;
}

void deferred_free(struct deferred *d)
{
	if (!d)
		return;
	g_array_unref(d->parts);
	g_array_unref(d->words);
	table_release(&d->index);
	g_free(d);
}

static u32 hash_of(u32 tid, u64 cookie)
{
	return table_fold(table_mix(tid, cookie));
}

void deferred_add(struct deferred *d, const struct event *event)
{
	const struct event_callchain_deferred *chain = &event->deferred;
	struct user_part part = { chain->cookie, event->id.tid, (u32)chain->nr, d->words->len };

	g_array_append_vals(d->words, chain->ips, part.nr);
	table_add(&d->index, hash_of(part.tid, part.cookie), d->parts->len);
	g_array_append_val(d->parts, part);
}

bool deferred_is(const u64 *ips, u64 nr)
{
	return nr >= 2 && ips[nr - 2] == PERF_CONTEXT_USER_DEFERRED;
}

const u64 *deferred_find(const struct deferred *d, u32 tid, const u64 *ips, u64 nr_ips, u32 *nr)
{
	u64 cookie = ips[nr_ips - 1];
	u32 hash = hash_of(tid, cookie), at = hash;
	s64 i;

	while ((i = table_next(&d->index, hash, &at)) >= 0) {
		const struct user_part *part = &g_array_index(d->parts, struct user_part, i);

		if (part->tid != tid || part->cookie != cookie)
			continue;
		*nr = part->nr;
		return &g_array_index(d->words, u64, part->first);
	}
	return NULL;
}
