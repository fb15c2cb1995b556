// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a profile of pprof twice: first its tables, which may stand behind the samples, then the samples.
 *
 * A sample has a value for each type. A type called "samples", or "X_samples", counts the samples of the type behind it; each
 * other type is an event. So a sample becomes one record, or as many as it counts, with equal periods. A profile
 * without times has its samples in the order of the file.
 */
#include <string.h>

#include "convert/profile_formats.h"
#include "convert/profile_tables.h"
#include "protobuf/fields.h"
#include "protobuf/pprof.pb-c.h"

enum {
	FIELD_SAMPLE_TYPE = 1,
	FIELD_SAMPLE,
	FIELD_MAPPING,
	FIELD_LOCATION,
	FIELD_FUNCTION,
	FIELD_STRING,
};

#define MOST_TYPES   64u
#define MOST_RECORDS (1u << 24) /* that are more than one for a sample; then one stands for all */

struct pprof_import {
	struct imported *im;
	struct profile_texts texts;
	GArray *types;				      /* struct profile_bytes */
	GHashTable *mappings, *locations, *functions; /* u64 id -> struct profile_bytes * */
	GHashTable *frames; /* u64 id of a location -> GArray of u64, made at the first use */
	struct pprof_event {
		u32 value, count; /* positions among the values; count == value: there is none */
	} events[MOST_TYPES];
	u32 nr_events, nr_types;
	GArray *path; /* u64: frames of one sample */
	struct profile_sample sample;
	u64 more; /* records so far that were not the first one of their sample */
};

static bool bad(GError **error, const char *what)
{
	return error_set(error, PERF_ERROR_FORMAT, "it is no profile of pprof: %s", what);
}

static bool add_by_id(GHashTable *table, u64 id, const struct protobuf_field *f, GError **error)
{
	struct {
		u64 id;
		struct profile_bytes bytes;
	} * entry;

	if (g_hash_table_size(table) >= PROFILE_MOST_ENTRIES)
		return bad(error, "too many locations, functions or mappings");
	entry = g_malloc(sizeof(*entry));
	entry->id = id;
	entry->bytes = (struct profile_bytes){ f->bytes, f->size };
	g_hash_table_replace(table, &entry->id, &entry->bytes);
	return true;
}

/* Field 1 of mappings, locations and functions. */
static u64 id_in(const struct protobuf_field *f)
{
	struct cursor c = cursor_of(f->bytes, f->size);
	struct protobuf_field inner;

	while (protobuf_next(&c, &inner))
		if (inner.number == 1 && inner.wire == PROTOBUF_VARINT)
			return inner.value;
	return 0;
}

static bool take_table(struct pprof_import *p, const struct protobuf_field *f, GError **error)
{
	if (f->wire != PROTOBUF_BYTES)
		return true;
	switch (f->number) {
	case FIELD_SAMPLE_TYPE:
		return profile_add_entry(p->types, f->bytes, f->size, error);
	case FIELD_STRING:
		return profile_add_entry(p->texts.table, f->bytes, f->size, error);
	case FIELD_MAPPING:
		return add_by_id(p->mappings, id_in(f), f, error);
	case FIELD_LOCATION:
		return add_by_id(p->locations, id_in(f), f, error);
	case FIELD_FUNCTION:
		return add_by_id(p->functions, id_in(f), f, error);
	default:
		return true;
	}
}

typedef bool take_fn(struct pprof_import *p, const struct protobuf_field *f, GError **error);

static bool each_field(struct pprof_import *p, const void *bytes, size_t size, take_fn *take,
		       GError **error)
{
	struct cursor c = cursor_of(bytes, size);
	struct protobuf_field field;

	while (protobuf_next(&c, &field))
		if (!take(p, &field, error))
			return false;
	return !c.failed || bad(error, "a field is damaged or cut off");
}

static bool is_count(const char *name)
{
	return !strcmp(name, "samples") || g_str_has_suffix(name, "_samples");
}

