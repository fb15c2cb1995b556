// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/doings.h"

#include <inttypes.h>
#include <string.h>

#include "activity/identity.h"
#include "base/intern.h"
#include "base/table.h"
#include "perfdata/read/reader.h"
#include "session/named.h"
#include "session/session.h"

#define TRACE_DIGITS 32
#define SPAN_DIGITS  16

/* Clocks differ a little. */
#define TOLERANCE_NS 50000000

enum { WORD_TRACE_HIGH, WORD_TRACE_LOW, WORD_SPAN, NR_WORDS };

struct id_words {
	u64 word[NR_WORDS]; /* of an activity without ids: 0, 0, the number of its text */
};

struct doing {
	u32 span, exact;
	u32 first, nr; /* in members */
};

/* An activity with ids, and its number. A thread mostly has the same one for many samples. */
struct met {
	u64 word[NR_WORDS];
	u32 number; /* 0: none was met */
};

#define MET 256

struct doings {
	struct lexicon *lexicon;
	const struct field *activity, *span;
	GPatternSpec *pattern;
	u8 trace[SPAN_TRACE_ID_SIZE];
	u64 span_id;
	bool by_trace, by_span, by_root;
	GArray *numbers;     /* u32, by the activity's key, which is dense; 0: not met */
	struct met met[MET]; /* ids met last */
	GArray *list;	     /* struct doing, by number; [0]: no activity */
	GArray *members;     /* u32: instances */
	GHashTable *ids;     /* struct id_words -> index of an instance + 1 */
	GPtrArray *words;    /* its keys, by instance */
	GArray *instances;   /* struct critical_instance */
	u64 beyond;
	s64 correction; /* of the clock of the place's host */
};

static guint hash_words(gconstpointer p)
{
	const struct id_words *id = p;

	return (guint)table_mix(table_mix(id->word[0], id->word[1]), id->word[2]);
}

static gboolean equal_words(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct id_words));
}

/* A text of digits is an id, unless its length is another. */
static void parse(struct doings *d, const char *what)
{
	size_t size = what ? strlen(what) : 0;
	u8 id[SPAN_DIGITS / 2];

	d->by_root = !what;
	what = what ?: "*";
	d->pattern = g_pattern_spec_new(what);
	d->by_trace = size == TRACE_DIGITS && span_id_parse(what, size, d->trace, sizeof(d->trace));
	d->by_span = size == SPAN_DIGITS && span_id_parse(what, size, id, sizeof(id));
	if (d->by_span)
		d->span_id = span_number(id);
}

struct doings *doings_new(struct lexicon *lexicon, const char *what)
{
	struct doings *d = g_new0(struct doings, 1);

	d->lexicon = lexicon;
	d->activity = fields_find("activity", FIELD_NORMAL, NULL);
	d->span = fields_find("span", FIELD_NORMAL, NULL);
	parse(d, what);
	d->numbers = g_array_new(FALSE, TRUE, sizeof(u32));
	d->list = g_array_new(FALSE, TRUE, sizeof(struct doing));
	g_array_set_size(d->list, 1);
	d->members = g_array_new(FALSE, FALSE, sizeof(u32));
	d->ids = g_hash_table_new_full(hash_words, equal_words, g_free, NULL);
	d->words = g_ptr_array_new();
	d->instances = g_array_new(FALSE, FALSE, sizeof(struct critical_instance));
	return d;
}

void doings_free(struct doings *d)
{
	if (!d)
		return;
	g_pattern_spec_free(d->pattern);
	g_array_unref(d->numbers);
	g_array_unref(d->list);
	g_array_unref(d->members);
	g_hash_table_destroy(d->ids);
	g_ptr_array_unref(d->words);
	g_array_unref(d->instances);
	g_free(d);
}

static u32 text_of(const struct doings *d, const struct field *field, u64 key)
{
	g_autoptr(GString) text = g_string_new(NULL);

	field_print(field, d->lexicon, key, text);
	return intern_id(d->lexicon->texts, text->str);
}

static const struct spans *spans_of(const struct doings *d)
{
	return session_spans(d->lexicon->session);
}

/* What is to be added to the time of day for the clock that instances are compared by; false: the file does not record it. */
static bool day_offset(const struct doings *d, const struct place *place, s64 *offset)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(place->session));

	if (!perfdata_info_has(info, FEAT_CLOCK_DATA))
		return false;
	*offset = (s64)(info->clock_data_clock_ns - info->clock_data_wall_ns + (u64)place->to_wall +
			(u64)d->correction);
	return true;
}

/*
 * A file of spans states times by the clock of the host that did the span. That is the one that has the span itself (@own), and not one inside it;
 * what was counted by another clock is not held against it.
 */
static void state(const struct doings *d, struct critical_instance *instance,
		  const struct span *span, const struct place *place, bool own)
{
	s64 offset;

	if (!span || !span->start_ns || !span->duration_ns || !day_offset(d, place, &offset))
		return;
	instance->begin = span->start_ns + (u64)offset;
	instance->duration = span->duration_ns;
	instance->nr_inside = instance->nr_sights;
	instance->last_inside = 0;
	instance->stated_by_own = own;
}

