// SPDX-License-Identifier: GPL-2.0-or-later
/* perf top: a live profile of running programs, with the keys of perf report. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/config.h"
#include "cmd/cmd.h"
#include "cmd/record/record_report.h"
#include "cmd/record/record_words.h"
#include "cmd/top/top_browser.h"
#include "options/session_options.h"
#include "options/upstream_options.h"
#include "record/base/options.h"
#include "record/recorder.h"
#include "term/terminal.h"

#define TOP_EXIT_FAILED 255

struct top_options {
	struct record_options record; /* first: record_words.h */
	struct report_options report;
	struct top_profile profile;
	struct top_waits *waits; /* NULL: no thread states are recorded */
	struct upstream_options upstream;
	bool only_states, hide_kernel, hide_user, zero, freq_given;
	u64 delay, entries;
	const char *children_mode;
};

#define RECORD(member) offsetof(struct top_options, record.member)
#define REPORT(member) offsetof(struct top_options, report.member)
#define TOP(member)    offsetof(struct top_options, member)

/* The first words, which say how to record: "fp", "dwarf,4096" of "dwarf,4096,caller". */
static size_t mode_length(const char *arg)
{
	size_t length = strcspn(arg, ",");
	const char *next = arg[length] ? arg + length + 1 : "";

	if ((g_str_has_prefix(arg, "dwarf") && g_ascii_isdigit(*next)) ||
	    g_str_has_prefix(next, "defer"))
		length += 1 + strcspn(next, ",");
	return length;
}

/* "fp,caller,0.5": how to record, then how to show. */
static bool take_callgraph(const struct option_row *row, const char *arg, bool unset, void *opts,
			   GError **error)
{
	struct top_options *o = opts;
	size_t length = arg ? mode_length(arg) : 0;
	g_autofree char *mode = arg ? g_strndup(arg, length) : g_strdup("fp");

	o->record.callgraph = (struct callgraph){ 0 };
	if (unset)
		return true;
	return callgraph_parse(mode, 0, &o->record.callgraph, error) &&
	       (!arg || !arg[length] ||
		chain_options_parse(&o->report.chain, arg + length + 1, error));
}

static char *key_names(void)
{
	return fields_names(FIELD_NORMAL | FIELD_VALUE);
}

