// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of samples, and of what they share, for engines that read columns: Parquet files, and ClickHouse's Native blocks.
 * Samples are written as they come; stacks, locations, spans, hosts and the push itself at the end.
 *
 * A push is one recording of one host that was converted. Its number is a hash of facts that a repeat has as well. So a
 * reader can tell what it has already.
 */
#include <string.h>

#include "activity/identity.h"
#include "base/clock.h"
#include "base/version.h"
#include "clickhouse/native.h"
#include "export/exchange/content_id.h"
#include "export/exchange/exchange.h"
#include "export/exchange/format.h"
#include "export/exchange/row_blocks.h"
#include "export/exchange/row_files.h"
#include "export/exchange/row_places.h"
#include "export/exchange/row_types.h"
#include "parquet/parquet.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "session/session.h"
#include "spans/spans.h"

/* Sums of one file. */
struct push {
	u64 id; /* 0: not known yet */
	u64 first, last, rows;
};

struct event_sums {
	u64 rows, weight;
};

struct columnar {
	struct row_files *files;
	struct row_places places;
	struct row_types types;
	GArray *pushes; /* struct push by the file's number */
	GArray *names;	/* u32 text of each event */
	GArray *events; /* struct event_sums by the file's number * number of events + event */
	u64 day;	/* of the last sample, since 1970 */
};

static void parquet_put(void *writer, struct rowset *rows)
{
	parquet_write(writer, rows);
}

static void *parquet_open(FILE *out, struct crew *crew, const struct row_table_spec *table,
			  void *arg)
{
	struct parquet *p = parquet_new(out, crew, table->columns, table->nr_columns);

	parquet_note(p, "perf.schema", ROW_TABLES_SCHEMA);
	parquet_note(p, "perf.table", table->name);
	return p;
}

static void parquet_end(void *writer)
{
	parquet_finish(writer);
}

static void parquet_release(void *writer)
{
	parquet_free(writer);
}

static const struct row_writer parquet_writer = { ".parquet", parquet_open, parquet_put,
						  parquet_end, parquet_release };

/* Native has no state between blocks: the stream is all. */
static void *native_open(FILE *out, struct crew *crew, const struct row_table_spec *table,
			 void *arg)
{
	return out;
}

static void native_put(void *writer, struct rowset *rows)
{
	native_write(writer, rows);
}

static void native_nothing(void *writer)
{
}

static const struct row_writer native_writer = { ".native", native_open, native_put, native_nothing,
						 native_nothing };

static enum row_table table_named(const char *name)
{
	u32 i = 0;

	while (i < NR_ROW_TABLES && name && strcmp(row_tables[i].name, name))
		i++;
	return name ? i : NR_ROW_TABLES;
}

static bool open_columnar(struct exchange *x, const struct row_writer *writer, GError **error)
{
	struct columnar *c = x->writer = g_new0(struct columnar, 1);
	u32 nr = session_nr_files(x->session);

	row_places_init(&c->places, &x->tables);
	row_types_init(&c->types);
	c->pushes = g_array_new(FALSE, TRUE, sizeof(struct push));
	c->names = g_array_new(FALSE, FALSE, sizeof(u32));
	for (u32 i = 0; i < x->events->len; i++)
		g_array_append_vals(c->names,
				    &(u32){ exchange_text(&x->tables, exchange_event(x, i)->name) },
				    1);
	c->events = g_array_new(FALSE, TRUE, sizeof(struct event_sums));
	g_array_set_size(c->pushes, nr);
	g_array_set_size(c->events, nr * x->events->len);
	c->files = row_files_new(&(struct row_output){ .writer = writer,
						       .arg = x->push,
						       .only = table_named(x->table),
						       .out = x->out,
						       .folder = x->output },
				 x->tables.texts, error);
	return c->files;
}

static bool open_parquet(struct exchange *x, GError **error)
{
	return open_columnar(x, &parquet_writer, error);
}

static bool open_native(struct exchange *x, GError **error)
{
	return open_columnar(x, &native_writer, error);
}

static bool open_blocks(struct exchange *x, GError **error)
{
	row_blocks_begin(x->push, x->tables.texts);
	return open_columnar(x, &row_blocks_writer, error);
}

