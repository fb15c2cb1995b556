// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The processed profile format of Firefox' profiler (profiler.firefox.com), version 70. The types and the changes between
 * versions are in its repository. Later versions of the profiler upgrade it.
 *
 * Each thread of the recording is a thread of the profile; with several events, one for each event. Spans are markers that
 * last from the first to the last sample of the span in this thread. Waits of record --wall are markers, too. Times are
 * milliseconds since the first sample.
 */
#include <inttypes.h>
#include <string.h>

#include "base/json_out.h"
#include "dso/buildid.h"
#include "dso/dso.h"
#include "export/exchange/format.h"
#include "export/exchange/spool.h"
#include "perfdata/info.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

#define GECKO_VERSION	  36
#define PROCESSED_VERSION 70
#define LIBRARY		  1 /* type of a resource */
#define MS		  1e6

enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL };

struct kept_sample {
	u32 stack;
	u64 time, value;
};

struct kept_marker {
	bool is_span;				 /* else a wait */
	u32 name, service, syscall, wchan, lock; /* texts */
	struct exchange_span ids;
	u64 from, to;
};

/* A function is one of a file: its name, its source, its object. */
struct firefox_function {
	u32 name, file, dso;
};

struct firefox {
	struct json_out json;
	struct spool *samples; /* struct kept_sample by thread and event */
	struct spool *markers; /* struct kept_marker by thread - 1 */
	GArray *text_strings;  /* u32 by text: its string + 1 */
	GArray *strings;       /* u32 texts */
	GArray *functions;     /* struct firefox_function */
	struct table function_index;
	GArray *sources; /* u32 texts */
	GHashTable *source_index;
	u64 first; /* time that is 0 */
};

static bool open(struct exchange *x, GError **error)
{
	struct firefox *f = g_new0(struct firefox, 1);

	x->writer = f;
	json_out_init(&f->json, x->out);
	f->json.one_line = true;
	f->text_strings = g_array_new(FALSE, TRUE, sizeof(u32));
	f->strings = g_array_new(FALSE, FALSE, sizeof(u32));
	f->functions = g_array_new(FALSE, FALSE, sizeof(struct firefox_function));
	table_init(&f->function_index);
	f->sources = g_array_new(FALSE, FALSE, sizeof(u32));
	f->source_index = g_hash_table_new(NULL, NULL);
	f->samples = spool_new(sizeof(struct kept_sample), error);
	f->markers = f->samples ? spool_new(sizeof(struct kept_marker), error) : NULL;
	return f->markers;
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct firefox *f = x->writer;
	u32 series = (s->thread - 1) * x->events->len + s->event;
	struct kept_sample kept = { s->stack, s->time, s->value };
	struct kept_marker wait = { .name = s->labels[LABEL_STATE],
				    .syscall = s->labels[LABEL_SYSCALL],
				    .wchan = s->labels[LABEL_WCHAN],
				    .lock = s->labels[LABEL_LOCK],
				    .from = exchange_begin(x, s),
				    .to = s->time };

	return (!wait.name || spool_add(f->markers, s->thread - 1, &wait, error)) &&
	       spool_add(f->samples, series, &kept, error);
}

static bool stretch(struct exchange *x, const struct exchange_stretch *s, GError **error)
{
	struct firefox *f = x->writer;
	struct kept_marker span = { .is_span = true,
				    .name = s->name,
				    .service = s->service,
				    .ids = s->ids,
				    .from = s->from,
				    .to = s->to };

	return spool_add(f->markers, s->thread - 1, &span, error);
}

static u32 string_of(struct firefox *f, u32 text)
{
	u32 *known;

	if (f->text_strings->len <= text)
		g_array_set_size(f->text_strings, text + 1);
	known = &g_array_index(f->text_strings, u32, text);
	if (!*known) {
		g_array_append_val(f->strings, text);
		*known = f->strings->len;
	}
	return *known - 1;
}

static void put_text(struct exchange *x, const char *key, u32 text)
{
	struct firefox *f = x->writer;

	json_out_key(&f->json, key);
	json_out_text(&f->json, intern_text(x->tables.texts, text));
}

static void put_ms(struct firefox *f, u64 time)
{
	json_out_real(&f->json, (double)(s64)(time - f->first) / MS);
}

static void put_column(struct json_out *j, const char *key)
{
	json_out_key(j, key);
	json_out_begin(j, '[');
}

