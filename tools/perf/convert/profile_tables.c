// SPDX-License-Identifier: GPL-2.0-or-later
#include "convert/profile_tables.h"

#include <string.h>

#include "base/text.h"

#define MOST_TEXT 4096u /* bytes; longer ones are cut */

bool profile_add_entry(GArray *table, const void *data, size_t size, GError **error)
{
	struct profile_bytes bytes = { data, size };

	if (table->len >= PROFILE_MOST_ENTRIES)
		return error_set(error, PERF_ERROR_FORMAT, "a table has more than %u elements",
				 PROFILE_MOST_ENTRIES);
	g_array_append_val(table, bytes);
	return true;
}

void profile_texts_init(struct profile_texts *t)
{
	t->table = g_array_new(FALSE, FALSE, sizeof(struct profile_bytes));
	t->made = g_ptr_array_new_with_free_func(g_free);
}

void profile_texts_release(struct profile_texts *t)
{
	g_array_unref(t->table);
	g_ptr_array_unref(t->made);
}

char *profile_clean(const char *text)
{
	return text_clean(text, strlen(text), MOST_TEXT);
}

const char *profile_text(struct profile_texts *t, u64 i)
{
	const struct profile_bytes *bytes = profile_entry(t->table, i);

	if (!bytes)
		return "";
	if (t->made->len < t->table->len)
		g_ptr_array_set_size(t->made, (int)t->table->len);
	if (!t->made->pdata[i])
		t->made->pdata[i] = text_clean((const char *)bytes->data, bytes->size, MOST_TEXT);
	return t->made->pdata[i];
}

void profile_sample_start(struct profile_sample *s)
{
	if (!s->labels)
		s->labels = g_byte_array_new();
	g_byte_array_set_size(s->labels, 0);
	g_clear_pointer(&s->trace_id, g_free);
	g_clear_pointer(&s->span_id, g_free);
	g_clear_pointer(&s->span_name, g_free);
	g_clear_pointer(&s->service, g_free);
	g_clear_pointer(&s->comm, g_free);
	s->sample = (struct imported_sample){ .comm = "", .labels = s->labels };
}

void profile_sample_label(struct profile_sample *s, const char *key, const char *value)
{
	const struct {
		const char *key;
		char **value;
	} known[] = { { "trace_id", &s->trace_id },
		      { "span_id", &s->span_id },
		      { "span_name", &s->span_name },
		      { "service", &s->service } };

	if (!strcmp(key, "thread")) {
		g_free(s->comm);
		s->sample.comm = s->comm = g_strdup(value);
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(known); i++) {
		if (strcmp(key, known[i].key))
			continue;
		g_free(*known[i].value);
		*known[i].value = g_strdup(value);
	}
	imported_label(s->labels, key, value);
}

void profile_sample_number(struct profile_sample *s, const char *key, s64 value)
{
	g_autofree char *text = NULL;

	if (!strcmp(key, "pid")) {
		s->sample.pid = (u32)value;
		return;
	}
	if (!strcmp(key, "tid")) {
		s->sample.tid = (u32)value;
		return;
	}
	if (!strcmp(key, "cpu.logical_number"))
		return;
	text = g_strdup_printf("%" G_GINT64_FORMAT, (gint64)value);
	imported_label(s->labels, key, text);
}

void profile_sample_settle(struct profile_sample *s, struct imported *im)
{
	if (!s->sample.tid)
		s->sample.tid = s->sample.pid;
	if (s->trace_id && s->span_id && s->span_name)
		imported_span(im, s->trace_id, s->span_id, s->span_name, s->service ?: "");
}

void profile_sample_release(struct profile_sample *s)
{
	if (!s->labels)
		return;
	profile_sample_start(s);
	g_byte_array_unref(s->labels);
}
