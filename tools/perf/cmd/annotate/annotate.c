// SPDX-License-Identifier: GPL-2.0-or-later
/* perf annotate: the samples by instruction, or by data type and member. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/annotate/annotate_beside.h"
#include "cmd/annotate/annotate_tui.h"
#include "cmd/annotate/annotate_why.h"
#include "cmd/cmd.h"
#include "options/code_options.h"
#include "options/config_keys.h"
#include "options/debug_files.h"
#include "options/session_options.h"
#include "options/format_option.h"
#include "options/span_options.h"
#include "options/type_options.h"
#include "options/upstream_options.h"
#include "pages/code/annotator.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "report/report_lists.h"
#include "session/session.h"
#include "view/view.h"

struct annotate_options {
	struct session_options session;
	struct span_options spans;
	struct upstream_options upstream;
	const char *input, *baseline, *data_type, *colour, *why, *field, *by;
	const char *format;
	const struct view *view;
	struct type_options types;
	struct code_options code;
	struct annotate_pages_options look;
	bool by_type, type_stat, insn_stat, group, skip_empty, quiet, dump;
	bool show_samples, show_period, stdio_given, code_with_type, full_paths, print_lines,
		layout, type_list, tui_given, tui, advise;
	int verbose;
	double percent_limit;
};

#define AT(member) offsetof(struct annotate_options, member)

static const struct option_row rows[] = {
	{ 'D', "dump-raw-trace", OPT_FLAG, NULL, "dump raw trace in ASCII", AT(dump) },
	{ 'i', "input", OPT_STRING, "file", "input file name", AT(input) },
	{ 'l', "print-line", OPT_FLAG, NULL, "print matching source lines", AT(print_lines) },
	{ 'n', "show-nr-samples", OPT_FLAG, NULL, "Show a column with the number of samples",
	  AT(show_samples) },
	{ 'P', "full-paths", OPT_FLAG, NULL, "Don't shorten the displayed pathnames",
	  AT(full_paths) },
	{ 'q', "quiet", OPT_FLAG, NULL, "do not show any warnings or messages", AT(quiet) },
	{ 's', "symbol", OPT_STRING, "symbol", "symbol to annotate", AT(session.filter.symbols) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
	{ 0, "advise", OPT_FLAG, NULL, "Show other layouts of types that would save time or bytes",
	  AT(advise) },
	{ 0, "baseline", OPT_STRING, "file",
	  "Show functions, or types, side by side with those of this recording", AT(baseline) },
	{ 0, "by", OPT_STRING, "key",
	  "Show who touches a type, grouped by a sort key of perf report: span, comm, sym ...",
	  AT(by) },
	{ 0, "code-with-type", OPT_FLAG, NULL,
	  "Show data type info in code annotation (memory instructions only)", AT(code_with_type) },
	{ 0, "data-type", OPT_STRING, "name", "Show data type annotate for the memory accesses",
	  AT(data_type), .fallback = "", .set_offset = AT(by_type) },
	{ 0, "field", OPT_STRING, "name",
	  "Show the instructions that touch this field of the type: its name, or +OFFSET",
	  AT(field) },
	FORMAT_OPTION_ROW(AT(format)),
	{ 0, "group", OPT_FLAG, NULL, "Show all events together as one group", AT(group) },
	{ 0, "insn-stat", OPT_FLAG, NULL,
	  "Show how many samples of each instruction have a data type", AT(insn_stat) },
	{ 0, "layout", OPT_FLAG, NULL,
	  "Show types as they lie in memory: reads and writes, cache lines, holes", AT(layout) },
	OBJDUMP_OPTION_ROW(AT(upstream)),
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "Don't show entries under that percent",
	  AT(percent_limit) },
	{ 0, "show-total-period", OPT_FLAG, NULL, "Show a column with the sum of periods",
	  AT(show_period) },
	{ 0, "skip-empty", OPT_FLAG, NULL, "Do not display events without samples",
	  AT(skip_empty) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", AT(stdio_given) },
	{ 0, "stdio-color", OPT_STRING, "mode", "'always', 'never' or 'auto' (default)",
	  AT(colour) },
	SPAN_OPTION_ROWS(AT(spans)),
	READING_OPTION_ROWS(AT(session)),
	IGNORE_VMLINUX_OPTION_ROW(AT(session)),
	CPU_FILTER_ROW(AT(session)),
	DSOS_FILTER_ROW(AT(session), 'd'),
	SWITCH_OPTION_ROWS(AT(session)),
	{ 0, "tui", OPT_FLAG, NULL, "Use the browsers on the terminal", AT(tui_given) },
	{ 0, "type-list", OPT_FLAG, NULL, "List data types with their shares and hottest fields",
	  AT(type_list) },
	TYPE_OPTION_ROWS(AT(types)),
	CODE_OPTION_ROWS(AT(code)),
	ADDR2LINE_OPTION_ROW(AT(upstream)),
	MODULES_OPTION_ROW(AT(upstream)),
	ITRACE_OPTION_ROW(AT(upstream)),
	NO_EFFECT_FLAG(AT(upstream), 0, "skip-missing",
		       "functions whose code is not found are always left out"),
	{ 0, "stdio2", OPT_FLAG, NULL, "Use the stdio interface, as --stdio", AT(stdio_given) },
	{ 0, "type-stat", OPT_FLAG, NULL,
	  "Show how many samples have a data type, and why the others have none", AT(type_stat) },
	{ 0, "why", OPT_STRING, "place",
	  "Show how the data type of the instruction at FUNCTION+OFFSET or at an address was found",
	  AT(why) },
};

static const struct config_row config_rows[] = {
	CODE_CONFIG_ROWS(AT(code)),
	{ "annotate.demangle", CONFIG_NOT, AT(session.dso.no_demangle) },
	{ "annotate.demangle_kernel", CONFIG_BOOL, AT(session.dso.demangle_kernel) },
	{ "report.skid", CONFIG_STRING, AT(types.skid_text) },
	{ "annotate.show_nr_samples", CONFIG_BOOL, AT(show_samples) },
	{ "annotate.show_total_period", CONFIG_BOOL, AT(show_period) },
	READER_CONFIG_ROWS,
};

static const char *const usage[] = { "perf annotate [<options>] [symbol_name]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static enum view_values values_of(const struct annotate_options *o)
{
	return o->show_period ? VIEW_PERIOD : o->show_samples ? VIEW_SAMPLES : VIEW_PERCENT;
}

/* The message if no function with samples has code. */
static bool without_code(u32 nr, GError **error)
{
	if (!nr)
		return error_set(error, PERF_ERROR_ABSENT,
				 "no sample is in a known function: perf report -s dso,sym shows "
				 "where the samples are");
	return error_set(error, PERF_ERROR_ABSENT,
			 "%u function%s samples, but %s code was not found: perf looks for it at "
			 "its recorded path, and below --symfs",
			 nr, nr == 1 ? " has" : "s have", nr == 1 ? "its" : "their");
}

