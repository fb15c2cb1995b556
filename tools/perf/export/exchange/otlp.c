// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles of OpenTelemetry's protocol (OTLP), version v1development of release 1.11.0: one ProfilesData message.
 *
 * Samples are written in blocks of BLOCK. In a block, each process and service is a resource with one profile for each event,
 * and samples that are alike are one Sample with several times and values. The dictionary, to which all of them refer, is
 * written behind them. Its entries are kept in a temporary file until then, since its size stands before it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "dso/buildid.h"
#include "dso/dso.h"
#include "export/exchange/tuples.h"
#include "protobuf/message.h"
#include "protobuf/otlp.pb-c.h"

#define BLOCK	    65536u		     /* samples */
#define MOST_LABELS (NR_EXCHANGE_LABELS + 3) /* and thread.id, thread.name, cpu.logical_number */
#define PAGE	    4096u
#define BUFFER	    65536u

enum { FIELD_RESOURCE_PROFILES = 1, FIELD_DICTIONARY = 2 };

/* Fields of the dictionary. */
enum table_field {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK,
	NR_TABLES,
};

/* Own keys, unless OpenTelemetry has a convention. NULL: the fact is elsewhere. */
static const char *const label_keys[NR_EXCHANGE_LABELS] = {
	[LABEL_CONTAINER] = "container.id",   [LABEL_POD] = "perf.pod",
	[LABEL_SPAN_NAME] = "perf.span_name", [LABEL_ACTIVITY] = "perf.activity",
	[LABEL_TYPE] = "perf.type",	      [LABEL_FIELD] = "perf.field",
	[LABEL_STATE] = "perf.state",	      [LABEL_SYSCALL] = "perf.syscall",
	[LABEL_WCHAN] = "perf.wchan",	      [LABEL_LOCK] = "perf.lock",
};

struct hit {
	u32 tuple;
	u64 time, value;
};

struct otlp {
	struct exchange_tuples tuples;
	GArray *hits;		    /* struct hit: a block */
	struct message_out message; /* into the output */
	struct message_out entries; /* of the dictionary, into the temporary file */
	FILE *temporary;
	u64 entries_size;
	s32 nr[NR_TABLES];	/* entries */
	GArray *text_strings;	/* s32 by text */
	GArray *stack_numbers;	/* s32 by node */
	GArray *frame_numbers;	/* s32 by frame: location */
	GArray *link_numbers;	/* s32 by span */
	GHashTable *functions;	/* u64 (file, function) -> number */
	GHashTable *attributes; /* u64 (key, value) -> number */
	GHashTable *numbers;	/* the same for values that are numbers */
	GArray *locations;	/* s32: of one stack */
};

static void put_output(void *arg, const void *bytes, size_t size)
{
	fwrite(bytes, 1, size, arg);
}

static void put_entries(void *arg, const void *bytes, size_t size)
{
	struct otlp *o = arg;

	o->entries_size += fwrite(bytes, 1, size, o->temporary);
}

static s32 put_entry(struct otlp *o, enum table_field table, const ProtobufCMessage *message)
{
	message_put(&o->entries, table, message);
	return o->nr[table]++;
}

static s32 put_string(struct otlp *o, const char *text)
{
	g_autofree char *valid = g_utf8_validate(text, -1, NULL) ? NULL
								 : g_utf8_make_valid(text, -1);

	message_put_bytes(&o->entries, TABLE_STRING, valid ?: text, strlen(valid ?: text));
	return o->nr[TABLE_STRING]++;
}

/* Where the number of @id is kept: 0 as long as it has none. */
static s32 *number_at(GArray *numbers, u32 id)
{
	if (numbers->len <= id)
		g_array_set_size(numbers, id + 1);
	return &g_array_index(numbers, s32, id);
}

static s32 string_of(struct exchange *x, u32 text)
{
	struct otlp *o = x->writer;
	s32 *known = number_at(o->text_strings, text);

	if (text && !*known)
		*known = put_string(o, intern_text(x->tables.texts, text));
	return *known;
}

