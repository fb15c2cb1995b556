// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/script/script_threads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "fields/fields.h"
#include "perfdata/print/print.h"
#include "report/report_lists.h"
#include "session/printers.h"
#include "view/script/rows.h"

/* The state for printing of one thread. */
struct script_thread {
	const struct script_options *options;
	struct script_printer *printer;
	const struct perfdata *file;
	/* With --format: samples as rows. */
	struct rows *rows;
	const struct view_stream *stream;
	void *to;
	u64 shown;
};

struct script_threads {
	const struct script_options *options;
	struct script_line_options line; /* its own, with the fields that all printers share */
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

static void *open_thread(struct session *view, void *arg, GError **error)
{
	struct script_threads *all = arg;
	struct script_thread *t = g_new0(struct script_thread, 1);
	const struct script_options *o = t->options = all->options;

	t->printer = script_printer_new(view, all->columns, &all->line, error);
	if (!t->printer) {
		close_thread(t, all);
		return NULL;
	}
	t->file = session_perfdata(view);
	t->stream = o->view->stream;
	if (t->stream) {
		t->rows = script_rows_new(t->printer, view, all->columns, o->line.show_chain);
		t->to = t->stream->open(t->rows);
	}
	return t;
}

/* -D: the event's bytes and fields; else its fields. */
static void describe(const struct script_thread *t, const struct event *event,
		     const struct place *place, bool dump, GString *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		g_error("open_memstream: %s", g_strerror(errno));
	if (dump)
		event_dump(t->file, event, file);
	else
		event_describe(event, file);
	if (dump && place)
		report_dump_place(place, file);
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
	if (row.kind != ROW_NONE && t->to)
		t->stream->row(t->to, row, out);
}

static void print(void *printer, const struct event *event, const struct place *place, GString *out)
{
	struct script_thread *t = printer;

	if (t->options->dump || t->options->dump_unsorted)
		describe(t, event, place, true, out);
	if (place) {
		print_sample(t, place, out);
	} else if (script_shows(t->options, event->type)) {
		script_print_head(t->printer, event, out);
		describe(t, event, NULL, false, out);
	}
}

static bool write_text(const GString *text, void *arg, GError **error)
{
	if (text->len && fwrite(text->str, 1, text->len, stdout) != text->len)
		return error_set_errno(error, errno, "writing the output");
	return true;
}

/* A key that needs all samples sums over them. */
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
	return session_can_print(session, needs) && !have_sums(columns) && !o->per_event &&
	       !o->line.deltatime;
}

struct first_line {
	struct script_thread thread;
	GString *text; /* thrown away */
};

static bool print_first(const struct event *event, const struct place *place, void *arg,
			GError **error)
{
	struct first_line *f = arg;

	print(&f->thread, event, place, f->text);
	g_string_truncate(f->text, 0);
	return !script_first_time(f->thread.printer) ||
	       error_set(error, PERF_ERROR_STOPPED, "found");
}

/* --reltime: each thread must know the time of the first line. 0: no line shows a time. */
static bool find_first_time(struct script_threads *all, struct session *session, u32 needs,
			    GError **error)
{
	struct first_line f = { .thread = { .options = all->options,
					    .file = session_perfdata(session) },
				.text = g_string_new(NULL) };
	g_autoptr(GError) ended = NULL;

	f.thread.printer = script_printer_new(session, all->columns, &all->line, error);
	if (!f.thread.printer) {
		g_string_free(f.text, TRUE);
		return false;
	}
	if (all->options->view->stream)
		f.thread.rows = script_rows_new(f.thread.printer, session, all->columns,
						all->line.show_chain);
	/* Records that cannot be read are reported when they are printed. */
	session_each_event(session, needs, script_by_time(all->options), print_first, &f, &ended);
	all->line.first_time = script_first_time(f.thread.printer);
	rows_free(f.thread.rows);
	script_printer_free(f.thread.printer);
	g_string_free(f.text, TRUE);
	return true;
}

bool script_print_by_threads(const struct script_options *o, struct session *session,
			     const struct script_columns *columns, u32 needs, u64 *shown,
			     GError **error)
{
	struct script_threads threads = { o, o->line, columns, 0 };
	const struct session_text text = {
		.needs = needs,
		.by_time = script_by_time(o),
		.open = open_thread,
		.print = print,
		.close = close_thread,
		.write = write_text,
		.arg = &threads,
	};
	bool good = (!o->line.reltime || find_first_time(&threads, session, needs, error)) &&
		    session_print_events(session, &text, error);

	*shown += threads.shown;
	return good;
}