/* @first: the time of the first sample; 0: there is none. */
static u64 push_id(const struct exchange *x, struct session *file, u64 first, u32 tid)
{
	struct perfdata *pd = session_perfdata(file);
	const struct perfdata_info *info = perfdata_info(pd);
	const GPtrArray *evsels = perfdata_evsels(pd);
	struct content_id id;

	if (x->push)
		return x->push->id;
	content_id_begin(&id, "perf push 1");
	content_id_text(&id, session_host(file));
	content_id_number(&id, first);
	content_id_number(&id, tid);
	content_id_number(&id, info->first_sample_time);
	content_id_number(&id, info->last_sample_time);
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		content_id_text(&id, evsel->name);
		content_id_number(&id, evsel->attr.sample_period);
	}
	return content_id_end(&id);
}

static struct push *count(struct exchange *x, const struct exchange_sample *s, u32 file, u32 tid)
{
	struct columnar *c = x->writer;
	struct push *push = &g_array_index(c->pushes, struct push, file);
	struct event_sums *sums =
		&g_array_index(c->events, struct event_sums, file * x->events->len + s->event);

	if (!push->id) {
		push->id = push_id(x, session_file(x->session, file), s->time, tid);
		push->first = s->time;
	}
	push->first = MIN(push->first, s->time);
	push->last = MAX(push->last, s->time);
	push->rows++;
	sums->rows++;
	sums->weight += s->value;
	return push;
}

static void set_labels(struct rowset *b, const struct exchange_sample *s)
{
	static const u8 columns[NR_EXCHANGE_LABELS] = {
		[LABEL_SPAN_NAME] = SAMPLES_OPERATION, [LABEL_SERVICE] = SAMPLES_SERVICE,
		[LABEL_CONTAINER] = SAMPLES_CONTAINER, [LABEL_POD] = SAMPLES_POD,
		[LABEL_ACTIVITY] = SAMPLES_ACTIVITY,   [LABEL_TYPE] = SAMPLES_TYPE,
		[LABEL_FIELD] = SAMPLES_FIELD,	       [LABEL_STATE] = SAMPLES_STATE,
		[LABEL_SYSCALL] = SAMPLES_SYSCALL,     [LABEL_WCHAN] = SAMPLES_WCHAN,
		[LABEL_LOCK] = SAMPLES_LOCK,
	};

	for (u32 i = 0; i < NR_EXCHANGE_LABELS; i++)
		rowset_set(b, columns[i], s->labels[i]);
}

static void set_stack(struct exchange *x, struct rowset *b, const struct exchange_sample *s)
{
	struct columnar *c = x->writer;
	const struct row_stack *stack = row_places_stack(&c->places, s->stack);

	rowset_set(b, SAMPLES_DSO, stack->dso);
	rowset_set(b, SAMPLES_BUILD_ID, stack->build_id);
	rowset_set(b, SAMPLES_SYMBOL, stack->symbol);
	rowset_set(b, SAMPLES_LEAF_ID, stack->leaf_id);
	rowset_set(b, SAMPLES_STACK_ID, stack->stack_id);
}

/* The file whose code the sample hit. */
static u32 leaf_dso(const struct exchange_tables *t, const struct exchange_sample *s)
{
	return exchange_frame(t, exchange_node(t, s->stack)->frame)->dso;
}

static void write_type(struct exchange *x, const struct exchange_sample *s)
{
	struct columnar *c = x->writer;
	u32 dso = leaf_dso(&x->tables, s);

	if (s->labels[LABEL_TYPE] && row_files_rows(c->files, TABLE_TYPES))
		row_types_write(&c->types, &x->tables, c->files, s, dso,
				row_places_build_id(&c->places, dso));
}

/* A block of a push is of one day, which is a partition of the server's table: so it arrives whole, or not at all. */
static void begin_day(struct exchange *x, u64 time)
{
	struct columnar *c = x->writer;
	u64 day = time / (86400 * NS_PER_S);

	if (x->push && day != c->day)
		row_files_flush(c->files, TABLE_SAMPLES);
	c->day = day;
}

