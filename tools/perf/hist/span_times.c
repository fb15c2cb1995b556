// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/span_times.h"

#include "activity/identity.h"
#include "base/intern.h"
#include "fields/waits.h"
#include "hist/tuples.h"
#include "perfdata/read/reader.h"
#include "perfdata/event.h"
#include "perfdata/wall.h"
#include "session/named.h"
#include "session/session.h"

enum { WORD_TRACE_HIGH, WORD_TRACE_LOW, WORD_ID, WORD_VALUE, NR_WORDS };

struct span_times {
	struct lexicon *lexicon;
	const struct field *name, *thread;
	struct tuples *ids;
	GArray *list; /* struct span_time, by id; after settling, the longest ones */
	u32 nr;
	u64 beyond;
};

struct span_times *span_times_new(struct lexicon *lexicon)
{
	struct span_times *t = g_new0(struct span_times, 1);

	t->lexicon = lexicon;
	t->name = fields_find("span", FIELD_NORMAL, NULL);
	t->thread = fields_find("tid", FIELD_NORMAL, NULL);
	t->ids = tuples_new(NR_WORDS);
	t->list = g_array_new(FALSE, TRUE, sizeof(struct span_time));
	return t;
}

void span_times_free(struct span_times *t)
{
	if (!t)
		return;
	tuples_free(t->ids);
	g_array_unref(t->list);
	g_free(t);
}

/* False: the sample has no activity. */
static bool words_of(const struct span_times *t, const struct activity *a, u64 *words)
{
	char text[ACTIVITY_TEXT_MAX];

	if (!a || a->state != ACTIVITY_OK)
		return false;
	if (activity_has_ids(a)) {
		words[WORD_TRACE_HIGH] = span_number(a->trace_id);
		words[WORD_TRACE_LOW] = span_number(a->trace_id + 8);
		words[WORD_ID] = span_number(a->span_id);
	} else if (activity_has_value(a)) {
		words[WORD_VALUE] = intern_id(t->lexicon->texts, activity_print(a, text));
	} else {
		return false;
	}
	return true;
}

/* The offset from the clock of the file to the time of day; false: not recorded. */
static bool day_offset(const struct place *place, s64 *offset)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(place->session));

	if (!perfdata_info_has(info, FEAT_CLOCK_DATA))
		return false;
	*offset = (s64)(info->clock_data_wall_ns - info->clock_data_clock_ns);
	return true;
}

/* What the files of spans state. */
static void find_stated(const struct span_times *t, const struct place *place, struct span_time *s)
{
	const struct activity *a = place->activity;
	const struct span *span =
		s->value ? NULL : named_span(session_spans(t->lexicon->session), a, a->span_id);
	s64 offset;

	if (!span)
		return;
	s->stated_ns = span->duration_ns;
	if (span->start_ns && day_offset(place, &offset))
		s->stated_begin = span->start_ns - (u64)offset + (u64)place->to_wall;
}

/* Clocks differ a little, and record --wall writes a wait when it looks at the thread again. */
#define TOLERANCE_NS 50000000

static bool is_inside(const struct span_time *s, u64 time)
{
	return time + TOLERANCE_NS >= s->stated_begin &&
	       time <= s->stated_begin + s->stated_ns + TOLERANCE_NS;
}

/* ns that a sample's wait lasted; 0: it is no wait, or several that are added up. */
static u64 wait_length(const struct place *place)
{
	struct wait wait;

	if (!wall_is_stretch(place->evsel->name) || !wait_of(place->evsel, place->sample, &wait))
		return 0;
	return wait.raw.nr > 1 ? 0 : place->sample->period;
}

void span_times_take(struct span_times *t, const struct place *place)
{
	u64 words[NR_WORDS] = { 0 }, to = place->time + (u64)place->to_wall;
	u64 from = to - MIN(wait_length(place), place->time), thread;
	struct span_time *s;
	u32 id;

	if (!words_of(t, place->activity, words))
		return;
	if (t->list->len >= SPAN_TIMES_MOST && tuples_find(t->ids, words) < 0) {
		t->beyond++;
		return;
	}
	id = tuples_id(t->ids, words);
	thread = t->thread->key(t->thread, t->lexicon, place);
	if (id == t->list->len) {
		struct span_time first = {
			.trace = { words[WORD_TRACE_HIGH], words[WORD_TRACE_LOW] },
			.id = words[WORD_ID],
			.value = (u32)words[WORD_VALUE],
			.name = t->name->key(t->name, t->lexicon, place),
			.thread = thread,
			.from_ns = from,
			.to_ns = to,
		};

		find_stated(t, place, &first);
		g_array_append_val(t->list, first);
	}
	s = &g_array_index(t->list, struct span_time, id);
	s->samples++;
	s->several |= s->thread != thread;
	s->from_ns = MIN(s->from_ns, from);
	s->inside += is_inside(s, to);
	s->to_ns = MAX(s->to_ns, to);
}

/* Takes what was stated, unless most samples are outside of it. */
static void use_stated(struct span_time *s)
{
	if (!s->stated_ns ||
	    (s->stated_begin ? s->inside < s->samples - s->inside
			     : s->to_ns - s->from_ns > s->stated_ns + TOLERANCE_NS))
		return;
	s->stated = true;
	s->from_ns = s->stated_begin ?: s->from_ns;
	s->to_ns = s->from_ns + s->stated_ns;
}

static gint compare_length(gconstpointer pa, gconstpointer pb)
{
	const struct span_time *a = pa, *b = pb;
	u64 ns_a = a->to_ns - a->from_ns, ns_b = b->to_ns - b->from_ns;

	if (ns_a != ns_b)
		return ns_a > ns_b ? -1 : 1;
	return a->from_ns < b->from_ns ? -1 : a->from_ns > b->from_ns;
}

const GArray *span_times_settle(struct span_times *t)
{
	t->nr = t->list->len;
	for (u32 i = 0; i < t->nr; i++)
		use_stated(&g_array_index(t->list, struct span_time, i));
	g_array_sort(t->list, compare_length);
	g_array_set_size(t->list, MIN(t->nr, SPAN_TIMES_LISTED));
	return t->list;
}

u32 span_times_nr(const struct span_times *t, u64 *beyond)
{
	*beyond = t->beyond;
	return t->nr;
}
