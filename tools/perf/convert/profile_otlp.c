// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads profiles of OpenTelemetry (v1development of release 1.11.0). The dictionary may stand behind the samples, so the
 * message is read twice. Attributes of other programs are labels under their own names; perf's own ones lose their prefix.
 */
#include <stdio.h>
#include <string.h>

#include "convert/profile_formats.h"
#include "convert/profile_tables.h"
#include "protobuf/fields.h"
#include "protobuf/otlp.pb-c.h"

enum { FIELD_RESOURCE_PROFILES = 1, FIELD_DICTIONARY = 2 };
enum { FIELD_RESOURCE = 1, FIELD_SCOPE_PROFILES = 2 };
enum { FIELD_PROFILES = 2 };
enum { FIELD_SAMPLE_TYPE = 1, FIELD_SAMPLES = 2 };

/* Tables of the dictionary, by their fields. */
enum otlp_table {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK,
	NR_TABLES,
};

#define MOST_EVENTS 64u
#define OWN_PREFIX  "perf."

struct otlp_import {
	struct imported *im;
	GArray *tables[NR_TABLES]; /* struct profile_bytes */
	struct profile_texts texts;
	struct imported_event events[MOST_EVENTS];
	u32 nr_events;
	GHashTable *stacks; /* number -> GArray of u64 frames, made at the first use */
	struct profile_sample sample;
	/* Of the present resource and profile. */
	u32 event, pid;
	char *service, *host;
	bool has_times;
};

typedef bool otlp_fn(struct otlp_import *o, const struct protobuf_field *f, GError **error);

static bool bad(GError **error, const char *what)
{
	return error_set(error, PERF_ERROR_FORMAT, "these are no OpenTelemetry profiles: %s", what);
}

/* The fields of @m that are messages or texts. */
static bool each_field(struct otlp_import *o, const void *bytes, size_t size, otlp_fn *fn,
		       GError **error)
{
	struct cursor c = cursor_of(bytes, size);
	struct protobuf_field f;

	while (protobuf_next(&c, &f))
		if (f.wire == PROTOBUF_BYTES && !fn(o, &f, error))
			return false;
	return !c.failed || bad(error, "a field is damaged or cut off");
}

static bool take_entry(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number >= NR_TABLES ||
	       profile_add_entry(o->tables[f->number], f->bytes, f->size, error);
}

static bool take_dictionary(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_DICTIONARY || each_field(o, f->bytes, f->size, take_entry, error);
}

static const char *text(struct otlp_import *o, s32 number)
{
	return profile_text(&o->texts, (u32)number);
}

static const struct profile_bytes *entry(struct otlp_import *o, enum otlp_table table, s32 number)
{
	return number < 0 ? NULL : profile_entry(o->tables[table], (u32)number);
}

/* The event that a ValueType names; MOST_EVENTS: there are too many. */
static u32 event_of(struct otlp_import *o, const struct protobuf_field *f)
{
	Otlp__ValueType *type = otlp__value_type__unpack(NULL, f->size, f->bytes);
	const char *name = type ? text(o, type->type_strindex) : "";
	bool is_time = type && !strcmp(text(o, type->unit_strindex), "nanoseconds");
	u32 i;

	otlp__value_type__free_unpacked(type, NULL);
	if (!*name)
		name = "samples";
	for (i = 0; i < o->nr_events; i++)
		if (!strcmp(o->events[i].name, name))
			return i;
	if (i < MOST_EVENTS)
		o->events[o->nr_events++] =
			(struct imported_event){ .name = g_strdup(name), .is_time = is_time };
	return i;
}

/* First pass over the profiles: the events. */

static bool find_event(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_SAMPLE_TYPE || event_of(o, f) < MOST_EVENTS ||
	       bad(error, "too many types of values");
}

static bool find_in_profile(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_PROFILES || each_field(o, f->bytes, f->size, find_event, error);
}

static bool find_in_scope(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_SCOPE_PROFILES ||
	       each_field(o, f->bytes, f->size, find_in_profile, error);
}

static bool find_in_resource(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_RESOURCE_PROFILES ||
	       each_field(o, f->bytes, f->size, find_in_scope, error);
}

/* Second pass: the samples. */

static const char *object_of(struct otlp_import *o, s32 mapping)
{
	const struct profile_bytes *b = entry(o, TABLE_MAPPING, mapping);
	Otlp__Mapping *m = b ? otlp__mapping__unpack(NULL, b->size, b->data) : NULL;
	const char *name = m ? text(o, m->filename_strindex) : "";

	otlp__mapping__free_unpacked(m, NULL);
	return name;
}

static const char *function_name(struct otlp_import *o, s32 number)
{
	const struct profile_bytes *b = entry(o, TABLE_FUNCTION, number);
	Otlp__Function *f = b ? otlp__function__unpack(NULL, b->size, b->data) : NULL;
	const char *name = f ? text(o, f->name_strindex) : "";

	otlp__function__free_unpacked(f, NULL);
	return name;
}

