// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: reads a recording and prints where its samples fell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/colour.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/config_keys.h"
#include "cmd/format_option.h"
#include "cmd/live_report.h"
#include "cmd/report_lists.h"
#include "cmd/span_options.h"
#include "cmd/type_options.h"
#include "pages/header.h"
#include "pages/notes.h"
#include "pages/report_pages.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"
#include "view/stdio/pages.h"
#include "view/view.h"

struct report_options {
	struct session_options session;
	struct span_options spans;
	GPtrArray *inputs, *beside; /* const char *: -i; all but the first of them */
	const char *format;
	const char *sort, *fields, *separator, *widths, *colour, *percentage, *quantum;
	struct type_options types;
	struct chain_options chain;
	struct view_options look;
	const struct view *view;
	struct report_pages_options pages;
	bool chain_given, inverted, children, children_given, group, group_given, hierarchy;
	bool show_samples, show_period, show_modes, exclude_other, branches, branches_given, memory;
	bool header, header_only, header_full, stats, tasks, mmaps, dump, quiet, inline_off;
	bool stdio_given, skip_empty, full_source_path, ns, raw_trace, latency;
	bool no_unresolved, least_given, tree;
	u64 max_ids, top;
	int verbose;
	u64 max_stack;
	int sort_member;
	double least;
	/* What configuration files have instead of our defaults. */
	const char *sort_default;
	bool grouping, cumulating;
	double config_least; /* below 0: nothing */
};

static bool take_chain(const struct option_row *row, const char *arg, bool unset, void *opts,
		       GError **error)
{
	struct report_options *o = opts;

	if (unset) {
		o->chain.mode = CHAIN_NONE;
		return true;
	}
	if (!chain_options_parse(&o->chain, arg, error))
		return false;
	o->chain_given = o->chain.mode != CHAIN_NONE;
	return true;
}

static char *key_names(void)
{
	return fields_names(FIELD_NORMAL | FIELD_BRANCH | FIELD_MEMORY | FIELD_VALUE);
}

#define AT(member) offsetof(struct report_options, member)