/* Columns of the samples and markers of one thread. */

static void put_sample_stack(const void *record, void *arg)
{
	json_out_u64(&((struct firefox *)((struct exchange *)arg)->writer)->json,
		     ((const struct kept_sample *)record)->stack - 1);
}

static void put_sample_time(const void *record, void *arg)
{
	put_ms(((struct exchange *)arg)->writer, ((const struct kept_sample *)record)->time);
}

static void put_sample_ms(const void *record, void *arg)
{
	json_out_real(&((struct firefox *)((struct exchange *)arg)->writer)->json,
		      (double)((const struct kept_sample *)record)->value / MS);
}

static void put_sample_count(const void *record, void *arg)
{
	json_out_u64(&((struct firefox *)((struct exchange *)arg)->writer)->json,
		     ((const struct kept_sample *)record)->value);
}

static void put_hex(struct json_out *j, const char *key, const u8 *bytes, u32 size)
{
	char hex[33];

	json_out_key(j, key);
	json_out_text(j, exchange_hex(bytes, size, hex));
}

static void put_marker_data(const void *record, void *arg)
{
	const struct kept_marker *m = record;
	struct exchange *x = arg;
	struct json_out *j = &((struct firefox *)x->writer)->json;
	const struct {
		const char *key;
		u32 text;
	} facts[] = { { "service", m->service },
		      { "syscall", m->syscall },
		      { "wchan", m->wchan },
		      { "lock", m->lock } };

	json_out_begin(j, '{');
	json_out_key(j, "type");
	json_out_text(j, m->is_span ? "span" : "wait");
	if (m->is_span) {
		put_hex(j, "traceId", m->ids.trace_id, sizeof(m->ids.trace_id));
		put_hex(j, "spanId", m->ids.span_id, sizeof(m->ids.span_id));
	}
	for (u32 i = 0; i < ARRAY_SIZE(facts); i++)
		if (facts[i].text)
			put_text(x, facts[i].key, facts[i].text);
	json_out_end(j, '}');
}

/* A span whose name is not known is called "span". */
static void put_marker_name(const void *record, void *arg)
{
	const struct kept_marker *m = record;
	struct exchange *x = arg;
	struct firefox *f = x->writer;

	json_out_u64(&f->json, string_of(f, m->name ?: exchange_text(&x->tables, "span")));
}

static void put_marker_start(const void *record, void *arg)
{
	put_ms(((struct exchange *)arg)->writer, ((const struct kept_marker *)record)->from);
}

static void put_marker_end(const void *record, void *arg)
{
	put_ms(((struct exchange *)arg)->writer, ((const struct kept_marker *)record)->to);
}

static void put_one(const void *record, void *arg)
{
	json_out_u64(&((struct firefox *)((struct exchange *)arg)->writer)->json, 1);
}

static void put_zero(const void *record, void *arg)
{
	json_out_u64(&((struct firefox *)((struct exchange *)arg)->writer)->json, 0);
}

struct spool_column {
	const char *key;
	spool_fn *put;
};

static bool put_columns(struct exchange *x, struct spool *spool, u32 series,
			const struct spool_column *columns, u32 nr, GError **error)
{
	struct json_out *j = &((struct firefox *)x->writer)->json;
	bool ok = true;

	for (u32 i = 0; ok && i < nr; i++) {
		put_column(j, columns[i].key);
		ok = !spool || spool_each(spool, series, columns[i].put, x, error);
		json_out_end(j, ']');
	}
	json_out_key(j, "length");
	json_out_u64(j, spool ? spool_nr(spool, series) : 0);
	return ok;
}

static bool put_samples(struct exchange *x, u32 series, bool is_time, GError **error)
{
	const struct spool_column columns[] = {
		{ "stack", put_sample_stack },
		{ "time", put_sample_time },
		{ "weight", is_time ? put_sample_ms : put_sample_count },
	};
	struct firefox *f = x->writer;
	bool ok;

	json_out_key(&f->json, "samples");
	json_out_begin(&f->json, '{');
	json_out_key(&f->json, "weightType");
	json_out_text(&f->json, is_time ? "tracing-ms" : "samples");
	ok = put_columns(x, f->samples, series, columns, ARRAY_SIZE(columns), error);
	json_out_end(&f->json, '}');
	return ok;
}

