// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile of pprof, compressed by gzip. Equal samples are added up. What tells samples apart beside the
 * stack are labels, by which `go tool pprof -tagroot=span_name` groups, and which servers of profiles search.
 *
 * A mapping is a file, not a range of one process: addresses are offsets in the file. So samples of several processes with
 * the same code are of one location. In the kernel, and where there is no file, addresses are those in memory.
 */
#include <inttypes.h>
#include <string.h>

#include "base/version.h"
#include "dso/buildid.h"
#include "dso/dso.h"
#include "export/exchange/gzip.h"
#include "export/exchange/tuples.h"
#include "perfdata/info.h"
#include "perfdata/read/reader.h"
#include "protobuf/message.h"
#include "protobuf/pprof.pb-c.h"
#include "session/session.h"

enum { FIELD_SAMPLE = 2, FIELD_MAPPING, FIELD_LOCATION, FIELD_FUNCTION, FIELD_STRING };

#define PAGE	    4096u
#define MOST_LABELS (NR_EXCHANGE_LABELS + 5) /* and thread, pid, tid, trace_id, span_id */

struct pprof {
	struct exchange_tuples tuples;
	struct gzip gzip;
	struct message_out message;
	s64 nr_strings;
	GArray *text_strings;  /* s64 by text: its string + 1; 0: not written yet */
	GHashTable *functions; /* u64 (name, file) -> id */
	GHashTable *
		spans; /* of one block: number -> string of the trace id; that of the span id follows it */
	GArray *hits;	     /* u64 by dso: samples in it */
	GByteArray *located; /* by frame: 1 if it is a location */
	GArray *locations;   /* u64: of one sample */
	s64 keys[NR_EXCHANGE_LABELS], thread, pid, tid, trace_id, span_id; /* strings */
};

static s64 put_string(struct pprof *p, const char *text)
{
	message_put_bytes(&p->message, FIELD_STRING, text, strlen(text));
	return p->nr_strings++;
}

/* Strings are UTF-8. */
static s64 put_checked(struct pprof *p, const char *text)
{
	g_autofree char *valid = g_utf8_validate(text, -1, NULL) ? NULL
								 : g_utf8_make_valid(text, -1);

	return put_string(p, valid ?: text);
}

static s64 string_of(struct exchange *x, u32 text)
{
	struct pprof *p = x->writer;
	s64 *known;

	if (p->text_strings->len <= text)
		g_array_set_size(p->text_strings, text + 1);
	known = &g_array_index(p->text_strings, s64, text);
	if (!text)
		return 0;
	if (!*known)
		*known = put_checked(p, intern_text(x->tables.texts, text)) + 1;
	return *known - 1;
}

static bool open(struct exchange *x, GError **error)
{
	struct pprof *p = g_new0(struct pprof, 1);

	x->writer = p;
	exchange_tuples_init(&p->tuples);
	gzip_init(&p->gzip, x->out);
	message_out_init(&p->message, gzip_put, &p->gzip);
	p->text_strings = g_array_new(FALSE, TRUE, sizeof(s64));
	p->functions = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	p->spans = g_hash_table_new(NULL, NULL);
	p->hits = g_array_new(FALSE, TRUE, sizeof(u64));
	p->located = g_byte_array_new();
	p->locations = g_array_new(FALSE, FALSE, sizeof(u64));
	put_string(p, "");
	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		p->keys[i] = put_string(p, exchange_label_names[i]);
	p->thread = put_string(p, "thread");
	p->pid = put_string(p, "pid");
	p->tid = put_string(p, "tid");
	p->trace_id = put_string(p, "trace_id");
	p->span_id = put_string(p, "span_id");
	return true;
}

static s64 put_hex(struct pprof *p, const u8 *bytes, u32 size)
{
	char hex[33];

	return put_string(p, exchange_hex(bytes, size, hex));
}