static const struct option_row rows[] = {
	{ 0, "activity-tree", OPT_FLAG, NULL,
	  "Show spans below the spans around them, with the keys of -s below each", AT(tree) },
	{ 'b', "branch-stack", OPT_FLAG, NULL, "a row per branch of the branch stacks",
	  AT(branches), .set_offset = AT(branches_given) },
	{ 'c', "comms", OPT_STRING, "comm[,comm...]", "only consider symbols in these comms",
	  AT(session.filter.comms) },
	{ 'C', "cpu", OPT_STRING, "cpu", "list of cpus to profile", AT(session.filter.cpus) },
	{ 'd', "dsos", OPT_STRING, "dso[,dso...]", "only consider symbols in these dsos",
	  AT(session.filter.dsos) },
	{ 'D', "dump-raw-trace", OPT_FLAG, NULL, "dump raw trace in ASCII", AT(dump) },
	{ 'F', "fields", OPT_STRING, "key[,keys...]", "output field(s):", AT(fields),
	  .words = key_names },
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(session.force) },
	FORMAT_OPTION_ROW(AT(format)),
	{ 'g', "call-graph", OPT_CALL, "print_type,threshold[,print_limit],order,sort_key,value",
	  "Display call graph (stack chain/backtrace):\n\n"
	  "print_type: graph|flat|fractal|folded|none\n"
	  "threshold: least share of a branch (<percent>)\n"
	  "print_limit: most branches of one fork (<number>)\n"
	  "order: caller|callee\n"
	  "sort_key: function|address|srcline\n"
	  "value: percent|period|count\n\n"
	  "Default: graph,0.5,caller,function,percent",
	  0, .fallback = "graph,0.5,caller,function,percent", .flags = OPT_NEXT_WORD,
	  .call = take_chain },
	{ 'G', "inverted", OPT_FLAG, NULL, "alias for inverted call graph", AT(inverted) },
	{ 'H', "hierarchy", OPT_FLAG, NULL, "Show entries in a hierarchy", AT(hierarchy) },
	{ 'i', "input", OPT_LIST, "file", "input file name; several are one report", AT(inputs) },
	{ 'I', "show-info", OPT_FLAG, NULL, "Display extended information about perf.data file",
	  AT(header_full) },
	{ 'k', "vmlinux", OPT_STRING, "file", "vmlinux pathname", AT(session.dso.vmlinux) },
	{ 'n', "show-nr-samples", OPT_FLAG, NULL, "Show a column with the number of samples",
	  AT(show_samples) },
	{ 'p', "parent", OPT_STRING, "regex",
	  "regex filter to identify parent, see: '--sort parent'", AT(session.resolver.parent) },
	{ 'q', "quiet", OPT_FLAG, NULL, "Do not show any warnings or messages", AT(quiet) },
	{ 's', "sort", OPT_STRING, "key[,key2...]", "sort by key(s):", AT(sort),
	  .words = key_names },
	{ 'S', "symbols", OPT_STRING, "symbol[,symbol...]", "only consider these symbols",
	  AT(session.filter.symbols) },
	{ 't', "field-separator", OPT_STRING, "separator",
	  "separator for columns, no spaces will be added between columns '.' is reserved.",
	  AT(separator) },
	{ 'U', "hide-unresolved", OPT_FLAG, NULL, "Only display entries resolved to a symbol",
	  AT(no_unresolved) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose (show symbol address, etc)",
	  AT(verbose) },
	{ 'w', "column-widths", OPT_STRING, "width[,width...]",
	  "don't try to adjust column width, use these fixed values", AT(widths) },
	{ 'x', "exclude-other", OPT_FLAG, NULL, "Only display entries with parent-match",
	  AT(exclude_other) },
	{ 0, "children", OPT_FLAG, NULL,
	  "Accumulate callchains of children and show total overhead as well. Enabled by default, "
	  "use --no-children to disable.",
	  AT(children), .set_offset = AT(children_given) },
	{ 0, "no-demangle", OPT_FLAG, NULL, "Disable symbol demangling",
	  AT(session.dso.no_demangle) },
	{ 0, "demangle-kernel", OPT_FLAG, NULL, "Enable kernel symbol demangling",
	  AT(session.dso.demangle_kernel) },
	{ 0, "full-source-path", OPT_FLAG, NULL, "Show full source file name path for source lines",
	  AT(full_source_path) },
	{ 0, "group", OPT_FLAG, NULL, "Show event group information together", AT(group),
	  .set_offset = AT(group_given) },
	{ 0, "group-sort-idx", OPT_INT, "n",
	  "Sort the output by the event at the index n in group. If n is invalid, sort by the "
	  "first "
	  "event.",
	  AT(sort_member) },
	{ 0, "header", OPT_FLAG, NULL, "Show data header.", AT(header) },
	{ 0, "header-only", OPT_FLAG, NULL, "Show only data header.", AT(header_only) },
	{ 0, "ignore-callees", OPT_STRING, "regex",
	  "ignore callees of these functions in call graphs",
	  AT(session.resolver.ignored_callees) },
	{ 0, "ignore-vmlinux", OPT_FLAG, NULL, "don't load vmlinux even if found",
	  AT(session.dso.no_vmlinux) },
	{ 0, "no-inline", OPT_FLAG, NULL, "Do not show inlined functions in call chains",
	  AT(inline_off) },
	{ 0, "kallsyms", OPT_STRING, "file", "kallsyms pathname", AT(session.dso.kallsyms) },
	{ 0, "latency", OPT_FLAG, NULL,
	  "Show latency-centric profile rather than the default CPU-consumption-centric profile "
	  "(requires perf record --latency).",
	  AT(latency) },
	{ 0, "max-ids", OPT_U64, "n",
	  "Give at most so many ids of activities rows of their own, those with the most time "
	  "(default 100000, or 10000 with --children)",
	  AT(max_ids) },
	{ 0, "max-stack", OPT_U64, "n",
	  "Set the maximum stack depth when parsing the callchain, anything beyond the specified "
	  "depth will be ignored. Default: 127",
	  AT(max_stack) },
	{ 0, "mem-mode", OPT_FLAG, NULL, "mem access profile", AT(memory) },
	{ 0, "mmaps", OPT_FLAG, NULL, "Display recorded tasks memory maps", AT(mmaps) },
	{ 0, "ns", OPT_FLAG, NULL, "Show times in nanosecs", AT(ns) },
	{ 0, "parallelism", OPT_STRING, "parallelism",
	  "only consider these parallelism levels (cpu set format)",
	  AT(session.filter.parallelism) },
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "Don't show entries under that percent",
	  AT(least), .set_offset = AT(least_given) },
	{ 0, "percentage", OPT_STRING, "relative|absolute",
	  "how to display percentage of filtered entries", AT(percentage) },
	{ 0, "pid", OPT_STRING, "pid[,pid...]", "only consider symbols in these pids",
	  AT(session.filter.pids) },
	{ 0, "raw-trace", OPT_FLAG, NULL,
	  "Show raw trace event output (do not use print fmt or plugins)", AT(raw_trace) },
	{ 0, "showcpuutilization", OPT_FLAG, NULL, "older name of --show-cpu-utilization",
	  AT(show_modes), .flags = OPT_HIDDEN },
	{ 0, "show-cpu-utilization", OPT_FLAG, NULL,
	  "Show sample percentage for different cpu modes", AT(show_modes) },
	{ 0, "show-total-period", OPT_FLAG, NULL, "Show a column with the sum of periods",
	  AT(show_period) },
	{ 0, "skip-empty", OPT_FLAG, NULL, "Do not display empty (or dummy) events in the output",
	  AT(skip_empty) },
	{ 0, "stats", OPT_FLAG, NULL, "Display event stats", AT(stats) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", AT(stdio_given) },
	{ 0, "stdio-color", OPT_STRING, "mode",
	  "'always' (default), 'never' or 'auto' only applicable to --stdio mode", AT(colour) },
	{ 0, "symbol-filter", OPT_STRING, "filter",
	  "only show symbols that (partially) match with this filter",
	  AT(session.filter.symbol_part) },
	{ 0, "symfs", OPT_STRING, "directory",
	  "Look for files with symbols relative to this directory", AT(session.dso.symfs) },
	{ 0, "tasks", OPT_FLAG, NULL, "Display recorded tasks", AT(tasks) },
	{ 0, "tid", OPT_STRING, "tid[,tid...]", "only consider symbols in these tids",
	  AT(session.filter.tids) },
	{ 0, "time", OPT_STRING, "str", "Time span of interest (start,stop)",
	  AT(session.filter.time) },
	SPAN_OPTION_ROWS(AT(spans)),
	{ 0, "top", OPT_U64, "n", "Show the first n rows, and one with the sum of the others",
	  AT(top) },
	{ 0, "threads", OPT_INT, "n", "Read with so many threads (default: one for each CPU)",
	  AT(session.threads) },
	{ 0, "time-quantum", OPT_STRING, "time (ms|us|ns|s)",
	  "Set time quantum for time sort key (default 100ms)", AT(quantum) },
	TYPE_OPTION_ROWS(AT(types)),
};

