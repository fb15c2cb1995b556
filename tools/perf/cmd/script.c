// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/config_keys.h"
#include "cmd/format_option.h"
#include "cmd/report_lists.h"
#include "cmd/span_options.h"
#include "pages/notes.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"
#include "session/session.h"
#include "session/workers.h"
#include "view/script/line.h"
#include "view/script/rows.h"
#include "view/stdio/pages.h"
#include "view/view.h"

/* Which records beside samples are shown; by record type. */
struct shown_records {
	bool mmap, task, cgroup, namespaces, lost, round, sw, bpf, text_poke;
};

struct script_options {
	struct session_options session;
	struct span_options spans;
	struct script_line_options line;
	struct shown_records show;
	GPtrArray *columns; /* -F arguments, in order */
	bool dump, dump_unsorted;
	bool header, header_only, info;
	bool hide_call_graph, inlined;
	u64 max_stack, max_blocks;
	bool per_event;
	int verbose;
	const char *format;
	const struct view *view;
};

#define AT(member) offsetof(struct script_options, member)

static const struct option_row rows[] = {
	{ 'i', "input", OPT_STRING, "file", "input file name, - for standard input",
	  AT(session.input) },
	{ 'F', "fields", OPT_LIST, "str",
	  "comma separated output fields, with a prefix 'hw:', 'sw:', 'trace:' or 'raw:' for\n"
	  "events of that type; '+field' adds to the defaults, '-field' removes. Any sort key of\n"
	  "perf report is a field, too. Fields:",
	  AT(columns), .words = script_columns_names },
	FORMAT_OPTION_ROW(AT(format)),
	{ 'G', "hide-call-graph", OPT_FLAG, NULL, "do not print call chains", AT(hide_call_graph) },
	{ 0, "max-stack", OPT_U64, "n", "print at most so many frames of a call chain",
	  AT(max_stack) },
	{ 0, "max-blocks", OPT_U64, "n",
	  "print at most so many runs between branches of brstackinsn, the newest",
	  AT(max_blocks) },
	{ 0, "stop-bt", OPT_STRING, "symbol[,symbol...]", "end call chains at these symbols",
	  AT(line.stop_bt) },
	{ 0, "inline", OPT_FLAG, NULL, "show inlined functions (the default)", AT(inlined) },
	{ 'c', "comms", OPT_STRING, "comm[,comm...]", "only consider these comms",
	  AT(session.filter.comms) },
	{ 0, "dsos", OPT_STRING, "dso[,dso...]", "only consider symbols in these dsos",
	  AT(session.filter.dsos) },
	{ 'S', "symbols", OPT_STRING, "symbol[,symbol...]", "only consider these symbols",
	  AT(session.filter.symbols) },
	{ 0, "pid", OPT_STRING, "pid[,pid...]", "only consider these pids",
	  AT(session.filter.pids) },
	{ 0, "tid", OPT_STRING, "tid[,tid...]", "only consider these tids",
	  AT(session.filter.tids) },
	{ 'C', "cpu", OPT_STRING, "cpu", "list of cpus to consider: 0,2-4",
	  AT(session.filter.cpus) },
	{ 0, "time", OPT_STRING, "str", "time span of interest (start,stop)",
	  AT(session.filter.time) },
	SPAN_OPTION_ROWS(AT(spans)),
	{ 0, "threads", OPT_INT, "n", "print with so many threads (default: one for each CPU)",
	  AT(session.threads) },
	{ 0, "skid", OPT_FLAG, NULL,
	  "of imprecise samples, the data type of the memory access just before the instruction",
	  AT(session.skid) },
	{ 0, "ns", OPT_FLAG, NULL, "print times with 9 decimal places", AT(line.ns) },
	{ 0, "reltime", OPT_FLAG, NULL, "print times relative to the first", AT(line.reltime) },
	{ 0, "deltatime", OPT_FLAG, NULL, "print times relative to the line before",
	  AT(line.deltatime) },
	{ 0, "show-mmap-events", OPT_FLAG, NULL, "show MMAP and MMAP2 records", AT(show.mmap) },
	{ 0, "show-task-events", OPT_FLAG, NULL, "show COMM, FORK and EXIT records",
	  AT(show.task) },
	{ 0, "show-namespace-events", OPT_FLAG, NULL, "show NAMESPACES records",
	  AT(show.namespaces) },
	{ 0, "show-cgroup-events", OPT_FLAG, NULL, "show CGROUP records", AT(show.cgroup) },
	{ 0, "show-lost-events", OPT_FLAG, NULL, "show LOST and LOST_SAMPLES records",
	  AT(show.lost) },
	{ 0, "show-round-events", OPT_FLAG, NULL, "show FINISHED_ROUND records", AT(show.round) },
	{ 0, "show-switch-events", OPT_FLAG, NULL, "show context switches", AT(show.sw) },
	{ 0, "show-bpf-events", OPT_FLAG, NULL, "show KSYMBOL and BPF_EVENT records",
	  AT(show.bpf) },
	{ 0, "show-text-poke-events", OPT_FLAG, NULL, "show TEXT_POKE records",
	  AT(show.text_poke) },
	{ 0, "header", OPT_FLAG, NULL, "print the file's header first", AT(header) },
	{ 0, "header-only", OPT_FLAG, NULL, "print the file's header, nothing else",
	  AT(header_only) },
	{ 'I', "show-info", OPT_FLAG, NULL, "with the header, its long parts", AT(info) },
	{ 'D', "dump-raw-trace", OPT_FLAG, NULL, "dump every record in hexadecimal and words",
	  AT(dump) },
	{ 0, "dump-unsorted-raw-trace", OPT_FLAG, NULL, "-D in the file's order",
	  AT(dump_unsorted) },
	{ 0, "per-event-dump", OPT_FLAG, NULL, "write each event's samples to FILE.EVENT.dump",
	  AT(per_event) },
	{ 'k', "vmlinux", OPT_STRING, "file", "vmlinux pathname", AT(session.dso.vmlinux) },
	{ 0, "kallsyms", OPT_STRING, "file", "kallsyms pathname", AT(session.dso.kallsyms) },
	{ 0, "symfs", OPT_STRING, "directory", "look for files relative to this directory",
	  AT(session.dso.symfs) },
	{ 0, "no-demangle", OPT_FLAG, NULL, "print symbols as the file has them",
	  AT(session.dso.no_demangle) },
	{ 0, "demangle-kernel", OPT_FLAG, NULL, "demangle the kernel's symbols too",
	  AT(session.dso.demangle_kernel) },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(session.force) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
};

