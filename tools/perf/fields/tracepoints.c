// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keys of tracepoints: the whole text of a record (trace), and one key for each of its fields. The fields are known
 * only after a file is opened, so a key is made when it is named. A field belongs to one event: its column is shown
 * with that event only, and the key is 0 in samples of other events. Two samples have equal keys if the field's bytes
 * are equal; the text of the first one is shown.
 */
#include "fields/private.h"

#include <stdlib.h>
#include <string.h>

#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "resolve/trace.h"
#include "session/session.h"

/* An event and its file. If several files have an event with this name: the first one. */
struct traced {
	const struct evsel *evsel;
	struct session *file;
};

struct trace_key {
	struct field field;
	struct session *file; /* the file with field.evsel */
	char *name;	      /* the field's name in the record */
	bool raw;
};

/* The bytes of a field in some sample, and their text. */
struct trace_bytes {
	const struct trace_key *of;
	u8 *bytes;
	u32 size;
	u32 id; /* the key, from 1 */
	char *text;
};

struct trace_keys {
	GHashTable
		*formats; /* struct session * -> struct trace_formats *, NULL: none, or malformed */
	GPtrArray *keys;  /* struct trace_key * */
	GPtrArray *values; /* struct trace_bytes *, by id - 1 */
	GHashTable *index; /* struct trace_bytes * -> itself */
};

static guint hash_bytes(gconstpointer p)
{
	const struct trace_bytes *b = p;
	u64 mixed = (u64)(uintptr_t)b->of;

	for (u32 i = 0; i < b->size; i++)
		mixed = table_mix(mixed, b->bytes[i]);
	return table_fold(mixed);
}

static gboolean equal_bytes(gconstpointer x, gconstpointer y)
{
	const struct trace_bytes *a = x, *b = y;

	return a->of == b->of && a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

static void key_free(gpointer p)
{
	struct trace_key *key = p;

	g_free(key->name);
	g_free(key);
}

static void bytes_free(gpointer p)
{
	struct trace_bytes *b = p;

	g_free(b->bytes);
	g_free(b->text);
	g_free(b);
}

static void formats_free(gpointer p)
{
	trace_formats_free(p);
}

static struct trace_keys *keys_of(struct lexicon *lex)
{
	struct trace_keys *keys = lex->own->traces;

	if (keys)
		return keys;
	keys = lex->own->traces = g_new0(struct trace_keys, 1);
	keys->formats = g_hash_table_new_full(NULL, NULL, NULL, formats_free);
	keys->keys = g_ptr_array_new_with_free_func(key_free);
	keys->values = g_ptr_array_new_with_free_func(bytes_free);
	keys->index = g_hash_table_new(hash_bytes, equal_bytes);
	return keys;
}

/* Event numbers and formats are per file. NULL: the file has no formats. */
static struct trace_formats *formats_of(struct trace_keys *keys, struct session *file)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(file));
	gpointer formats = NULL;

	if (g_hash_table_lookup_extended(keys->formats, file, NULL, &formats))
		return formats;
	if (!info->tracing_data)
		return NULL; /* in a pipe they may come later */
	formats = trace_formats_new(info->tracing_data, NULL);
	if (formats)
		trace_formats_resolve(formats, session_resolver(file));
	g_hash_table_insert(keys->formats, file, formats);
	return formats;
}

void trace_keys_free(struct trace_keys *keys)
{
	if (!keys)
		return;
	g_hash_table_destroy(keys->formats);
	g_hash_table_destroy(keys->index);
	g_ptr_array_unref(keys->keys);
	g_ptr_array_unref(keys->values);
	g_free(keys);
}

/* "name=value name=value ...": all fields, without the event's own format string. */
static void print_bare(struct trace_formats *formats, const struct place *p, GString *out)
{
	g_auto(GStrv) names = trace_field_names(formats, p->evsel);

	for (char **name = names; names && *name; name++) {
		g_string_append_printf(out, " %s=", *name);
		trace_field_print(formats, p->evsel, p->sample, *name, true, out);
	}
}

static u64 key_trace(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct trace_formats *formats = formats_of(keys_of(lex), p->session);
	g_autoptr(GString) text = g_string_new(NULL);

	if (lex->raw_trace)
		print_bare(formats, p, text);
	else
		trace_print(formats, p->evsel, p->sample, text);
	return intern_id(lex->texts, text->len ? text->str : "N/A");
}

const struct field field_trace = {
	.name = "trace",
	.header = "Trace output",
	.family = FIELD_NORMAL,
	.needs = NEED_TRACE,
	.loose = true,
	.key = key_trace,
	.order = order_texts,
	.print = print_text,
};

static char *text_of(struct trace_keys *keys, const struct trace_key *key, const struct place *p)
{
	GString *text = g_string_new(NULL);

	trace_field_print(formats_of(keys, p->session), p->evsel, p->sample, key->name, key->raw,
			  text);
	return g_string_free(text, FALSE);
}

/* In another file, the event with the same name is meant. */
static bool is_of(const struct trace_key *key, const struct place *p)
{
	return p->evsel == key->field.evsel ||
	       (p->session != key->file && !strcmp(p->evsel->name, key->field.evsel->name));
}