static void put_zeros(struct otlp *o)
{
	Otlp__Mapping mapping = OTLP__MAPPING__INIT;
	Otlp__Location location = OTLP__LOCATION__INIT;
	Otlp__Function function = OTLP__FUNCTION__INIT;
	Otlp__Link link = OTLP__LINK__INIT;
	Otlp__KeyValueAndUnit attribute = OTLP__KEY_VALUE_AND_UNIT__INIT;
	Otlp__Stack stack = OTLP__STACK__INIT;
	u8 zeros[16] = { 0 };

	link.trace_id = (ProtobufCBinaryData){ 16, zeros };
	link.span_id = (ProtobufCBinaryData){ 8, zeros };
	put_string(o, "");
	put_entry(o, TABLE_MAPPING, &mapping.base);
	put_entry(o, TABLE_LOCATION, &location.base);
	put_entry(o, TABLE_FUNCTION, &function.base);
	put_entry(o, TABLE_LINK, &link.base);
	put_entry(o, TABLE_ATTRIBUTE, &attribute.base);
	put_entry(o, TABLE_STACK, &stack.base);
}

static GHashTable *numbers_new(void)
{
	return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
}

static bool open(struct exchange *x, GError **error)
{
	struct otlp *o = g_new0(struct otlp, 1);

	x->writer = o;
	exchange_tuples_init(&o->tuples);
	o->hits = g_array_new(FALSE, FALSE, sizeof(struct hit));
	message_out_init(&o->message, put_output, x->out);
	message_out_init(&o->entries, put_entries, o);
	o->text_strings = g_array_new(FALSE, TRUE, sizeof(s32));
	o->stack_numbers = g_array_new(FALSE, TRUE, sizeof(s32));
	o->frame_numbers = g_array_new(FALSE, TRUE, sizeof(s32));
	o->link_numbers = g_array_new(FALSE, TRUE, sizeof(s32));
	o->locations = g_array_new(FALSE, FALSE, sizeof(s32));
	o->functions = numbers_new();
	o->attributes = numbers_new();
	o->numbers = numbers_new();
	o->temporary = tmpfile();
	if (!o->temporary)
		return error_set_errno(error, errno, "temporary file");
	put_zeros(o);
	return true;
}

static s32 *number_in(GHashTable *numbers, u64 key)
{
	s32 *known = g_hash_table_lookup(numbers, &key);
	struct {
		u64 key;
		s32 number;
	} * entry;

	if (known)
		return known;
	entry = g_malloc0(sizeof(*entry));
	entry->key = key;
	g_hash_table_insert(numbers, &entry->key, &entry->number);
	return &entry->number;
}

static s32 put_attribute(struct exchange *x, const char *key, Otlp__AnyValue *value)
{
	Otlp__KeyValueAndUnit attribute = OTLP__KEY_VALUE_AND_UNIT__INIT;

	attribute.key_strindex = string_of(x, exchange_text(&x->tables, key));
	attribute.value = value;
	return put_entry(x->writer, TABLE_ATTRIBUTE, &attribute.base);
}

static char *valid_text(const char *text)
{
	return g_utf8_make_valid(text, -1);
}

static s32 text_attribute(struct exchange *x, const char *key, u32 text)
{
	u32 key_text = exchange_text(&x->tables, key);
	s32 *known = number_in(((struct otlp *)x->writer)->attributes, (u64)key_text << 32 | text);
	Otlp__AnyValue value = OTLP__ANY_VALUE__INIT;
	g_autofree char *valid = NULL;

	if (*known)
		return *known;
	valid = valid_text(intern_text(x->tables.texts, text));
	value.value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
	value.string_value = valid;
	return *known = put_attribute(x, key, &value);
}

static s32 number_attribute(struct exchange *x, const char *key, u32 number)
{
	u32 key_text = exchange_text(&x->tables, key);
	s32 *known = number_in(((struct otlp *)x->writer)->numbers, (u64)key_text << 32 | number);
	Otlp__AnyValue value = OTLP__ANY_VALUE__INIT;

	if (*known)
		return *known;
	value.value_case = OTLP__ANY_VALUE__VALUE_INT_VALUE;
	value.int_value = (s32)number;
	return *known = put_attribute(x, key, &value);
}

static s32 link_of(struct otlp *o, const struct exchange_sample *s)
{
	s32 *known = number_at(o->link_numbers, s->span);
	Otlp__Link link = OTLP__LINK__INIT;

	if (!s->span || *known)
		return *known;
	link.trace_id = (ProtobufCBinaryData){ 16, (u8 *)s->ids.trace_id };
	link.span_id = (ProtobufCBinaryData){ 8, (u8 *)s->ids.span_id };
	return *known = put_entry(o, TABLE_LINK, &link.base);
}

