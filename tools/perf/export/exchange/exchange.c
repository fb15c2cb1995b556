// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/exchange.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "export/exchange/format.h"
#include "export/exchange/labels.h"
#include "export/exchange/row_tables.h"
#include "options/recording.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "perfdata/wall.h"
#include "session/named.h"
#include "session/session.h"

/* Spans that are told apart; then numbers are given anew. Bounds memory, whatever the number of samples. */
#define MOST_SPANS (1u << 20)

static const struct exchange_format *const formats[] = {
	&exchange_folded, &exchange_pprof,    &exchange_speedscope, &exchange_firefox,
	&exchange_otlp,	  &exchange_perfetto, &exchange_parquet,    &exchange_native,
};

/* The span that a thread's last sample was of. */
struct present_span {
	u32 number;
	struct exchange_stretch stretch;
};

struct engine {
	struct exchange x;
	const struct exchange_format *format;
	struct exchange_labels labels;
	GHashTable *event_numbers; /* struct evsel * -> number + 1 */
	GArray *spans;		   /* struct exchange_span; number 1 + spans_before is element 0 */
	struct table span_index;
	u32 spans_before;
	u64 to_wall; /* from the clock of the file that is read to the time of day; 0: not known */
	GArray *present; /* struct present_span by the thread's number - 1 */
	struct exchange_counts *counts;
};

static const struct exchange_format *format_of(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

bool exchange_has_tables(const char *name)
{
	return format_of(name)->tables;
}

bool exchange_is_format(const char *name)
{
	return format_of(name);
}

bool exchange_is_table(const char *table)
{
	for (u32 i = 0; i < NR_ROW_TABLES; i++)
		if (!strcmp(row_tables[i].name, table))
			return true;
	return false;
}

char *exchange_table_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < NR_ROW_TABLES; i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", row_tables[i].name);
	return g_string_free(names, FALSE);
}

char *exchange_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < ARRAY_SIZE(formats); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "", formats[i]->name);
	return g_string_free(names, FALSE);
}

#define NEEDS                                                                                      \
	(NEED_SYMBOL | NEED_CHAIN | NEED_INLINE | NEED_LINE | NEED_DATA_TYPE | NEED_ACTIVITY |     \
	 NEED_CPU | NEED_THREAD | NEED_COMM | NEED_SAMPLE)

static u32 number_of_span(struct engine *e, const struct exchange_span *span)
{
	u64 words[3];
	u32 hash, at;
	s64 i;

	memcpy(words, span->trace_id, 16);
	memcpy(words + 2, span->span_id, 8);
	hash = at = table_fold(table_mix_words(words, 3));
	while ((i = table_next(&e->span_index, hash, &at)) >= 0)
		if (!memcmp(&g_array_index(e->spans, struct exchange_span, i), span, sizeof(*span)))
			return e->spans_before + (u32)i + 1;
	if (e->spans->len == MOST_SPANS) {
		e->spans_before += e->spans->len;
		g_array_set_size(e->spans, 0);
		table_release(&e->span_index);
		table_init(&e->span_index);
	}
	table_add(&e->span_index, hash, e->spans->len);
	g_array_append_vals(e->spans, span, 1);
	return e->spans_before + e->spans->len;
}

static void set_span(struct engine *e, const struct place *place, struct exchange_sample *s)
{
	const struct activity *a = place->activity;

	if (!activity_has_ids(a))
		return;
	memcpy(s->ids.trace_id, a->trace_id, sizeof(a->trace_id));
	memcpy(s->ids.span_id, a->span_id, sizeof(a->span_id));
	s->span = number_of_span(e, &s->ids);
}

static bool end_stretch(struct engine *e, struct present_span *p, GError **error)
{
	bool had = p->number;

	p->number = 0;
	return !had || !e->format->stretch || e->format->stretch(&e->x, &p->stretch, error);
}