static const struct config_row config_rows[] = {
	{ "call-graph.order", CONFIG_UNUSED, .why = "call chains are printed innermost first" },
	READER_CONFIG_ROWS,
};

static const char *const usage[] = { "perf script [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

/* One output per event, or standard output for all. */
struct outputs {
	bool per_event;
	const char *input;
	GPtrArray *files; /* FILE * by evsel's idx, NULL where none was needed yet */
	GArray *samples;  /* u64 by evsel's idx */
};

struct script_run {
	const struct script_options *options;
	struct script_printer *printer;
	/* With --format: samples as rows. */
	struct rows *rows;
	const struct view_stream *stream;
	void *to;
	struct perfdata *file;
	struct outputs out;
	GString *text;
	u64 shown; /* samples that pass the filters */
};

static bool is_shown(const struct shown_records *show, u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return show->mmap;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return show->task;
	case PERF_RECORD_NAMESPACES:
		return show->namespaces;
	case PERF_RECORD_CGROUP:
		return show->cgroup;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return show->lost;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return show->sw;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return show->bpf;
	case PERF_RECORD_TEXT_POKE:
		return show->text_poke;
	case PERFDATA_FINISHED_ROUND:
		return show->round;
	default:
		return false;
	}
}

static char *dump_path(const struct outputs *out, const struct evsel *evsel)
{
	g_autofree char *name = g_strdup(evsel->name);

	return g_strdup_printf("%s.%s.dump", out->input, g_strdelimit(name, "/", '_'));
}

