// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keys for the request that a sample's thread worked for: the activity, its ids, and the facts that span files give
 * about them. A key is the number of an id (fields/ids.h). Names come from span files. If no file has the id, the id
 * itself is shown, so unknown ids are never merged.
 */
#include "fields/private.h"

#include <linux/perf_event.h>
#include <string.h>

#include "activity/identity.h"
#include "activity/layout.h"
#include "activity/process.h"
#include "base/text.h"
#include "fields/ids.h"
#include "perfdata/event.h"
#include "session/named.h"
#include "session/session.h"

#define UNKNOWN "(unknown)"

static struct ids *ids_of(struct lexicon *lex)
{
	if (!lex->own->ids)
		lex->own->ids = ids_new(lex->max_ids != 0);
	return lex->own->ids;
}

/* @p NULL: the number is only for display; the limit on the number of ids does not apply. */
static u32 number(struct lexicon *lex, const struct place *p, enum id_kind kind, const void *bytes,
		  u32 size)
{
	return p ? ids_get(ids_of(lex), kind, bytes, size)
		 : ids_name(ids_of(lex), kind, bytes, size);
}

static u32 number_text(struct lexicon *lex, const struct place *p, const char *text)
{
	return number(lex, p, ID_TEXT, text, (u32)strlen(text));
}

/* Numbers a text written by the profiled program, after cleaning it for display. */
static u32 number_foreign(struct lexicon *lex, const struct place *p, const char *text, size_t size)
{
	g_autofree char *clean = text_clean(text, size, ID_MAX);

	return number_text(lex, p, clean);
}

static u32 number_state(struct lexicon *lex, const struct place *p, enum activity_state state)
{
	u8 byte = (u8)state;

	return number(lex, p, ID_STATE, &byte, sizeof(byte));
}

static const struct activity no_activity = { .state = ACTIVITY_NONE };

static const struct activity *activity_of(const struct place *p)
{
	return p->activity ? p->activity : &no_activity;
}

/* For a sample without ids: numbers the value, or the state that explains why there is no value. */
static u32 number_other(struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);
	char text[ACTIVITY_TEXT_MAX];

	if (!activity_has_value(a))
		return number_state(lex, p, a->state);
	return number_text(lex, p, activity_print(a, text));
}

static u64 key_activity(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);
	u8 pair[sizeof(a->trace_id) + sizeof(a->span_id)];

	if (!activity_has_ids(a))
		return number_other(lex, p);
	memcpy(pair, a->trace_id, sizeof(a->trace_id));
	memcpy(pair + sizeof(a->trace_id), a->span_id, sizeof(a->span_id));
	return number(lex, p, ID_PAIR, pair, sizeof(pair));
}

/* Numbers one of the two ids. Labels may lack either. */
static u32 number_id(struct lexicon *lex, const struct place *p, const u8 *id, u32 size)
{
	static const u8 none[16];

	if (!activity_has_ids(activity_of(p)))
		return number_other(lex, p);
	return memcmp(id, none, size) ? number(lex, p, ID_HEX, id, size)
				      : number_text(lex, p, UNKNOWN);
}

static u64 key_trace_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);

	return number_id(lex, p, a->trace_id, sizeof(a->trace_id));
}

static u64 key_span_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);

	return number_id(lex, p, a->span_id, sizeof(a->span_id));
}

static const struct spans *spans_of(const struct lexicon *lex)
{
	return session_spans(lex->session);
}

/* The span in which the sample's thread worked, from span files; NULL: no file has it. */
static const struct span *present_span(const struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);

	return named_span(spans_of(lex), a, a->span_id);
}

/* Adds the service to the name if spans of several services have that name: they are different spans. */
static u32 number_name(struct lexicon *lex, const struct place *p, const struct span *span)
{
	const struct spans *spans = spans_of(lex);
	const char *name = spans_name(spans, span);
	g_autofree char *both = NULL;

	if (!spans_is_ambiguous(spans, span))
		return number_text(lex, p, name);
	both = g_strdup_printf("%s (%s)", name, spans_service(spans, span));
	return number_text(lex, p, both);
}

static bool has_name(const struct lexicon *lex, const struct span *span)
{
	return span && *spans_name(spans_of(lex), span);
}