static bool add_frame(struct otlp_import *o, GArray *frames, const char *object, const char *name,
		      u64 address, GError **error)
{
	u64 frame = imported_frame(o->im, object, name, address, error);

	g_array_append_val(frames, frame);
	return frame;
}

static bool add_location(struct otlp_import *o, s32 number, GArray *frames, GError **error)
{
	const struct profile_bytes *b = entry(o, TABLE_LOCATION, number);
	Otlp__Location *l = b ? otlp__location__unpack(NULL, b->size, b->data) : NULL;
	const char *object;
	bool ok = true;

	if (!l)
		return bad(error, "a stack has a location that is not there");
	object = object_of(o, l->mapping_index);
	for (size_t i = 0; ok && i < MIN(l->n_lines, IMPORTED_MOST_FRAMES); i++)
		ok = add_frame(o, frames, object, function_name(o, l->lines[i]->function_index),
			       l->address, error);
	if (ok && !l->n_lines)
		ok = add_frame(o, frames, object, "", l->address, error);
	otlp__location__free_unpacked(l, NULL);
	return ok;
}

static const GArray *frames_of(struct otlp_import *o, s32 number, GError **error)
{
	const struct profile_bytes *b = entry(o, TABLE_STACK, number);
	GArray *frames = g_hash_table_lookup(o->stacks, GINT_TO_POINTER(number));
	Otlp__Stack *stack;
	bool ok = true;

	if (frames)
		return frames;
	stack = b ? otlp__stack__unpack(NULL, b->size, b->data) : NULL;
	if (!stack) {
		bad(error, "a sample has a stack that is not there");
		return NULL;
	}
	frames = g_array_new(FALSE, FALSE, sizeof(u64));
	g_hash_table_insert(o->stacks, GINT_TO_POINTER(number), frames);
	for (size_t i = 0;
	     ok && i < stack->n_location_indices && frames->len < IMPORTED_MOST_FRAMES; i++)
		ok = add_location(o, stack->location_indices[i], frames, error);
	otlp__stack__free_unpacked(stack, NULL);
	return ok ? frames : NULL;
}

static void take_value(struct otlp_import *o, const char *key, const Otlp__AnyValue *value)
{
	g_autofree char *clean = NULL;

	if (value->value_case == OTLP__ANY_VALUE__VALUE_INT_VALUE) {
		profile_sample_number(&o->sample, key, value->int_value);
	} else if (value->value_case == OTLP__ANY_VALUE__VALUE_STRING_VALUE) {
		clean = profile_clean(value->string_value);
		profile_sample_label(&o->sample, key, clean);
	}
}

static void take_attribute(struct otlp_import *o, s32 number)
{
	static const char *const names[][2] = { { "thread.id", "tid" },
						{ "thread.name", "thread" } };
	const struct profile_bytes *b = entry(o, TABLE_ATTRIBUTE, number);
	Otlp__KeyValueAndUnit *a = b ? otlp__key_value_and_unit__unpack(NULL, b->size, b->data)
				     : NULL;
	const char *key = a ? text(o, a->key_strindex) : "";

	if (g_str_has_prefix(key, OWN_PREFIX))
		key += strlen(OWN_PREFIX);
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(key, names[i][0]))
			key = names[i][1];
	if (a && a->value)
		take_value(o, key, a->value);
	otlp__key_value_and_unit__free_unpacked(a, NULL);
}

static void take_hex(struct otlp_import *o, const char *key, const ProtobufCBinaryData *id,
		     size_t size)
{
	char hex[33] = "";
	bool any = false;

	for (size_t i = 0; id->len == size && i < size; i++) {
		snprintf(hex + 2 * i, 3, "%02x", id->data[i]);
		any |= id->data[i];
	}
	if (any)
		profile_sample_label(&o->sample, key, hex);
}

static void take_link(struct otlp_import *o, s32 number)
{
	const struct profile_bytes *b = entry(o, TABLE_LINK, number);
	Otlp__Link *link = b ? otlp__link__unpack(NULL, b->size, b->data) : NULL;

	if (!link)
		return;
	take_hex(o, "trace_id", &link->trace_id, 16);
	take_hex(o, "span_id", &link->span_id, 8);
	otlp__link__free_unpacked(link, NULL);
}

/* A sample without values has the value 1 at each of its times. */
static bool add_records(struct otlp_import *o, const Otlp__Sample *s, GError **error)
{
	size_t nr = MAX(s->n_values, s->n_timestamps_unix_nano);
	struct imported_sample *out = &o->sample.sample;

	if (s->n_values && s->n_timestamps_unix_nano && s->n_values != s->n_timestamps_unix_nano)
		return bad(error, "a sample has not one time for each value");
	for (size_t i = 0; i < nr; i++) {
		if (s->n_values && s->values[i] < 0)
			return bad(error, "a value is negative");
		out->period = s->n_values ? (u64)s->values[i] : 1;
		out->time = s->n_timestamps_unix_nano ? s->timestamps_unix_nano[i] : 0;
		o->has_times |= out->time;
		if (!imported_add(o->im, out, error))
			return false;
	}
	return true;
}