static const struct option_row rows[] = {
	RECORD_OPTION_ROWS(offsetof(struct top_options, record)),
	{ 'd', "delay", OPT_U64, "n", "number of seconds between refreshes (default 2)",
	  TOP(delay) },
	{ 'E', "entries", OPT_U64, "n", "display this many rows", TOP(entries) },
	{ 'g', NULL, OPT_CALL, NULL, "enables call-graph recording and display",
	  .call = take_callgraph, .flags = OPT_NO_ARG },
	{ 'H', "hierarchy", OPT_FLAG, NULL, "Show entries in a hierarchy", REPORT(hierarchy) },
	{ 'K', "hide_kernel_symbols", OPT_FLAG, NULL, "hide kernel symbols", TOP(hide_kernel) },
	{ 'n', "show-nr-samples", OPT_FLAG, NULL, "Show a column with the number of samples",
	  REPORT(show_samples) },
	{ 's', "sort", OPT_STRING, "key[,key2...]", "sort by key(s):", REPORT(sort),
	  .words = key_names },
	{ 'U', "hide_user_symbols", OPT_FLAG, NULL, "hide user symbols", TOP(hide_user) },
	{ 'v', "verbose", OPT_COUNT, NULL, "be more verbose", RECORD(verbose) },
	{ 'w', "column-widths", OPT_STRING, "width[,width...]",
	  "don't try to adjust column width, use these fixed values", REPORT(widths) },
	{ 'z', "zero", OPT_FLAG, NULL, "zero history across updates", TOP(zero) },
	{ 0, "call-graph", OPT_CALL, "record_mode[,print_type,threshold,order,...]",
	  "setup and enables call-graph recording and display, as in perf record and report",
	  .call = take_callgraph },
	{ 0, "children", OPT_FLAG, NULL,
	  "Accumulate callchains of children and show total overhead as well", REPORT(children),
	  .set_offset = REPORT(children_given) },
	{ 0, "fields", OPT_STRING, "key[,keys...]", "output field(s):", REPORT(fields),
	  .words = key_names },
	{ 0, "ignore-callees", OPT_STRING, "regex",
	  "ignore callees of these functions in call graphs",
	  REPORT(session.resolver.ignored_callees) },
	{ 0, "max-stack", OPT_U64, "n", "Set the maximum stack depth when parsing the callchain",
	  REPORT(max_stack) },
	{ 0, "percent-limit", OPT_DOUBLE, "percent", "Don't show entries under that percent",
	  REPORT(least), .set_offset = REPORT(least_given) },
	{ 0, "percentage", OPT_STRING, "relative|absolute",
	  "how to display percentage of filtered entries", REPORT(percentage) },
	{ 0, "raw-trace", OPT_FLAG, NULL,
	  "Show raw trace event output (do not use print fmt or plugins)", REPORT(raw_trace) },
	{ 0, "show-total-period", OPT_FLAG, NULL, "Show a column with the sum of periods",
	  REPORT(show_period) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", REPORT(stdio_given) },
	{ 0, "tui", OPT_FLAG, NULL, "Use the TUI interface", REPORT(tui_given) },
	VMLINUX_OPTION_ROW(REPORT(session)),
	IGNORE_VMLINUX_OPTION_ROW(REPORT(session)),
	KALLSYMS_OPTION_ROW(REPORT(session)),
	DEMANGLE_KERNEL_OPTION_ROW(REPORT(session)),
	CODE_FILTER_ROWS(REPORT(session), 0, 0, 0),
	SPAN_OPTION_ROWS(REPORT(spans)),
	TLS_OPTION_ROWS(RECORD(tls)),
	WALL_OPTION_ROW(RECORD(wall)),
	TYPE_OPTION_ROWS(REPORT(types)),
	CODE_OPTION_ROWS(REPORT(code)),
	ADDR2LINE_OPTION_ROW(TOP(upstream)),
	OBJDUMP_OPTION_ROW(TOP(upstream)),
	NO_EFFECT_OPTION(TOP(upstream), 'f', "count-filter", "n", "--percent-limit hides rows"),
	NO_EFFECT_FLAG(TOP(upstream), 0, "force", "no recording is read"),
	NO_EFFECT_FLAG(TOP(upstream), 0, "overwrite",
		       "samples go to the profile soon after they were taken"),
	SYNTHESIZE_OPTION_ROWS(TOP(upstream)),
	NEXT_PERF_FLAG(TOP(upstream), 'b', "branch-any", "a profile of branches, by the next perf"),
	NEXT_PERF_OPTION(TOP(upstream), 'j', "branch-filter", "mask",
			 "a profile of branches of these kinds, by the next perf"),
	BRANCH_HISTORY_OPTION_ROW(TOP(upstream)),
	STITCH_LBR_OPTION_ROW(TOP(upstream)),
	NEXT_PERF_OPTION(TOP(upstream), 0, "group-sort-idx", "n",
			 "a group of events side by side, sorted by this one, by the next perf"),
	NEXT_PERF_FLAG(TOP(upstream), 'D', "dump-symtab",
		       "print the table of symbols, by the next perf"),
	NEXT_PERF_OPTION(TOP(upstream), 0, "sym-annotate", "symbol",
			 "begin with this symbol's code, by the next perf"),
	NEXT_PERF_OPTION(TOP(upstream), 0, "switch-on", "event",
			 "count samples from a hit of this event, by the next perf"),
	NEXT_PERF_OPTION(TOP(upstream), 0, "switch-off", "event",
			 "... to a hit of this one, by the next perf"),
	NEXT_PERF_FLAG(TOP(upstream), 0, "show-on-off-events",
		       "count the hits of these two events, too, by the next perf"),
};
static const char *const usage[] = { "perf top [<options>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows), .no_arguments = true };

static const struct config_row config_rows[] = {
	{ "top.children", CONFIG_BOOL, REPORT(cumulating) },
	{ "tui.top", CONFIG_BOOL, REPORT(tui_wanted) },
	{ "top.call-graph", CONFIG_UNUSED, .why = "use -g or --call-graph" },
};

/* Non-zero: the exit status of a refusal. */
static int check(struct top_options *o)
{
	struct record_options *r = &o->record;
	struct pager none = { 0 };
	g_autoptr(GError) wrong = NULL;
	int status;

	if (!r->pids && !r->tids && !r->user && !r->cpus)
		r->all_cpus = true;
	if ((r->pids || r->tids || r->user) && (r->all_cpus || r->cpus))
		return options_wrong(&spec, "-a and -C cannot be used together with -p, -t or -u");
	if (r->tids && (r->pids || r->user))
		return options_wrong(&spec, "-t cannot be used together with -p or -u");
	if (r->cgroups && (r->pids || r->tids || r->user)) /* upstream's words */
		return options_wrong(&spec, "cgroup monitoring only available in system-wide mode");
	if (r->count_given && r->freq)
		return options_wrong(&spec, "cannot set both count and frequency at the same time");
	if (r->count_given && !r->count)
		return options_wrong(&spec, "--count must be above 0");
	if (!o->delay || o->delay > 3600)
		return options_wrong(&spec, "--delay: expected seconds from 1 to 3600");
	/* Here, so that an error shows the options of this command. */
	if (!code_options_apply(&o->report.code, &o->report.code_look, &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	if (r->tls.layout && !*r->tls.layout)
		return options_wrong(&spec, "--sample-tls= needs a layout, such as auto or otep");
	r->quiet = true;
	/*
	 * Sleeping threads are sampled once per refresh, and more often before the first one, so that it shows them;
	 * equal states are merged twice per refresh.
	 */
	r->wall.first = o->delay * 1000000000;
	r->wall.longest = o->delay * 1500000000;
	r->wall.merge = MIN(o->delay * 500000000, 1000000000);
	o->only_states = r->wall.hz && !r->events;
	record_default_events(r);
	/* Thread states have the kernel's stack: it is shown only if call chains were requested. */
	if (r->wall.hz && r->callgraph.mode == CALLGRAPH_NONE)
		o->report.chain.mode = CHAIN_NONE;
	if (r->wall.hz && r->callgraph.mode == CALLGRAPH_NONE && !o->report.children_given)
		o->report.children_given = true; /* as --no-children */
	if (r->wall.hz && !o->report.sort && !o->report.fields)
		o->report.sort = COLUMNS_WAIT_SORT;
	if (!record_may_have_tracepoints(r) && !report_options_know_keys(&o->report, &wrong)) {
		fprintf(stderr, "%s\n", wrong->message);
		return OPTIONS_EXIT_USAGE;
	}
	status = report_options_complete(&o->report, 0, NULL, &none);
	o->report.session.show_progress = false;
	return status;
}

static void look(struct lexicon *lexicon, const struct place *place, void *waits)
{
	top_waits_take(waits, lexicon, place);
}

static void begin_waits(struct top_options *o)
{
	if (!o->record.wall.hz)
		return;
	o->waits = top_waits_new(kernel_paths_host());
	o->profile.look = (struct top_look){ look, TOP_WAITS_NEEDS, o->waits };
}

static char *target_text(const struct record_options *r)
{
	if (r->pids)
		return g_strdup_printf("target_pid: %s", r->pids);
	if (r->tids)
		return g_strdup_printf("target_tid: %s", r->tids);
	if (r->user)
		return g_strdup_printf("uid: %s", r->user);
	return r->cpus ? g_strdup_printf("CPU: %s", r->cpus) : g_strdup("all");
}

static char *rate_text(const struct record_options *r, bool only_states)
{
	if (only_states)
		return g_strdup_printf("%uHz", r->wall.hz);
	if (r->count_given)
		return g_strdup_printf("%" G_GUINT64_FORMAT, (guint64)r->count);
	return r->freq ? g_strdup_printf("%sHz", r->freq)
		       : g_strdup_printf("%dHz", RECORD_DEFAULT_FREQ);
}

static bool wants_browser(const struct top_options *o)
{
	const struct report_options *r = &o->report;

	if (r->stdio_given || !isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return false;
	return r->tui_given || (r->tui_wanted && terminal_is_built() && !r->widths && !o->entries);
}

/* The display: one of both. */
struct top_views {
	struct top_screen *text;
	struct top_browser *browser;
};

static bool show(struct top_options *o, const char *missing, struct top_views *shown,
		 GError **error)
{
	g_autofree char *target = target_text(&o->record),
			*rate = rate_text(&o->record, o->only_states);
	const struct top_screen_options look = {
		.delay = (u32)o->delay,
		.entries = (u32)MIN(o->entries, UINT32_MAX),
		.rate = g_intern_string(rate),
		.target = g_intern_string(target),
		.nr_cpus = (u32)sysconf(_SC_NPROCESSORS_ONLN),
		.waits = o->waits,
		.missing = missing,
	};

	turns_begin(&o->profile.turns);
	top_profile_begin(&o->profile);
	turns_end(&o->profile.turns);
	if (o->profile.browses)
		shown->browser = top_browser_start(&o->profile, &look, error);
	else
		shown->text = top_screen_start(&o->profile, &look, error);
	return shown->browser || shown->text;
}

/*
 * The display begins when the recording has begun: its first frame has a whole interval of samples, and not the time in
 * which programs were loaded and existing processes were read.
 */
static bool collect(struct top_options *o, struct recorder *r, const char *missing,
		    struct top_views *shown, GError **error)
{
	if (!recorder_enable_side_records(r, error) || !recorder_attach(r, error))
		return false;
	if (!recorder_begin(r, error) || !show(o, missing, shown, error)) {
		recorder_disable(r, NULL);
		return false;
	}
	return recorder_wait(r, error);
}

/* Runs until it is stopped or the target has ended; a browser then still shows the last profile. */
static bool watch(struct top_options *o, int argc, char **argv, GError **error)
{
	struct recorder *r = recorder_new(&o->record, argc, argv);
	struct top_views shown = { 0 };
	g_autofree char *missing = NULL;
	bool ok, stopped;

	recorder_add_consumer(
		r, record_report_consumer(&(struct records_reader){ .read = top_profile_read,
								    .arg = &o->profile,
								    .turns = &o->profile.turns }));
	ok = recorder_open(r, error);
	missing = ok ? recorder_missing(r) : NULL;
	ok = ok && collect(o, r, missing, &shown, error);
	if (!recorder_detach(r, ok ? error : NULL))
		ok = false;
	stopped = !ok || recorder_ended_by(r);
	top_screen_stop(shown.text);
	recorder_close(r);
	if (!top_browser_stop(shown.browser, stopped, ok ? error : NULL))
		ok = false;
	if (ok && missing) /* not before: frames would clear it */
		fprintf(stderr, "[ perf top: %s ]\n", missing);
	return ok;
}

static int top_run(const struct config *config, int argc, char **argv)
{
	struct top_options o = { .record = { .timestamp = true, .synth = SYNTH_ALL }, .delay = 2 };
	g_autoptr(GError) error = NULL;
	g_autofree char **words = upstream_words(argc, argv);
	char **all = argv;
	int nr = argc, status;
	bool ok;

	if (!report_options_begin(&o.report, config))
		return CONFIG_EXIT_BAD;
	o.report.spec = &spec;
	o.report.tui_wanted = true; /* tui.report is for perf report */
	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), &o))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&spec, &argc, &argv, &o, &status))
		goto out;
	status = upstream_options_settle(&o.upstream, config, &spec, words, o.record.verbose)
			 ?: check(&o);
	if (status)
		goto out;
	if (o.record.verbose)
		config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
	top_profile_init(&o.profile, &o.report);
	o.profile.hide_kernel = o.hide_kernel;
	o.profile.hide_user = o.hide_user;
	o.profile.zero = o.zero;
	o.profile.only_states = o.only_states;
	if (o.record.wall.hz)
		o.profile.first_looks =
			o.record.wall.first / 4; /* then all threads have samples: plan_full() */
	o.profile.browses = wants_browser(&o);
	begin_waits(&o);
	o.report.pages.even_empty = o.profile.browses;
	ok = watch(&o, nr, all, &error);
	if (ok && o.profile.error)
		ok = (g_propagate_error(&error, g_steal_pointer(&o.profile.error)), false);
	if (!ok)
		fprintf(stderr, "perf: %s\n", error->message);
	top_profile_release(&o.profile);
	top_waits_free(o.waits);
	status = ok ? 0 : TOP_EXIT_FAILED;
out:
	report_options_release(&o.report);
	record_options_release(&o.record);
	return status;
}

const struct command cmd_top = { "top", "Show a profile of the system as it runs", top_run };