/* The name of an instance: a text. @named: it is more than an id. */
struct instance_name {
	u32 text;
	bool named;
};

/* The instance with these ids is one more that the present activity counts for. */
static void add_member(struct doings *d, const struct id_words *id, const struct span *span,
		       const struct place *place, struct instance_name name)
{
	u32 known = GPOINTER_TO_UINT(g_hash_table_lookup(d->ids, id)), i = known - 1;
	bool own = activity_has_ids(place->activity) &&
		   span_number(place->activity->span_id) == id->word[WORD_SPAN];
	struct critical_instance *instance;
	struct doing *doing = &g_array_index(d->list, struct doing, d->list->len - 1);

	for (u32 k = 0; known && k < doing->nr; k++)
		if (g_array_index(d->members, u32, doing->first + k) == i)
			return;
	if (!known) {
		struct critical_instance new = { .from = UINT64_MAX,
						 .thread = UINT32_MAX,
						 .activity = d->list->len - 1,
						 .name = name.text,
						 .named = name.named };

		if (d->instances->len == DOINGS_MOST) {
			d->beyond++;
			return;
		}
		i = d->instances->len;
		g_array_append_val(d->instances, new);
		g_ptr_array_add(d->words, g_memdup2(id, sizeof(*id)));
		g_hash_table_insert(d->ids, d->words->pdata[i], GUINT_TO_POINTER(i + 1));
	}
	instance = &g_array_index(d->instances, struct critical_instance, i);
	if (!known || (own && !instance->stated_by_own))
		state(d, instance, span, place, own);
	g_array_append_val(d->members, i);
	doing->nr++;
}

/* Counts the activity for the span @id of its trace, if that was asked for. */
static void try_span(struct doings *d, const struct place *place, const u8 *id)
{
	const struct activity *a = place->activity;
	const struct span *span = named_span(spans_of(d), a, id);
	struct id_words words = { { span_number(a->trace_id), span_number(a->trace_id + 8),
				    span_number(id) } };
	const char *name = span ? spans_name(spans_of(d), span) : "";
	bool named = *name;
	char hex[SPAN_DIGITS + 1];

	if (!words.word[WORD_SPAN])
		return;
	if (!named) {
		g_snprintf(hex, sizeof(hex), "%016" G_GINT64_MODIFIER "x", words.word[WORD_SPAN]);
		name = hex;
	}
	if (d->by_span ? words.word[WORD_SPAN] == d->span_id
		       : g_pattern_spec_match_string(d->pattern, name))
		add_member(d, &words, span, place,
			   (struct instance_name){ intern_id(d->lexicon->texts, name), named });
}

/* The outermost span: as the key root_span (fields/activities.c), which tells why. */
static void try_root(struct doings *d, const struct place *place, const struct span *span)
{
	const struct activity *a = place->activity;
	u8 id[SPAN_DIGITS / 2];

	if (a->has & ACTIVITY_HAS_ROOT &&
	    (!span || memcmp(a->root_span, a->span_id, sizeof(a->span_id)))) {
		try_span(d, place, a->root_span);
		return;
	}
	if (!span) {
		try_span(d, place, a->span_id);
		return;
	}
	span_bytes(spans_root(spans_of(d), span)->id, id);
	try_span(d, place, id);
}

static void try_ids(struct doings *d, const struct place *place)
{
	const struct activity *a = place->activity;
	const struct span *span = named_span(spans_of(d), a, a->span_id);
	struct id_words trace = { { span_number(a->trace_id), span_number(a->trace_id + 8), 0 } };

	if (d->by_trace) {
		if (!memcmp(a->trace_id, d->trace, sizeof(d->trace)))
			add_member(d, &trace, NULL, place, (struct instance_name){ 0 });
		return;
	}
	if (d->by_root) {
		try_root(d, place, span);
		return;
	}
	try_span(d, place, a->span_id);
	if (a->has & ACTIVITY_HAS_PARENT)
		try_span(d, place, a->parent_id);
	if (a->has & ACTIVITY_HAS_ROOT)
		try_span(d, place, a->root_span);
	for (u32 i = 0; span && i < SPANS_MAX_DEPTH; i++) {
		u8 id[SPAN_DIGITS / 2];

		span = spans_parent(spans_of(d), span);
		if (!span)
			break;
		span_bytes(span->id, id);
		try_span(d, place, id);
	}
}

/* Is there a name, or only an id? */
static bool is_named(const struct doings *d, const struct activity *a)
{
	const struct span *span;

	if (!activity_has_ids(a))
		return a->format != ACTIVITY_U64 && a->format != ACTIVITY_HEX &&
		       a->format != ACTIVITY_UUID;
	span = named_span(spans_of(d), a, a->span_id);
	return span && *spans_name(spans_of(d), span);
}