/* @has: these are the thread's markers; else it has none. */
static bool put_markers(struct exchange *x, u32 thread, bool has, GError **error)
{
	static const struct spool_column columns[] = {
		{ "data", put_marker_data },
		{ "name", put_marker_name },
		{ "startTime", put_marker_start },
		{ "endTime", put_marker_end },
		{ "phase", put_one }, /* an interval */
		{ "category", put_zero },
	};
	struct firefox *f = x->writer;
	bool ok;

	json_out_key(&f->json, "markers");
	json_out_begin(&f->json, '{');
	ok = put_columns(x, has ? f->markers : NULL, thread, columns, ARRAY_SIZE(columns), error);
	json_out_end(&f->json, '}');
	return ok;
}

static void put_thread_facts(struct exchange *x, u32 thread, u32 event)
{
	const struct exchange_thread *t = exchange_thread(&x->tables, thread + 1);
	struct json_out *j = &((struct firefox *)x->writer)->json;
	g_autoptr(GString) name = g_string_new(intern_text(x->tables.texts, t->comm));
	char pid[16];

	if (x->events->len > 1)
		g_string_append_printf(name, " (%s)", exchange_event(x, event)->name);
	snprintf(pid, sizeof(pid), "%d", (s32)t->pid);
	json_out_key(j, "name");
	json_out_text(j, name->str);
	json_out_key(j, "isMainThread");
	json_out_bool(j, t->pid == t->tid);
	json_out_key(j, "pid");
	json_out_text(j, pid);
	json_out_key(j, "tid");
	json_out_s64(j, (s32)t->tid);
	json_out_key(j, "processType");
	json_out_text(j, "default");
	json_out_key(j, "processStartupTime");
	json_out_u64(j, 0);
	json_out_key(j, "processShutdownTime");
	json_out_null(j);
	json_out_key(j, "registerTime");
	json_out_u64(j, 0);
	json_out_key(j, "unregisterTime");
	json_out_null(j);
	put_column(j, "pausedRanges");
	json_out_end(j, ']');
}

static bool put_threads(struct exchange *x, GError **error)
{
	struct firefox *f = x->writer;
	bool ok = true;

	put_column(&f->json, "threads");
	for (u32 thread = 0; ok && thread < x->tables.threads->len; thread++) {
		bool markers = true;

		for (u32 event = 0; ok && event < x->events->len; event++) {
			u32 series = thread * x->events->len + event;

			if (!spool_nr(f->samples, series))
				continue;
			json_out_begin(&f->json, '{');
			put_thread_facts(x, thread, event);
			ok = put_samples(x, series, exchange_event(x, event)->is_time, error) &&
			     put_markers(x, thread, markers, error);
			json_out_end(&f->json, '}');
			markers = false;
		}
	}
	json_out_end(&f->json, ']');
	return ok;
}

/* Tables that all threads share. A column of them has a value for each of @nr elements. */

typedef void put_cell_fn(struct exchange *x, u32 i);

static void put_cells(struct exchange *x, const char *key, u32 nr, put_cell_fn *put)
{
	struct json_out *j = &((struct firefox *)x->writer)->json;

	put_column(j, key);
	for (u32 i = 0; i < nr; i++)
		put(x, i);
	json_out_end(j, ']');
}

static struct json_out *json_of(struct exchange *x)
{
	return &((struct firefox *)x->writer)->json;
}

static const struct exchange_frame *frame_at(const struct exchange *x, u32 i)
{
	return exchange_frame(&x->tables, i + 1);
}

static const struct firefox_function *function_at(const struct exchange *x, u32 i)
{
	return &g_array_index(((struct firefox *)x->writer)->functions, struct firefox_function, i);
}

static void cell_null(struct exchange *x, u32 i)
{
	json_out_null(json_of(x));
}

static void cell_zero(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), 0);
}

static void cell_one(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), 1);
}

static void cell_false(struct exchange *x, u32 i)
{
	json_out_bool(json_of(x), false);
}

static void cell_node_frame(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), exchange_node(&x->tables, i + 1)->frame - 1);
}

/* How far before it in the table its caller is; 0: it has none. */
static void cell_node_prefix(struct exchange *x, u32 i)
{
	u32 parent = exchange_node(&x->tables, i + 1)->parent;

	json_out_u64(json_of(x), parent ? i + 1 - parent : 0);
}