static void write_sample(struct exchange *x, const struct exchange_sample *s,
			 const struct exchange_thread *thread, u64 push)
{
	struct columnar *c = x->writer;
	struct rowset *b;

	begin_day(x, s->time);
	b = row_files_rows(c->files, TABLE_SAMPLES);
	rowset_set(b, SAMPLES_TIME, s->time);
	rowset_set(b, SAMPLES_HOST, thread->host);
	rowset_set(b, SAMPLES_EVENT, g_array_index(c->names, u32, s->event));
	rowset_set(b, SAMPLES_COMM, s->comm);
	rowset_set(b, SAMPLES_PID, thread->pid);
	rowset_set(b, SAMPLES_TID, thread->tid);
	rowset_set(b, SAMPLES_CPU, s->cpu);
	rowset_set(b, SAMPLES_WEIGHT, s->value);
	set_labels(b, s);
	rowset_set(b, SAMPLES_FIELD, row_types_field(&c->types, &x->tables, s));
	memcpy(rowset_id(b, SAMPLES_TRACE_ID), s->ids.trace_id, 16);
	rowset_set(b, SAMPLES_SPAN_ID, span_number(s->ids.span_id));
	set_stack(x, b, s);
	rowset_set(b, SAMPLES_PUSH_ID, push);
	row_files_end_row(c->files, TABLE_SAMPLES);
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct columnar *c = x->writer;
	const struct exchange_thread thread = *exchange_thread(&x->tables, s->thread);
	const struct push *push = count(x, s, thread.file, thread.tid);

	row_places_stack(&c->places, s->stack);
	write_type(x, s);
	if (row_files_rows(c->files, TABLE_SAMPLES))
		write_sample(x, s, &thread, push->id);
	return true;
}

static void write_spans(struct exchange *x)
{
	struct columnar *c = x->writer;
	struct rowset *b = row_files_rows(c->files, TABLE_SPANS);
	const struct spans *spans = session_spans(x->session);

	for (u32 i = 0; b && spans && i < spans_nr(spans); i++) {
		const struct span *s = spans_at(spans, i);

		memcpy(rowset_id(b, SPANS_TRACE_ID), spans_trace_id(spans, s), SPAN_TRACE_ID_SIZE);
		rowset_set(b, SPANS_SPAN_ID, s->id);
		rowset_set(b, SPANS_PARENT_ID, s->parent);
		rowset_set(b, SPANS_SERVICE, exchange_text(&x->tables, spans_service(spans, s)));
		rowset_set(b, SPANS_OPERATION, exchange_text(&x->tables, spans_name(spans, s)));
		rowset_set(b, SPANS_START, s->start_ns);
		rowset_set(b, SPANS_DURATION, s->duration_ns);
		rowset_set(b, SPANS_STATUS, exchange_text(&x->tables, span_status_name(s->status)));
		rowset_set(b, SPANS_KIND, exchange_text(&x->tables, span_kind_name(s->kind)));
		row_files_end_row(c->files, TABLE_SPANS);
	}
}

static void write_push(struct exchange *x, struct session *file, const struct push *push)
{
	struct columnar *c = x->writer;
	struct rowset *b = row_files_rows(c->files, TABLE_PUSHES);

	rowset_set(b, PUSHES_ID, push->id);
	rowset_set(b, PUSHES_HOST, exchange_text(&x->tables, session_host(file)));
	rowset_set(b, PUSHES_FIRST, push->first);
	rowset_set(b, PUSHES_LAST, push->last);
	rowset_set(b, PUSHES_ROWS, push->rows);
	rowset_set(b, PUSHES_LOST, session_counts(file)->lost_samples);
	rowset_set(b, PUSHES_LOST_RECORDS, session_counts(file)->lost_events);
	rowset_set(b, PUSHES_CLOCK,
		   exchange_text(&x->tables, x->has_wall ? "realtime" : "recording"));
	rowset_set(b, PUSHES_SCHEMA, exchange_text(&x->tables, ROW_TABLES_SCHEMA));
	rowset_set(b, PUSHES_VERSION, exchange_text(&x->tables, version_text));
	if (x->push) {
		x->push->first = push->first;
		x->push->last = push->last;
		rowset_set(b, PUSHES_CLOCK_OFFSET, (u32)x->push->clock_offset_ms);
		rowset_set(b, PUSHES_DROPPED_FILES, x->push->dropped_files);
		rowset_set(b, PUSHES_DROPPED_BYTES, x->push->dropped_bytes);
	}
	row_files_end_row(c->files, TABLE_PUSHES);
}

/* What the recording asked of the kernel: a frequency, or a period for all samples. */
static u64 frequency_of(struct session *file, const char *event)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(file));

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = evsels->pdata[i];

		if (!strcmp(evsel->name, event))
			return evsel->attr.freq ? evsel->attr.sample_freq : 0;
	}
	return 0;
}

