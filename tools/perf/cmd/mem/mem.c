// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf mem: perf record -d and perf report --mem-mode under upstream's names. Where no hardware states accesses to memory, the
 * recording has the registers from which the report computes addresses.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/mem/mem_dump.h"
#include "cmd/mem/mem_words.h"
#include "cmd/record/record_request.h"
#include "options/upstream_options.h"
#include "perfevent/pmu.h"
#include "report/report_options.h"

struct mem_options {
	/* Of both commands. */
	const char *type, *cpus;
	bool force, phys_data, data_page_size;
	int verbose;
	/* Of record. */
	GPtrArray *events;
	bool all_kernel, all_user, quiet;
	u64 ldlat;
	/* Of report. */
	const char *input, *sort, *separator, *symfs;
	bool dump, types, hide_unresolved;
	struct mem_words passed;
};

#define AT(member) offsetof(struct mem_options, member)

static const struct option_row common_rows[] = {
	{ 'C', "cpu", OPT_STRING, "cpu", "list of cpus to profile", AT(cpus) },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners as well", AT(force) },
	{ 'p', "phys-data", OPT_FLAG, NULL, "Record/Report sample physical addresses",
	  AT(phys_data) },
	{ 't', "type", OPT_STRING, "type", "memory operations: load,store (default), load or store",
	  AT(type) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", AT(verbose) },
	{ 0, "data-page-size", OPT_FLAG, NULL, "Record/Report sample data address page size",
	  AT(data_page_size) },
};

static const struct option_row record_rows[] = {
	{ 'e', "event", OPT_LIST, "event",
	  "event selector; without it, the memory events of the hardware, or those of perf record",
	  AT(events) },
	{ 'K', "all-kernel", OPT_FLAG, NULL, "collect only kernel level data", AT(all_kernel) },
	{ 'U', "all-user", OPT_FLAG, NULL, "collect only user level data", AT(all_user) },
	{ 0, "ldlat", OPT_U64, "n", "least latency of loads, for events of the hardware",
	  AT(ldlat) },
	{ 'q', "quiet", OPT_FLAG, NULL, "don't print any warnings or messages", AT(quiet) },
};

static const struct option_row report_rows[] = {
	{ 'D', "dump-raw-samples", OPT_FLAG, NULL, "print a line for each sample", AT(dump) },
	{ 'i', "input", OPT_STRING, "file", "input file name", AT(input) },
	{ 's', "sort", OPT_STRING, "key[,key2...]", "sort by key(s), as in perf report", AT(sort) },
	{ 0, "symfs", OPT_STRING, "directory",
	  "Look for files with symbols relative to this directory", AT(symfs) },
	{ 'T', "type-profile", OPT_FLAG, NULL, "Show data types instead of symbols", AT(types) },
	{ 'U', "hide-unresolved", OPT_FLAG, NULL, "Only display entries resolved to a symbol",
	  AT(hide_unresolved) },
	{ 'x', "field-separator", OPT_STRING, "separator",
	  "separator for columns, no spaces will be added between columns '.' is reserved.",
	  AT(separator) },
};

static const char *const usage[] = { "perf mem [<options>] {record|report}",
				     "perf mem record [<options>] [--] [<command>]",
				     "perf mem report [<options>]", NULL };
#define SPEC(of_rows)                                                                              \
	{                                                                                          \
		usage, of_rows, ARRAY_SIZE(of_rows), .stop_at_argument = true                      \
	}
static const struct options_spec common = SPEC(common_rows), of_record = SPEC(record_rows),
				 of_report = SPEC(report_rows);

static void add_event_words(struct mem_options *o, bool hardware)
{
	for (u32 i = 0; o->events && i < o->events->len; i++) {
		mem_words_add(&o->passed, "-e");
		mem_words_add(&o->passed, "%s", (char *)g_ptr_array_index(o->events, i));
	}
	mem_words_add(&o->passed, "-d");
	if (!hardware)
		return;
	mem_words_add(&o->passed, "-W");
	mem_words_add(&o->passed, "--sample-mem-info");
	if (o->phys_data)
		mem_words_add(&o->passed, "--phys-data");
	if (o->data_page_size)
		mem_words_add(&o->passed, "--data-page-size");
}

static void add_record_words(struct mem_options *o, bool hardware)
{
	add_event_words(o, hardware);
	if (o->cpus)
		mem_words_add(&o->passed, "--cpu=%s", o->cpus);
	if (o->all_kernel)
		mem_words_add(&o->passed, "--all-kernel");
	if (o->all_user)
		mem_words_add(&o->passed, "--all-user");
	if (o->quiet)
		mem_words_add(&o->passed, "--quiet");
	for (int i = 0; i < o->verbose; i++)
		mem_words_add(&o->passed, "-v");
}

/* Runs @command with the collected words and the rest of the command line. */
static int run(const struct command *command, const struct config *config, struct mem_options *o,
	       int argc, char **argv)
{
	GPtrArray *words = g_ptr_array_new();
	int status;

	for (u32 i = 0; i < o->passed.words->len; i++)
		g_ptr_array_add(words, g_ptr_array_index(o->passed.words, i));
	if (argc)
		g_ptr_array_add(words, (char *)"--");
	for (int i = 0; i < argc; i++)
		g_ptr_array_add(words, argv[i]);
	g_ptr_array_add(words, NULL);
	status = command->run(config, (int)words->len - 1, (char **)words->pdata);
	g_ptr_array_unref(words);
	return status;
}

static void tell_what_is_missing(const struct mem_options *o)
{
	if (!o->quiet)
		fprintf(stderr,
			"note: no hardware event of this machine states memory accesses. "
			"perf mem report will compute data addresses from registers. "
			"There is no cache level, TLB, snoop, latency, physical address "
			"or page size.%s\n",
			o->type || o->ldlat ? " -t and --ldlat have no effect." : "");
}

static int record_run(const struct config *config, struct mem_options *o, char *const *words,
		      int argc, char **argv)
{
	bool hardware = pmu_any_states_accesses(kernel_paths_host());

	if (hardware &&
	    (!o->events || o->ldlat || !strcmp(g_ptr_array_index(o->events, 0), "list")))
		return upstream_hand_on(config, &of_record,
					"the choice of this machine's memory events is a part",
					words);
	if (o->events && !strcmp(g_ptr_array_index(o->events, 0), "list")) {
		printf("No hardware event of this machine states memory accesses. Any event of "
		       "perf list will do: data addresses are computed from registers.\n");
		return 0;
	}
	if (!hardware)
		tell_what_is_missing(o);
	add_record_words(o, hardware);
	return run(&cmd_record, config, o, argc, argv);
}

/* Upstream's keys. */
static char *sort_of(const struct mem_options *o)
{
	const char *keys = o->sort;

	if (!keys && o->types)
		keys = "mem,snoop,tlb,type";
	else if (!keys && o->type && !strstr(o->type, "load"))
		keys = "mem,sym,dso,symbol_daddr,dso_daddr,tlb,locked";
	else if (!keys && (o->phys_data || o->data_page_size))
		keys = "local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked";
	if (!keys)
		return NULL;
	return g_strconcat(keys, o->phys_data ? ",phys_daddr" : "",
			   o->data_page_size ? ",data_page_size" : "", NULL);
}

static void add_report_words(struct mem_options *o)
{
	g_autofree char *sort = sort_of(o);

	mem_words_add(&o->passed, "--mem-mode");
	mem_words_add(&o->passed, "-n");
	if (sort)
		mem_words_add(&o->passed, "--sort=%s", sort);
	if (o->input)
		mem_words_add(&o->passed, "--input=%s", o->input);
	if (o->symfs)
		mem_words_add(&o->passed, "--symfs=%s", o->symfs);
	if (o->cpus)
		mem_words_add(&o->passed, "--cpu=%s", o->cpus);
	if (o->separator)
		mem_words_add(&o->passed, "--field-separator=%s", o->separator);
	if (o->force)
		mem_words_add(&o->passed, "--force");
	if (o->hide_unresolved)
		mem_words_add(&o->passed, "--hide-unresolved");
	for (int i = 0; i < o->verbose; i++)
		mem_words_add(&o->passed, "-v");
}

static int dump(const struct mem_options *o)
{
	struct mem_dump_options d = {
		.session = { .input = o->input,
			     .force = o->force,
			     .filter.cpus = o->cpus,
			     .dso.buildid_dir = getenv("PERF_BUILDID_DIR"),
			     .dso.symfs = o->symfs,
			     .resolver.no_unresolved = o->hide_unresolved },
		.separator = o->separator && *o->separator ? o->separator : NULL,
		.phys_data = o->phys_data,
		.data_page_size = o->data_page_size,
	};
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	bool ok;

	pager_start(&pager);
	ok = mem_dump(&d, stdout, &error);
	fflush(stdout);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return ok ? 0 : 255;
}

static int report_run(const struct config *config, struct mem_options *o, int argc, char **argv)
{
	if (o->dump && (o->passed.words->len > 1 || argc))
		return options_wrong(&of_report, "-D goes with -C, -f, -i, -p, -U, -x, "
						 "--symfs and --data-page-size only");
	if (o->dump)
		return dump(o);
	add_report_words(o);
	return run(&cmd_report, config, o, argc, argv);
}

static bool is_type(const char *type)
{
	static const char *const types[] = { "load", "store", "load,store", "store,load", NULL };

	return !type || g_strv_contains(types, type);
}

/* Parses the options behind the command's word, and runs it. */
static int run_part(const struct config *config, struct mem_options *o, bool record,
		    char *const *words, int argc, char **argv)
{
	const struct options_spec *parts[] = { record ? &of_record : &of_report, &common };
	struct options_spec *spec =
		mem_spec_new(parts, ARRAY_SIZE(parts),
			     record ? &record_request_spec : &report_options_spec, AT(passed));
	int status;

	spec->stop_at_argument = record;
	mem_words_add(&o->passed, "%s", record ? "record" : "report");
	if (options_parse(spec, &argc, &argv, o, &status)) {
		if (!is_type(o->type))
			status = options_wrong(&common, "-t: '%s': expected load, store or both",
					       o->type);
		else if (record)
			status = record_run(config, o, words, argc, argv);
		else
			status = report_run(config, o, argc, argv);
	}
	mem_spec_free(spec);
	return status;
}

static int mem_run(const struct config *config, int argc, char **argv)
{
	const struct options_spec *parts[] = { &of_record, &of_report, &common };
	struct options_spec *all = mem_spec_new(parts, ARRAY_SIZE(parts), NULL, 0);
	g_autofree char **words = upstream_words(argc, argv);
	struct mem_options o = { 0 };
	int status;

	mem_words_init(&o.passed);
	if (options_parse(all, &argc, &argv, &o, &status)) {
		bool record = argc && g_str_has_prefix(argv[0], "rec");

		if (record || (argc && g_str_has_prefix(argv[0], "rep")))
			status = run_part(config, &o, record, words, argc, argv);
		else
			status = options_wrong(&common, "expected record or report");
	}
	if (o.events)
		g_ptr_array_unref(o.events);
	mem_words_release(&o.passed);
	mem_spec_free(all);
	return status;
}

const struct command cmd_mem = { "mem", "Record and report memory accesses", mem_run };