static s32 function_of(struct exchange *x, const struct exchange_frame *f)
{
	struct otlp *o = x->writer;
	s32 *known = number_in(o->functions, (u64)f->file << 32 | f->function);
	Otlp__Function function = OTLP__FUNCTION__INIT;

	if (*known)
		return *known;
	function.name_strindex = string_of(x, f->function);
	function.filename_strindex = string_of(x, f->file);
	return *known = put_entry(o, TABLE_FUNCTION, &function.base);
}

/* A line for each inlined call at the address. Without a symbol there is none. */
static s32 location_of(struct exchange *x, u32 frame)
{
	const struct exchange_frame *f = exchange_frame(&x->tables, frame);
	struct otlp *o = x->writer;
	s32 *known = number_at(o->frame_numbers, frame), attribute;
	g_autoptr(GArray) lines = NULL;
	g_autoptr(GPtrArray) pointers = NULL;
	Otlp__Location location = OTLP__LOCATION__INIT;

	if (*known)
		return *known;
	lines = g_array_new(FALSE, FALSE, sizeof(Otlp__Line));
	pointers = g_ptr_array_new();
	location.mapping_index = (s32)f->dso;
	location.address = f->address;
	attribute = text_attribute(x, "profile.frame.type",
				   exchange_text(&x->tables, f->kernel ? "kernel" : "native"));
	location.attribute_indices = &attribute;
	location.n_attribute_indices = 1;
	for (; f; f = f->outer ? exchange_frame(&x->tables, f->outer) : NULL) {
		Otlp__Line line = OTLP__LINE__INIT;

		if (!f->function)
			continue;
		line.function_index = function_of(x, f);
		line.line = f->line;
		g_array_append_val(lines, line);
	}
	for (u32 i = 0; i < lines->len; i++)
		g_ptr_array_add(pointers, &g_array_index(lines, Otlp__Line, i));
	location.lines = (Otlp__Line **)pointers->pdata;
	location.n_lines = pointers->len;
	return *known = put_entry(o, TABLE_LOCATION, &location.base);
}

static s32 stack_of(struct exchange *x, u32 node)
{
	struct otlp *o = x->writer;
	s32 *known = number_at(o->stack_numbers, node);
	Otlp__Stack stack = OTLP__STACK__INIT;

	if (*known)
		return *known;
	g_array_set_size(o->locations, 0);
	for (u32 n = node; n; n = exchange_next_address(&x->tables, n)) {
		s32 location = location_of(x, exchange_node(&x->tables, n)->frame);

		g_array_append_val(o->locations, location);
	}
	stack.location_indices = (s32 *)(void *)o->locations->data;
	stack.n_location_indices = o->locations->len;
	return *known = put_entry(o, TABLE_STACK, &stack.base);
}

static u32 attributes_of(struct exchange *x, const struct exchange_sample *s, s32 *out)
{
	u32 nr = 0;

	out[nr++] = number_attribute(x, "thread.id", exchange_thread(&x->tables, s->thread)->tid);
	out[nr++] = text_attribute(x, "thread.name", s->comm);
	if (s->cpu != (u32)-1)
		out[nr++] = number_attribute(x, "cpu.logical_number", s->cpu);
	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		if (s->labels[i] && label_keys[i])
			out[nr++] = text_attribute(x, label_keys[i], s->labels[i]);
	return nr;
}

/* The samples of a block, tuple after tuple. */
struct otlp_block {
	u32 *starts; /* of each tuple's in times and values; one more at the end */
	u64 *times;
	s64 *values;
	u32 *order; /* tuples, those of a resource and of an event together */
	s32 *attributes;
	Otlp__Sample *samples, **pointers; /* in @order */
};

