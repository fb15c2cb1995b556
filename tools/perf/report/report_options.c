// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"
#include "cli/width.h"
#include "critical/critical.h"
#include "options/config_keys.h"
#include "options/session_options.h"
#include "options/format_option.h"
#include "perfdata/read/reader.h"
#include "term/terminal.h"

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
	  "Show the tree of spans, child spans below their parents, with the keys of -s below each",
	  AT(tree) },
	{ 'b', "branch-stack", OPT_FLAG, NULL, "a row per branch of the branch stacks",
	  AT(branches), .set_offset = AT(branches_given) },
	{ 'D', "dump-raw-trace", OPT_FLAG, NULL, "dump raw trace in ASCII", AT(dump) },
	{ 0, "disable-order", OPT_FLAG, NULL, "with -D: dump records in the file's order",
	  AT(disable_order) },
	{ 'F', "fields", OPT_STRING, "key[,keys...]", "output field(s):", AT(fields),
	  .words = key_names },
	FORMAT_OPTION_ROW(AT(format)),
	{ 'g', "call-graph", OPT_CALL, "print_type,threshold[,print_limit],order,sort_key,value",
	  "Display call graph (stack chain/backtrace):\n\nprint_type: "
	  "graph|flat|fractal|folded|none\nthreshold: minimum share of a branch "
	  "(<percent>)\nprint_limit: maximum number of branches of one fork (<number>)\norder: "
	  "caller|callee\nsort_key: function|address|srcline\nvalue: "
	  "percent|period|count\n\nDefault: graph,0.5,caller,function,percent",
	  0, .fallback = "graph,0.5,caller,function,percent", .flags = OPT_NEXT_WORD,
	  .call = take_chain },
	{ 'G', "inverted", OPT_FLAG, NULL, "alias for inverted call graph", AT(inverted) },
	{ 'H', "hierarchy", OPT_FLAG, NULL, "Show entries in a hierarchy", AT(hierarchy) },
	{ 'i', "input", OPT_LIST, "file", "input file name; several files make one report",
	  AT(inputs) },
	{ 'I', "show-info", OPT_FLAG, NULL, "Display extended information about perf.data file",
	  AT(header_full) },
	{ 'n', "show-nr-samples", OPT_FLAG, NULL, "Show a column with the number of samples",
	  AT(show_samples) },
	{ 'p', "parent", OPT_STRING, "regex",
	  "regex filter to identify parent, see: '--sort parent'", AT(session.resolver.parent) },
	{ 'q', "quiet", OPT_FLAG, NULL, "Do not show any warnings or messages", AT(quiet) },
	{ 's', "sort", OPT_STRING, "key[,key2...]", "sort by key(s):", AT(sort),
	  .words = key_names },
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
	{ 0, "baseline", OPT_LIST, "file",
	  "Compare with the recording in this file or the recordings in this folder, as perf "
	  "diff; may be given several times",
	  AT(baselines) },
	{ 0, "children", OPT_FLAG, NULL,
	  "Accumulate callchains of children and show total overhead as well. Enabled by default, "
	  "use --no-children to disable.",
	  AT(children), .set_offset = AT(children_given) },
	{ 0, "fold-idle", OPT_FLAG, NULL,
	  "Show waits of threads for work as one row (default without keys)", AT(fold_idle),
	  .set_offset = AT(fold_given) },
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
	{ 0, "html", OPT_STRING, "file",
	  "Write a page for browsers into this file (default perf.html; '-': standard output): "
	  "flame "
	  "graph, timeline, table and structures",
	  AT(panels.html), .fallback = "perf.html" },
	{ 0, "idle-rules", OPT_STRING, "file",
	  "file with more rules that say which waits are waits for work", AT(idle_rules) },
	{ 0, "ignore-callees", OPT_STRING, "regex",
	  "ignore callees of these functions in call graphs",
	  AT(session.resolver.ignored_callees) },
	{ 0, "no-inline", OPT_FLAG, NULL, "Do not show inlined functions in call chains",
	  AT(inline_off) },
	{ 0, "latency", OPT_FLAG, NULL,
	  "Show latency-centric profile rather than the default CPU-consumption-centric profile "
	  "(requires perf record --latency).",
	  AT(latency) },
	{ 0, "max-ids", OPT_U64, "n",
	  "Maximum number of activity ids with rows of their own: those with the most time "
	  "(default 100000, or 10000 with --children)",
	  AT(max_ids) },
	{ 0, "raw-chains", OPT_FLAG, NULL,
	  "Show call chains as recorded: return addresses, and addresses to which no call can "
	  "return",
	  AT(raw_chains) },
	{ 0, "max-stack", OPT_U64, "n",
	  "Set the maximum stack depth when parsing the callchain, anything beyond the specified "
	  "depth will be ignored. Default: 127",
	  AT(max_stack) },
	{ 0, "mem-mode", OPT_FLAG, NULL, "mem access profile", AT(memory) },
	{ 0, "mmaps", OPT_FLAG, NULL, "Display recorded tasks memory maps", AT(mmaps) },
	{ 0, "ns", OPT_FLAG, NULL, "Show times in nanosecs", AT(ns) },
	{ 0, "panels", OPT_FLAG, NULL,
	  "With --format: add what --html shows besides the rows (call tree, timeline, "
	  "instructions, "
	  "structures)",
	  AT(panels.wanted) },
	{ 0, "parallelism", OPT_STRING, "parallelism",
	  "only consider these parallelism levels (cpu set format)",
	  AT(session.filter.parallelism) },
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "Don't show entries under that percent",
	  AT(least), .set_offset = AT(least_given) },
	{ 0, "percentage", OPT_STRING, "relative|absolute",
	  "how to display percentage of filtered entries", AT(percentage) },
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
	{ 0, "socket-filter", OPT_STRING, "list", "only consider these processor sockets",
	  AT(session.filter.sockets) },
	{ 0, "stats", OPT_FLAG, NULL, "Display event stats", AT(stats) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", AT(stdio_given) },
	{ 0, "tui", OPT_FLAG, NULL, "Use the TUI interface", AT(tui_given) },
	{ 0, "stdio-color", OPT_STRING, "mode",
	  "'always' (default), 'never' or 'auto' only applicable to --stdio mode", AT(colour) },
	{ 0, "symbol-filter", OPT_STRING, "filter",
	  "only show symbols that (partially) match with this filter",
	  AT(session.filter.symbol_part) },
	{ 0, "tasks", OPT_FLAG, NULL, "Display recorded tasks", AT(tasks) },
	SPAN_OPTION_ROWS(AT(spans)),
	READING_OPTION_ROWS(AT(session)),
	IGNORE_VMLINUX_OPTION_ROW(AT(session)),
	KALLSYMS_OPTION_ROW(AT(session)),
	CPU_FILTER_ROW(AT(session)),
	CODE_FILTER_ROWS(AT(session), 'c', 'd', 'S'),
	THREAD_FILTER_ROWS(AT(session)),
	SWITCH_OPTION_ROWS(AT(session)),
	{ 0, "top", OPT_U64, "n", "Show the first n rows, and one with the sum of the others",
	  AT(top) },
	{ 0, "timeline", OPT_STRING, "slice",
	  "Show a timeline of each row, in slices of this length (such as 100ms; default: chosen "
	  "to fit)",
	  AT(timeline), .fallback = "" },
	{ 0, "critical", OPT_STRING, "span|trace|tid",
	  "Show what the time of these requests went to, over all threads, and what is different "
	  "in "
	  "the slowest ones (needs perf record --off-cpu)",
	  AT(critical) },
	{ 0, "slowest", OPT_DOUBLE, "percent",
	  "With --critical, and for the key class: how many requests are the slowest ones (default "
	  "1)",
	  AT(slowest) },
	{ 0, "time-quantum", OPT_STRING, "time (ms|us|ns|s)",
	  "Set time quantum for time sort key (default 100ms)", AT(quantum) },
	{ 0, "wall-unit", OPT_STRING, "unit",
	  "Show times of threads as share (of the whole), s (seconds) or threads (how many at a "
	  "time, on average)",
	  AT(wall_unit) },
	TYPE_OPTION_ROWS(AT(types)),
	CODE_OPTION_ROWS(AT(code)),
	ADDR2LINE_OPTION_ROW(AT(upstream)),
	NO_EFFECT_OPTION(AT(upstream), 0, "addr2line-style", "style",
			 "source lines are read without addr2line"),
	MODULES_OPTION_ROW(AT(upstream)),
	OBJDUMP_OPTION_ROW(AT(upstream)),
	NO_EFFECT_OPTION(AT(upstream), 0, "samples", "n",
			 "the browser reads samples from the file"),
	UNWIND_STYLE_OPTION_ROW(AT(upstream)),
	ITRACE_OPTION_ROW(AT(upstream)),
	NEXT_PERF_OPTION(AT(upstream), 0, "pretty", "key",
			 "form of -T: normal or raw, for the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'T', NULL,
		       "show counters per thread (record -s), by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "show-ref-call-graph",
		       "show call chains of the reference event, by the next perf"),
	BRANCH_HISTORY_OPTION_ROW(AT(upstream)),
	NEXT_PERF_FLAG(AT(upstream), 0, "total-cycles",
		       "sort blocks of code by their cycles between branches, by the next perf"),
	STITCH_LBR_OPTION_ROW(AT(upstream)),
};