/* The distance of the vaddr from the file's first byte in memory; -1: not known. */
static void cell_address(struct exchange *x, u32 i)
{
	const struct exchange_frame *f = frame_at(x, i);
	const struct exchange_dso *dso = f->dso ? exchange_dso(&x->tables, f->dso) : NULL;
	u64 vaddr, base;

	if (dso && dso->by_file && dso_foff_to_vaddr(dso->dso, f->address, &vaddr) &&
	    dso_foff_to_vaddr(dso->dso, 0, &base))
		json_out_u64(json_of(x), vaddr - base);
	else
		json_out_s64(json_of(x), -1);
}

static void cell_inline_depth(struct exchange *x, u32 i)
{
	u32 depth = 0;

	for (const struct exchange_frame *f = frame_at(x, i); f->outer; depth++)
		f = exchange_frame(&x->tables, f->outer);
	json_out_u64(json_of(x), depth);
}

static void cell_category(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), frame_at(x, i)->kernel ? CATEGORY_KERNEL : CATEGORY_USER);
}

static u32 function_of(struct firefox *f, const struct exchange_frame *frame)
{
	struct firefox_function function = { frame->name, frame->file, frame->dso };
	u32 hash = table_fold(table_mix((u64)function.name << 32 | function.file, function.dso));
	u32 at = hash;
	s64 i;

	while ((i = table_next(&f->function_index, hash, &at)) >= 0)
		if (!memcmp(&g_array_index(f->functions, struct firefox_function, i), &function,
			    sizeof(function)))
			return (u32)i;
	table_add(&f->function_index, hash, f->functions->len);
	g_array_append_val(f->functions, function);
	return f->functions->len - 1;
}

static void cell_function(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), function_of(x->writer, frame_at(x, i)));
}

static void cell_lib(struct exchange *x, u32 i)
{
	json_out_s64(json_of(x), (s64)frame_at(x, i)->dso - 1);
}

static void cell_line(struct exchange *x, u32 i)
{
	if (frame_at(x, i)->line)
		json_out_u64(json_of(x), frame_at(x, i)->line);
	else
		json_out_null(json_of(x));
}

static void cell_function_name(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), string_of(x->writer, function_at(x, i)->name));
}

static void cell_resource(struct exchange *x, u32 i)
{
	json_out_s64(json_of(x), (s64)function_at(x, i)->dso - 1);
}

static void cell_source(struct exchange *x, u32 i)
{
	struct firefox *f = x->writer;
	u32 file = function_at(x, i)->file;
	void *key = GUINT_TO_POINTER(file);

	if (!file) {
		json_out_null(&f->json);
		return;
	}
	if (!g_hash_table_contains(f->source_index, key)) {
		g_hash_table_insert(f->source_index, key, GUINT_TO_POINTER(f->sources->len));
		g_array_append_val(f->sources, file);
	}
	json_out_u64(&f->json, GPOINTER_TO_UINT(g_hash_table_lookup(f->source_index, key)));
}

static void cell_source_name(struct exchange *x, u32 i)
{
	struct firefox *f = x->writer;

	json_out_u64(&f->json, string_of(f, g_array_index(f->sources, u32, i)));
}

static void cell_dso_name(struct exchange *x, u32 i)
{
	const char *name = dso_short_name(exchange_dso(&x->tables, i + 1)->dso);

	json_out_u64(json_of(x), string_of(x->writer, exchange_text(&x->tables, name)));
}

static void cell_library(struct exchange *x, u32 i)
{
	json_out_u64(json_of(x), LIBRARY);
}

static void cell_string(struct exchange *x, u32 i)
{
	struct firefox *f = x->writer;

	json_out_text(&f->json, intern_text(x->tables.texts, g_array_index(f->strings, u32, i)));
}

struct cells {
	const char *key;
	put_cell_fn *put;
};

static void put_table(struct exchange *x, const char *name, u32 nr, const struct cells *cells,
		      u32 nr_cells)
{
	struct json_out *j = json_of(x);

	json_out_key(j, name);
	json_out_begin(j, '{');
	for (u32 i = 0; i < nr_cells; i++)
		put_cells(x, cells[i].key, nr, cells[i].put);
	json_out_key(j, "length");
	json_out_u64(j, nr);
	json_out_end(j, '}');
}