/* Numbers the name of the span @id; if no file has the span, the id. */
static u32 number_span(struct lexicon *lex, const struct place *p, const u8 *id)
{
	const struct span *span = named_span(spans_of(lex), activity_of(p), id);

	return has_name(lex, span) ? number_name(lex, p, span) : number(lex, p, ID_HEX, id, 8);
}

static u64 key_span(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);

	return activity_has_ids(a) ? number_span(lex, p, a->span_id) : number_other(lex, p);
}

static u32 number_known(struct lexicon *lex, const struct place *p, const struct span *span)
{
	u8 id[8];

	if (has_name(lex, span))
		return number_name(lex, p, span);
	span_bytes(span->id, id);
	return number(lex, p, ID_HEX, id, sizeof(id));
}

u32 id_of_number(struct lexicon *lex, const struct place *p, const u8 *trace, u64 span_id)
{
	u8 pair[24];

	memcpy(pair, trace, 16);
	span_bytes(span_id, pair + 16);
	return number(lex, p, ID_SPAN, pair, sizeof(pair));
}

u32 id_of_span(struct lexicon *lex, const u8 *trace, const struct span *span)
{
	return has_name(lex, span) ? number_name(lex, NULL, span)
				   : id_of_number(lex, NULL, trace, span->id);
}

u32 id_without_span(struct lexicon *lex, const struct place *p)
{
	return number_other(lex, p);
}

/*
 * The sample's own root comes before the file's. Exception: if the sample names its own span as the root, that may be
 * only the outermost span of this thread. Then the file's root is preferred.
 */
static u64 key_root_span(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);
	const struct span *span;

	if (!activity_has_ids(a))
		return number_other(lex, p);
	span = present_span(lex, p);
	if (a->has & ACTIVITY_HAS_ROOT &&
	    (!span || memcmp(a->root_span, a->span_id, sizeof(a->span_id))))
		return number_span(lex, p, a->root_span);
	if (span)
		return number_known(lex, p, spans_root(spans_of(lex), span));
	return number_text(lex, p, UNKNOWN);
}

static u64 key_parent_span(const struct field *field, struct lexicon *lex, const struct place *p)
{
	static const u8 nobody[8];
	const struct activity *a = activity_of(p);
	const struct span *span, *parent;
	u8 id[8];

	if (!activity_has_ids(a))
		return number_other(lex, p);
	if (a->has & ACTIVITY_HAS_PARENT && memcmp(a->parent_id, nobody, sizeof(nobody)))
		return number_span(lex, p, a->parent_id);
	span = present_span(lex, p);
	if (!span)
		return a->has & ACTIVITY_HAS_PARENT ? number_state(lex, p, ACTIVITY_NONE)
						    : number_text(lex, p, UNKNOWN);
	parent = spans_parent(spans_of(lex), span);
	if (parent)
		return number_known(lex, p, parent);
	if (!span->parent)
		return number_state(lex, p, ACTIVITY_NONE);
	span_bytes(span->parent, id);
	return number(lex, p, ID_HEX, id, sizeof(id));
}

static u64 key_service(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);
	const struct span *span;

	if (a->process && a->process->service)
		return number_foreign(lex, p, a->process->service, strlen(a->process->service));
	span = present_span(lex, p);
	if (span && *spans_service(spans_of(lex), span))
		return number_text(lex, p, spans_service(spans_of(lex), span));
	return number_text(lex, p, UNKNOWN);
}

static u64 key_label(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct activity *a = activity_of(p);
	const char *value;
	size_t size;

	if (named_label(spans_of(lex), a, field->data, &value, &size)) {
		g_autofree char *cut = activity_label_is_cut(a, field->data)
					       ? g_strdup_printf("%.*s..", (int)size, value)
					       : NULL;

		return cut ? number_foreign(lex, p, cut, strlen(cut))
			   : number_foreign(lex, p, value, size);
	}
	return number_state(lex, p, a->state == ACTIVITY_OK ? ACTIVITY_NONE : a->state);
}

/* Tells which labels were read only in part. */
static u64 key_cut_labels(const struct field *field, struct lexicon *lex, const struct place *p)
{
	GString *text = g_string_new("");
	u64 key;

	activity_cut_labels(activity_of(p), text);
	key = text->len ? number_foreign(lex, p, text->str, text->len)
			: number_state(lex, p, ACTIVITY_NONE);
	g_string_free(text, TRUE);
	return key;
}

static u64 key_span_status(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct span *span = present_span(lex, p);

	return span ? number_text(lex, p, span_status_name(span->status))
		    : number_text(lex, p, UNKNOWN);
}

