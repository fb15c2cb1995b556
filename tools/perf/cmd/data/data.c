// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf data convert: between perf.data and captures of sysprof, thread states to files of xcapture, samples to the
 * formats of other tools. Other subcommands of upstream's perf data are run by the next perf.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chains/chainer.h"
#include "cli/config.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "cmd/data/pack.h"
#include "cmd/data/to_exchange.h"
#include "convert/sysprof_import.h"
#include "convert/to_sysprof.h"
#include "detached/save.h"
#include "export/exchange/exchange.h"
#include "export/xcapture.h"
#include "machine/machine.h"
#include "options/next_perf.h"
#include "options/recording.h"
#include "options/session_options.h"
#include "options/span_options.h"
#include "pass/callchains.h"
#include "pass/pipeline.h"
#include "perfdata/read/images.h"
#include "perfdata/read/reader.h"

struct data_options {
	const char *input, *output, *from, *to, *table;
	bool stacks;
	u64 hz;
	int verbose;
	/* Of the formats of export/exchange. */
	struct session_options session;
	struct span_options spans;
};

#define AT(member) offsetof(struct data_options, member)

static const struct option_row rows[] = {
	{ 'F', "freq", OPT_U64, "hz",
	  "with --to=xcapture: looks at the threads per second (default 1)", AT(hz) },
	{ 0, "from", OPT_STRING, "format", "input format: sysprof", AT(from) },
	{ 'i', "input", OPT_STRING, "file", "input file name; - is standard input", AT(input) },
	{ 'o', "output", OPT_STRING, "file", "output file name; - is standard output", AT(output) },
	{ 0, "stacks", OPT_FLAG, NULL,
	  "with --to=sysprof: keep registers and stacks (StackUser frames) instead of unwinding",
	  AT(stacks) },
	{ 0, "table", OPT_STRING, "name",
	  "with --to=parquet and --to=native: write only this one of", AT(table),
	  .words = exchange_table_names },
	{ 0, "to", OPT_STRING, "format", "output format: sysprof, xcapture,", AT(to),
	  .words = exchange_names },
	{ 'v', "verbose", OPT_COUNT, NULL, "print how many samples were converted", AT(verbose) },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(session.force) },
	{ 0, "symfs", OPT_STRING, "directory",
	  "Look for files with symbols relative to this directory", AT(session.dso.symfs) },
	{ 0, "no-demangle", OPT_FLAG, NULL, "Disable symbol demangling",
	  AT(session.dso.no_demangle) },
	VMLINUX_OPTION_ROW(AT(session)),
	CPU_FILTER_ROW(AT(session)),
	THREAD_FILTER_ROWS(AT(session)),
	SPAN_OPTION_ROWS(AT(spans)),
};

static const char *const usage[] = {
	"perf data convert --from=sysprof -i <capture> [-o <perf.data>]",
	"perf data convert --to=sysprof [-i <perf.data>] -o <capture>",
	"perf data convert --to=xcapture [-i <perf.data>] -o <folder>",
	"perf data convert --to=<format> [--spans=<file>] [-i <perf.data>] [-o <file>]",
	"perf data convert --to=parquet|native [-i <perf.data>] <folder>",
	"perf data convert --to=parquet|native --table=<name> [-i <perf.data>] [-o <file>]",
	"perf data extract [-o <perf.data>] <core>",
	"perf data pack [-o <file>] [--sources] [--spans=<file>] [<perf.data>]",
	NULL
};
static const struct options_spec spec = { .usage = usage,
					  .rows = rows,
					  .nr_rows = ARRAY_SIZE(rows) };

static void say_passed_over(const char *what, char *counts)
{
	if (counts)
		fprintf(stderr, "note: %s that the output does not contain: %s\n", what, counts);
	g_free(counts);
}

static bool import(const struct data_options *o, GError **error)
{
	const char *output = o->output ? o->output : "perf.data";
	struct sysprof_import_counts counts;
	bool good = sysprof_import(o->input, output, &counts, error);

	if (good && o->verbose)
		fprintf(stderr, "%" PRIu64 " samples are in %s\n", counts.samples, output);
	if (good)
		say_passed_over("frames", g_steal_pointer(&counts.passed_over));
	g_free(counts.passed_over);
	return good;
}

static bool takes_any(const GPtrArray *evsels)
{
	for (u32 i = 0; i < evsels->len; i++)
		if (chainer_takes(g_ptr_array_index(evsels, i)))
			return true;
	return false;
}