static bool without_type(const struct annotate_options *o, GError **error)
{
	if (*o->data_type)
		return error_set(error, PERF_ERROR_ABSENT,
				 "no sample touches a data type called '%s'", o->data_type);
	return error_set(error, PERF_ERROR_ABSENT, "no sample has a data type%s",
			 o->type_stat ? "" : " (--type-stat shows why)");
}

static bool is_table(const struct annotate_options *o)
{
	return o->type_list || o->field || o->by;
}

static bool print_code(const struct annotate_options *o, struct annotator *annotator,
		       const struct view_options *look, GError **error)
{
	struct pages *pages = annotator_code(annotator, o->code_with_type, error);
	bool ok = pages && o->view->print(pages, look, stdout, error);

	if (ok && pages->nr <= code_pages_without(pages))
		ok = without_code(code_pages_without(pages), error);
	pages_free(pages);
	return ok;
}

static bool print_types(const struct annotate_options *o, struct annotator *annotator,
			const struct view_options *look, GError **error)
{
	struct pages *pages = annotator_types(annotator, error);
	bool ok = pages && o->view->print(pages, look, stdout, error);

	if (ok && !type_pages_nr(pages))
		ok = without_type(o, error);
	pages_free(pages);
	return ok;
}

static bool print_advice(const struct annotate_options *o, struct annotator *annotator,
			 const struct view_options *look, GError **error)
{
	struct pages *pages = annotator_advice(annotator, error);
	bool ok = pages != NULL;

	if (ok && pages->nr)
		ok = o->view->print(pages, look, stdout, error);
	else if (ok && *o->data_type)
		ok = without_type(o, error);
	else if (ok)
		ok = error_set(error, PERF_ERROR_ABSENT,
			       "no type has a layout that would certainly save time or bytes "
			       "(--data-type=NAME says why)");
	pages_free(pages);
	return ok;
}

static bool without_field(const struct annotate_options *o, GError **error)
{
	if (*o->data_type)
		return error_set(error, PERF_ERROR_ABSENT, "no sample touches a field '%s' of '%s'",
				 o->field, o->data_type);
	return error_set(error, PERF_ERROR_ABSENT, "no sample touches a field '%s'", o->field);
}

