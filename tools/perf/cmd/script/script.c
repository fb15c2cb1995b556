// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/script/script_files.h"
#include "cmd/script/script_options.h"
#include "cmd/script/script_threads.h"
#include "options/recording.h"
#include "options/recordings.h"
#include "options/type_options.h"
#include "pages/lists/end_page.h"
#include "pages/notes/notes.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"
#include "report/report_lists.h"
#include "session/session.h"
#include "view/script/rows.h"
#include "view/stdio/pages.h"
#include "view/view.h"

struct script_run {
	const struct script_options *options;
	struct script_printer *printer;
	/* With --format: samples as rows. */
	struct rows *rows;
	const struct view_stream *stream;
	void *to;
	struct perfdata *file;
	struct script_files *files; /* NULL: all goes to standard output */
	GString *text;
	u32 gathered; /* bytes of text that are written at once */
	u64 shown;    /* samples that pass the filters */
};

/* Lines are buffered. Those of a pipe may be waited for, so they are passed on earlier. */
#define GATHERED      (32u << 10)
#define GATHERED_PIPE (4u << 10)

static bool write_all(const GString *text, FILE *file, GError **error)
{
	if (text->len && fwrite(text->str, 1, text->len, file) != text->len)
		return error_set_errno(error, errno, "writing the output");
	return true;
}

static bool write_text(struct script_run *run, FILE *file, GError **error)
{
	if (!write_all(run->text, file, error))
		return false;
	g_string_truncate(run->text, 0);
	return true;
}

static void print_sample(struct script_run *run, const struct place *place)
{
	struct row row;

	if (!run->rows) {
		script_print_sample(run->printer, place, run->text);
		return;
	}
	row = script_rows_take(run->rows, place);
	if (row.kind != ROW_NONE)
		run->stream->row(run->to, row, run->text);
}

static void open_stream(struct script_run *run, struct session *session,
			const struct script_columns *columns)
{
	const struct script_options *o = run->options;

	run->stream = o->view->stream;
	if (!run->stream)
		return;
	run->rows = script_rows_new(run->printer, session, columns, o->line.show_chain);
	run->to = run->stream->open(run->rows);
	run->stream->begin(run->to, "script", "samples", run->text);
}

static void close_stream(struct script_run *run)
{
	if (run->stream)
		run->stream->close(run->to);
	rows_free(run->rows);
}

static bool print_event(const struct event *event, const struct place *place, void *arg,
			GError **error)
{
	struct script_run *run = arg;
	bool dump = run->options->dump || run->options->dump_unsorted;
	FILE *file = stdout;

	if (dump) {
		event_dump(run->file, event, stdout);
		if (place)
			report_dump_place(place, stdout);
	}
	if (place) {
		run->shown++;
		print_sample(run, place);
		if (run->files && run->text->len)
			file = script_files_of(run->files, place->evsel, error);
		if (!file)
			return false;
	} else if (script_shows(run->options, event->type)) {
		script_print_head(run->printer, event, run->text);
		if (!write_text(run, file, error))
			return false;
		event_describe(event, file);
	}
	/* Later output may go to another stream or be printed by another function. */
	return (place && !dump && !run->files && run->text->len < run->gathered) ||
	       write_text(run, file, error);
}

static bool read_events(struct script_run *run, struct session *session,
			const struct script_columns *columns, u32 needs, GError **error)
{
	const struct script_options *o = run->options;

	/* Write the text before the first row. */
	if (!write_text(run, stdout, error))
		return false;
	if (script_takes_threads(o, session, columns, needs))
		return script_print_by_threads(o, session, columns, needs, &run->shown, error);
	return session_each_event(session, needs, script_by_time(o), print_event, run, error);
}

static bool print_events(struct session *session, const struct script_options *options,
			 const struct script_columns *columns, GError **error)
{
	struct script_run run = { .options = options, .file = session_perfdata(session) };
	bool dump = options->dump || options->dump_unsorted;
	u32 needs = script_columns_needs(columns, options->line.show_chain);
	struct notes remarks;
	bool good;

	if (!options->inlined)
		needs &= ~(u32)NEED_INLINE;
	run.printer = script_printer_new(session, columns, &options->line, error);
	if (!run.printer)
		return false;
	run.text = g_string_new(NULL);
	run.gathered = perfdata_is_pipe(run.file) ? GATHERED_PIPE : GATHERED;
	open_stream(&run, session, columns);
	if (options->per_event)
		run.files = script_files_new(options->session.input ?: perfdata_default_path());
	good = read_events(&run, session, columns, needs, error);
	if (run.stream && run.stream->end)
		run.stream->end(run.to, run.shown, run.text);
	good = write_text(&run, stdout, good ? error : NULL) && good;
	notes_init(&remarks);
	if (!dump && !run.shown)
		notes_add_filter(&remarks, &options->session);
	notes_add_cut(&remarks, run.file);
	if (options->verbose)
		notes_add_ends(&remarks, session_chain_ends(session));
	if (good)
		stdio_print_remarks(&remarks, stderr);
	notes_release(&remarks);
	if (run.files)
		good = script_files_close(run.files, perfdata_evsels(run.file),
					  good ? error : NULL) &&
		       good;
	g_string_free(run.text, TRUE);
	close_stream(&run);
	script_printer_free(run.printer);
	return good;
}

