// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The JSON of speedscope: https://www.speedscope.app/file-format-schema.json. There is one profile for each thread and
 * event. Its samples are in order of time; those that follow each other with the same stack are one, with the sum of their
 * values. The format has no labels: a sample's span, if its name is known, is the outermost frame.
 */
#include <string.h>

#include "base/json_out.h"
#include "export/exchange/format.h"
#include "export/exchange/spool.h"

struct shown_stack {
	u32 stack, span; /* span: text */
	u64 value;
};

struct speedscope {
	struct spool *samples; /* struct shown_stack, by thread and event */
	struct json_out json;
	GHashTable *spans; /* text -> its frame in the file */
	GArray *path;	   /* u32 frames */
	u64 sum;	   /* of one profile */
};

static bool open(struct exchange *x, GError **error)
{
	struct speedscope *s = g_new0(struct speedscope, 1);

	x->writer = s;
	s->spans = g_hash_table_new(NULL, NULL);
	s->path = g_array_new(FALSE, FALSE, sizeof(u32));
	json_out_init(&s->json, x->out);
	s->json.one_line = true;
	s->samples = spool_new(sizeof(struct shown_stack), error);
	return s->samples;
}

static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct speedscope *w = x->writer;
	u32 series = (s->thread - 1) * x->events->len + s->event;
	struct shown_stack *last = spool_last(w->samples, series);
	struct shown_stack shown = { s->stack, s->labels[LABEL_SPAN_NAME], s->value };

	if (!last || last->stack != shown.stack || last->span != shown.span)
		return spool_add(w->samples, series, &shown, error);
	last->value += s->value;
	return true;
}

/* Frames of spans follow those of code. */
static u32 frame_of_span(struct exchange *x, u32 text)
{
	struct speedscope *w = x->writer;
	void *key = GUINT_TO_POINTER(text);

	if (!g_hash_table_contains(w->spans, key))
		g_hash_table_insert(
			w->spans, key,
			GUINT_TO_POINTER(x->tables.frames->len + g_hash_table_size(w->spans)));
	return GPOINTER_TO_UINT(g_hash_table_lookup(w->spans, key));
}

static void put_stack(const void *record, void *arg)
{
	struct exchange *x = arg;
	struct speedscope *w = x->writer;
	const struct shown_stack *shown = record;

	g_array_set_size(w->path, 0);
	for (u32 n = shown->stack; n; n = exchange_node(&x->tables, n)->parent)
		g_array_append_val(w->path, exchange_node(&x->tables, n)->frame);
	json_out_begin(&w->json, '[');
	if (shown->span)
		json_out_u64(&w->json, frame_of_span(x, shown->span));
	for (u32 i = w->path->len; i--;)
		json_out_u64(&w->json, g_array_index(w->path, u32, i) - 1);
	json_out_end(&w->json, ']');
	w->sum += shown->value;
}

static void put_weight(const void *record, void *arg)
{
	struct exchange *x = arg;
	struct speedscope *w = x->writer;

	json_out_u64(&w->json, ((const struct shown_stack *)record)->value);
}

static void put_name(struct exchange *x, u32 thread, u32 event)
{
	const struct exchange_thread *t = exchange_thread(&x->tables, thread);
	struct speedscope *w = x->writer;
	g_autoptr(GString) name = g_string_new(NULL);

	g_string_append_printf(name, "%s (%d)", intern_text(x->tables.texts, t->comm), (s32)t->tid);
	if (x->events->len > 1)
		g_string_append_printf(name, ": %s", exchange_event(x, event)->name);
	json_out_key(&w->json, "name");
	json_out_text(&w->json, name->str);
}

static bool put_profile(struct exchange *x, u32 series, GError **error)
{
	u32 event = series % x->events->len;
	struct speedscope *w = x->writer;
	struct json_out *j = &w->json;
	bool ok;

	w->sum = 0;
	json_out_begin(j, '{');
	json_out_key(j, "type");
	json_out_text(j, "sampled");
	put_name(x, series / x->events->len + 1, event);
	json_out_key(j, "unit");
	json_out_text(j, exchange_event(x, event)->is_time ? "nanoseconds" : "none");
	json_out_key(j, "samples");
	json_out_begin(j, '[');
	ok = spool_each(w->samples, series, put_stack, x, error);
	json_out_end(j, ']');
	json_out_key(j, "weights");
	json_out_begin(j, '[');
	ok = ok && spool_each(w->samples, series, put_weight, x, error);
	json_out_end(j, ']');
	json_out_key(j, "startValue");
	json_out_u64(j, 0);
	json_out_key(j, "endValue");
	json_out_u64(j, w->sum);
	json_out_end(j, '}');
	return ok;
}

static void put_frame(struct exchange *x, u32 number)
{
	const struct exchange_frame *f = exchange_frame(&x->tables, number);
	struct json_out *j = &((struct speedscope *)x->writer)->json;

	json_out_begin(j, '{');
	json_out_key(j, "name");
	json_out_text(j, intern_text(x->tables.texts, f->name));
	if (f->file) {
		json_out_key(j, "file");
		json_out_text(j, intern_text(x->tables.texts, f->file));
	}
	if (f->line) {
		json_out_key(j, "line");
		json_out_u64(j, f->line);
	}
	json_out_end(j, '}');
}

static void put_frames(struct exchange *x)
{
	struct speedscope *w = x->writer;
	struct json_out *j = &w->json;
	u32 nr_spans = g_hash_table_size(w->spans);
	g_autofree u32 *texts = g_new0(u32, nr_spans + 1);
	GHashTableIter i;
	void *text, *frame;

	g_hash_table_iter_init(&i, w->spans);
	while (g_hash_table_iter_next(&i, &text, &frame))
		texts[GPOINTER_TO_UINT(frame) - x->tables.frames->len] = GPOINTER_TO_UINT(text);
	json_out_key(j, "frames");
	json_out_begin(j, '[');
	for (u32 n = 1; n <= x->tables.frames->len; n++)
		put_frame(x, n);
	for (u32 n = 0; n < nr_spans; n++) {
		json_out_begin(j, '{');
		json_out_key(j, "name");
		json_out_text(j, intern_text(x->tables.texts, texts[n]));
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

static bool close_speedscope(struct exchange *x, GError **error)
{
	struct speedscope *w = x->writer;
	struct json_out *j = &w->json;
	bool ok = true;

	json_out_begin(j, '{');
	json_out_key(j, "$schema");
	json_out_text(j, "https://www.speedscope.app/file-format-schema.json");
	json_out_key(j, "exporter");
	json_out_text(j, "perf");
	json_out_key(j, "profiles");
	json_out_begin(j, '[');
	for (u32 i = 0; ok && i < spool_nr_series(w->samples); i++)
		if (spool_nr(w->samples, i))
			ok = put_profile(x, i, error);
	json_out_end(j, ']');
	json_out_key(j, "shared");
	json_out_begin(j, '{');
	put_frames(x);
	json_out_end(j, '}');
	json_out_end(j, '}');
	return ok;
}

static void release(struct exchange *x)
{
	struct speedscope *w = x->writer;

	json_out_release(&w->json);
	spool_free(w->samples);
	g_hash_table_unref(w->spans);
	g_array_unref(w->path);
	g_free(w);
}

const struct exchange_format exchange_speedscope = {
	.name = "speedscope",
	.output = "perf.speedscope.json",
	.open = open,
	.sample = sample,
	.close = close_speedscope,
	.release = release,
};