/* True for tables: a list of types, or who touches one. */
static bool print_touches(const struct annotate_options *o, struct annotator *annotator,
			  const struct view_options *look, GError **error)
{
	struct touch_pages_options touch = {
		.by = o->type_list ? TOUCHES_BY_TYPE
		      : o->by	   ? TOUCHES_BY_KEY
				   : TOUCHES_BY_CODE,
		.field = o->field,
	};
	struct pages *pages = annotator_touches(annotator, &touch, o->by, error);
	bool ok = pages != NULL;

	if (ok && pages->nr)
		ok = o->view->print(pages, look, stdout, error);
	else if (ok)
		ok = o->field ? without_field(o, error) : without_type(o, error);
	pages_free(pages);
	return ok;
}

/* The message for an empty result; upstream's text if no symbol or type was given. */
static bool nothing(const struct annotate_options *o, GError **error)
{
	const char *path = o->input ?: perfdata_default_path();
	const char *symbols = o->session.filter.symbols;

	const char *hint = "perf report -s sym lists the functions with samples";

	if (o->by_type && !*o->data_type)
		hint = "for a data type use --data-type=NAME";
	if (symbols)
		return error_set(error, PERF_ERROR_ABSENT, "%s: no samples in a function '%s' (%s)",
				 path, symbols, hint);
	return error_set(error, PERF_ERROR_ABSENT, "Error:\nThe %s data has no samples!", path);
}

/* Shows the browsers, on a terminal without options for text. */
static bool wants_tui(const struct annotate_options *o)
{
	bool text = o->stdio_given || o->format || o->quiet || o->why || o->dump || o->type_stat ||
		    o->insn_stat || o->colour || o->advise;

	return o->tui_given || (!text && annotate_tui_can());
}

static struct annotate_tui_options tui_options(const struct annotate_options *o)
{
	return (struct annotate_tui_options){
		.look = { .values = values_of(o),
			  .no_source = o->code.no_source,
			  .raw_bytes = o->code.raw_bytes,
			  .sampled = o->code.show_sampled },
		.by_type = o->by_type,
		.one_type = !o->type_list && *o->data_type,
		.field = o->field,
		.by = o->by,
	};
}

/* Takes the annotator over. */
static bool browse(const struct annotate_options *o, struct annotator *annotator, GError **error)
{
	struct annotate_tui_options options = tui_options(o);
	bool empty;

	if (!annotate_tui(&options, annotator, &empty, error))
		return false;
	if (!empty)
		return true;
	if (!o->by_type)
		return without_code(1, error);
	return o->field ? without_field(o, error) : without_type(o, error);
}

static struct annotator *make_annotator(const struct annotate_options *o, struct session *session)
{
	struct annotator_options options = {
		.session = session,
		.insns = o->insn_stat,
		.skip_empty = o->skip_empty,
		.part_of_name = o->session.filter.symbols != NULL,
		.look = {
			.group = o->group,
			.before = o->types.skid != SKID_SAMPLED,
			.percent = o->look.percent,
			.intel = o->look.intel,
			.source_prefix = o->look.source_prefix,
			.source_strip = o->look.source_strip,
			.percent_limit = o->percent_limit,
			.pattern = *o->data_type ? o->data_type : NULL,
			.layout = o->layout,
			.type_stat = o->type_stat,
			.short_names = o->types.short_names ||
				       (o->types.for_terminal && !o->verbose),
			.pseudo_types = o->verbose > 0,
			.full_paths = o->full_paths,
		},
	};

	return annotator_new(&options);
}

static bool print_beside(const struct annotate_options *o, struct annotator *before,
			 struct annotator *now, const struct view_options *look, GError **error)
{
	struct annotate_beside beside = { o->by_type, o->view, look };
	u32 nr = 0;

	if (!annotate_beside_print(&beside, before, now, &nr, error))
		return false;
	if (nr)
		return true;
	return o->by_type && annotator_samples(now) ? without_type(o, error) : nothing(o, error);
}

/* Takes the annotators over. */
static bool browse_beside(const struct annotate_options *o, struct annotator *before,
			  struct annotator *now, GError **error)
{
	struct annotate_tui_options options = tui_options(o);
	bool empty;

	if (!annotate_tui_beside(&options, before, now, &empty, error))
		return false;
	if (!empty)
		return true;
	return o->by_type ? without_type(o, error) : without_code(1, error);
}