/* In this order: frames find functions, functions find sources, and all of them strings. */
static void put_shared(struct exchange *x)
{
	static const struct cells stacks[] = { { "frame", cell_node_frame },
					       { "prefixOffset", cell_node_prefix } };
	static const struct cells frames[] = {
		{ "address", cell_address },
		{ "inlineDepth", cell_inline_depth },
		{ "category", cell_category },
		{ "subcategory", cell_zero },
		{ "func", cell_function },
		{ "lib", cell_lib },
		{ "nativeSymbol", cell_null },
		{ "innerWindowID", cell_null },
		{ "line", cell_line },
		{ "column", cell_null },
		{ "originalLocation", cell_null },
	};
	static const struct cells functions[] = {
		{ "name", cell_function_name },	 { "isJS", cell_false },
		{ "relevantForJS", cell_false }, { "resource", cell_resource },
		{ "source", cell_source },	 { "lineNumber", cell_null },
		{ "columnNumber", cell_null },	 { "originalLocation", cell_null },
	};
	static const struct cells resources[] = { { "name", cell_dso_name },
						  { "host", cell_null },
						  { "type", cell_library } };
	static const struct cells symbols[] = { { "libIndex", cell_null },
						{ "address", cell_null },
						{ "name", cell_null },
						{ "functionSize", cell_null } };
	static const struct cells sources[] = {
		{ "id", cell_null },	       { "filename", cell_source_name },
		{ "startLine", cell_one },     { "startColumn", cell_one },
		{ "sourceMapURL", cell_null }, { "content", cell_null },
	};
	static const struct cells locations[] = { { "source", cell_null },
						  { "line", cell_null },
						  { "column", cell_null } };
	struct firefox *f = x->writer;

	json_out_key(&f->json, "shared");
	json_out_begin(&f->json, '{');
	put_table(x, "stackTable", x->tables.nodes->len, stacks, ARRAY_SIZE(stacks));
	put_table(x, "frameTable", x->tables.frames->len, frames, ARRAY_SIZE(frames));
	put_table(x, "funcTable", f->functions->len, functions, ARRAY_SIZE(functions));
	put_table(x, "resourceTable", x->tables.dsos->len, resources, ARRAY_SIZE(resources));
	put_table(x, "nativeSymbols", 0, symbols, ARRAY_SIZE(symbols));
	put_table(x, "sources", f->sources->len, sources, ARRAY_SIZE(sources));
	put_table(x, "sourceLocationTable", 0, locations, ARRAY_SIZE(locations));
	put_cells(x, "stringArray", f->strings->len, cell_string);
	json_out_end(&f->json, '}');
}

/* A build-id as Breakpad writes it: its first 16 bytes as a GUID of Windows, then an age of 0. */
static void breakpad_id(const struct build_id *id, char out[34])
{
	static const u8 order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };

	for (u32 i = 0; i < sizeof(order); i++)
		snprintf(out + 2 * i, 3, "%02X", order[i] < id->size ? id->bytes[order[i]] : 0);
	strcpy(out + 32, "0");
}

static void put_lib(struct exchange *x, u32 i)
{
	const struct exchange_dso *dso = exchange_dso(&x->tables, i + 1);
	const struct perfdata_info *info = perfdata_info(session_perfdata(x->session));
	struct build_id id = dso_build_id(dso->dso);
	const char *short_name = dso_short_name(dso->dso);
	const char *name = intern_text(x->tables.texts, dso->name);
	struct json_out *j = json_of(x);
	char hex[BUILD_ID_HEX], breakpad[34] = "";
	const char *const facts[][2] = {
		{ "arch", perfdata_info_has(info, FEAT_ARCH) ? info->arch : "" },
		{ "name", short_name },
		{ "path", name },
		{ "debugName", short_name },
		{ "debugPath", name },
		{ "breakpadId", breakpad },
	};

	build_id_hex(&id, hex);
	if (id.size)
		breakpad_id(&id, breakpad);
	json_out_begin(j, '{');
	for (u32 n = 0; n < ARRAY_SIZE(facts); n++) {
		json_out_key(j, facts[n][0]);
		json_out_text(j, facts[n][1]);
	}
	json_out_key(j, "codeId");
	if (id.size)
		json_out_text(j, hex);
	else
		json_out_null(j);
	json_out_end(j, '}');
}

static void put_category(struct json_out *j, const char *name, const char *colour)
{
	json_out_begin(j, '{');
	json_out_key(j, "name");
	json_out_text(j, name);
	json_out_key(j, "color");
	json_out_text(j, colour);
	put_column(j, "subcategories");
	json_out_text(j, "Other");
	json_out_end(j, ']');
	json_out_end(j, '}');
}