static int by_resource(const void *a, const void *b, void *arg)
{
	const struct exchange *x = arg;
	const struct exchange_tuples *t = &((struct otlp *)x->writer)->tuples;
	const struct exchange_sample *s[2] = { &exchange_tuple(t, *(const u32 *)a)->sample,
					       &exchange_tuple(t, *(const u32 *)b)->sample };
	u64 keys[2][2];

	for (u32 i = 0; i < 2; i++) {
		const struct exchange_thread *thread = exchange_thread(&x->tables, s[i]->thread);

		keys[i][0] = (u64)thread->host << 32 | thread->pid;
		keys[i][1] = (u64)s[i]->labels[LABEL_SERVICE] << 32 | s[i]->event;
	}
	for (u32 i = 0; i < 2; i++)
		if (keys[0][i] != keys[1][i])
			return keys[0][i] < keys[1][i] ? -1 : 1;
	return *(const u32 *)a < *(const u32 *)b ? -1 : 1;
}

static void sort_hits(struct exchange *x, struct otlp_block *b)
{
	struct otlp *o = x->writer;
	u32 nr = o->tuples.tuples->len;
	g_autofree u32 *next = g_new(u32, nr);

	for (u32 i = 0; i < nr; i++) {
		b->starts[i + 1] = b->starts[i] + (u32)exchange_tuple(&o->tuples, i)->samples;
		next[i] = b->starts[i];
		b->order[i] = i;
	}
	for (u32 i = 0; i < o->hits->len; i++) {
		const struct hit *hit = &g_array_index(o->hits, struct hit, i);
		u32 at = next[hit->tuple]++;

		b->times[at] = hit->time;
		b->values[at] = (s64)hit->value;
	}
	g_qsort_with_data(b->order, (int)nr, sizeof(*b->order), by_resource, x);
}

/* Without times of day, a sample has the sum of its values. */
static void make_sample(struct exchange *x, struct otlp_block *b, u32 i)
{
	struct otlp *o = x->writer;
	u32 tuple = b->order[i];
	const struct exchange_sample *s = &exchange_tuple(&o->tuples, tuple)->sample;
	Otlp__Sample *sample = &b->samples[i];

	*sample = (Otlp__Sample)OTLP__SAMPLE__INIT;
	b->pointers[i] = sample;
	sample->stack_index = stack_of(x, s->stack);
	sample->link_index = link_of(o, s);
	sample->attribute_indices = b->attributes + (size_t)i * MOST_LABELS;
	sample->n_attribute_indices = attributes_of(x, s, sample->attribute_indices);
	sample->values = b->values + b->starts[tuple];
	sample->n_values = b->starts[tuple + 1] - b->starts[tuple];
	if (x->has_wall) {
		sample->timestamps_unix_nano = b->times + b->starts[tuple];
		sample->n_timestamps_unix_nano = sample->n_values;
		return;
	}
	for (u32 j = 1; j < sample->n_values; j++)
		sample->values[0] += sample->values[j];
	sample->n_values = 1;
}

static Otlp__ValueType value_type(struct exchange *x, const struct exchange_event *e)
{
	Otlp__ValueType type = OTLP__VALUE_TYPE__INIT;

	type.type_strindex = string_of(x, exchange_text(&x->tables, e->name));
	type.unit_strindex = string_of(x, exchange_text(&x->tables, e->unit));
	return type;
}

/* Samples @from to @to of @b, which are of one event. */
static Otlp__Profile profile_of(struct exchange *x, const struct otlp_block *b, u32 from, u32 to,
				Otlp__ValueType *type)
{
	struct otlp *o = x->writer;
	const struct exchange_sample *s = &exchange_tuple(&o->tuples, b->order[from])->sample;
	const struct exchange_event *e = exchange_event(x, s->event);
	Otlp__Profile profile = OTLP__PROFILE__INIT;
	u64 first = UINT64_MAX, last = 0;

	*type = value_type(x, e);
	profile.sample_type = type;
	profile.samples = b->pointers + from;
	profile.n_samples = to - from;
	if (e->period) {
		profile.period_type = type;
		profile.period = (s64)e->period;
	}
	for (u32 i = from; x->has_wall && i < to; i++)
		for (u32 at = b->starts[b->order[i]]; at < b->starts[b->order[i] + 1]; at++) {
			u64 length = e->stretch ? (u64)b->values[at] : 0;

			first = MIN(first, b->times[at] - MIN(b->times[at], length));
			last = MAX(last, b->times[at]);
		}
	profile.time_unix_nano = x->has_wall ? first : 0;
	profile.duration_nano = x->has_wall ? last - first : 0;
	return profile;
}

