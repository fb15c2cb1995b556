// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pass ahead over the first samples of a file, for questions about their code: functions are analysed side by side, and
 * only as far as the samples need it. The samples also tell which of several ways to an address are used
 * (resolve/waited.h).
 */
#include "base/clear.h"
#include "perfdata/evsel.h"
#include "session/private.h"

#define EXPECTED_SAMPLES (1 << 16) /* the first samples have nearly all places */

/* A sampled address, with the first event that had it. */
struct expected_code {
	const struct code *code;
	const struct evsel *evsel;
};

static void expect(struct session *s, const struct event *event, GHashTable *seen, GArray *codes)
{
	struct expected_code expected = { .evsel = event->evsel };
	struct place place;

	resolver_place(s->resolver, event, NEED_DATA_TYPE, &place);
	data_types_expect(session_types(s), place.ip, charging_before(s->charging, event->evsel));
	expected.code = place.ip;
	if (place.ip->dso && event->sample.nr_ips && g_hash_table_add(seen, (void *)place.ip))
		g_array_append_val(codes, expected);
}

static bool announce_codes(struct session *s, GArray *codes, GError **error)
{
	GHashTable *seen = g_hash_table_new(NULL, NULL);
	struct event ev, room;

	if (!session_start_pass(s, PERFDATA_WANT_SAMPLES, error)) {
		g_hash_table_unref(seen);
		return false;
	}
	/* The next pass reports records that cannot be read. */
	for (u32 i = 0; i < EXPECTED_SAMPLES && perfdata_next(s->file->pd, &ev, NULL) > 0; i++)
		if (ev.type == PERF_RECORD_SAMPLE && session_counted(s, &ev, &room))
			expect(s, &ev, seen, codes);
	g_hash_table_unref(seen);
	return true;
}

static void find_entries(struct session *s, const GArray *codes, bool data)
{
	for (u32 i = 0; i < codes->len; i++) {
		const struct expected_code *e = &g_array_index(codes, struct expected_code, i);

		if (!charging_needs_caller(s->charging, e->code, e->evsel, data))
			continue;
		if (!s->file->entries)
			s->file->entries = entries_new();
		entries_add(s->file->entries, e->code->va);
	}
}

bool session_expect_types(struct session *s, u32 needs, GError **error)
{
	g_autoptr(GArray) codes = g_array_new(FALSE, FALSE, sizeof(struct expected_code));

	if (perfdata_is_pipe(s->file->pd) || !(needs & NEED_CHARGE))
		return true;
	if (!s->charging)
		s->charging = charging_new(s, session_types(s));
	if (!s->file->announced && !announce_codes(s, codes, error))
		return false;
	if (needs & NEED_DATA_TYPE)
		data_types_prepare(session_types(s), (u32)s->options.threads);
	if (!s->file->announced)
		find_entries(s, codes, needs & NEED_DATA_TYPE);
	s->file->announced = true;
	return true;
}