static const struct config_row config_rows[] = {
	{ "report.children", CONFIG_BOOL, AT(cumulating) },
	{ "report.group", CONFIG_BOOL, AT(grouping) },
	{ "report.percent-limit", CONFIG_DOUBLE, AT(config_least) },
	{ "report.queue-size", CONFIG_UNUSED, .why = "samples are not queued to be put in order" },
	{ "report.skip-empty", CONFIG_BOOL, AT(skip_empty) },
	{ "report.sort_order", CONFIG_STRING, AT(sort_default) },
	{ "hist.percentage", CONFIG_STRING, AT(percentage) },
	{ "annotate.demangle", CONFIG_NOT, AT(session.dso.no_demangle) },
	{ "annotate.demangle_kernel", CONFIG_BOOL, AT(session.dso.demangle_kernel) },
	CHAIN_CONFIG_ROWS(AT(chain)),
	READER_CONFIG_ROWS,
};

static const char *const usage[] = { "perf report [<options>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

/* "100ms" -> ns. */
static bool parse_quantum(const char *text, u64 *ns)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 } };
	char *end;
	u64 number = g_ascii_strtoull(text, &end, 10);

	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(end, units[i].unit) || end == text || number > UINT32_MAX)
			continue;
		*ns = number * units[i].ns;
		return *ns != 0;
	}
	return false;
}

/* What kinds of samples the file's events make. */
struct contents {
	u64 sample_types; /* of all events together */
	bool groups, branches, only_tracepoints, switches;
};