static u32 add(struct doings *d, const struct place *place)
{
	const struct activity *a = place->activity;
	u32 exact = text_of(d, d->span, d->span->key(d->span, d->lexicon, place));
	struct doing new = {
		.span = is_named(d, a) ? exact
				       : intern_id(d->lexicon->texts, "a span without a name"),
		.exact = exact,
		.first = d->members->len,
	};
	struct id_words value = { { 0, 0, exact } };

	g_array_append_val(d->list, new);
	if (activity_has_ids(a))
		try_ids(d, place);
	else if (g_pattern_spec_match_string(d->pattern, intern_text(d->lexicon->texts, exact)))
		add_member(d, &value, NULL, place, (struct instance_name){ exact, is_named(d, a) });
	return d->list->len - 1;
}

static u32 number_of(struct doings *d, const struct place *place, s64 correction)
{
	u32 key = (u32)d->activity->key(d->activity, d->lexicon, place), number;

	if (key >= d->numbers->len)
		g_array_set_size(d->numbers, key + 1);
	number = g_array_index(d->numbers, u32, key);
	if (number)
		return number;
	d->correction = correction;
	number = add(d, place);
	g_array_index(d->numbers, u32, key) = number;
	return number;
}

u32 doings_of(struct doings *d, const struct place *place, s64 correction)
{
	const struct activity *a = place->activity;
	struct met now, *met;

	if (!a)
		return 0;
	if (!activity_has_ids(a))
		return a->state == ACTIVITY_OK && activity_has_value(a)
			       ? number_of(d, place, correction)
			       : 0;
	memcpy(&now.word[WORD_TRACE_HIGH], a->trace_id, sizeof(a->trace_id));
	memcpy(&now.word[WORD_SPAN], a->span_id, sizeof(a->span_id));
	met = &d->met[table_fold(now.word[WORD_TRACE_LOW] ^ now.word[WORD_SPAN]) % MET];
	if (!met->number || memcmp(met->word, now.word, sizeof(now.word)) != 0) {
		now.number = number_of(d, place, correction);
		*met = now;
	}
	return met->number;
}

void doings_see(struct doings *d, u32 activity, u32 thread, u64 from, u64 to)
{
	const struct doing *doing = &g_array_index(d->list, struct doing, activity);

	for (u32 k = 0; k < doing->nr; k++) {
		struct critical_instance *i =
			&g_array_index(d->instances, struct critical_instance,
				       g_array_index(d->members, u32, doing->first + k));

		i->nr_sights++;
		if (to + TOLERANCE_NS >= i->begin && to <= i->begin + i->duration + TOLERANCE_NS) {
			i->nr_inside++;
			if (to >= i->last_inside) {
				i->last_inside = to;
				i->thread_inside = thread;
			}
		}
		i->from = MIN(i->from, from);
		if (to >= i->last) {
			i->last = i->to = to;
			i->thread = thread;
		}
	}
}

/* Programs may use an id again, and clocks may differ: what most sights contradict is not taken. */
static void use_stated(struct critical_instance *i)
{
	if (!i->begin || i->begin + i->duration < i->begin ||
	    i->nr_inside < i->nr_sights - i->nr_inside)
		return;
	i->stated = true;
	i->from = i->begin;
	i->to = i->begin + i->duration;
	if (i->last_inside)
		i->thread = i->thread_inside;
}

void doings_settle(struct doings *d)
{
	for (u32 k = 0; k < d->instances->len; k++)
		use_stated(&g_array_index(d->instances, struct critical_instance, k));
}

const GArray *doings_instances(const struct doings *d)
{
	return d->instances;
}

u64 doings_beyond(const struct doings *d)
{
	return d->beyond;
}

u32 doings_span(const struct doings *d, u32 activity)
{
	return activity ? g_array_index(d->list, struct doing, activity).span : 0;
}

u32 doings_exact_span(const struct doings *d, u32 activity)
{
	return activity ? g_array_index(d->list, struct doing, activity).exact : 0;
}

const u32 *doings_members(const struct doings *d, u32 activity, u32 *nr)
{
	const struct doing *doing = &g_array_index(d->list, struct doing, activity);

	*nr = doing->nr;
	return &g_array_index(d->members, u32, doing->first);
}

bool doings_is_of(const struct doings *d, u32 activity, u32 instance)
{
	const struct doing *doing = &g_array_index(d->list, struct doing, activity);

	for (u32 k = 0; k < doing->nr; k++)
		if (g_array_index(d->members, u32, doing->first + k) == instance)
			return true;
	return false;
}

void doings_append_id(const struct doings *d, u32 instance, GString *out)
{
	const u64 *word = ((const struct id_words *)d->words->pdata[instance])->word;

	if (!word[WORD_TRACE_HIGH] && !word[WORD_TRACE_LOW]) {
		g_string_append(out, intern_text(d->lexicon->texts, (u32)word[WORD_SPAN]));
		return;
	}
	g_string_append_printf(out, "%016" PRIx64 "%016" PRIx64, word[WORD_TRACE_HIGH],
			       word[WORD_TRACE_LOW]);
	if (word[WORD_SPAN])
		g_string_append_printf(out, ":%016" PRIx64, word[WORD_SPAN]);
}