/* The events, and where their values are. */
static bool find_events(struct pprof_import *p, struct imported_event *out, GError **error)
{
	bool counted = false;

	if (!p->types->len || p->types->len > MOST_TYPES)
		return bad(error,
			   p->types->len ? "too many types of values" : "values have no types");
	p->nr_types = p->types->len;
	for (u32 i = 0; i < p->types->len; i++) {
		const struct profile_bytes *b = profile_entry(p->types, i);
		Pprof__ValueType *type = pprof__value_type__unpack(NULL, b->size, b->data);
		const char *name = type ? profile_text(&p->texts, (u64)type->type) : "";
		const char *unit = type ? profile_text(&p->texts, (u64)type->unit) : "";

		pprof__value_type__free_unpacked(type, NULL);
		if (is_count(name) && i + 1 < p->types->len) {
			counted = true;
			continue;
		}
		out[p->nr_events] =
			(struct imported_event){ .name = g_strdup(*name ? name : "samples"),
						 .is_time = !strcmp(unit, "nanoseconds") };
		p->events[p->nr_events++] = (struct pprof_event){ i, counted ? i - 1 : i };
		counted = false;
	}
	return true;
}

static const char *object_of(struct pprof_import *p, u64 mapping)
{
	const struct profile_bytes *b = g_hash_table_lookup(p->mappings, &mapping);
	Pprof__Mapping *m = b ? pprof__mapping__unpack(NULL, b->size, b->data) : NULL;
	const char *name = m ? profile_text(&p->texts, (u64)m->filename) : "";

	if (m)
		pprof__mapping__free_unpacked(m, NULL);
	return name;
}

static const char *function_name(struct pprof_import *p, u64 id)
{
	const struct profile_bytes *b = g_hash_table_lookup(p->functions, &id);
	Pprof__Function *f = b ? pprof__function__unpack(NULL, b->size, b->data) : NULL;
	const char *name = f ? profile_text(&p->texts, (u64)f->name) : "";

	if (f)
		pprof__function__free_unpacked(f, NULL);
	return name;
}

static bool add_frame(struct pprof_import *p, GArray *frames, const char *object, const char *name,
		      u64 address, GError **error)
{
	u64 frame = imported_frame(p->im, object, name, address, error);

	g_array_append_val(frames, frame);
	return frame;
}

/* The frames of a location, the innermost first: calls that are inlined there, and the function. */
static bool make_frames(struct pprof_import *p, u64 id, GArray *frames, GError **error)
{
	const struct profile_bytes *b = g_hash_table_lookup(p->locations, &id);
	Pprof__Location *location = b ? pprof__location__unpack(NULL, b->size, b->data) : NULL;
	const char *object;
	bool ok = true;

	if (!location)
		return bad(error, "a sample has a location that is not there");
	object = object_of(p, location->mapping_id);
	for (size_t i = 0; ok && i < MIN(location->n_line, IMPORTED_MOST_FRAMES); i++)
		ok = add_frame(p, frames, object, function_name(p, location->line[i]->function_id),
			       location->address, error);
	if (ok && !location->n_line)
		ok = add_frame(p, frames, object, "", location->address, error);
	pprof__location__free_unpacked(location, NULL);
	return ok;
}

static const GArray *frames_of(struct pprof_import *p, u64 id, GError **error)
{
	GArray *frames = g_hash_table_lookup(p->frames, &id);

	if (frames)
		return frames;
	frames = g_array_new(FALSE, FALSE, sizeof(u64));
	g_hash_table_insert(p->frames, g_memdup2(&id, sizeof(id)), frames);
	return make_frames(p, id, frames, error) ? frames : NULL;
}

/* As many records as it counts; the first one has what is left of the division. */
static bool add_records(struct pprof_import *p, u32 event, u64 count, u64 value, GError **error)
{
	struct imported_sample *s = &p->sample.sample;
	u64 records = MAX(count, 1);

	if (records - 1 > MOST_RECORDS - p->more || records > MAX(value, 1))
		records = 1;
	p->more += records - 1;
	s->event = event;
	for (u64 i = 0; i < records; i++) {
		s->period = value / records + (i ? 0 : value % records);
		if (!imported_add(p->im, s, error))
			return false;
	}
	return true;
}