static const struct config_row config_rows[] = {
	CODE_CONFIG_ROWS(AT(code)),
	{ "report.children", CONFIG_BOOL, AT(cumulating) },
	{ "report.group", CONFIG_BOOL, AT(grouping) },
	{ "report.percent-limit", CONFIG_DOUBLE, AT(config_least) },
	{ "report.queue-size", CONFIG_UNUSED, .why = "perf has no queue for samples" },
	{ "report.skip-empty", CONFIG_BOOL, AT(skip_empty) },
	{ "report.skid", CONFIG_STRING, AT(types.skid_text) },
	{ "report.unnamed", CONFIG_NOT, AT(session.dso.no_unnamed) },
	{ "report.sort_order", CONFIG_STRING, AT(sort_default) },
	{ "hist.percentage", CONFIG_STRING, AT(percentage) },
	{ "annotate.demangle", CONFIG_NOT, AT(session.dso.no_demangle) },
	{ "annotate.demangle_kernel", CONFIG_BOOL, AT(session.dso.demangle_kernel) },
	{ "tui.report", CONFIG_BOOL, AT(tui_wanted) },
	CHAIN_CONFIG_ROWS(AT(chain)),
	READER_CONFIG_ROWS,
};

static const char *const usage[] = { "perf report [<options>]", NULL };
const struct options_spec report_options_spec = { usage, rows, ARRAY_SIZE(rows) };