/* Of the string of the span's trace id. */
static s64 span_strings(struct pprof *p, const struct exchange_sample *s)
{
	void *number = GUINT_TO_POINTER(s->span);
	s64 at = GPOINTER_TO_SIZE(g_hash_table_lookup(p->spans, number));

	if (at)
		return at;
	at = put_hex(p, s->ids.trace_id, sizeof(s->ids.trace_id));
	put_hex(p, s->ids.span_id, sizeof(s->ids.span_id));
	g_hash_table_insert(p->spans, number, GSIZE_TO_POINTER(at));
	return at;
}

struct labels {
	Pprof__Label labels[MOST_LABELS], *pointers[MOST_LABELS];
	u32 nr;
};

static void add_label(struct labels *l, s64 key, s64 str, s64 num)
{
	Pprof__Label *label = &l->labels[l->nr];

	*label = (Pprof__Label)PPROF__LABEL__INIT;
	label->key = key;
	label->str = str;
	label->num = num;
	l->pointers[l->nr++] = label;
}

static void add_labels(struct exchange *x, const struct exchange_sample *s, struct labels *l)
{
	const struct exchange_thread *thread = exchange_thread(&x->tables, s->thread);
	struct pprof *p = x->writer;

	add_label(l, p->thread, string_of(x, s->comm), 0);
	add_label(l, p->pid, 0, (s32)thread->pid);
	add_label(l, p->tid, 0, (s32)thread->tid);
	if (s->span) {
		s64 at = span_strings(p, s);

		add_label(l, p->trace_id, at, 0);
		add_label(l, p->span_id, at + 1, 0);
	}
	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		if (s->labels[i])
			add_label(l, p->keys[i], string_of(x, s->labels[i]), 0);
}

/* A location has the inlined calls at its address. Its id is the innermost one's. */
static void take_locations(struct exchange *x, u32 node)
{
	const struct exchange_tables *t = &x->tables;
	struct pprof *p = x->writer;

	g_array_set_size(p->locations, 0);
	for (; node; node = exchange_next_address(t, node)) {
		u64 frame = exchange_node(t, node)->frame;

		if (p->located->len < frame) {
			u32 before = p->located->len;

			g_byte_array_set_size(p->located, t->frames->len);
			memset(p->located->data + before, 0, p->located->len - before);
		}
		p->located->data[frame - 1] = 1;
		g_array_append_val(p->locations, frame);
	}
}

/* Each event has two values: its number of samples, and their sum. */
static void put_tuple(struct exchange *x, const struct exchange_tuple *tuple)
{
	Pprof__Sample sample = PPROF__SAMPLE__INIT;
	struct pprof *p = x->writer;
	struct labels labels = { .nr = 0 };
	s64 values[2 * x->events->len];

	memset(values, 0, sizeof(values));
	values[2 * tuple->sample.event] = (s64)tuple->samples;
	values[2 * tuple->sample.event + 1] = (s64)tuple->value;
	add_labels(x, &tuple->sample, &labels);
	take_locations(x, tuple->sample.stack);
	sample.location_id = (u64 *)(void *)p->locations->data;
	sample.n_location_id = p->locations->len;
	sample.value = values;
	sample.n_value = ARRAY_SIZE(values);
	sample.label = labels.pointers;
	sample.n_label = labels.nr;
	message_put(&p->message, FIELD_SAMPLE, &sample.base);
}

static void put_tuples(struct exchange *x)
{
	struct pprof *p = x->writer;

	for (u32 i = 0; i < p->tuples.tuples->len; i++)
		put_tuple(x, exchange_tuple(&p->tuples, i));
	exchange_tuples_clear(&p->tuples);
	g_hash_table_remove_all(p->spans);
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct pprof *p = x->writer;
	struct exchange_sample shown = *s;
	u32 dso = exchange_frame(&x->tables, exchange_node(&x->tables, s->stack)->frame)->dso;

	if (p->hits->len <= dso)
		g_array_set_size(p->hits, dso + 1);
	g_array_index(p->hits, u64, dso)++;
	shown.cpu = (u32)-1; /* no label */
	exchange_tuples_add(&p->tuples, &shown);
	if (exchange_tuples_full(&p->tuples))
		put_tuples(x);
	return true;
}

