// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/activity_filter.h"

#include <string.h>

#include "activity/identity.h"
#include "session/named.h"

#define SPAN_ID_DIGITS 16

struct label_filter {
	char *key;
	GPatternSpec *value;
};

struct activity_filter {
	GArray *traces;	  /* u8[SPAN_TRACE_ID_SIZE]; NULL: any */
	GStrv values;	  /* the same words, for activities that are values */
	GArray *span_ids; /* u64 */
	GPtrArray *names; /* GPatternSpec *; with span_ids NULL: any */
	GArray *labels;	  /* struct label_filter; may be NULL */
};

static void parse_traces(struct activity_filter *f, const char *text)
{
	f->traces = g_array_new(FALSE, FALSE, SPAN_TRACE_ID_SIZE);
	f->values = g_strsplit(text, ",", -1);
	for (char **word = f->values; *word; word++) {
		u8 id[SPAN_TRACE_ID_SIZE];

		if (span_id_parse(*word, strlen(*word), id, sizeof(id)))
			g_array_append_vals(f->traces, id, 1);
	}
}

static void parse_span(struct activity_filter *f, const char *text)
{
	u8 id[SPAN_ID_DIGITS / 2];
	u64 number;

	if (strlen(text) == SPAN_ID_DIGITS && span_id_parse(text, SPAN_ID_DIGITS, id, sizeof(id))) {
		number = span_number(id);
		g_array_append_val(f->span_ids, number);
	}
	g_ptr_array_add(f->names, g_pattern_spec_new(text));
}

static bool parse_label(struct activity_filter *f, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');
	struct label_filter label;

	if (!equals || equals == text)
		return error_set(error, PERF_ERROR_USAGE,
				 "--label: '%s' is not KEY=PATTERN, as in http.route=/cart*", text);
	label.key = g_strndup(text, (gsize)(equals - text));
	label.value = g_pattern_spec_new(equals + 1);
	g_array_append_val(f->labels, label);
	return true;
}

static void label_clear(gpointer p)
{
	struct label_filter *label = p;

	g_free(label->key);
	g_pattern_spec_free(label->value);
}

static bool parse(struct activity_filter *f, const struct session_filter *t, GError **error)
{
	if (t->traces)
		parse_traces(f, t->traces);
	if (t->spans && t->spans->len) {
		f->span_ids = g_array_new(FALSE, FALSE, sizeof(u64));
		f->names = g_ptr_array_new_with_free_func((GDestroyNotify)g_pattern_spec_free);
	}
	for (u32 i = 0; t->spans && i < t->spans->len; i++)
		parse_span(f, t->spans->pdata[i]);
	f->labels = g_array_new(FALSE, FALSE, sizeof(struct label_filter));
	g_array_set_clear_func(f->labels, label_clear);
	for (u32 i = 0; t->labels && i < t->labels->len; i++)
		if (!parse_label(f, t->labels->pdata[i], error))
			return false;
	return true;
}

struct activity_filter *activity_filter_new(const struct session_filter *texts, GError **error)
{
	struct activity_filter *f = g_new0(struct activity_filter, 1);

	if (!parse(f, texts, error)) {
		activity_filter_free(f);
		return NULL;
	}
	return f;
}

void activity_filter_free(struct activity_filter *f)
{
	if (!f)
		return;
	g_clear_pointer(&f->traces, g_array_unref);
	g_strfreev(f->values);
	g_clear_pointer(&f->span_ids, g_array_unref);
	g_clear_pointer(&f->names, g_ptr_array_unref);
	g_clear_pointer(&f->labels, g_array_unref);
	g_free(f);
}

/* The value of an activity that has no ids; NULL: there is none. */
static const char *value_of(const struct activity *a, char text[ACTIVITY_TEXT_MAX])
{
	if (!a || !activity_has_value(a))
		return NULL;
	return activity_print(a, text);
}

static bool trace_passes(const struct activity_filter *f, const struct activity *a,
			 const char *value)
{
	if (!activity_has_ids(a))
		return value && g_strv_contains((const char *const *)f->values, value);
	for (u32 i = 0; i < f->traces->len; i++)
		if (!memcmp(f->traces->data + (size_t)i * SPAN_TRACE_ID_SIZE, a->trace_id,
			    SPAN_TRACE_ID_SIZE))
			return true;
	return false;
}

static bool span_passes(const struct activity_filter *f, const struct spans *spans,
			const struct activity *a, const char *value)
{
	const struct span *span = a ? named_span(spans, a, a->span_id) : NULL;
	const char *name = span ? spans_name(spans, span) : value;

	for (u32 i = 0; activity_has_ids(a) && i < f->span_ids->len; i++)
		if (g_array_index(f->span_ids, u64, i) == span_number(a->span_id))
			return true;
	for (u32 i = 0; name && i < f->names->len; i++)
		if (g_pattern_spec_match_string(f->names->pdata[i], name))
			return true;
	return false;
}

static bool label_passes(const struct label_filter *label, const struct spans *spans,
			 const struct activity *a)
{
	g_autofree char *text = NULL;
	const char *value;
	size_t size;

	if (!named_label(spans, a, label->key, &value, &size))
		return false;
	text = g_utf8_make_valid(value, (gssize)size);
	return g_pattern_spec_match_string(label->value, text);
}

bool activity_filter_passes(const struct activity_filter *f, const struct spans *spans,
			    const struct activity *a)
{
	char text[ACTIVITY_TEXT_MAX];
	const char *value = value_of(a, text);

	if (f->traces && !trace_passes(f, a, value))
		return false;
	if (f->names && !span_passes(f, spans, a, value))
		return false;
	for (u32 i = 0; i < f->labels->len; i++)
		if (!label_passes(&g_array_index(f->labels, struct label_filter, i), spans, a))
			return false;
	return true;
}