bool report_options_begin(struct report_options *o, const struct config *config)
{
	*o = (struct report_options){
		.spec = &report_options_spec,
		.tui_wanted = true,
		.skip_empty = true,
		.grouping = true,
		.cumulating = true,
		.config_least = -1,
		.slowest = CRITICAL_SLOWEST,
		.sort_default = COLUMNS_DEFAULT_SORT,
	};
	chain_options_init(&o->chain);
	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), o))
		return false;
	if (o->config_least >= 0)
		o->least = o->chain.threshold = o->config_least; /* of rows and branches */
	return true;
}

bool report_time_parse(const char *text, u64 *ns)
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

/* Sets the unit of the rows' times. */
static bool take_unit(struct report_options *o)
{
	static const struct {
		const char *word, *value;
	} units[] = {
		[TIME_SHARE] = { "share", NULL },
		[TIME_SECONDS] = { "s", "seconds" },
		[TIME_THREADS] = { "threads", "threads" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (o->wall_unit && strcmp(o->wall_unit, units[i].word))
			continue;
		o->time_unit = (enum time_unit)i;
		o->show_value = units[i].value;
		return true;
	}
	return false;
}

static void add_input(struct report_options *o, const char *path)
{
	if (!o->inputs)
		o->inputs = g_ptr_array_new();
	g_ptr_array_add(o->inputs, (void *)path);
}

/*
 * Replaces directories by their recordings, and with a time of day keeps only those in the range.
 */
static bool take_inputs(struct report_options *o, GError **error)
{
	const char *time = o->session.filter.time;

	if (!o->inputs && time && strchr(time, ':'))
		add_input(o, perfdata_default_path());
	if (!o->inputs)
		return true;
	if (!recordings_choose(&o->recordings, o->inputs, time, o->session.force, error))
		return false;
	o->session.input = o->recordings.paths->pdata[0];
	for (u32 i = 1; i < o->recordings.paths->len; i++)
		g_ptr_array_add(o->beside, o->recordings.paths->pdata[i]);
	if (o->recordings.time)
		o->session.filter.time = o->recordings.time;
	return true;
}

/* Sets what options with a fixed set of words select. 0, or the exit status after a message. */
static int take_words(struct report_options *o, enum colour_when *when)
{
	if (o->colour && !colour_when_parse(o->colour, when))
		return options_wrong(o->spec, "--stdio-color: '%s': expected auto, always or never",
				     o->colour);
	if (o->percentage && !strcmp(o->percentage, "relative"))
		o->pages.relative = true;
	else if (o->percentage && strcmp(o->percentage, "absolute"))
		return options_wrong(o->spec, "--percentage: '%s': expected relative or absolute",
				     o->percentage);
	if (o->separator && !*o->separator)
		o->separator = NULL;
	if (!take_unit(o))
		return options_wrong(o->spec, "--wall-unit: '%s': expected share, s or threads",
				     o->wall_unit);
	if (o->timeline && *o->timeline && !report_time_parse(o->timeline, &o->slice_ns))
		return options_wrong(o->spec, "--timeline: '%s' is not a time", o->timeline);
	return 0;
}

/* Chooses the view. */
static bool take_view(struct report_options *o, GError **error)
{
	const struct view *html = view_find("html", NULL);

	o->view = o->panels.html		 ? html
		  : o->format && !o->stdio_given ? view_find(o->format, error)
						 : &view_stdio;
	o->panels.wanted |= o->panels.html || o->view == html;
	return o->view;
}

static u32 nr_baselines(const struct report_options *o)
{
	return o->baselines ? o->baselines->len : 0;
}

/* Options that need or exclude each other. */
static int check_rules(const struct report_options *o)
{
	const struct option_rule rules[] = {
		{ o->panels.html && (o->format || o->stdio_given),
		  "--html cannot be used together with --format or --stdio: "
		  "--panels adds its pages to other formats" },
		{ report_options_compare(o) &&
			  (o->fields || o->hierarchy || o->branches || o->tree || o->timeline ||
			   (o->critical && !o->compares_requests) || o->memory || o->dump ||
			   o->stats || o->tasks || o->mmaps || o->header_only),
		  "--baseline compares the rows of -s: without other fields, -H, -b, "
		  "--mem-mode, --activity-tree, --timeline, --critical, -D, --stats, --tasks, "
		  "--mmaps and --header-only" },
		{ o->panels.wanted && nr_baselines(o) > 1,
		  "--html and --panels compare with one recording: give one --baseline" },
		{ o->separator && !strcmp(o->separator, "."),
		  "'.' is the only non valid --field-separator argument" },
		{ o->timeline && (o->panels.wanted || o->tree || o->hierarchy || o->branches),
		  "--timeline cannot be used together with --html, --panels, "
		  "--activity-tree, --hierarchy or --branch-stack" },
		{ o->critical && !o->compares_requests &&
			  (o->tree || o->hierarchy || o->branches || o->timeline || o->sort ||
			   o->fields),
		  "--critical cannot be used together with --activity-tree, --hierarchy, "
		  "--branch-stack, --timeline, --sort or --fields, unless these have the key class "
		  "or critical" },
		{ o->compares_requests && o->panels.wanted && o->panels.baseline,
		  "the keys class and critical are of one recording: panels without --baseline" },
		{ o->slowest <= 0 || o->slowest >= 100,
		  "--slowest is a percentage between 0 and 100" },
	};

	return options_check(o->spec, rules, ARRAY_SIZE(rules));
}

static void complete_session(struct report_options *o)
{
	struct session_options *so = &o->session;

	so->beside = o->beside;
	so->type_min = o->types.min;
	so->skid = o->types.skid;
	so->show_progress = !o->quiet;
	so->header_only = o->header_only;
	so->dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	so->resolver.max_stack = (u32)MIN(o->max_stack, UINT16_MAX);
	so->resolver.no_unresolved = o->no_unresolved;
	so->resolver.chains = o->raw_chains ? CHAINS_RAW : CHAINS_CUT;
	so->filter.with_parent = o->exclude_other;
	span_options_apply(&o->spans, so, (const char *const[]){ o->sort, o->fields }, 2);
}

static void complete_pages(struct report_options *o)
{
	o->pages.hierarchy = o->hierarchy;
	o->pages.ends = o->verbose > 0;
	o->pages.least = o->least;
	o->pages.top = (u32)MIN(o->top, UINT32_MAX);
	o->pages.sort_member = o->sort_member > 0 ? (u32)o->sort_member : 0;
	o->pages.all_events = !o->skip_empty;
	o->pages.with_header = o->header || o->header_full;
	o->pages.symbol_first = !o->fields && o->sort && g_str_has_prefix(o->sort, "sym");
}

int report_options_complete(struct report_options *o, int argc, char **argv,
			    const struct pager *pager)
{
	g_autoptr(GError) wrong = NULL;
	enum colour_when when = COLOUR_AUTO;
	int status;

	if (argc > 1)
		return options_wrong(o->spec, "unknown argument '%s'", argv[1]);
	if (argc == 1 && recordings_is_folder(argv[0]))
		add_input(o, argv[0]);
	else if (argc == 1)
		o->session.filter.symbol_part = argv[0];
	o->panels.baseline = nr_baselines(o) ? o->baselines->pdata[0] : NULL;
	o->compares_requests = report_options_ask_for(o, "class") ||
			       report_options_ask_for(o, "critical");
	status = take_words(o, &when);
	if (!status && !take_view(o, &wrong))
		status = options_wrong(o->spec, "%s", wrong->message);
	if (!status)
		status = check_rules(o);
	if (status)
		return status;
	o->beside = g_ptr_array_new();
	if (!code_options_apply(&o->code, &o->code_look, &wrong) ||
	    !type_options_parse(&o->types, pager_in_use(pager) || isatty(STDOUT_FILENO), &wrong) ||
	    !take_inputs(o, &wrong))
		return options_wrong(o->spec, "%s", wrong->message);
	complete_session(o);
	complete_pages(o);
	o->look = (struct view_options){
		.separator = o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator,
		.widths = o->widths,
		.colour = colour_wanted(when, pager_in_use(pager)),
		.quiet = o->quiet,
		.beside = stderr,
		.columns = terminal_columns(0),
		.threads = o->session.threads < 1 ? g_get_num_processors()
						  : (u32)o->session.threads,
	};
	return 0;
}

void report_options_release(struct report_options *o)
{
	span_options_release(&o->spans);
	recordings_release(&o->recordings);
	g_clear_pointer(&o->inputs, g_ptr_array_unref);
	g_clear_pointer(&o->beside, g_ptr_array_unref);
	g_clear_pointer(&o->baselines, g_ptr_array_unref);
}

void report_options_note_unused(const struct config *config)
{
	config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
}

bool report_options_want_screen(const struct report_options *o)
{
	bool text = o->stdio_given || o->format || o->separator || o->widths || o->dump ||
		    o->stats || o->tasks || o->mmaps || o->header || o->header_only ||
		    o->header_full || o->quiet || o->panels.wanted || o->panels.html || o->timeline;

	if (text || !isatty(STDOUT_FILENO))
		return false;
	return o->tui_given || (o->tui_wanted && terminal_is_built());
}

bool report_options_compare(const struct report_options *o)
{
	return o->panels.baseline && !o->panels.wanted;
}

bool report_options_ask_for(const struct report_options *o, const char *key)
{
	return (o->sort && strstr(o->sort, key)) || (o->fields && strstr(o->fields, key));
}

bool report_options_know_keys(const struct report_options *o, GError **error)
{
	struct columns_options co = { .sort = o->sort,
				      .fields = o->fields,
				      .sort_default = COLUMNS_DEFAULT_SORT,
				      .families = FIELD_NORMAL | FIELD_MEMORY | FIELD_BRANCH };
	struct columns *columns = columns_new(&co, error);

	columns_free(columns);
	return columns;
}