static bool parse_columns(struct script_columns *columns, const GPtrArray *texts, GError **error)
{
	for (u32 i = 0; texts && i < texts->len; i++)
		if (!script_columns_parse(columns, g_ptr_array_index(texts, i), error))
			return false;
	return true;
}

static bool script_file(const struct script_options *options, const struct script_columns *columns,
			GError **error)
{
	struct session *session = session_open(&options->session, error);
	bool good = true;

	if (!session)
		return false;
	if (options->header || options->header_only)
		perfdata_print_header(session_perfdata(session), options->info, stdout);
	if (options->header_only)
		recording_tell_cut(session_perfdata(session));
	else
		good = print_events(session, options, columns, error);
	session_close(session);
	return good;
}

/* The recordings of a directory, one after the other, each by its own clock. */
static bool script_recordings(struct script_options *o, const struct script_columns *columns,
			      GError **error)
{
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	struct recordings r = { 0 };
	struct pager pager;
	bool good;

	g_ptr_array_add(inputs, (void *)(o->session.input ?: perfdata_default_path()));
	good = recordings_choose(&r, inputs, o->session.filter.time, o->session.force, error);
	pager_start(&pager);
	for (u32 i = 0; good && i < r.paths->len; i++) {
		o->session.input = r.paths->pdata[i];
		if (r.times)
			o->session.filter.time = r.times->pdata[i];
		good = script_file(o, columns, error);
	}
	fflush(stdout);
	pager_finish(&pager);
	recordings_release(&r);
	return good;
}

/* Programs in script languages are the kernel's perf's: it reads the same recordings. */
static int hand_on(const struct script_options *o, const struct config *config, char *const *words,
		   int argc, char **argv)
{
	int status = upstream_options_settle(&o->upstream, config, &script_options_spec, words,
					     o->verbose);
	g_autofree char *what = NULL;

	if (status || !argc)
		return status;
	what = g_strdup_printf("'%s' is a script", argv[0]);
	return upstream_hand_on(config, &script_options_spec, what, words);
}

/* With the options as they were given. */
static int run_options(struct script_options *options, const struct config *config,
		       char *const *words, int argc, char **argv)
{
	struct script_columns columns;
	g_autoptr(GError) error = NULL;
	bool good;
	int status;

	status = hand_on(options, config, words, argc, argv);
	if (status)
		return status;
	if (!skid_option_parse(options->skid, &options->session.skid, &error))
		return options_wrong(&script_options_spec, "%s", error->message);
	options->view = options->format ? view_find(options->format, &error) : &view_stdio;
	if (!options->view)
		return options_wrong(&script_options_spec, "%s", error->message);
	if (!options->view->is_text && !options->view->stream)
		return options_wrong(&script_options_spec, "--format=%s shows reports, not samples",
				     options->format);
	if (!options->view->is_text && script_prints_text(options))
		return options_wrong(&script_options_spec,
				     "--format=%s prints only samples: it cannot be used with -D, "
				     "--header, --per-event-dump or --show-*-events",
				     options->format);
	if (options->verbose)
		script_options_note_unused(config);
	options->session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	options->session.dso.no_unnamed = true; /* scripts look for upstream's [unknown] */
	options->line.show_chain = !options->hide_call_graph;
	options->line.max_blocks = (u32)MIN(options->max_blocks, UINT32_MAX - 1);
	options->session.header_only = options->header_only;
	options->session.verbose = options->verbose;
	options->session.unsplit = options->dump || options->dump_unsorted;
	options->session.resolver.max_stack = (u32)MIN(options->max_stack, UINT32_MAX);
	span_options_apply(&options->spans, &options->session,
			   (const char *const *)(options->columns ? options->columns->pdata : NULL),
			   options->columns ? options->columns->len : 0);
	script_columns_init(&columns);
	good = parse_columns(&columns, options->columns, &error) &&
	       script_recordings(options, &columns, &error);
	script_columns_release(&columns);
	span_options_release(&options->spans);
	if (!good)
		fprintf(stderr, "perf script: %s\n", error->message);
	if (good)
		return 0;
	return g_error_matches(error, PERF_ERROR, PERF_ERROR_USAGE) ? OPTIONS_EXIT_USAGE : 255;
}

static int run_script(const struct config *config, int argc, char **argv)
{
	struct script_options options;
	g_autofree char **words = upstream_words(argc, argv);
	int status;

	if (!script_options_begin(&options, config))
		return CONFIG_EXIT_BAD;
	if (options_parse(&script_options_spec, &argc, &argv, &options, &status))
		status = run_options(&options, config, words, argc, argv);
	if (options.columns)
		g_ptr_array_unref(options.columns);
	return status;
}

const struct command cmd_script = { "script", "Print a recording's events one by one", run_script };