/* With --baseline: reads the other recording, too. Takes @now over. */
static bool run_beside(const struct annotate_options *o, struct annotator *now,
		       const struct view_options *look, GError **error)
{
	struct session_options options = o->session;
	struct session *session;
	struct annotator *before = NULL;
	bool ok;

	options.input = o->baseline;
	session = session_open(&options, error);
	if (session)
		before = make_annotator(o, session);
	ok = before && annotator_read(before, o->by_type, NULL, error);
	if (ok && o->tui) {
		ok = browse_beside(o, before, now, error);
	} else {
		ok = ok && print_beside(o, before, now, look, error);
		annotator_free(before);
		annotator_free(now);
	}
	session_close(session);
	return ok;
}

static bool run(const struct annotate_options *o, struct session *session, bool colour,
		GError **error)
{
	struct view_options look = {
		.values = values_of(o),
		.colour = colour,
		.quiet = o->quiet,
		.no_source = o->code.no_source,
		.full_paths = o->full_paths,
		.print_lines = o->print_lines,
		.raw_bytes = o->code.raw_bytes,
		.sampled = o->code.show_sampled,
		.layout = o->layout,
		.beside = stderr,
	};
	struct annotator *annotator;
	bool ok;

	if (o->dump)
		return report_dump(session, true, stdout, error);
	if (o->why)
		return annotate_why(session, o->why, o->types.skid != SKID_SAMPLED, o->view, error);
	annotator = make_annotator(o, session);
	ok = annotator_read(annotator, o->by_type, o->by, error);
	if (ok && o->baseline)
		return run_beside(o, annotator, &look, error);
	if (ok && !annotator_samples(annotator))
		ok = nothing(o, error);
	else if (ok && o->advise)
		ok = print_advice(o, annotator, &look, error);
	else if (ok && o->tui)
		return browse(o, annotator, error);
	else if (ok && is_table(o))
		ok = print_touches(o, annotator, &look, error);
	else if (ok)
		ok = o->by_type ? print_types(o, annotator, &look, error)
				: print_code(o, annotator, &look, error);
	annotator_free(annotator);
	return ok;
}

/* Checks the words of the options and fills in the rest. 0, or the exit status after a message. */
static int complete(struct annotate_options *o, int argc, char **argv, enum colour_when *when)
{
	g_autoptr(GError) wrong = NULL;

	if (argc > 1 || (argc && o->session.filter.symbols))
		return options_wrong(&spec, "give only one symbol");
	if (argc)
		o->session.filter.symbols = argv[0];
	if (o->baseline &&
	    (o->why || o->dump || o->type_stat || o->insn_stat || o->advise || is_table(o)))
		return options_wrong(&spec,
				     "--baseline shows code or types: without --why, -D, --advise, "
				     "--type-stat, --insn-stat, --type-list, --field and --by");
	if (o->colour && !colour_when_parse(o->colour, when))
		return options_wrong(&spec, "--stdio-color: expected auto, always or never");
	if (!code_options_apply(&o->code, &o->look, &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	o->view = o->format && !o->stdio_given ? view_find(o->format, &wrong) : &view_stdio;
	if (!o->view)
		return options_wrong(&spec, "%s", wrong->message);
	if (!type_options_parse(&o->types, isatty(STDOUT_FILENO), &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	o->by_type |= o->type_stat || o->insn_stat || o->layout || is_table(o) || o->advise;
	o->session.type_min = o->types.min;
	o->session.skid = o->types.skid;
	o->session.input = o->input;
	o->session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	o->tui = wants_tui(o);
	o->session.show_progress = !o->quiet;
	o->session.verbose = o->verbose && !o->quiet && !o->tui;
	span_options_apply(&o->spans, &o->session, (const char *const[]){ o->by }, 1);
	return 0;
}

static int annotate_run(const struct config *config, int argc, char **argv)
{
	struct annotate_options opts = { .data_type = "" };
	g_autofree char **words = upstream_words(argc, argv);
	enum colour_when when = COLOUR_AUTO;
	struct session *session;
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	int status;
	bool ok;

	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), &opts))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.verbose)
		config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
	status = upstream_options_settle(&opts.upstream, config, &spec, words, opts.verbose);
	if (!status)
		status = complete(&opts, argc, argv, &when);
	if (status)
		return status;
	if (!opts.tui)
		pager_start(&pager);
	if (!opts.quiet)
		debug_files_offer(&opts.session);
	session = session_open(&opts.session, &error);
	ok = session && run(&opts, session, colour_wanted(when, pager_in_use(&pager)), &error);
	session_close(session);
	span_options_release(&opts.spans);
	fflush(stdout);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	if (!opts.tui)
		pager_finish(&pager);
	return ok ? 0 : 255;
}

const struct command cmd_annotate = {
	"annotate",
	"Read perf.data (created by perf record) and display annotated code or data types",
	annotate_run
};