#define MOST_FACTS 3

struct resource {
	Otlp__Resource resource;
	Otlp__KeyValue attributes[MOST_FACTS], *pointers[MOST_FACTS];
	Otlp__AnyValue values[MOST_FACTS];
	char *texts[MOST_FACTS];
};

static void add_fact(struct resource *r, const char *key, const char *text, s64 number)
{
	size_t i = r->resource.n_attributes++;

	r->values[i] = (Otlp__AnyValue)OTLP__ANY_VALUE__INIT;
	r->attributes[i] = (Otlp__KeyValue)OTLP__KEY_VALUE__INIT;
	r->attributes[i].key = (char *)key;
	r->attributes[i].value = &r->values[i];
	r->pointers[i] = &r->attributes[i];
	if (text) {
		r->values[i].value_case = OTLP__ANY_VALUE__VALUE_STRING_VALUE;
		r->values[i].string_value = r->texts[i] = valid_text(text);
	} else {
		r->values[i].value_case = OTLP__ANY_VALUE__VALUE_INT_VALUE;
		r->values[i].int_value = number;
	}
}

static void resource_of(struct exchange *x, const struct exchange_sample *s, struct resource *r)
{
	const struct exchange_thread *thread = exchange_thread(&x->tables, s->thread);
	u32 service = s->labels[LABEL_SERVICE];

	*r = (struct resource){ .resource = OTLP__RESOURCE__INIT };
	add_fact(r, "host.name", intern_text(x->tables.texts, thread->host), 0);
	add_fact(r, "process.pid", NULL, (s32)thread->pid);
	if (service)
		add_fact(r, "service.name", intern_text(x->tables.texts, service), 0);
	r->resource.attributes = r->pointers;
}

/* True if both are of one resource; and of one event, if @event. */
static bool are_together(struct exchange *x, const struct otlp_block *b, u32 i, u32 j, bool event)
{
	struct otlp *o = x->writer;
	const struct exchange_sample *s = &exchange_tuple(&o->tuples, b->order[i])->sample;
	const struct exchange_sample *other = &exchange_tuple(&o->tuples, b->order[j])->sample;
	const struct exchange_thread *thread = exchange_thread(&x->tables, s->thread);
	const struct exchange_thread *other_thread = exchange_thread(&x->tables, other->thread);

	return thread->host == other_thread->host && thread->pid == other_thread->pid &&
	       s->labels[LABEL_SERVICE] == other->labels[LABEL_SERVICE] &&
	       (!event || s->event == other->event);
}

/* Writes the samples from @from on that are of one resource. Returns the first one that is not. */
static u32 put_resource(struct exchange *x, const struct otlp_block *b, u32 from, u32 nr)
{
	u32 nr_events = x->events->len, to = from;
	g_autofree Otlp__Profile *profiles = g_new(Otlp__Profile, nr_events);
	g_autofree Otlp__Profile **pointers = g_new(Otlp__Profile *, nr_events);
	g_autofree Otlp__ValueType *types = g_new(Otlp__ValueType, nr_events);
	Otlp__InstrumentationScope scope = OTLP__INSTRUMENTATION_SCOPE__INIT;
	Otlp__ScopeProfiles of_scope = OTLP__SCOPE_PROFILES__INIT, *scopes = &of_scope;
	Otlp__ResourceProfiles of_resource = OTLP__RESOURCE_PROFILES__INIT;
	struct otlp *o = x->writer;
	struct resource resource;

	resource_of(x, &exchange_tuple(&o->tuples, b->order[from])->sample, &resource);
	scope.name = (char *)"perf";
	scope.version = (char *)version_text;
	of_scope.scope = &scope;
	of_scope.profiles = pointers;
	of_resource.resource = &resource.resource;
	of_resource.scope_profiles = &scopes;
	of_resource.n_scope_profiles = 1;
	while (to < nr && are_together(x, b, from, to, false)) {
		u32 start = to, i = (u32)of_scope.n_profiles++;

		while (to < nr && are_together(x, b, start, to, true))
			to++;
		profiles[i] = profile_of(x, b, start, to, &types[i]);
		pointers[i] = &profiles[i];
	}
	message_put(&o->message, FIELD_RESOURCE_PROFILES, &of_resource.base);
	for (u32 i = 0; i < MOST_FACTS; i++)
		g_free(resource.texts[i]);
	return to;
}