/* Where samples of @evsel go; NULL with @error. */
static FILE *output_of(struct outputs *out, const struct evsel *evsel, GError **error)
{
	g_autofree char *path = NULL;
	FILE *file;

	if (!out->per_event)
		return stdout;
	if (evsel->idx >= out->files->len) {
		g_ptr_array_set_size(out->files, (int)evsel->idx + 1);
		g_array_set_size(out->samples, evsel->idx + 1);
	}
	g_array_index(out->samples, u64, evsel->idx)++;
	file = g_ptr_array_index(out->files, evsel->idx);
	if (file)
		return file;
	path = dump_path(out, evsel);
	file = fopen(path, "w");
	if (!file)
		error_set_errno(error, errno, "%s", path);
	g_ptr_array_index(out->files, evsel->idx) = file;
	return file;
}

static bool close_outputs(struct outputs *out, const GPtrArray *evsels, GError **error)
{
	bool good = true;

	for (u32 i = 0; out->files && i < out->files->len; i++) {
		FILE *file = g_ptr_array_index(out->files, i);
		g_autofree char *path = dump_path(out, g_ptr_array_index(evsels, i));
		long size = file ? ftell(file) : 0;

		if (!file)
			continue;
		if (fclose(file) != 0 && good)
			good = error_set_errno(error, errno, "%s", path);
		else
			printf("[ perf script: Wrote %.3f MB %s (%" G_GUINT64_FORMAT
			       " samples) ]\n",
			       (double)size / 1024 / 1024, path,
			       g_array_index(out->samples, u64, i));
	}
	return good;
}

/* Lines are gathered, to as many bytes as standard output would gather itself. */
#define GATHERED 4096u

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
		file = run->text->len ? output_of(&run->out, place->evsel, error) : stdout;
		if (!file)
			return false;
	} else if (is_shown(&run->options->show, event->type)) {
		script_print_head(run->printer, event, run->text);
		if (!write_text(run, file, error))
			return false;
		event_describe(event, file);
	}
	/* What follows may go elsewhere, or be printed by another hand. */
	return (place && !dump && !run->out.per_event && run->text->len < GATHERED) ||
	       write_text(run, file, error);
}

/* What one of several threads prints with; all else of struct script_run is nobody's then. */
struct script_thread {
	const struct script_options *options;
	struct script_printer *printer;
	u64 shown;
};

struct script_threads {
	struct script_run *run;
	const struct script_columns *columns;
};

static void *open_thread(struct session *view, void *arg, GError **error)
{
	const struct script_threads *all = arg;
	struct script_thread *t = g_new0(struct script_thread, 1);

	t->options = all->run->options;
	t->printer = script_printer_new(view, all->columns, &t->options->line, error);
	if (!t->printer)
		g_clear_pointer(&t, g_free);
	return t;
}