static void take_labels(struct pprof_import *p, const Pprof__Sample *sample)
{
	for (size_t i = 0; i < sample->n_label; i++) {
		const Pprof__Label *label = sample->label[i];
		const char *key = profile_text(&p->texts, (u64)label->key);

		if (label->str)
			profile_sample_label(&p->sample, key,
					     profile_text(&p->texts, (u64)label->str));
		else
			profile_sample_number(&p->sample, key, label->num);
	}
	profile_sample_settle(&p->sample, p->im);
}

static bool add_sample(struct pprof_import *p, const Pprof__Sample *sample, GError **error)
{
	if (sample->n_value != p->nr_types)
		return bad(error, "a sample has not one value for each type");
	g_array_set_size(p->path, 0);
	for (size_t i = 0; i < sample->n_location_id && p->path->len < IMPORTED_MOST_FRAMES; i++) {
		const GArray *frames = frames_of(p, sample->location_id[i], error);

		if (!frames)
			return false;
		g_array_append_vals(p->path, frames->data, frames->len);
	}
	profile_sample_start(&p->sample);
	take_labels(p, sample);
	p->sample.sample.frames = (const u64 *)(const void *)p->path->data;
	p->sample.sample.nr_frames = p->path->len;
	for (u32 i = 0; i < p->nr_events; i++) {
		const struct pprof_event *e = &p->events[i];
		s64 value = sample->value[e->value];
		s64 count = e->count == e->value ? 1 : sample->value[e->count];

		if (value < 0 || count < 0)
			return bad(error, "a value is negative");
		if ((value || (count && e->count != e->value)) &&
		    !add_records(p, i, (u64)count, (u64)value, error))
			return false;
	}
	return true;
}

static bool take_sample(struct pprof_import *p, const struct protobuf_field *f, GError **error)
{
	Pprof__Sample *sample;
	bool ok;

	if (f->number != FIELD_SAMPLE || f->wire != PROTOBUF_BYTES)
		return true;
	sample = pprof__sample__unpack(NULL, f->size, f->bytes);
	ok = sample ? add_sample(p, sample, error) : bad(error, "a sample is damaged");
	if (sample)
		pprof__sample__free_unpacked(sample, NULL);
	return ok;
}

static bool read_all(struct pprof_import *p, const void *bytes, size_t size, int fd, GError **error)
{
	struct imported_event events[MOST_TYPES] = { { 0 } };
	bool ok = each_field(p, bytes, size, take_table, error) && find_events(p, events, error);

	if (ok)
		p->im = imported_new(fd, events, p->nr_events, error);
	for (u32 i = 0; i < p->nr_events; i++)
		g_free(events[i].name);
	return p->im && each_field(p, bytes, size, take_sample, error) &&
	       imported_finish(p->im, NULL, "pprof", false, error);
}

bool profile_import_pprof(const void *bytes, size_t size, int fd, GError **error)
{
	struct pprof_import p = { 0 };
	GHashTable **by_id[] = { &p.mappings, &p.locations, &p.functions };
	bool ok;

	profile_texts_init(&p.texts);
	p.types = g_array_new(FALSE, FALSE, sizeof(struct profile_bytes));
	p.path = g_array_new(FALSE, FALSE, sizeof(u64));
	for (u32 i = 0; i < ARRAY_SIZE(by_id); i++)
		*by_id[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p.frames = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
					 (GDestroyNotify)g_array_unref);
	ok = read_all(&p, bytes, size, fd, error);
	imported_free(p.im);
	for (u32 i = 0; i < ARRAY_SIZE(by_id); i++)
		g_hash_table_unref(*by_id[i]);
	g_hash_table_unref(p.frames);
	profile_sample_release(&p.sample);
	g_array_unref(p.types);
	g_array_unref(p.path);
	profile_texts_release(&p.texts);
	return ok;
}