static void put_block(struct exchange *x)
{
	struct otlp *o = x->writer;
	u32 nr = o->tuples.tuples->len, nr_hits = o->hits->len;
	g_autofree u32 *starts = g_new0(u32, nr + 1), *order = g_new(u32, nr);
	g_autofree u64 *times = g_new(u64, nr_hits);
	g_autofree s64 *values = g_new(s64, nr_hits);
	g_autofree s32 *attributes = g_new(s32, (size_t)nr * MOST_LABELS);
	g_autofree Otlp__Sample *samples = g_new(Otlp__Sample, nr);
	g_autofree Otlp__Sample **pointers = g_new(Otlp__Sample *, nr);
	struct otlp_block b = { starts, times, values, order, attributes, samples, pointers };

	sort_hits(x, &b);
	for (u32 i = 0; i < nr; i++)
		make_sample(x, &b, i);
	for (u32 i = 0; i < nr;)
		i = put_resource(x, &b, i, nr);
	exchange_tuples_clear(&o->tuples);
	g_array_set_size(o->hits, 0);
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct otlp *o = x->writer;
	struct hit hit = { exchange_tuples_add(&o->tuples, s), s->time, s->value };

	g_array_append_val(o->hits, hit);
	if (o->hits->len == BLOCK)
		put_block(x);
	return true;
}

static void put_mapping(struct exchange *x, u32 number)
{
	const struct exchange_dso *dso = exchange_dso(&x->tables, number);
	struct build_id id = dso_build_id(dso->dso);
	Otlp__Mapping mapping = OTLP__MAPPING__INIT;
	char hex[BUILD_ID_HEX];
	s32 attribute;

	mapping.memory_start = dso->low & ~(u64)(PAGE - 1);
	mapping.memory_limit = (dso->high | (PAGE - 1)) + 1;
	mapping.file_offset = dso->by_file ? mapping.memory_start : 0;
	mapping.filename_strindex = string_of(x, dso->name);
	if (id.size) {
		build_id_hex(&id, hex);
		attribute = text_attribute(x, "process.executable.build_id.gnu",
					   exchange_text(&x->tables, hex));
		mapping.attribute_indices = &attribute;
		mapping.n_attribute_indices = 1;
	}
	put_entry(x->writer, TABLE_MAPPING, &mapping.base);
}

static bool put_dictionary(struct exchange *x, GError **error)
{
	struct otlp *o = x->writer;
	g_autofree u8 *buffer = g_malloc(BUFFER);
	size_t got;

	message_put_head(&o->message, FIELD_DICTIONARY, o->entries_size);
	rewind(o->temporary);
	while ((got = fread(buffer, 1, BUFFER, o->temporary)))
		fwrite(buffer, 1, got, x->out);
	return !ferror(o->temporary) || error_set_errno(error, errno, "temporary file");
}

static bool close_otlp(struct exchange *x, GError **error)
{
	if (((struct otlp *)x->writer)->hits->len)
		put_block(x);
	for (u32 i = 1; i <= x->tables.dsos->len; i++)
		put_mapping(x, i);
	return put_dictionary(x, error);
}

static void release(struct exchange *x)
{
	struct otlp *o = x->writer;
	GArray *arrays[] = { o->hits,	       o->text_strings, o->stack_numbers,
			     o->frame_numbers, o->link_numbers, o->locations };
	GHashTable *tables[] = { o->functions, o->attributes, o->numbers };

	exchange_tuples_release(&o->tuples);
	message_out_release(&o->message);
	message_out_release(&o->entries);
	for (u32 i = 0; i < ARRAY_SIZE(arrays); i++)
		g_array_unref(arrays[i]);
	for (u32 i = 0; i < ARRAY_SIZE(tables); i++)
		g_hash_table_unref(tables[i]);
	if (o->temporary)
		fclose(o->temporary);
	g_free(o);
}

const struct exchange_format exchange_otlp = {
	.name = "otlp",
	.output = "perf.otlp",
	.without_wall = "samples have no times",
	.open = open,
	.sample = sample,
	.close = close_otlp,
	.release = release,
};