static u64 key_span_kind(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct span *span = present_span(lex, p);

	return span ? number_text(lex, p, span_kind_name(span->kind))
		    : number_text(lex, p, UNKNOWN);
}

/* Groups durations by order of magnitude. Single durations would each be a group. */
static u64 key_span_duration(const struct field *field, struct lexicon *lex, const struct place *p)
{
	static const struct {
		u64 below_ns;
		const char *text;
	} steps[] = {
		{ 10000, "below 10 us" },	  { 100000, "10 us to 100 us" },
		{ 1000000, "100 us to 1 ms" },	  { 10000000, "1 ms to 10 ms" },
		{ 100000000, "10 ms to 100 ms" }, { 1000000000, "100 ms to 1 s" },
		{ 10000000000, "1 s to 10 s" },
	};
	const struct span *span = present_span(lex, p);

	if (!span || !(span->start_ns || span->duration_ns))
		return number_text(lex, p, UNKNOWN);
	for (u32 i = 0; i < ARRAY_SIZE(steps); i++)
		if (span->duration_ns < steps[i].below_ns)
			return number_text(lex, p, steps[i].text);
	return number_text(lex, p, "10 s and more");
}

static u64 key_tls_state(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return activity_of(p)->state;
}

static void print_tls_state(const struct field *field, const struct lexicon *lex, u64 key,
			    GString *out)
{
	g_string_append(out, activity_state_name((enum activity_state)key));
}

static u64 key_context(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->context;
}

static void print_context(const struct field *field, const struct lexicon *lex, u64 key,
			  GString *out)
{
	g_string_append(out, key ? cpu_context_name((enum cpu_context)key) : UNKNOWN);
}

int order_ids(const struct lexicon *lex, u64 a, u64 b)
{
	return ids_order(lex->own->ids, (u32)a, (u32)b);
}

void print_id(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	ids_print(lex->own->ids, (u32)key, out);
}

u64 field_id_of_text(struct lexicon *lex, const char *text)
{
	return ids_get(ids_of(lex), ID_TEXT, text, (u32)strlen(text));
}

u32 lexicon_nr_ids(const struct lexicon *lex, bool *beyond)
{
	*beyond = false;
	return lex->own->ids ? ids_nr(lex->own->ids, beyond) : 0;
}

#define ID_FIELD(word, title)                                                                      \
	const struct field field_##word = {                                                        \
		.name = #word,                                                                     \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = NEED_ACTIVITY,                                                            \
		.id = true,                                                                        \
		.key = key_##word,                                                                 \
		.order = order_ids,                                                                \
		.print = print_id,                                                                 \
	}

ID_FIELD(activity, "Activity");
ID_FIELD(trace_id, "Trace Id");
ID_FIELD(span_id, "Span Id");
ID_FIELD(span, "Span");
ID_FIELD(root_span, "Root Span");
ID_FIELD(parent_span, "Parent Span");
ID_FIELD(service, "Service");
ID_FIELD(cut_labels, "Cut Labels");
ID_FIELD(span_status, "Span Status");
ID_FIELD(span_kind, "Span Kind");
ID_FIELD(span_duration, "Span Duration");

const struct field field_tls_state = {
	.name = "tls_state",
	.header = "TLS State",
	.family = FIELD_NORMAL,
	.needs = NEED_ACTIVITY,
	.key = key_tls_state,
	.print = print_tls_state,
};

const struct field field_context = {
	.name = "context",
	.header = "Context",
	.family = FIELD_NORMAL,
	.needs = NEED_CONTEXT,
	.key = key_context,
	.print = print_context,
};

const char *field_label_key(const char *name)
{
	return g_str_has_prefix(name, FIELD_LABEL) && name[strlen(FIELD_LABEL)]
		       ? name + strlen(FIELD_LABEL)
		       : NULL;
}

struct field *field_label_new(const char *name)
{
	struct field *field = g_new0(struct field, 1);

	*field = (struct field){
		.name = g_strdup(name),
		.family = FIELD_NORMAL,
		.needs = NEED_ACTIVITY,
		.id = true,
		.key = key_label,
		.order = order_ids,
		.print = print_id,
	};
	field->header = field->data = field_label_key(field->name);
	return field;
}

void field_label_free(struct field *field)
{
	g_free((char *)field->name);
	g_free(field);
}