static bool add_sample(struct otlp_import *o, const Otlp__Sample *s, GError **error)
{
	const GArray *frames = frames_of(o, s->stack_index, error);

	if (!frames)
		return false;
	profile_sample_start(&o->sample);
	o->sample.sample.pid = o->pid;
	o->sample.sample.event = o->event;
	o->sample.sample.frames = (const u64 *)(const void *)frames->data;
	o->sample.sample.nr_frames = frames->len;
	for (size_t i = 0; i < s->n_attribute_indices; i++)
		take_attribute(o, s->attribute_indices[i]);
	if (o->service)
		profile_sample_label(&o->sample, "service", o->service);
	take_link(o, s->link_index);
	profile_sample_settle(&o->sample, o->im);
	return add_records(o, s, error);
}

static bool take_sample(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	Otlp__Sample *s;
	bool ok;

	if (f->number != FIELD_SAMPLES)
		return true;
	s = otlp__sample__unpack(NULL, f->size, f->bytes);
	ok = s ? add_sample(o, s, error) : bad(error, "a sample is damaged");
	otlp__sample__free_unpacked(s, NULL);
	return ok;
}

static bool take_type(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	if (f->number == FIELD_SAMPLE_TYPE)
		o->event = event_of(o, f);
	return true;
}

static bool take_profile(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	o->event = 0;
	return f->number != FIELD_PROFILES ||
	       (each_field(o, f->bytes, f->size, take_type, error) &&
		each_field(o, f->bytes, f->size, take_sample, error));
}

static bool take_scope(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	return f->number != FIELD_SCOPE_PROFILES ||
	       each_field(o, f->bytes, f->size, take_profile, error);
}

static void take_fact(struct otlp_import *o, const Otlp__KeyValue *fact)
{
	const struct {
		const char *key;
		char **value;
	} texts[] = { { "service.name", &o->service }, { "host.name", &o->host } };
	const Otlp__AnyValue *value = fact->value;

	if (!value)
		return;
	if (!strcmp(fact->key, "process.pid") &&
	    value->value_case == OTLP__ANY_VALUE__VALUE_INT_VALUE)
		o->pid = (u32)value->int_value;
	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(fact->key, texts[i].key) ||
		    value->value_case != OTLP__ANY_VALUE__VALUE_STRING_VALUE)
			continue;
		g_free(*texts[i].value);
		*texts[i].value = profile_clean(value->string_value);
	}
}

static bool take_facts(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	Otlp__Resource *r;

	if (f->number != FIELD_RESOURCE)
		return true;
	r = otlp__resource__unpack(NULL, f->size, f->bytes);
	for (size_t i = 0; r && i < r->n_attributes; i++)
		take_fact(o, r->attributes[i]);
	otlp__resource__free_unpacked(r, NULL);
	return r || bad(error, "a resource is damaged");
}

static bool take_resource(struct otlp_import *o, const struct protobuf_field *f, GError **error)
{
	if (f->number != FIELD_RESOURCE_PROFILES)
		return true;
	o->pid = 0;
	g_clear_pointer(&o->service, g_free);
	return each_field(o, f->bytes, f->size, take_facts, error) &&
	       each_field(o, f->bytes, f->size, take_scope, error);
}

static bool read_all(struct otlp_import *o, const void *bytes, size_t size, int fd, GError **error)
{
	if (!each_field(o, bytes, size, take_dictionary, error) ||
	    !each_field(o, bytes, size, find_in_resource, error))
		return false;
	if (!o->nr_events)
		o->events[o->nr_events++] = (struct imported_event){ .name = g_strdup("samples") };
	o->im = imported_new(fd, o->events, o->nr_events, error);
	return o->im && each_field(o, bytes, size, take_resource, error) &&
	       imported_finish(o->im, o->host, "otlp", o->has_times, error);
}

bool profile_import_otlp(const void *bytes, size_t size, int fd, GError **error)
{
	struct otlp_import o = { 0 };
	bool ok;

	profile_texts_init(&o.texts);
	for (u32 i = 1; i < NR_TABLES; i++)
		o.tables[i] = i == TABLE_STRING
				      ? o.texts.table
				      : g_array_new(FALSE, FALSE, sizeof(struct profile_bytes));
	o.stacks = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	ok = read_all(&o, bytes, size, fd, error);
	imported_free(o.im);
	for (u32 i = 1; i < NR_TABLES; i++)
		if (i != TABLE_STRING)
			g_array_unref(o.tables[i]);
	for (u32 i = 0; i < o.nr_events; i++)
		g_free(o.events[i].name);
	g_hash_table_unref(o.stacks);
	profile_sample_release(&o.sample);
	profile_texts_release(&o.texts);
	g_free(o.service);
	g_free(o.host);
	return ok;
}
