// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pass ahead over the first samples of a file, for questions about their code: functions are analysed side by side, and
 * only as far as the samples need it. The samples also tell which of several ways to an address are used
 * (resolve/waited.h).
 */
#include "base/clear.h"
#include "perfdata/evsel.h"
#include "session/private.h"

/* How far it reads: until the first samples have nearly all places. */
#define EXPECTED_LEAST (1 << 16)
#define EXPECTED_MOST  (1 << 18)
#define EXPECTED_STEP  (1 << 14) /* ends where so many records brought */
#define EXPECTED_NEW   (1 << 8)	 /* fewer new places than this */

/* A sampled address, with the first event that had it. */
struct expected_code {
	const struct code *code;
	const struct evsel *evsel;
	u32 nr[2];    /* samples that are charged to the code itself; to what was executed before */
	bool callers; /* a sample of it has a call chain */
};

/* True after a step that brought few new places. */
static bool is_enough(u32 nr_read, u32 nr_codes, u32 *before)
{
	bool enough;

	if (nr_read % EXPECTED_STEP)
		return false;
	enough = nr_read >= EXPECTED_LEAST && nr_codes - *before < EXPECTED_NEW;
	*before = nr_codes;
	return enough || nr_read >= EXPECTED_MOST;
}

/* @at: by the id of a code, its place in @codes plus one. */
static void expect(struct session *s, const struct event *event, GArray *at, GArray *codes)
{
	bool before = charging_before(s->charging, event->evsel);
	struct expected_code *expected;
	struct place place;
	u32 *found;

	resolver_place(s->resolver, event, NEED_DATA_TYPE, &place);
	if (place.ip->id >= at->len)
		g_array_set_size(at, MAX(2 * at->len, place.ip->id + 1));
	found = &g_array_index(at, u32, place.ip->id);
	if (!*found) {
		g_array_set_size(codes, codes->len + 1);
		*found = codes->len;
	}
	expected = &g_array_index(codes, struct expected_code, *found - 1);
	expected->code = place.ip;
	expected->nr[before]++;
	if (!expected->callers && event->sample.nr_ips) {
		expected->callers = true;
		expected->evsel = event->evsel;
	}
}

static bool announce_codes(struct session *s, GArray *codes, GError **error)
{
	g_autoptr(GArray) at = g_array_new(false, true, sizeof(u32));
	struct event ev, room;
	u32 nr_read = 0, before = 0;

	if (!session_start_pass(s, PERFDATA_WANT_SAMPLES, error))
		return false;
	/* The next pass reports records that cannot be read. */
	while (!is_enough(nr_read++, codes->len, &before) &&
	       perfdata_next(s->file->pd, &ev, NULL) > 0)
		if (ev.type == PERF_RECORD_SAMPLE && session_counted(s, &ev, &room))
			expect(s, &ev, at, codes);
	for (u32 i = 0; i < codes->len; i++) {
		const struct expected_code *e = &g_array_index(codes, struct expected_code, i);

		for (u32 k = 0; k < 2; k++)
			if (e->nr[k])
				data_types_expect(session_types(s), e->code, k, e->nr[k]);
	}
	return true;
}

static void find_entries(struct session *s, const GArray *codes, bool data)
{
	for (u32 i = 0; i < codes->len; i++) {
		const struct expected_code *e = &g_array_index(codes, struct expected_code, i);

		if (!e->callers || !e->code->dso ||
		    !charging_needs_caller(s->charging, e->code, e->evsel, data))
			continue;
		if (!s->file->entries)
			s->file->entries = entries_new();
		entries_add(s->file->entries, e->code->va);
	}
}

bool session_expect_types(struct session *s, u32 needs, GError **error)
{
	g_autoptr(GArray) codes = g_array_new(false, true, sizeof(struct expected_code));

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
