// SPDX-License-Identifier: GPL-2.0-or-later
/* Which request was worked for: the activity as its layout reads it, and its two ids. */
#include "fields/private.h"

#include <string.h>

#include "activity/layout.h"

static u64 intern_activity(struct lexicon *lex, const struct activity *a)
{
	struct lexicon_own *own = lex->own;
	u32 hash = activity_hash(a), at = hash;
	struct activity identity;
	s64 i;

	while ((i = table_next(&own->activity_index, hash, &at)) >= 0)
		if (activity_equal(&g_array_index(own->activities, struct activity, i), a))
			return (u64)i;
	identity = activity_identity(a);
	g_array_append_val(own->activities, identity);
	table_add(&own->activity_index, hash, own->activities->len - 1);
	return own->activities->len - 1;
}

static const struct activity *activity_of(const struct lexicon *lex, u64 key)
{
	return &g_array_index(lex->own->activities, struct activity, key);
}

static const struct activity no_activity = { .state = ACTIVITY_NONE };

static u64 key_activity(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return intern_activity(lex, p->activity ? p->activity : &no_activity);
}

/* Activities of one trace, or one span, are one row: the other id is left out. */
static u64 key_trace_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct activity a = p->activity ? *p->activity : no_activity;

	if (a.has & ACTIVITY_HAS_IDS) {
		a.has = ACTIVITY_HAS_IDS;
		a.flags = 0;
		memset(a.span_id, 0, sizeof(a.span_id));
		memset(a.parent_id, 0, sizeof(a.parent_id));
		memset(a.root_span, 0, sizeof(a.root_span));
	}
	return intern_activity(lex, &a);
}

static u64 key_span_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct activity a = p->activity ? *p->activity : no_activity;

	if (a.has & ACTIVITY_HAS_IDS) {
		a.has = ACTIVITY_HAS_IDS;
		a.flags = 0;
		memset(a.trace_id, 0, sizeof(a.trace_id));
		memset(a.parent_id, 0, sizeof(a.parent_id));
		memset(a.root_span, 0, sizeof(a.root_span));
	}
	return intern_activity(lex, &a);
}

/* Known ones first, by their bytes. */
static int order_activities(const struct lexicon *lex, u64 a, u64 b)
{
	return activity_compare(activity_of(lex, a), activity_of(lex, b));
}

static void print_activity(const struct field *field, const struct lexicon *lex, u64 key,
			   GString *out)
{
	char text[ACTIVITY_TEXT_MAX];

	g_string_append(out, activity_print(activity_of(lex, key), text));
}

static void print_id(const struct lexicon *lex, const struct activity *a, const u8 *id, u32 size,
		     GString *out)
{
	if (!(a->has & ACTIVITY_HAS_IDS)) {
		char text[ACTIVITY_TEXT_MAX];

		g_string_append(out, activity_print(a, text));
		return;
	}
	for (u32 i = 0; i < size; i++)
		g_string_append_printf(out, "%02x", id[i]);
}

static void print_trace_id(const struct field *field, const struct lexicon *lex, u64 key,
			   GString *out)
{
	const struct activity *a = activity_of(lex, key);

	print_id(lex, a, a->trace_id, sizeof(a->trace_id), out);
}

static void print_span_id(const struct field *field, const struct lexicon *lex, u64 key,
			  GString *out)
{
	const struct activity *a = activity_of(lex, key);

	print_id(lex, a, a->span_id, sizeof(a->span_id), out);
}

const struct field field_activity = {
	.name = "activity",
	.header = "Activity",
	.family = FIELD_NORMAL,
	.needs = NEED_ACTIVITY,
	.key = key_activity,
	.order = order_activities,
	.print = print_activity,
};

const struct field field_trace_id = {
	.name = "trace_id",
	.header = "Trace Id",
	.family = FIELD_NORMAL,
	.needs = NEED_ACTIVITY,
	.key = key_trace_id,
	.order = order_activities,
	.print = print_trace_id,
};

const struct field field_span_id = {
	.name = "span_id",
	.header = "Span Id",
	.family = FIELD_NORMAL,
	.needs = NEED_ACTIVITY,
	.key = key_span_id,
	.order = order_activities,
	.print = print_span_id,
};