static void look_at_file(struct session *session, struct contents *c)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	c->only_tracepoints &= evsels->len > 0;
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		c->sample_types |= evsel->attr.sample_type;
		c->groups |= evsel->nr_members > 1;
		c->switches |= evsel->attr.context_switch;
		if (evsel->attr.type != PERF_TYPE_TRACEPOINT)
			c->only_tracepoints = false;
	}
}

static void look_at_contents(struct session *session, struct contents *c)
{
	*c = (struct contents){ .only_tracepoints = true };
	for (u32 i = 0; i < session_nr_files(session); i++)
		look_at_file(session_file(session, i), c);
	c->branches = c->sample_types & PERF_SAMPLE_BRANCH_STACK;
}

static bool asks_for(const struct report_options *o, const char *key)
{
	return (o->sort && strstr(o->sort, key)) || (o->fields && strstr(o->fields, key));
}

static bool is_about_latency(const struct report_options *o)
{
	return o->latency || o->session.filter.parallelism || asks_for(o, "latency") ||
	       asks_for(o, "parallelism");
}

/* -s has the key of call chains, which is not parent_span. */
static bool sorts_by_parent(const struct report_options *o)
{
	g_auto(GStrv) keys = o->sort ? g_strsplit_set(o->sort, "+{}, ", -1) : NULL;

	return keys && g_strv_contains((const char *const *)keys, "parent");
}

/* Brings options and file together: what is asked for, but not recorded, is an error. */
static bool settle(struct report_options *o, const struct contents *c, GError **error)
{
	bool chains = c->sample_types & PERF_SAMPLE_CALLCHAIN;

	if (!chains && o->chain_given)
		return error_set(error, PERF_ERROR_ABSENT,
				 "Selected -g or --branch-history but no callchain data.\n"
				 "Did you call 'perf record' without -g?");
	if (!chains && (o->session.resolver.parent || sorts_by_parent(o)))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Selected --sort parent but no callchain data. Did you call "
				 "'perf record' without -g?");
	if (!c->switches && is_about_latency(o))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Latency and parallelism need to know when threads ran.\n"
				 "Did you call 'perf record' without --latency?");
	if (o->branches_given && o->branches && !c->branches)
		return error_set(error, PERF_ERROR_ABSENT,
				 "Selected -b but no branch data. Did you call perf record "
				 "without -b?");
	if (o->memory && !(c->sample_types & (PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_ADDR)))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Selected --mem-mode but no mem data. Did you call perf record "
				 "without -d?");
	if (!o->branches_given)
		o->branches = c->branches && !o->memory;
	if (o->tree && (o->hierarchy || o->fields || o->branches))
		return error_set(
			error, PERF_ERROR_USAGE,
			"--activity-tree cannot be used together with --hierarchy, --fields "
			"or branch stacks");
	if (o->tree)
		chains = false; /* shares of callers are no shares of spans */
	if (o->hierarchy && o->fields)
		return error_set(error, PERF_ERROR_USAGE,
				 "--hierarchy and --fields options cannot be used together");
	if (!o->children_given)
		o->children = o->cumulating && !asks_for(o, "type");
	if (o->children && !o->chain.order_given)
		o->chain.caller = true;
	o->children = o->children && chains && !o->hierarchy && !o->branches && !o->memory;
	if (!o->group_given)
		o->group = c->groups && o->grouping;
	if (o->inverted)
		o->chain.caller = true;
	if (o->least_given)
		o->chain.threshold = o->least; /* of branches too */
	return true;
}

static struct columns *make_columns(const struct report_options *o, const struct contents *c,
				    struct lexicon *lexicon, GError **error)
{
	g_autofree char *with_parent = NULL;
	struct columns_options co = {
		.sort = o->sort,
		.fields = o->fields,
		.sort_default = o->sort_default,
		.families = FIELD_NORMAL | FIELD_MEMORY,
		.lexicon = lexicon,
		.latency = c->switches,
		.latency_first = o->latency,
		.tree = o->tree,
		.children = o->children,
		.show_samples = o->show_samples,
		.show_period = o->show_period,
		.show_modes = o->show_modes,
	};