static u64 function_of(struct exchange *x, const struct exchange_frame *f)
{
	u64 key = (u64)f->file << 32 | f->function;
	struct pprof *p = x->writer;
	Pprof__Function function = PPROF__FUNCTION__INIT;
	u64 id = GPOINTER_TO_SIZE(g_hash_table_lookup(p->functions, &key));

	if (id)
		return id;
	id = g_hash_table_size(p->functions) + 1;
	g_hash_table_insert(p->functions, g_memdup2(&key, sizeof(key)), GSIZE_TO_POINTER(id));
	function.id = id;
	function.name = function.system_name = string_of(x, f->function);
	function.filename = string_of(x, f->file);
	message_put(&p->message, FIELD_FUNCTION, &function.base);
	return id;
}

/* A line for each inlined call at the address. Without a symbol there is none. */
static void put_location(struct exchange *x, u32 frame)
{
	const struct exchange_frame *f = exchange_frame(&x->tables, frame);
	g_autoptr(GArray) lines = g_array_new(FALSE, FALSE, sizeof(Pprof__Line));
	g_autoptr(GPtrArray) pointers = g_ptr_array_new();
	Pprof__Location location = PPROF__LOCATION__INIT;
	struct pprof *p = x->writer;

	location.id = frame;
	location.mapping_id = f->dso;
	location.address = f->address;
	for (; f; f = f->outer ? exchange_frame(&x->tables, f->outer) : NULL) {
		Pprof__Line line = PPROF__LINE__INIT;

		if (!f->function)
			continue;
		line.function_id = function_of(x, f);
		line.line = f->line;
		g_array_append_val(lines, line);
	}
	for (u32 i = 0; i < lines->len; i++)
		g_ptr_array_add(pointers, &g_array_index(lines, Pprof__Line, i));
	location.line = (Pprof__Line **)pointers->pdata;
	location.n_line = pointers->len;
	message_put(&p->message, FIELD_LOCATION, &location.base);
}

/* If any function of the file is known, pprof is not to look for symbols. */
static bool has_functions(const struct exchange_tables *t, u32 dso)
{
	for (u32 i = 1; i <= t->frames->len; i++)
		if (exchange_frame(t, i)->dso == dso && exchange_frame(t, i)->function)
			return true;
	return false;
}

static void put_mapping(struct exchange *x, u32 number)
{
	const struct exchange_dso *dso = exchange_dso(&x->tables, number);
	struct build_id id = dso_build_id(dso->dso);
	Pprof__Mapping mapping = PPROF__MAPPING__INIT;
	struct pprof *p = x->writer;
	char hex[BUILD_ID_HEX];

	mapping.id = number;
	mapping.memory_start = dso->low & ~(u64)(PAGE - 1);
	mapping.memory_limit = (dso->high | (PAGE - 1)) + 1;
	mapping.file_offset = dso->by_file ? mapping.memory_start : 0;
	mapping.filename = string_of(x, dso->name);
	build_id_hex(&id, hex);
	mapping.build_id = *hex ? put_string(p, hex) : 0;
	mapping.has_functions = has_functions(&x->tables, number);
	message_put(&p->message, FIELD_MAPPING, &mapping.base);
}

static s64 put_comment(struct pprof *p, const char *format, ...) G_GNUC_PRINTF(2, 3);
static s64 put_comment(struct pprof *p, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	return put_checked(p, text);
}

static u32 put_comments(struct exchange *x, s64 *comments)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(x->session));
	struct pprof *p = x->writer;
	u32 nr = 0;

	comments[nr++] = put_comment(p, "converted by perf %s", version_text);
	if (perfdata_info_has(info, FEAT_HOSTNAME))
		comments[nr++] = put_comment(p, "host: %s", info->hostname);
	if (perfdata_info_has(info, FEAT_CMDLINE)) {
		g_autofree char *line = g_strjoinv(" ", info->cmdline);

		comments[nr++] = put_comment(p, "recorded by: %s", line);
	}
	if (x->lost)
		comments[nr++] = put_comment(p, "lost samples: %" PRIu64, x->lost);
	return nr;
}