/* A sample whose activity could not be read does not tell that the span has ended. */
static bool follow_span(struct engine *e, const struct place *place,
			const struct exchange_sample *s, GError **error)
{
	const struct activity *a = place->activity;
	struct present_span *p;
	u64 free;

	if (e->present->len < s->thread)
		g_array_set_size(e->present, s->thread);
	p = &g_array_index(e->present, struct present_span, s->thread - 1);
	if (p->number && p->number == s->span) {
		p->stretch.to = s->time;
		p->stretch.samples++;
		return true;
	}
	if (!s->span && a && a->state != ACTIVITY_OK && a->state != ACTIVITY_NONE)
		return true;
	if (!end_stretch(e, p, error))
		return false;
	free = p->stretch.to;
	p->number = s->span;
	p->stretch = (struct exchange_stretch){ .thread = s->thread,
						.name = s->labels[LABEL_SPAN_NAME],
						.service = s->labels[LABEL_SERVICE],
						.ids = s->ids,
						.from = MAX(exchange_begin(&e->x, s), free),
						.to = s->time,
						.samples = 1 };
	return true;
}

static bool take(const struct event *event, const struct place *place, void *arg, GError **error)
{
	struct engine *e = arg;
	struct exchange *x = &e->x;
	struct exchange_sample s = { 0 };
	struct exchange_event *of;
	u32 event_number;

	if (!place)
		return true;
	event_number = GPOINTER_TO_UINT(g_hash_table_lookup(e->event_numbers, place->evsel));
	if (!event_number) /* a damaged file: of an event that has none */
		return true;
	s.event = event_number - 1;
	s.thread = exchange_thread_of(&x->tables, place);
	s.comm = exchange_thread(&x->tables, s.thread)->comm;
	s.stack = exchange_stack_of(&x->tables, place);
	s.cpu = place->evsel->attr.sample_type & PERF_SAMPLE_CPU ? place->sample->cpu : (u32)-1;
	s.time = place->time + e->to_wall;
	s.value = place->sample->period;
	s.access = place->access;
	exchange_labels_of(&e->labels, x, place, s.labels);
	set_span(e, place, &s);
	of = exchange_event(x, s.event);
	of->samples++;
	of->value += s.value;
	x->first = MIN(x->first, exchange_begin(x, &s));
	x->last = MAX(x->last, s.time);
	e->counts->samples = ++x->nr_samples;
	return follow_span(e, place, &s, error) && e->format->sample(x, &s, error);
}

static bool is_time(const struct evsel *evsel)
{
	return wall_is_stretch(evsel->name) || evsel_is_timer(evsel);
}

/* Events of several files are one if they have the same name. */
static void add_event(struct engine *e, const struct evsel *evsel)
{
	struct exchange_event event = { .name = evsel->name,
					.is_time = is_time(evsel),
					.stretch = wall_is_stretch(evsel->name) };
	u32 i;

	if (!evsel->attr.freq && !event.stretch)
		event.period = evsel->attr.sample_period;
	event.unit = event.is_time ? "nanoseconds" : "count";
	for (i = 0; i < e->x.events->len; i++)
		if (!strcmp(exchange_event(&e->x, i)->name, evsel->name))
			break;
	if (i == e->x.events->len)
		g_array_append_val(e->x.events, event);
	g_hash_table_insert(e->event_numbers, (void *)evsel, GUINT_TO_POINTER(i + 1));
}

static void add_events(struct engine *e)
{
	for (u32 i = 0; i < session_nr_files(e->x.session); i++) {
		struct session *file = session_file(e->x.session, i);
		const GPtrArray *evsels = perfdata_evsels(session_perfdata(file));

		for (u32 j = 0; j < evsels->len; j++)
			if (!evsel_is_dummy(evsels->pdata[j]))
				add_event(e, evsels->pdata[j]);
	}
}

static bool has_wall(struct session *session)
{
	for (u32 i = 0; i < session_nr_files(session); i++) {
		struct perfdata *pd = session_perfdata(session_file(session, i));

		if (!perfdata_info_has(perfdata_info(pd), FEAT_CLOCK_DATA))
			return false;
	}
	return true;
}