	if (o->memory)
		co.sort_default = COLUMNS_MEMORY_SORT;
	else if (o->branches)
		co.sort_default = COLUMNS_BRANCH_SORT;
	else if (c->only_tracepoints)
		co.sort_default = o->raw_trace ? COLUMNS_RAW_TRACE_SORT : COLUMNS_TRACE_SORT;
	if (o->branches)
		co.families |= FIELD_BRANCH;
	if (o->session.resolver.parent && !sorts_by_parent(o))
		co.sort = with_parent =
			g_strconcat("parent,", o->sort ? o->sort : co.sort_default, NULL);
	return columns_new(&co, error);
}

static void print_header(const struct report_options *o, struct session *session)
{
	if (o->view->is_text && (o->header || o->header_only || o->header_full))
		for (u32 i = 0; i < session_nr_files(session); i++)
			perfdata_print_header(session_perfdata(session_file(session, i)),
					      o->header_full, stdout);
}

static u64 nr_samples(const struct profile *profile)
{
	u64 nr = 0;

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 m = 0; m < e->totals->len; m++) {
			const struct profile_totals *totals =
				&g_array_index(e->totals, struct profile_totals, m);

			nr += totals->samples;
		}
	}
	return nr;
}

/* Where hardly anything ran side by side, shares of latency are those of overhead. */
static void hide_latency(const struct report_options *o, const struct profile *profile,
			 struct columns *columns)
{
	static const char *const names[] = { "latency", "latency_children" };
	u64 all = nr_samples(profile);

	if (o->latency || o->fields || !all || (o->sort && strstr(o->sort, "latency")) ||
	    profile->serial_samples * 100 / all < PROFILE_SERIAL_PERCENT)
		return;
	columns_hide(columns, names, ARRAY_SIZE(names));
}

/* With --children an id has a row for each function on its samples' call chains. */
static u32 max_ids(const struct report_options *o)
{
	if (o->max_ids)
		return (u32)MIN(o->max_ids, UINT32_MAX);
	return o->children ? 10000 : 100000;
}

static bool print_pages(const struct report_options *o, const struct profile *profile,
			struct columns *columns, GError **error)
{
	struct report_pages_options po = o->pages;
	struct pages *pages;
	bool ok;

	po.session = &o->session;
	po.columns = columns;
	po.by_host = asks_for(o, "host");
	pages = report_pages_new(profile, &po);
	if (!o->view->is_text && (o->header || o->header_full))
		pages_add_headers(pages, profile->session);
	ok = o->view->print(pages, &o->look, stdout, error);
	pages_free(pages);
	return ok;
}

/* A report of one session. */
struct report {
	struct report_options *options;
	struct session *session;
	struct lexicon *lexicon;
	struct columns *columns;
	struct profile *profile;
};

static bool read_report(struct report *r, GError **error)
{
	struct report_options *o = r->options;
	const struct perfdata_info *info = perfdata_info(session_perfdata(r->session));
	struct lexicon *lexicon = r->lexicon = lexicon_new(r->session);
	struct contents contents;

	lexicon->verbose = o->verbose > 0 && !o->quiet;
	lexicon->full_source_path = o->full_source_path;
	lexicon->short_types = o->types.short_names;
	lexicon->cut_types = o->types.for_terminal && !lexicon->verbose;
	lexicon->ns = o->ns;
	lexicon->raw_trace = o->raw_trace;
	if (info->cache_line_size)
		lexicon->cache_line_size = info->cache_line_size;
	if (o->quantum && !parse_quantum(o->quantum, &lexicon->time_quantum))
		return error_set(error, PERF_ERROR_USAGE, "--time-quantum: '%s' is no time",
				 o->quantum);
	look_at_contents(r->session, &contents);
	if (!settle(o, &contents, error))
		return false;
	lexicon->max_ids = max_ids(o);
	r->columns = make_columns(o, &contents, lexicon, error);
	if (!r->columns)
		return false;
	r->profile =
		profile_new(r->session, lexicon,
			    &(struct profile_options){
				    .columns = r->columns,
				    .chain = o->chain,
				    .chains = o->chain.mode != CHAIN_NONE && !o->tree,
				    .children = o->children,
				    .group = o->group,
				    .group_all = o->group && o->group_given && !contents.groups,
				    .branches = o->branches,
				    .memory = o->memory,
				    .no_inline = o->inline_off,
				    .latency = contents.switches,
				    .no_unresolved = o->no_unresolved,
			    });
	return profile_read(r->profile, error);
}