/* "samples" and "cpu-clock" of one event; of several, "cpu-clock_samples", since their numbers do not add up. */
static void set_types(struct exchange *x, Pprof__ValueType *types, Pprof__ValueType **pointers)
{
	struct pprof *p = x->writer;

	for (u32 i = 0; i < x->events->len; i++) {
		const struct exchange_event *event = exchange_event(x, i);
		g_autofree char *samples = x->events->len == 1
						   ? g_strdup("samples")
						   : g_strdup_printf("%s_samples", event->name);

		for (u32 j = 2 * i; j < 2 * i + 2; j++) {
			types[j] = (Pprof__ValueType)PPROF__VALUE_TYPE__INIT;
			types[j].type = put_checked(p, j % 2 ? event->name : samples);
			types[j].unit = put_string(p, j % 2 ? event->unit : "count");
			pointers[j] = &types[j];
		}
	}
}

static void put_profile(struct exchange *x)
{
	u32 nr_types = 2 * x->events->len;
	Pprof__ValueType types[MAX(nr_types, 1)], *pointers[MAX(nr_types, 1)];
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	struct pprof *p = x->writer;
	s64 comments[4];

	set_types(x, types, pointers);
	profile.n_sample_type = nr_types;
	profile.sample_type = pointers;
	profile.comment = comments;
	profile.n_comment = put_comments(x, comments);
	if (x->events->len) {
		profile.default_sample_type = types[1].type;
		profile.period_type = pointers[1];
		profile.period = (s64)exchange_event(x, 0)->period;
	}
	if (x->has_wall && x->first <= x->last)
		profile.time_nanos = (s64)x->first;
	if (x->first <= x->last)
		profile.duration_nanos = (s64)(x->last - x->first);
	message_put_fields(&p->message, &profile.base);
}

/* pprof shows the first mapping as the program. That is the file with most samples that is no library; 0: there is none. */
static u32 find_program(const struct exchange *x)
{
	const struct pprof *p = x->writer;
	u64 most = 0;
	u32 found = 0;

	for (u32 i = 1; i < p->hits->len; i++) {
		const struct exchange_dso *dso = exchange_dso(&x->tables, i);
		u64 hits = g_array_index(p->hits, u64, i);

		if (hits <= most || !dso->by_file ||
		    strstr(intern_text(x->tables.texts, dso->name), ".so"))
			continue;
		most = hits;
		found = i;
	}
	return found;
}

static bool close_pprof(struct exchange *x, GError **error)
{
	struct pprof *p = x->writer;
	u32 program = find_program(x);

	put_tuples(x);
	for (u32 i = 0; i < p->located->len; i++)
		if (p->located->data[i])
			put_location(x, i + 1);
	if (program)
		put_mapping(x, program);
	for (u32 i = 1; i <= x->tables.dsos->len; i++)
		if (i != program)
			put_mapping(x, i);
	put_profile(x);
	gzip_finish(&p->gzip);
	return true;
}

static void release(struct exchange *x)
{
	struct pprof *p = x->writer;

	exchange_tuples_release(&p->tuples);
	gzip_release(&p->gzip);
	message_out_release(&p->message);
	g_array_unref(p->text_strings);
	g_hash_table_unref(p->functions);
	g_hash_table_unref(p->spans);
	g_array_unref(p->hits);
	g_byte_array_unref(p->located);
	g_array_unref(p->locations);
	g_free(p);
}

const struct exchange_format exchange_pprof = {
	.name = "pprof",
	.output = "perf.pprof",
	.without_wall = "the profile does not say when it began",
	.open = open,
	.sample = sample,
	.close = close_pprof,
	.release = release,
};
