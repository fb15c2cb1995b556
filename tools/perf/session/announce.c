// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A pass ahead over the first samples of a file, for questions about their code: functions are analysed side by side, and
 * only as far as the samples need it. The samples also tell which of several ways to an address are used
 * (resolve/waited.h).
 */
#include "base/clear.h"
#include "perfdata/evsel.h"
#include "session/private.h"

/*
 * How far it reads: until the first samples have nearly all places, or there are many. A rest of the file that is small
 * beside that is read, too: a place that only the rest has costs its function another analysis.
 */
#define EXPECTED_LEAST (1 << 16)
#define EXPECTED_MANY  (1 << 18)
#define EXPECTED_REST  4	 /* the rest is small if it is at most a quarter of what was read */
#define EXPECTED_STEP  (1 << 14) /* ends where so many records brought */
#define EXPECTED_NEW   (1 << 8)	 /* fewer new places than this */

/* A sampled address, with the first event that had it. */
struct expected_code {
	const struct code *code;
	const struct evsel *evsel;
	bool asked[2]; /* samples are charged to the code itself; to what was executed before */
	u32 nr[2];     /* so many */
	bool callers;  /* a sample of it has a call chain */
};

/* True after a step that brought few new places. */
static bool is_enough(u32 nr_read, u32 nr_codes, u32 *before)
{
	bool enough;

	if (nr_read % EXPECTED_STEP)
		return false;
	enough = nr_read >= EXPECTED_LEAST && nr_codes - *before < EXPECTED_NEW;
	*before = nr_codes;
	return enough || nr_read >= EXPECTED_MANY;
}

static bool is_small_rest(const struct perfdata *pd)
{
	u64 read = perfdata_position(pd);

	return perfdata_size(pd) <= read + read / EXPECTED_REST;
}

/*
 * @at: by the id of a code, its place in @codes plus one. @counts: the sample counts where the samples tell which way is used.
 * Those of a small rest do not: what a sample is charged to shall not depend on how far it was worth to read.
 */
static void expect(struct session *s, const struct event *event, bool counts, GArray *at,
		   GArray *codes)
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
	expected->asked[before] = true;
	expected->nr[before] += counts;
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
	bool enough = false;

	if (!session_start_pass(s, PERFDATA_WANT_SAMPLES, error))
		return false;
	for (;;) {
		enough = enough || is_enough(nr_read++, codes->len, &before);
		/* The next pass reports records that cannot be read. */
		if ((enough && !is_small_rest(s->file->pd)) ||
		    perfdata_next(s->file->pd, &ev, NULL) <= 0)
			break;
		if (ev.type == PERF_RECORD_SAMPLE && session_counted(s, &ev, &room))
			expect(s, &ev, !enough, at, codes);
	}
	for (u32 i = 0; i < codes->len; i++) {
		const struct expected_code *e = &g_array_index(codes, struct expected_code, i);

		for (u32 k = 0; k < 2; k++)
			if (e->asked[k])
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