static bool print_report(const struct report *r, GError **error)
{
	hide_latency(r->options, r->profile, r->columns);
	print_header(r->options, r->session);
	return print_pages(r->options, r->profile, r->columns, error);
}

static void release_report(struct report *r)
{
	profile_free(r->profile);
	columns_free(r->columns);
	lexicon_free(r->lexicon);
}

static bool make_report(struct report_options *o, struct session *session, GError **error)
{
	struct report r = { .options = o, .session = session };
	bool ok = read_report(&r, error) && print_report(&r, error);

	release_report(&r);
	return ok;
}

static bool print_only_header(const struct report_options *o, struct session *session,
			      GError **error)
{
	struct pages *pages;
	bool ok;

	if (o->view->is_text) {
		print_header(o, session);
		return true;
	}
	pages = header_pages_new(session, "report");
	ok = o->view->print(pages, &o->look, stdout, error);
	pages_free(pages);
	return ok;
}

static void print_header_hint(void)
{
	struct notes notes;

	notes_init(&notes);
	notes_add_header_hint(&notes);
	stdio_print_notes(&notes, stdout);
	notes_release(&notes);
}

static bool run(struct report_options *o, struct session *session, GError **error)
{
	if (o->header_only)
		return print_only_header(o, session, error);
	if (o->dump && !o->view->is_text)
		return error_set(error, PERF_ERROR_USAGE, "-D has no other form than stdio");
	if ((o->dump || o->stats || o->tasks || o->mmaps) && session_nr_files(session) > 1)
		return error_set(
			error, PERF_ERROR_USAGE,
			"-D, --stats, --tasks and --mmaps are about one file: give one -i");
	if (o->dump || o->stats || o->tasks || o->mmaps)
		print_header(o, session);
	if (o->dump && !o->quiet && !o->header && !o->header_full)
		print_header_hint();
	if (o->dump)
		return report_dump(session, stdout, error);
	if (o->stats)
		return report_stats(session, o->view, stdout, error);
	if (o->tasks || o->mmaps)
		return report_tasks(session, o->mmaps, o->view, stdout, error);
	return make_report(o, session, error);
}

/* Words and flags of the command line into what the stages take. */
static int complete(struct report_options *o, int argc, char **argv, const struct pager *pager)
{
	g_autoptr(GError) wrong = NULL;
	enum colour_when when = COLOUR_AUTO;

	if (argc > 1)
		return options_wrong(&spec, "unknown argument '%s'", argv[1]);
	if (argc == 1)
		o->session.filter.symbol_part = argv[0];
	if (o->colour && !colour_when_parse(o->colour, &when))
		return options_wrong(&spec, "--stdio-color: '%s' is none of auto, always, never",
				     o->colour);
	if (o->percentage && !strcmp(o->percentage, "relative"))
		o->pages.relative = true;
	else if (o->percentage && strcmp(o->percentage, "absolute"))
		return options_wrong(&spec, "--percentage: '%s' is neither relative nor absolute",
				     o->percentage);
	o->view = o->format && !o->stdio_given ? view_find(o->format, &wrong) : &view_stdio;
	if (!o->view)
		return options_wrong(&spec, "%s", wrong->message);
	if (!type_options_parse(&o->types, &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	if (o->separator && !strcmp(o->separator, "."))
		return options_wrong(&spec, "'.' is the only non valid --field-separator argument");
	o->beside = g_ptr_array_new();
	for (u32 i = 0; o->inputs && i < o->inputs->len; i++) {
		if (i)
			g_ptr_array_add(o->beside, o->inputs->pdata[i]);
		else
			o->session.input = o->inputs->pdata[0];
	}
	o->session.beside = o->beside;
	o->session.type_min = o->types.min;
	o->session.skid = o->types.skid;
	o->session.show_progress = !o->quiet;
	o->session.header_only = o->header_only;
	o->session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	o->session.resolver.max_stack = (u32)MIN(o->max_stack, UINT16_MAX);
	o->session.resolver.no_unresolved = o->no_unresolved;
	o->session.filter.with_parent = o->exclude_other;
	span_options_apply(&o->spans, &o->session, (const char *const[]){ o->sort, o->fields }, 2);
	o->look = (struct view_options){
		.separator = o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator,
		.widths = o->widths,
		.colour = colour_wanted(when, pager_in_use(pager)),
		.quiet = o->quiet,
		.beside = stderr,
	};
	o->pages.hierarchy = o->hierarchy;
	o->pages.least = o->least;
	o->pages.top = (u32)MIN(o->top, UINT32_MAX);
	o->pages.sort_member = o->sort_member > 0 ? (u32)o->sort_member : 0;
	o->pages.all_events = !o->skip_empty;
	o->pages.with_header = o->header || o->header_full;
	o->pages.order = o->sort ? o->sort : COLUMNS_MEMORY_SORT;
	o->pages.symbol_first = !o->fields && o->sort && g_str_has_prefix(o->sort, "sym");
	return 0;
}

static void release(struct report_options *o)
{
	span_options_release(&o->spans);
	g_clear_pointer(&o->inputs, g_ptr_array_unref);
	g_clear_pointer(&o->beside, g_ptr_array_unref);
}

/* What holds unless words say otherwise. False: a configuration file is wrong, which was said. */
static bool begin_options(struct report_options *o, const struct config *config)
{
	*o = (struct report_options){
		.skip_empty = true,
		.grouping = true,
		.cumulating = true,
		.config_least = -1,
		.sort_default = COLUMNS_DEFAULT_SORT,
	};
	chain_options_init(&o->chain);
	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), o))
		return false;
	if (o->config_least >= 0)
		o->least = o->chain.threshold = o->config_least; /* of rows and branches */
	return true;
}