/* A capture cannot have registers and stacks: they are unwound first. */
static bool run_export(struct perfdata *pd, struct pass *sink, const struct data_options *o,
		       const char *output, GError **error)
{
	const struct callchains_options chains = { .max_stack = 1024 };
	struct dsos *dsos = dsos_new(&(struct dso_options){ 0 });
	struct machine *machine = machine_new(dsos);
	struct stack_tally *tally = stack_tally_new();
	g_autoptr(GPtrArray) passes = g_ptr_array_new_with_free_func((GDestroyNotify)pass_free);
	struct pipeline_options options = { .by_time = true, .output = output, .sink = sink };
	bool good;

	machine_know_contents(machine, perfdata_info(pd));
	if (!o->stacks && takes_any(perfdata_evsels(pd))) {
		options.machine = machine;
		g_ptr_array_add(passes, callchains_pass_new(machine, &chains, tally));
	}
	good = pipeline_run(pd, &options, passes, error) && to_sysprof_finish(sink, error);
	g_ptr_array_set_size(passes, 0);
	stack_tally_free(tally);
	machine_free(machine);
	dsos_free(dsos);
	return good;
}

static bool export(const struct data_options *o, GError **error)
{
	struct perfdata *pd = recording_open(o->input, o->session.force, error);
	const char *output = o->output ? o->output : "capture.syscap";
	struct pass *sink;
	bool good;

	if (!pd)
		return false;
	sink = to_sysprof_pass_new(output, perfdata_info(pd), o->stacks);
	good = run_export(pd, sink, o, output, error);
	if (good)
		say_passed_over("records", to_sysprof_passed_over(sink));
	pass_free(sink);
	recording_close(pd, good);
	return good;
}

static bool convert(const struct data_options *o, GError **error)
{
	const char *output = o->output ? o->output : "";

	if (strcmp(output, "-") == 0 && isatty(STDOUT_FILENO))
		return error_set(error, PERF_ERROR_USAGE,
				 "standard output is a terminal: name a file with -o, or a pipe");
	return o->from ? import(o, error) : export(o, error);
}

static bool is_sysprof(const char *word)
{
	return !word || strcmp(word, "sysprof") == 0;
}

/* Else an empty folder would be all that a user sees. */
static void say_why_empty(const struct data_options *o, const struct xcapture_counts *counts)
{
	if (counts->rows || counts->ends)
		return;
	if (counts->states)
		fprintf(stderr,
			"note: %s has no files: no thread state covers an instant of %" PRIu64
			" per second; name more with -F\n",
			o->output, o->hz ?: 1);
	else
		fprintf(stderr, "note: %s has no files: %s has no thread states (record --wall)\n",
			o->output, o->input);
}

static int to_xcapture(const struct data_options *o)
{
	g_autoptr(GError) error = NULL;
	struct xcapture_counts counts = { 0 };
	bool ok;

	if (!o->output)
		return options_wrong(&spec, "--to=xcapture: name a folder for its files with -o");
	if (o->hz > 1000)
		return options_wrong(&spec, "--freq: expected a number from 1 to 1000");
	ok = xcapture_write(&(struct xcapture_options){ .input = o->input,
							.folder = o->output,
							.hz = o->hz ? (u32)o->hz : 1,
							.force = o->session.force },
			    &counts, &error);
	if (!ok) {
		fprintf(stderr, "perf: %s\n", error->message);
		return 1;
	}
	if (o->verbose)
		fprintf(stderr, "%" PRIu64 " rows are in %s\n", counts.rows, o->output);
	say_why_empty(o, &counts);
	return 0;
}

static int to_exchanged(struct data_options *o)
{
	o->session.input = o->input;
	return to_exchange(&(struct to_exchange_options){ .format = o->to,
							  .output = o->output,
							  .table = o->table,
							  .session = &o->session,
							  .spans = &o->spans,
							  .verbose = o->verbose });
}