/* Of a kind of marker: where it is shown, and the fields of its data, up to NULL. */
static void put_schema(struct json_out *j, const char *name, const char *const (*fields)[2])
{
	static const char *const where[] = { "marker-chart", "marker-table", "timeline-overview" };

	json_out_begin(j, '{');
	json_out_key(j, "name");
	json_out_text(j, name);
	json_out_key(j, "tableLabel");
	json_out_text(j, "{marker.name}");
	put_column(j, "display");
	for (u32 i = 0; i < ARRAY_SIZE(where); i++)
		json_out_text(j, where[i]);
	json_out_end(j, ']');
	put_column(j, "fields");
	for (; (*fields)[0]; fields++) {
		json_out_begin(j, '{');
		json_out_key(j, "key");
		json_out_text(j, (*fields)[0]);
		json_out_key(j, "label");
		json_out_text(j, (*fields)[1]);
		json_out_key(j, "format");
		json_out_text(j, "string");
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
	json_out_end(j, '}');
}

static void put_schemas(struct json_out *j)
{
	static const char *const span[][2] = { { "traceId", "Trace id" },
					       { "spanId", "Span id" },
					       { "service", "Service" },
					       { NULL } };
	static const char *const wait[][2] = { { "syscall", "System call" },
					       { "wchan", "Kernel function" },
					       { "lock", "Lock" },
					       { NULL } };

	put_column(j, "categories");
	put_category(j, "Other", "grey");
	put_category(j, "User", "yellow");
	put_category(j, "Kernel", "orange");
	json_out_end(j, ']');
	put_column(j, "markerSchema");
	put_schema(j, "span", span);
	put_schema(j, "wait", wait);
	json_out_end(j, ']');
}

/* Milliseconds between samples, if the first event has a fixed time; else 1, which the format needs. */
static double interval(const struct exchange *x)
{
	const struct exchange_event *e = x->events->len ? exchange_event(x, 0) : NULL;

	return e && e->is_time && e->period ? (double)e->period / MS : 1;
}

static void put_meta(struct exchange *x)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(x->session));
	struct json_out *j = json_of(x);
	const struct {
		const char *key;
		u64 value;
	} numbers[] = { { "version", GECKO_VERSION },
			{ "preprocessedProfileVersion", PROCESSED_VERSION },
			{ "processType", 0 },
			{ "stackwalk", 1 } };

	json_out_key(j, "meta");
	json_out_begin(j, '{');
	for (u32 i = 0; i < ARRAY_SIZE(numbers); i++) {
		json_out_key(j, numbers[i].key);
		json_out_u64(j, numbers[i].value);
	}
	json_out_key(j, "interval");
	json_out_real(j, interval(x));
	json_out_key(j, "startTime");
	json_out_real(j, x->has_wall ? (double)((struct firefox *)x->writer)->first / MS : 0);
	json_out_key(j, "product");
	json_out_text(j, perfdata_info_has(info, FEAT_HOSTNAME) ? info->hostname : "perf");
	json_out_key(j, "importedFrom");
	json_out_text(j, "perf");
	json_out_key(j, "symbolicated");
	json_out_bool(j, true);
	put_schemas(j);
	json_out_end(j, '}');
}

static bool close_firefox(struct exchange *x, GError **error)
{
	struct firefox *f = x->writer;
	bool ok;

	f->first = x->first <= x->last ? x->first : 0;
	json_out_begin(&f->json, '{');
	put_meta(x);
	put_cells(x, "libs", x->tables.dsos->len, put_lib);
	ok = put_threads(x, error);
	put_shared(x);
	json_out_end(&f->json, '}');
	return ok;
}

static void release(struct exchange *x)
{
	struct firefox *f = x->writer;

	json_out_release(&f->json);
	spool_free(f->samples);
	spool_free(f->markers);
	g_array_unref(f->text_strings);
	g_array_unref(f->strings);
	g_array_unref(f->functions);
	table_release(&f->function_index);
	g_array_unref(f->sources);
	g_hash_table_unref(f->source_index);
	g_free(f);
}

const struct exchange_format exchange_firefox = {
	.name = "firefox",
	.output = "perf.firefox.json",
	.without_wall = "the profile begins in 1970",
	.open = open,
	.sample = sample,
	.stretch = stretch,
	.close = close_firefox,
	.release = release,
};
