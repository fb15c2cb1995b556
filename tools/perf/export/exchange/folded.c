// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Folded stacks, which draw flame graphs: a line for each stack, the outermost frame first, and its value behind it.
 *
 *	shop;GET /cart;main;serve;parse 1200300
 *
 * The first frames are the thread's name and the name of its span, if it has one. The values of several events are not of
 * one unit; then the first frame is the event. A ";" in a name is written as ":", since it separates frames.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "export/exchange/tuples.h"

struct folded {
	struct exchange_tuples tuples;
	GArray *path; /* u32 frames */
	GString *line;
};

static bool open(struct exchange *x, GError **error)
{
	struct folded *f = g_new0(struct folded, 1);

	exchange_tuples_init(&f->tuples);
	f->path = g_array_new(FALSE, FALSE, sizeof(u32));
	f->line = g_string_new(NULL);
	x->writer = f;
	return true;
}

static void append_frame(GString *line, const char *name)
{
	size_t from = line->len;

	if (from)
		g_string_append_c(line, ';');
	text_append_shown(line, name, strlen(name), false);
	for (char *c = line->str + from + !!from; *c; c++)
		if (*c == ';')
			*c = ':';
}

static void write_tuple(struct exchange *x, const struct exchange_tuple *tuple)
{
	const struct exchange_tables *t = &x->tables;
	const struct exchange_sample *s = &tuple->sample;
	struct folded *f = x->writer;

	g_string_truncate(f->line, 0);
	g_array_set_size(f->path, 0);
	if (x->events->len > 1)
		append_frame(f->line, exchange_event(x, s->event)->name);
	append_frame(f->line, intern_text(t->texts, s->comm));
	if (s->labels[LABEL_SPAN_NAME])
		append_frame(f->line, intern_text(t->texts, s->labels[LABEL_SPAN_NAME]));
	for (u32 node = s->stack; node; node = exchange_node(t, node)->parent)
		g_array_append_val(f->path, exchange_node(t, node)->frame);
	for (u32 i = f->path->len; i--;)
		append_frame(f->line,
			     intern_text(t->texts,
					 exchange_frame(t, g_array_index(f->path, u32, i))->name));
	fprintf(x->out, "%s %" PRIu64 "\n", f->line->str, tuple->value);
}

static void write_tuples(struct exchange *x)
{
	struct folded *f = x->writer;

	for (u32 i = 0; i < f->tuples.tuples->len; i++)
		write_tuple(x, exchange_tuple(&f->tuples, i));
	exchange_tuples_clear(&f->tuples);
}

/* Lines do not show all that tells samples apart. */
static bool sample(struct exchange *x, const struct exchange_sample *s, GError **error)
{
	struct folded *f = x->writer;
	struct exchange_sample shown = {
		.event = s->event, .stack = s->stack, .comm = s->comm, .value = s->value
	};

	shown.labels[LABEL_SPAN_NAME] = s->labels[LABEL_SPAN_NAME];
	exchange_tuples_add(&f->tuples, &shown);
	if (exchange_tuples_full(&f->tuples))
		write_tuples(x);
	return true;
}

static bool close_folded(struct exchange *x, GError **error)
{
	write_tuples(x);
	return true;
}

static void release(struct exchange *x)
{
	struct folded *f = x->writer;

	exchange_tuples_release(&f->tuples);
	g_array_unref(f->path);
	g_string_free(f->line, TRUE);
	g_free(f);
}

const struct exchange_format exchange_folded = {
	.name = "folded",
	.output = "perf.folded",
	.open = open,
	.sample = sample,
	.close = close_folded,
	.release = release,
};