static u64 key_field(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct trace_keys *keys = keys_of(lex);
	const struct trace_key *key = container_of(field, struct trace_key, field);
	struct trace_bytes look = { .of = key }, *found;
	const void *bytes;

	if (!is_of(key, p) || !trace_field_bytes(formats_of(keys, p->session), p->evsel, p->sample,
						 key->name, &bytes, &look.size))
		return 0;
	look.bytes = (u8 *)bytes;
	found = g_hash_table_lookup(keys->index, &look);
	if (found)
		return found->id;
	found = g_new(struct trace_bytes, 1);
	*found = look;
	found->bytes = g_memdup2(bytes, look.size);
	found->text = text_of(keys, key, p);
	g_ptr_array_add(keys->values, found);
	found->id = keys->values->len;
	g_hash_table_add(keys->index, found);
	return found->id;
}

static const struct trace_bytes *value_at(const struct lexicon *lex, u64 key)
{
	return key ? g_ptr_array_index(lex->own->traces->values, key - 1) : NULL;
}

/* As upstream: compares the fields' bytes in record order, in descending order. */
static int order_fields(const struct lexicon *lex, u64 a, u64 b)
{
	const struct trace_bytes *x = value_at(lex, a), *y = value_at(lex, b);
	int result;

	if (!x || !y)
		return x ? -1 : y ? 1 : 0;
	result = memcmp(y->bytes, x->bytes, MIN(x->size, y->size));
	return result ? result : (int)y->size - (int)x->size;
}

static void print_field(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	if (key)
		g_string_append(out, value_at(lex, key)->text);
}

/* The key for field @name of @event. The same arguments return the same key. */
static const struct field *make(struct trace_keys *keys, const struct traced *event,
				const char *name, bool raw, u32 width)
{
	struct trace_key *key;

	for (u32 i = 0; i < keys->keys->len; i++) {
		key = g_ptr_array_index(keys->keys, i);
		if (key->field.evsel == event->evsel && key->raw == raw && !strcmp(key->name, name))
			return &key->field;
	}
	key = g_new0(struct trace_key, 1);
	key->name = g_strdup(name);
	key->raw = raw;
	key->file = event->file;
	key->field = (struct field){
		.name = key->name,
		.header = key->name,
		.family = FIELD_NORMAL,
		.needs = NEED_TRACE,
		.evsel = event->evsel,
		.width = (u8)MIN(width, UINT8_MAX),
		.right = true,
		.key = key_field,
		.order = order_fields,
		.print = print_field,
	};
	g_ptr_array_add(keys->keys, key);
	return &key->field;
}

static void add_named(struct trace_keys *keys, const struct traced *event, const char *name,
		      bool raw, GPtrArray *out)
{
	u32 width;

	if (trace_has_field(formats_of(keys, event->file), event->evsel, name, &width))
		g_ptr_array_add(out, (void *)make(keys, event, name, raw, width));
}

static void add_all(struct trace_keys *keys, const struct traced *event, bool raw, GPtrArray *out)
{
	g_auto(GStrv) names = trace_field_names(formats_of(keys, event->file), event->evsel);

	for (char **name = names; names && *name; name++)
		add_named(keys, event, *name, raw, out);
}

static bool is_known(const GArray *events, const struct evsel *evsel)
{
	for (u32 i = 0; i < events->len; i++)
		if (!strcmp(g_array_index(events, struct traced, i).evsel->name, evsel->name))
			return true;
	return false;
}

/* All events of the first file, and the events that only other files have. */
static GArray *all_events(struct session *session)
{
	GArray *events = g_array_new(FALSE, FALSE, sizeof(struct traced));

	for (u32 i = 0; i < session_nr_files(session); i++) {
		struct session *file = session_file(session, i);
		const GPtrArray *evsels = perfdata_evsels(session_perfdata(file));

		for (u32 k = 0; k < evsels->len; k++) {
			struct traced event = { g_ptr_array_index(evsels, k), file };

			if (!i || !is_known(events, event.evsel))
				g_array_append_val(events, event);
		}
	}
	return events;
}

/*
 * Finds an event by @name: "%2" is the second one, "sched:sched_switch" is a full name; any other text is a part of a
 * name and must match one event only. NULL: no event matches, or several do.
 */
static const struct traced *find_event(const GArray *events, const char *name)
{
	const struct traced *found = NULL;
	bool whole = strchr(name, ':');
	char *end;

	if (*name == '%') {
		u64 nr = g_ascii_strtoull(name + 1, &end, 10);

		return !*end && nr && nr <= events->len
			       ? &g_array_index(events, struct traced, nr - 1)
			       : NULL;
	}
	for (u32 i = 0; i < events->len; i++) {
		const struct traced *event = &g_array_index(events, struct traced, i);

		if (whole && !strcmp(event->evsel->name, name))
			return event;
		if (whole || !strstr(event->evsel->name, name))
			continue;
		if (found)
			return NULL;
		found = event;
	}
	return found;
}

void fields_of_traces(struct lexicon *lex, const char *text, GPtrArray *out)
{
	g_autoptr(GArray) events = all_events(lex->session);
	struct trace_keys *keys = keys_of(lex);
	g_autofree char *copy = g_strdup(text);
	char *option = strchr(copy, '/'), *name = strchr(copy, '.');
	bool raw = lex->raw_trace || option;

	if (option) {
		*option++ = '\0';
		if (strcmp(option, "raw") != 0)
			return;
	}
	if (name) {
		const struct traced *event;

		*name++ = '\0';
		event = find_event(events, copy);
		if (event && !strcmp(name, "*"))
			add_all(keys, event, raw, out);
		else if (event)
			add_named(keys, event, name, raw, out);
		return;
	}
	for (u32 i = 0; i < events->len; i++) {
		const struct traced *event = &g_array_index(events, struct traced, i);

		if (!strcmp(copy, "trace_fields"))
			add_all(keys, event, raw, out);
		else
			add_named(keys, event, copy, raw, out);
	}
}
