// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/script_threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields/fields.h"
#include "perfdata/print/print.h"
#include "session/workers.h"
#include "view/script/rows.h"

/* What one of the threads prints with. */
struct script_thread {
	const struct script_options *options;
	struct script_printer *printer;
	/* With --format: samples as rows. */
	struct rows *rows;
	const struct view_stream *stream;
	void *to;
	u64 shown;
};

struct script_threads {
	const struct script_options *options;
	const struct script_columns *columns;
	u64 shown;
};

static void close_thread(void *printer, void *arg)
{
	struct script_threads *all = arg;
	struct script_thread *t = printer;

	all->shown += t->shown;
	if (t->to)
		t->stream->close(t->to);
	rows_free(t->rows);
	script_printer_free(t->printer);
	g_free(t);
}

/* What stands before the first row was written already. */
static void open_stream(struct script_thread *t, struct session *view,
			const struct script_columns *columns)
{
	g_autoptr(GString) start = g_string_new(NULL);

	t->rows = script_rows_new(t->printer, view, columns, t->options->line.show_chain);
	t->to = t->stream->open(t->rows);
	t->stream->begin(t->to, "script", "samples", start);
}

static void *open_thread(struct session *view, void *arg, GError **error)
{
	struct script_threads *all = arg;
	struct script_thread *t = g_new0(struct script_thread, 1);
	const struct script_options *o = t->options = all->options;

	t->printer = script_printer_new(view, all->columns, &o->line, error);
	if (!t->printer) {
		close_thread(t, all);
		return NULL;
	}
	t->stream = o->view->stream;
	if (t->stream)
		open_stream(t, view, all->columns);
	return t;
}

static void describe(const struct event *event, GString *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		g_error("open_memstream: %s", g_strerror(errno));
	event_describe(event, file);
	fclose(file);
	g_string_append_len(out, text, (gssize)size);
	free(text);
}

static void print_sample(struct script_thread *t, const struct place *place, GString *out)
{
	struct row row;

	t->shown++;
	if (!t->rows) {
		script_print_sample(t->printer, place, out);
		return;
	}
	row = script_rows_take(t->rows, place);
	if (row.kind != ROW_NONE)
		t->stream->row(t->to, row, out);
}

static void print(void *printer, const struct event *event, const struct place *place, GString *out)
{
	struct script_thread *t = printer;

	if (place) {
		print_sample(t, place, out);
	} else if (script_shows(t->options, event->type)) {
		script_print_head(t->printer, event, out);
		describe(event, out);
	}
}

static bool write_text(const GString *text, void *arg, GError **error)
{
	if (text->len && fwrite(text->str, 1, text->len, stdout) != text->len)
		return error_set_errno(error, errno, "writing the output");
	return true;
}

/* A key that wants to see each sample sums over them all. */
static bool have_sums(const struct script_columns *columns)
{
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++)
		for (u32 i = 0; i < columns->fields[c]->len; i++)
			if (((const struct field *)columns->fields[c]->pdata[i])->take)
				return true;
	return false;
}

bool script_takes_threads(const struct script_options *o, struct session *session,
			  const struct script_columns *columns, u32 needs)
{
	return session_can_print(session, needs) && !have_sums(columns) && !o->dump &&
	       !o->dump_unsorted && !o->per_event && !o->line.reltime && !o->line.deltatime;
}

bool script_print_by_threads(const struct script_options *o, struct session *session,
			     const struct script_columns *columns, u32 needs, u64 *shown,
			     GError **error)
{
	struct script_threads threads = { o, columns, 0 };
	const struct session_text text = {
		.needs = needs,
		.by_time = true,
		.open = open_thread,
		.print = print,
		.close = close_thread,
		.write = write_text,
		.arg = &threads,
	};
	bool good = session_print_events(session, &text, error);

	*shown += threads.shown;
	return good;
}