static void write_events(struct exchange *x, u32 file, u64 push)
{
	struct columnar *c = x->writer;
	struct rowset *b = row_files_rows(c->files, TABLE_EVENTS);

	for (u32 i = 0; b && i < x->events->len; i++) {
		const struct exchange_event *event = exchange_event(x, i);
		const struct event_sums *sums =
			&g_array_index(c->events, struct event_sums, file * x->events->len + i);

		rowset_set(b, EVENTS_PUSH_ID, push);
		rowset_set(b, EVENTS_EVENT, g_array_index(c->names, u32, i));
		rowset_set(b, EVENTS_UNIT, exchange_text(&x->tables, event->unit));
		rowset_set(b, EVENTS_ROWS, sums->rows);
		rowset_set(b, EVENTS_WEIGHT, sums->weight);
		rowset_set(b, EVENTS_PERIOD, event->period);
		rowset_set(b, EVENTS_FREQUENCY,
			   frequency_of(session_file(x->session, file), event->name));
		row_files_end_row(c->files, TABLE_EVENTS);
	}
}

static void write_host(struct exchange *x, struct session *file)
{
	struct columnar *c = x->writer;
	struct rowset *b = row_files_rows(c->files, TABLE_HOSTS);
	const struct perfdata_info *info = perfdata_info(session_perfdata(file));

	rowset_set(b, HOSTS_HOST, exchange_text(&x->tables, session_host(file)));
	rowset_set(b, HOSTS_ARCH, exchange_text(&x->tables, info->arch));
	rowset_set(b, HOSTS_KERNEL, exchange_text(&x->tables, info->osrelease));
	rowset_set(b, HOSTS_CPU_MODEL, exchange_text(&x->tables, info->cpudesc));
	rowset_set(b, HOSTS_CPUS, info->nrcpus_online);
	rowset_set(b, HOSTS_MEMORY, info->total_mem_kb << 10);
	row_files_end_row(c->files, TABLE_HOSTS);
}

/* A recording without samples is a push, too: it tells that there were none. */
static void write_files(struct exchange *x)
{
	struct columnar *c = x->writer;

	for (u32 i = 0; i < c->pushes->len; i++) {
		struct session *file = session_file(x->session, i);
		struct push *push = &g_array_index(c->pushes, struct push, i);

		if (!push->id)
			push->id = push_id(x, file, 0, 0);
		if (row_files_rows(c->files, TABLE_PUSHES))
			write_push(x, file, push);
		write_events(x, i, push->id);
		if (row_files_rows(c->files, TABLE_HOSTS))
			write_host(x, file);
	}
}

/* Files have the name of their push; of several, of all their numbers. */
static char *name_of(const struct columnar *c)
{
	u64 number = g_array_index(c->pushes, struct push, 0).id;
	struct content_id id;

	if (c->pushes->len > 1) {
		content_id_begin(&id, "perf pushes 1");
		for (u32 i = 0; i < c->pushes->len; i++)
			content_id_number(&id, g_array_index(c->pushes, struct push, i).id);
		number = content_id_end(&id);
	}
	return g_strdup_printf("%016" G_GINT64_MODIFIER "x", number);
}

static bool close_columnar(struct exchange *x, GError **error)
{
	struct columnar *c = x->writer;
	g_autofree char *name = NULL;

	row_places_write(&c->places, c->files);
	write_spans(x);
	write_files(x);
	name = name_of(c);
	return row_files_finish(c->files, name, error);
}

static void release(struct exchange *x)
{
	struct columnar *c = x->writer;

	row_files_free(c->files);
	row_places_release(&c->places);
	row_types_release(&c->types);
	g_array_unref(c->pushes);
	g_array_unref(c->names);
	g_array_unref(c->events);
	g_free(c);
}

#define WITHOUT_WALL                                                                               \
	"times are those of the recording's clock, and cannot be compared with other hosts"

const struct exchange_format exchange_parquet = {
	.name = "parquet",
	.output = "perf.parquet",
	.tables = true,
	.without_wall = WITHOUT_WALL,
	.open = open_parquet,
	.sample = sample,
	.close = close_columnar,
	.release = release,
};

const struct exchange_format exchange_native = {
	.name = "native",
	.output = "perf.native",
	.tables = true,
	.without_wall = WITHOUT_WALL,
	.open = open_native,
	.sample = sample,
	.close = close_columnar,
	.release = release,
};

const struct exchange_format exchange_blocks = {
	.name = "blocks",
	.tables = true,
	.open = open_blocks,
	.sample = sample,
	.close = close_columnar,
	.release = release,
};