static bool read_all(struct engine *e, GError **error)
{
	for (u32 i = 0; i < session_nr_files(e->x.session); i++) {
		struct session *file = session_file(e->x.session, i);
		const struct perfdata_info *info = perfdata_info(session_perfdata(file));

		if (e->x.has_wall)
			e->to_wall = info->clock_data_wall_ns - info->clock_data_clock_ns;
		if (!session_each_event(file, NEEDS, true, take, e, error))
			return false;
		e->x.lost += session_counts(file)->lost_samples;
		recording_tell_cut(session_perfdata(file));
	}
	for (u32 i = 0; i < e->present->len; i++)
		if (!end_stretch(e, &g_array_index(e->present, struct present_span, i), error))
			return false;
	return true;
}

static void engine_init(struct engine *e)
{
	e->x.events = g_array_new(FALSE, TRUE, sizeof(struct exchange_event));
	e->x.has_wall = has_wall(e->x.session);
	e->x.first = UINT64_MAX;
	exchange_tables_init(&e->x.tables);
	exchange_labels_init(&e->labels, e->x.session);
	e->event_numbers = g_hash_table_new(NULL, NULL);
	e->spans = g_array_new(FALSE, FALSE, sizeof(struct exchange_span));
	table_init(&e->span_index);
	e->present = g_array_new(FALSE, TRUE, sizeof(struct present_span));
	add_events(e);
}

static void engine_release(struct engine *e)
{
	exchange_labels_release(&e->labels);
	exchange_tables_release(&e->x.tables);
	g_array_unref(e->x.events);
	g_hash_table_unref(e->event_numbers);
	g_array_unref(e->spans);
	table_release(&e->span_index);
	g_array_unref(e->present);
}

static bool convert(struct engine *e, GError **error)
{
	bool ok = e->format->open(&e->x, error) && read_all(e, error) &&
		  e->format->close(&e->x, error);

	e->format->release(&e->x);
	return ok;
}

static bool is_stdout(const struct exchange *x)
{
	return strcmp(x->output, "-") == 0;
}

/* stdout itself would escape what is no text (cli/guard.h). */
static bool open_output(struct exchange *x, GError **error)
{
	int fd = is_stdout(x) ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
			      : file_create(x->output, O_WRONLY);

	x->out = fd < 0 ? NULL : fdopen(fd, "w");
	return x->out || error_set_errno(error, errno, "%s", x->output);
}

/* A file that is not whole is removed. */
static bool close_output(struct exchange *x, bool ok, GError **error)
{
	bool written = !(fflush(x->out) | ferror(x->out));
	struct stat st;
	int why = errno;

	if (fclose(x->out) && written) {
		written = false;
		why = errno;
	}
	if (ok && !written)
		error_set_errno(error, why, "%s: write", x->output);
	if (!is_stdout(x) && !(ok && written) && !lstat(x->output, &st) && S_ISREG(st.st_mode))
		unlink(x->output);
	return ok && written;
}

/* A writer of all tables makes its own files. */
static bool write_session(struct engine *e, GError **error)
{
	bool one_file = !e->format->tables || e->x.table, ok;

	if (one_file && !open_output(&e->x, error))
		return false;
	engine_init(e);
	if (!e->x.has_wall)
		e->counts->without_wall = e->format->without_wall;
	ok = convert(e, error);
	if (one_file)
		ok = close_output(&e->x, ok, error);
	engine_release(e);
	return ok;
}

bool exchange_write_push(const struct session_options *options, struct exchange_push *push,
			 GError **error)
{
	struct exchange_counts counts = { 0 };
	struct engine e = { .format = &exchange_blocks, .counts = &counts };
	bool ok;

	e.x.push = push;
	e.x.out = push->out;
	e.x.session = session_open(options, error);
	if (!e.x.session)
		return false;
	engine_init(&e);
	ok = convert(&e, error);
	engine_release(&e);
	session_close(e.x.session);
	return ok;
}

bool exchange_write(const struct exchange_options *o, struct exchange_counts *counts,
		    GError **error)
{
	struct engine e = { .format = format_of(o->format), .counts = counts };
	bool ok;

	*counts = (struct exchange_counts){ 0 };
	if (e.format->missing)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "--to=%s needs %s, which this build lacks", e.format->name,
				 e.format->missing);
	e.x.output = counts->output = o->output ?: e.format->output;
	e.x.table = o->table;
	e.x.session = session_open(o->session, error);
	if (!e.x.session)
		return false;
	ok = write_session(&e, error);
	session_close(e.x.session);
	return ok;
}