static int from_or_to_sysprof(const struct data_options *o)
{
	g_autoptr(GError) error = NULL;

	if (convert(o, &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

static bool is_to(const struct data_options *o, const char *format)
{
	return !o->from && o->to && strcmp(o->to, format) == 0;
}

static int wrong_formats(void)
{
	g_autofree char *names = exchange_names();

	return options_wrong(&spec, "expected --from=sysprof, or --to=sysprof, xcapture, %s",
			     names);
}

/* An option that has an effect only on the formats of export/exchange, if one is given. */
static const char *option_of_exchange(const struct data_options *o)
{
	const struct session_filter *f = &o->session.filter;
	const struct span_options *s = &o->spans;
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{ "symfs", o->session.dso.symfs },
		{ "vmlinux", o->session.dso.vmlinux },
		{ "no-demangle", o->session.dso.no_demangle },
		{ "cpu", f->cpus },
		{ "pid", f->pids },
		{ "tid", f->tids },
		{ "time", f->time },
		{ "spans", s->files },
		{ "span", s->spans },
		{ "trace", s->traces },
		{ "label", s->labels },
		{ "irq-activity", s->charge_interrupts },
		{ "trace-label", s->trace_names },
		{ "span-label", s->span_names },
	};

	for (u32 i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

/* Formats with tables write a folder, which is named as an argument or with -o; with --table one file. 0: all is well. */
static int set_tables(struct data_options *o, int argc, char **argv)
{
	bool tables = !o->from && o->to && exchange_is_format(o->to) && exchange_has_tables(o->to);
	g_autofree char *names = exchange_table_names();
	const struct option_rule rules[] = {
		{ o->table && !tables, "--table needs --to=parquet or --to=native" },
		{ tables && argc && o->output, "name the output once, as an argument or with -o" },
		{ tables && argc && o->table, "with --table, name a file with -o" },
		{ tables && !argc && !o->output && !o->table, "name a folder for the tables" },
		{ tables && !o->table && o->output && !strcmp(o->output, "-"),
		  "standard output has one table: name it with --table" },
		{ tables && o->table && !o->output && isatty(STDOUT_FILENO),
		  "standard output is a terminal: name a file with -o, or a pipe" },
	};

	if (argc > tables)
		return options_wrong(&spec, "unexpected argument `%s'", argv[tables]);
	if (o->table && !exchange_is_table(o->table))
		return options_wrong(&spec, "--table: `%s' is none of %s", o->table, names);
	o->output = argc ? argv[0] : o->output ?: o->table ? "-" : NULL;
	return options_check(&spec, rules, ARRAY_SIZE(rules));
}

static int run_formats(struct data_options *o)
{
	bool exchanged = !o->from && o->to && exchange_is_format(o->to);
	bool xcapture = is_to(o, "xcapture");

	if (!o->from == !o->to || !is_sysprof(o->from) ||
	    (!xcapture && !exchanged && !is_sysprof(o->to)))
		return wrong_formats();
	if (!exchanged && option_of_exchange(o))
		return options_wrong(&spec, "--%s: not for this format", option_of_exchange(o));
	if (exchanged && o->stacks)
		return options_wrong(&spec, "--stacks needs --to=sysprof");
	if (o->hz && !xcapture)
		return options_wrong(&spec, "--freq needs --to=xcapture");
	if (!o->input && o->from)
		return options_wrong(&spec, "--from=sysprof: name the capture with -i");
	if (!o->input)
		o->input = perfdata_default_path();
	return exchanged ? to_exchanged(o) : xcapture ? to_xcapture(o) : from_or_to_sysprof(o);
}

static int run_convert(int argc, char **argv)
{
	struct data_options opts = { 0 };
	int status;

	if (options_parse(&spec, &argc, &argv, &opts, &status)) {
		status = set_tables(&opts, argc, argv);
		if (!status)
			status = run_formats(&opts);
	}
	span_options_release(&opts.spans);
	return status;
}

static bool has_prefix(const char *word, const char *option)
{
	size_t len = strlen(option);

	return strncmp(word, option, len) == 0 && (!word[len] || word[len] == '=');
}

/* Any other file would be called a damaged perf.data file, or just copied. */
static bool can_extract(const char *path, GError **error)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, R_OK) || images_fit(path))
		return true; /* opening it says what is wrong */
	return error_set(error, PERF_ERROR_USAGE,
			 "%s: neither a core dump nor a detached recording", path);
}

/* perf data extract: writes the recording in a core dump, or a detached one, as a file. */
static int run_extract(int argc, char **argv)
{
	static const char *const extract_usage[] = { "perf data extract [-f] [-o <file>] <core>",
						     NULL };
	static const struct option_row extract_rows[] = {
		{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too",
		  AT(session.force) },
		{ 'o', "output", OPT_STRING, "file", "output file name (default: perf.data)",
		  AT(output) },
	};
	static const struct options_spec extract = { .usage = extract_usage,
						     .rows = extract_rows,
						     .nr_rows = ARRAY_SIZE(extract_rows) };
	struct data_options opts = { .output = "perf.data" };
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&extract, &argc, &argv, &opts, &status))
		return status;
	if (argc != 1)
		return options_wrong(&extract, "name one core dump");
	if (can_extract(argv[0], &error) &&
	    save_image(argv[0], opts.output, opts.session.force, &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

/* True if the arguments are for us, not for upstream's perf data. */
static bool is_ours(int argc, char **argv)
{
	bool wanted = argc > 1 && has_prefix(argv[1], "--list-opts");

	if (argc < 2 || (!wanted && strcmp(argv[1], "convert") != 0))
		return false;
	for (int i = 2; i < argc; i++)
		wanted |= has_prefix(argv[i], "--from") || has_prefix(argv[i], "--to") ||
			  strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0;
	return wanted;
}

static int data_run(const struct config *config, int argc, char **argv)
{
	bool fallback = config_get_bool(config, "perf.fallback", true);
	int skip = argc > 1 && strcmp(argv[1], "convert") == 0;

	if (argc > 1 && strcmp(argv[1], "extract") == 0)
		return run_extract(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "pack") == 0)
		return pack_run(argc - 1, argv + 1);
	if (is_ours(argc, argv))
		return run_convert(argc - skip, argv + skip);
	if (fallback)
		next_perf_exec(argv, argv);
	options_usage(&spec, NULL, stderr);
	next_perf_say_missing("the other conversions", fallback);
	return OPTIONS_EXIT_USAGE;
}

const struct command cmd_data = { "data",
				  "Convert a recording from and to sysprof's captures, or pack it",
				  data_run };