static int report_run(const struct config *config, int argc, char **argv)
{
	struct report_options opts;
	g_autoptr(GError) error = NULL;
	struct session *session;
	struct pager pager = { 0 };
	int status;
	bool ok;

	if (!begin_options(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&spec, &argc, &argv, &opts, &status)) {
		release(&opts);
		return status;
	}
	if (opts.verbose)
		config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
	pager_start(&pager);
	status = complete(&opts, argc, argv, &pager);
	if (status) {
		pager_finish(&pager);
		release(&opts);
		return status;
	}
	session = session_open(&opts.session, &error);
	ok = session && run(&opts, session, &error);
	session_close(session);
	release(&opts);
	fflush(stdout);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return ok ? 0 : 255;
}

struct live_report {
	struct report_options options;
	struct report report;
	GError *error;
};

/* Before anything is recorded for them. */
static bool keys_are_known(const char *keys)
{
	struct columns_options co = { .sort = keys,
				      .sort_default = COLUMNS_DEFAULT_SORT,
				      .families = FIELD_NORMAL | FIELD_MEMORY | FIELD_BRANCH };
	g_autoptr(GError) wrong = NULL;
	struct columns *columns = columns_new(&co, &wrong);

	if (!columns)
		fprintf(stderr, "--report: %s\n", wrong->message);
	columns_free(columns);
	return columns;
}

struct live_report *live_report_new(const struct config *config, const char *sort, bool traced)
{
	struct live_report *l = g_new0(struct live_report, 1);
	struct pager none = { 0 };

	if (!begin_options(&l->options, config)) {
		g_free(l);
		return NULL;
	}
	l->options.sort = sort && *sort ? sort : NULL;
	if ((!traced && !keys_are_known(l->options.sort)) ||
	    complete(&l->options, 0, NULL, &none)) {
		live_report_free(l);
		return NULL;
	}
	l->options.session.show_progress = false;
	return l;
}

void live_report_read(struct live_report *l, struct perfdata *records)
{
	struct report *r = &l->report;

	l->options.session.opened = records;
	r->options = &l->options;
	r->session = session_open(&l->options.session, &l->error);
	if (r->session)
		read_report(r, &l->error);
}

bool live_report_print(struct live_report *l, GError **error)
{
	bool ok;

	if (l->error) {
		g_propagate_error(error, g_steal_pointer(&l->error));
		return false;
	}
	ok = print_report(&l->report, error);
	fflush(stdout);
	return ok;
}

void live_report_free(struct live_report *l)
{
	if (!l)
		return;
	release_report(&l->report);
	session_close(l->report.session);
	release(&l->options);
	g_clear_error(&l->error);
	g_free(l);
}

const struct command cmd_report = {
	"report", "Read perf.data (created by perf record) and display the profile", report_run
};