static void close_thread(void *printer, void *arg)
{
	const struct script_threads *all = arg;
	struct script_thread *t = printer;

	all->run->shown += t->shown;
	script_printer_free(t->printer);
	g_free(t);
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

static void print_by_thread(void *printer, const struct event *event, const struct place *place,
			    GString *out)
{
	struct script_thread *t = printer;

	if (place) {
		t->shown++;
		script_print_sample(t->printer, place, out);
	} else if (is_shown(&t->options->show, event->type)) {
		script_print_head(t->printer, event, out);
		describe(event, out);
	}
}

static bool write_of_threads(const GString *text, void *arg, GError **error)
{
	return write_all(text, stdout, error);
}

/* Lines that depend on those before, and those that go elsewhere, are one thread's work. */
static bool takes_threads(const struct script_run *run, struct session *session,
			  const struct script_columns *columns, u32 needs)
{
	const struct script_options *o = run->options;

	return session_can_print(session, needs) && !script_columns_have_keys(columns) &&
	       !run->stream && !o->dump && !o->dump_unsorted && !o->per_event && !o->line.reltime &&
	       !o->line.deltatime;
}

static bool read_events(struct script_run *run, struct session *session,
			const struct script_columns *columns, u32 needs, GError **error)
{
	struct script_threads threads = { run, columns };
	const struct session_text text = {
		.needs = needs,
		.by_time = !run->options->dump_unsorted,
		.open = open_thread,
		.print = print_by_thread,
		.close = close_thread,
		.write = write_of_threads,
		.arg = &threads,
	};

	if (takes_threads(run, session, columns, needs))
		return session_print_events(session, &text, error);
	return session_each_event(session, needs, text.by_time, print_event, run, error);
}

static bool print_events(struct session *session, const struct script_options *options,
			 const struct script_columns *columns, GError **error)
{
	struct script_run run = { .options = options, .file = session_perfdata(session) };
	bool dump = options->dump || options->dump_unsorted;
	u32 needs = script_columns_needs(columns, options->line.show_chain);
	struct notes remarks;
	bool good;

	run.out.per_event = options->per_event;
	run.out.input = options->session.input ?: perfdata_default_path();
	if (!options->inlined)
		needs &= ~(u32)NEED_INLINE;
	run.printer = script_printer_new(session, columns, &options->line, error);
	if (!run.printer)
		return false;
	run.text = g_string_new(NULL);
	open_stream(&run, session, columns);
	if (run.out.per_event) {
		run.out.files = g_ptr_array_new();
		run.out.samples = g_array_new(false, true, sizeof(u64));
	}
	good = read_events(&run, session, columns, needs, error);
	good = write_text(&run, stdout, good ? error : NULL) && good;
	notes_init(&remarks);
	if (!dump && !run.shown)
		notes_add_filter(&remarks, &options->session);
	notes_add_cut(&remarks, run.file);
	if (good)
		stdio_print_remarks(&remarks, stderr);
	notes_release(&remarks);
	good = close_outputs(&run.out, perfdata_evsels(run.file), good ? error : NULL) && good;
	if (run.out.per_event) {
		g_ptr_array_free(run.out.files, TRUE);
		g_array_free(run.out.samples, TRUE);
	}
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
	struct pager pager;
	bool good = true;

	if (!session)
		return false;
	pager_start(&pager);
	if (options->header || options->header_only)
		perfdata_print_header(session_perfdata(session), options->info, stdout);
	if (!options->header_only)
		good = print_events(session, options, columns, error);
	fflush(stdout);
	pager_finish(&pager);
	session_close(session);
	return good;
}

/* Whether something is asked for that is no sample. */
static bool prints_text(const struct script_options *o)
{
	static const struct shown_records none;

	return o->dump || o->dump_unsorted || o->header || o->header_only || o->info ||
	       o->per_event || memcmp(&o->show, &none, sizeof(none)) != 0;
}

static int run_script(const struct config *config, int argc, char **argv)
{
	struct script_options options = { .inlined = true };
	struct script_columns columns;
	g_autoptr(GError) error = NULL;
	bool good;
	int status;

	if (!options_parse(&spec, &argc, &argv, &options, &status))
		return status;
	options.view = options.format ? view_find(options.format, &error) : &view_stdio;
	if (!options.view)
		return options_wrong(&spec, "%s", error->message);
	if (!options.view->is_text && !options.view->stream)
		return options_wrong(&spec, "--format=%s is for whole reports, not for samples",
				     options.format);
	if (!options.view->is_text && prints_text(&options))
		return options_wrong(&spec,
				     "--format=%s has samples alone: no -D, --header, "
				     "--per-event-dump, --show-*-events",
				     options.format);
	if (options.verbose)
		config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
	options.session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	options.line.show_chain = !options.hide_call_graph;
	options.line.max_blocks = (u32)MIN(options.max_blocks, UINT32_MAX - 1);
	options.session.header_only = options.header_only;
	options.session.resolver.max_stack = (u32)MIN(options.max_stack, UINT32_MAX);
	span_options_apply(&options.spans, &options.session,
			   (const char *const *)(options.columns ? options.columns->pdata : NULL),
			   options.columns ? options.columns->len : 0);
	script_columns_init(&columns);
	good = parse_columns(&columns, options.columns, &error) &&
	       script_file(&options, &columns, &error);
	script_columns_release(&columns);
	span_options_release(&options.spans);
	if (options.columns)
		g_ptr_array_free(options.columns, TRUE);
	if (!good)
		fprintf(stderr, "perf script: %s\n", error->message);
	if (good)
		return 0;
	return g_error_matches(error, PERF_ERROR, PERF_ERROR_USAGE) ? OPTIONS_EXIT_USAGE : 255;
}

const struct command cmd_script = { "script", "Print a recording's events one by one", run_script };
