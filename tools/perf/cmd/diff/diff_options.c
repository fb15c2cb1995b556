// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/diff/diff_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "critical/critical.h"
#include "options/config_keys.h"
#include "options/format_option.h"
#include "options/recordings.h"
#include "options/session_options.h"
#include "term/terminal.h"

#define AT(member) offsetof(struct diff_options, member)

static char *key_names(void)
{
	return fields_names(FIELD_NORMAL | FIELD_MEMORY);
}

static const struct option_row rows[] = {
	{ 'b', "baseline-only", OPT_FLAG, NULL, "Show only items with match in baseline",
	  AT(old_only) },
	{ 'c', "compute", OPT_STRING, "method",
	  "Difference of shares: delta, delta-abs (default, sorted by its size), ratio or "
	  "wdiff:OLD,NEW "
	  "(weights); cycles is done by the next perf",
	  AT(compute) },
	{ 'F', "formula", OPT_FLAG, NULL, "Show formula.", AT(formula) },
	{ 'g', "call-graph", OPT_FLAG, NULL,
	  "Compare call chains: each chain of functions is a row (keys beside it: -s, default "
	  "symbol)",
	  AT(chains) },
	{ 'o', "order", OPT_INT, "n",
	  "Sort by the n-th new side, 0: by the old one (default: what is certain first, by size)",
	  AT(order) },
	{ 'p', "period", OPT_FLAG, NULL, "Show period values.", AT(period) },
	{ 'q', "quiet", OPT_FLAG, NULL, "Do not show any warnings or messages", AT(quiet) },
	{ 's', "sort", OPT_STRING, "key[,key2...]", "compare by key(s), as perf report:", AT(sort),
	  .words = key_names },
	{ 't', "field-separator", OPT_STRING, "separator",
	  "separator for columns, no spaces will be added between columns '.' is reserved.",
	  AT(separator) },
	{ 'v', "verbose", OPT_COUNT, NULL, "Show each row within noise, also small ones",
	  AT(verbose) },
	{ 0, "cluster", OPT_STRING, "what",
	  "Which samples depend on each other: auto (default: run if each side has several "
	  "recordings, else request if spans are looked at, else thread), request, thread, run or "
	  "none",
	  AT(cluster_text) },
	{ 0, "fail-above", OPT_STRING, "percent[:pattern]",
	  "Exit with status 1 if a certain growth is above this; with a pattern, only of rows with "
	  "a "
	  "key that it matches",
	  AT(fail_text) },
	FORMAT_OPTION_ROW(AT(format)),
	{ 0, "per", OPT_STRING, "what",
	  "Compare values per share (default: percent), total (of a recording), second, cpu-second "
	  "or "
	  "request",
	  AT(per_text) },
	{ 0, "percentage", OPT_STRING, "relative|absolute",
	  "How to display percentage of filtered entries", AT(percentage) },
	{ 0, "plain", OPT_FLAG, NULL,
	  "Show upstream's columns and rows only: no intervals, nothing folded", AT(plain) },
	{ 0, "requests", OPT_STRING, "n[,n...]",
	  "Number of requests of each side, or of each recording, for --per=request (default: the "
	  "spans of --span in the files of --spans, or those without a parent)",
	  AT(requests_text) },
	{ 0, "critical", OPT_STRING, "span|trace",
	  "The requests that the keys class and critical compare (default: all outermost spans, by "
	  "name)",
	  AT(critical) },
	{ 0, "slowest", OPT_DOUBLE, "percent",
	  "For the key class: how many requests are the slowest ones (default 1)", AT(slowest) },
	{ 0, "split", OPT_STRING, "key=old[,new]",
	  "Sides are parts of the recordings: samples whose key matches these patterns; without "
	  "the "
	  "second, all others",
	  AT(split_text) },
	{ 0, "stdio", OPT_FLAG, NULL, "Use the stdio interface", AT(stdio) },
	{ 0, "tui", OPT_FLAG, NULL, "Use the TUI interface", AT(tui) },
	{ 0, "cpu", OPT_STRING, "cpu", "list of cpus to profile", AT(session.filter.cpus) },
	{ 0, "time", OPT_STRING, "str",
	  "Time span (time percent or absolute timestamp); several with ':' between: one per side",
	  AT(time) },
	{ 0, "pid", OPT_STRING, "pid[,pid...]", "only consider symbols in these pids",
	  AT(session.filter.pids) },
	{ 0, "tid", OPT_STRING, "tid[,tid...]", "only consider symbols in these tids",
	  AT(session.filter.tids) },
	SPAN_OPTION_ROWS(AT(spans)),
	TYPE_OPTION_ROWS(AT(types)),
	READING_OPTION_ROWS(AT(session)),
	IGNORE_VMLINUX_OPTION_ROW(AT(session)),
	KALLSYMS_OPTION_ROW(AT(session)),
	CODE_FILTER_ROWS(AT(session), 'C', 'd', 'S'),
	MODULES_OPTION_ROW(AT(upstream)),
	NEXT_PERF_FLAG(AT(upstream), 'D', "dump-raw-trace",
		       "dump raw trace in ASCII, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "cycles-hist",
		       "show a histogram of cycles (-c cycles), by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "stream",
		       "compare call chains made of branches, by the next perf"),
};

static const char *const usage[] = { "perf diff [<options>] [old_file] [new_file...]",
				     "perf diff [<options>] [old_file... --] new_file...", NULL };
const struct options_spec diff_options_spec = { usage, rows, ARRAY_SIZE(rows) };

static bool take_order(const struct config_row *row, const char *value, void *opts, GError **error)
{
	struct diff_options *o = opts;
	u64 order;

	if (!g_ascii_string_to_unsigned(value, 10, 0, 65535, &order, error))
		return false;
	o->order = (int)order;
	return true;
}

static const struct config_row config_rows[] = {
	{ "diff.order", CONFIG_CALL, AT(order), take_order },
	{ "diff.compute", CONFIG_STRING, AT(compute) },
	{ "hist.percentage", CONFIG_STRING, AT(percentage) },
	{ "report.skid", CONFIG_STRING, AT(types.skid_text) },
	{ "tui.diff", CONFIG_BOOL, AT(tui_wanted) },
	READER_CONFIG_ROWS,
};

#define NO_ORDER (-1)

bool diff_options_begin(struct diff_options *o, const struct config *config)
{
	*o = (struct diff_options){ .order = NO_ORDER,
				    .fail_above = -1,
				    .compute = "delta-abs",
				    .tui_wanted = true,
				    .slowest = CRITICAL_SLOWEST };
	return config_apply(config, config_rows, ARRAY_SIZE(config_rows), o);
}

static bool take_method(struct diff_options *o, GError **error)
{
	struct compare_view *look = &o->look;

	o->cycles = !strcmp(o->compute, "cycles");
	if (o->cycles)
		return true;
	if (g_str_has_prefix(o->compute, "wdiff:")) {
		char *end;

		look->method = METHOD_WDIFF;
		look->weight_old = g_ascii_strtoll(o->compute + 6, &end, 10);
		if (*end == ',' && end > o->compute + 6)
			look->weight_new = g_ascii_strtoll(end + 1, &end, 10);
		if (!*end && look->weight_old && look->weight_new)
			return true;
		return error_set(error, PERF_ERROR_USAGE,
				 "-c: '%s': expected two weights, such as wdiff:1,2", o->compute);
	}
	for (u32 i = 0; i < METHOD_NR; i++) {
		if (i == METHOD_WDIFF || strcmp(o->compute, compare_method_name(i)))
			continue;
		look->method = (enum compare_method)i;
		return true;
	}
	return error_set(error, PERF_ERROR_USAGE,
			 "-c: '%s': expected delta, delta-abs, ratio or wdiff:OLD,NEW", o->compute);
}

static bool take_word(const char *option, const char *text, const char *const *words, u32 nr,
		      u32 *out, GError **error)
{
	g_autofree char *all = NULL;

	for (u32 i = 0; i < nr; i++) {
		if (text && strcmp(text, words[i]))
			continue;
		*out = i;
		return true;
	}
	all = g_strjoinv(", ", (char **)words);
	return error_set(error, PERF_ERROR_USAGE, "--%s: '%s': expected one of: %s", option, text,
			 all);
}

static bool take_words(struct diff_options *o, GError **error)
{
	static const char *const pers[] = {
		[PER_SHARE] = "share",	   [PER_TOTAL] = "total",	    [PER_SECOND] = "second",
		[PER_REQUEST] = "request", [PER_CPU_SECOND] = "cpu-second", NULL
	};
	static const char *const clusters[] = {
		[CLUSTER_AUTO] = "auto", [CLUSTER_NONE] = "none",	[CLUSTER_THREAD] = "thread",
		[CLUSTER_RUN] = "run",	 [CLUSTER_REQUEST] = "request", NULL
	};
	static const char *const percentages[] = { "absolute", "relative", NULL };
	u32 per = 0, cluster = 0, relative = 0;

	if (!take_method(o, error) || !take_word("per", o->per_text, pers, 5, &per, error) ||
	    !take_word("cluster", o->cluster_text, clusters, 5, &cluster, error) ||
	    !take_word("percentage", o->percentage, percentages, 2, &relative, error))
		return false;
	o->per = (enum compare_per)per;
	o->cluster = (enum compare_cluster)cluster;
	o->percentage = relative ? "relative" : NULL;
	o->view = o->format ? view_find(o->format, error) : &view_stdio;
	if (o->view == view_find("html", NULL))
		return error_set(
			error, PERF_ERROR_USAGE,
			"the page of a comparison is made by perf report --html --baseline=OLD");
	return o->view;
}

/* "5%", "5%:checkout*" */
static bool take_failure(struct diff_options *o, GError **error)
{
	char *end;

	if (!o->fail_text)
		return true;
	o->fail_above = g_ascii_strtod(o->fail_text, &end);
	if (end == o->fail_text || !(o->fail_above >= 0) || *end != '%' ||
	    (end[1] && end[1] != ':'))
		return error_set(
			error, PERF_ERROR_USAGE,
			"--fail-above: '%s': expected a percentage, such as 5%% or 5%%:PATTERN",
			o->fail_text);
	if (end[1])
		o->fail_key = g_strdup(end + 2);
	return true;
}

/* "span=checkout,pay*" */
static bool take_split(struct diff_options *o, GError **error)
{
	const char *equal = o->split_text ? strchr(o->split_text, '=') : NULL;

	if (!o->split_text)
		return true;
	if (!equal || !equal[1])
		return error_set(error, PERF_ERROR_USAGE, "--split: '%s': expected KEY=OLD[,NEW]",
				 o->split_text);
	o->split_key = g_strndup(o->split_text, (gsize)(equal - o->split_text));
	o->patterns = g_strsplit(equal + 1, ",", -1);
	if (g_strv_length(o->patterns) <= 2)
		return true;
	return error_set(error, PERF_ERROR_USAGE, "--split: '%s': there are two sides",
			 o->split_text);
}

static bool take_requests(struct diff_options *o, GError **error)
{
	g_auto(GStrv) words = o->requests_text ? g_strsplit(o->requests_text, ",", -1) : NULL;

	o->requests = g_array_new(FALSE, FALSE, sizeof(double));
	for (char **word = words; word && *word; word++) {
		char *end;
		double nr = g_ascii_strtod(*word, &end);

		if (end == *word || *end || !(nr > 0))
			return error_set(error, PERF_ERROR_USAGE,
					 "--requests: '%s' is not a number of requests", *word);
		g_array_append_val(o->requests, nr);
	}
	o->counts_spans = o->per == PER_REQUEST && !o->requests->len && o->spans.files &&
			  !o->split_text;
	if (o->per == PER_REQUEST && !o->requests->len && !o->counts_spans)
		return error_set(
			error, PERF_ERROR_USAGE,
			"--per=request needs --requests=OLD,NEW%s: samples do not tell how many "
			"requests there were, because short ones have none",
			o->split_text ? "" : " or --spans=FILE");
	return true;
}

/* A side of the recordings @words; directories are replaced by theirs. */
static bool add_side(struct diff_options *o, char *const *words, u32 nr, GError **error)
{
	g_autoptr(GPtrArray) inputs = g_ptr_array_new();
	struct recordings recordings = { 0 };
	struct compared_side *side;
	bool ok;

	for (u32 i = 0; i < nr; i++)
		g_ptr_array_add(inputs, words[i]);
	ok = recordings_choose(&recordings, inputs, NULL, o->session.force, error);
	if (ok) {
		side = g_new0(struct compared_side, 1);
		side->paths = g_ptr_array_new_with_free_func(g_free);
		for (u32 i = 0; i < recordings.paths->len; i++)
			g_ptr_array_add(side->paths, g_strdup(recordings.paths->pdata[i]));
		g_ptr_array_add(o->sides, side);
	}
	recordings_release(&recordings);
	return ok;
}

/* The number of words behind "--"; 0: there is none. */
static u32 count_new(char *const *words)
{
	u32 nr = 0;

	while (*words && strcmp(*words, "--"))
		words++;
	while (*words && *++words)
		nr++;
	return nr;
}

/* Two windows of time of one recording are two sides. */
static bool has_windows(const struct diff_options *o)
{
	return o->time && strchr(o->time, ':');
}

static bool take_sides(struct diff_options *o, int argc, char **argv, u32 nr_new, GError **error)
{
	char *defaults[] = { (char *)"perf.data.old", (char *)"perf.data" };
	u32 nr = (u32)argc;
	bool ok = true;

	o->sides = g_ptr_array_new_with_free_func(compared_side_free);
	if (o->split_key)
		return add_side(o, nr ? argv : defaults + 1, MAX(nr, 1), error);
	if (nr_new && nr_new == nr)
		return error_set(error, PERF_ERROR_USAGE, "there is no old recording before --");
	if (nr_new)
		return add_side(o, argv, nr - nr_new, error) &&
		       add_side(o, argv + nr - nr_new, nr_new, error);
	if (nr == 1 && has_windows(o))
		return add_side(o, argv, 1, error) && add_side(o, argv, 1, error);
	if (nr < 2)
		return add_side(o, defaults, 1, error) &&
		       add_side(o, nr ? argv : defaults + 1, 1, error);
	for (u32 i = 0; ok && i < nr; i++)
		ok = add_side(o, argv + i, 1, error);
	return ok;
}

static void name_sides(struct diff_options *o)
{
	g_auto(GStrv) times = o->time && !o->split_key ? g_strsplit(o->time, ":", -1) : NULL;
	u32 nr_times = times ? g_strv_length(times) : 0;

	o->nr_sides = o->split_key ? 2 : o->sides->len;
	o->labels = g_new0(char *, o->nr_sides + 1);
	for (u32 i = 0; i < o->sides->len; i++) {
		struct compared_side *side = g_ptr_array_index(o->sides, i);

		side->time = nr_times == 1 || o->split_key ? o->time
			     : i < nr_times && *times[i]   ? g_intern_string(times[i])
							   : NULL;
		o->labels[i] = compared_side_label(side);
	}
	for (u32 i = 0; o->split_key && i < 2; i++) {
		g_free(o->labels[i]);
		o->labels[i] = g_strdup_printf("%s=%s", o->split_key,
					       i < g_strv_length(o->patterns) ? o->patterns[i]
									      : "(the rest)");
	}
}

static u32 nr_runs(const struct diff_options *o)
{
	u32 nr = 0;

	for (u32 i = 0; i < o->sides->len; i++)
		nr += ((const struct compared_side *)o->sides->pdata[i])->paths->len;
	return nr;
}

/* --requests may state numbers of sides: their recordings have equal parts of them. */
static bool spread_requests(struct diff_options *o, GError **error)
{
	g_autoptr(GArray) given = g_array_copy(o->requests);

	if (o->per != PER_REQUEST || o->counts_spans ||
	    (!o->split_key && given->len == nr_runs(o)) || (o->split_key && given->len == 2))
		return true;
	if (given->len != o->nr_sides)
		return error_set(
			error, PERF_ERROR_USAGE,
			"--requests has %u numbers for %u sides: one for each is needed, or "
			"one for each recording",
			given->len, o->nr_sides);
	g_array_set_size(o->requests, 0);
	for (u32 i = 0; i < o->sides->len; i++) {
		u32 nr = ((const struct compared_side *)o->sides->pdata[i])->paths->len;
		double part = g_array_index(given, double, i) / nr;

		for (u32 k = 0; k < nr; k++)
			g_array_append_val(o->requests, part);
	}
	return true;
}

static void complete_session(struct diff_options *o)
{
	struct session_options *so = &o->session;

	if (!o->sort)
		o->sort = o->chains ? "symbol" : "dso,symbol";
	so->type_min = o->types.min;
	so->skid = o->types.skid;
	so->show_progress = !o->quiet;
	so->dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	span_options_apply(&o->spans, so, (const char *const[]){ o->sort, o->split_key }, 2);
}

static void complete_look(struct diff_options *o, bool colour)
{
	struct compare_view *look = &o->look;

	look->order = o->order >= 0 ? o->order : o->plain ? 1 : -1;
	look->old_only = o->old_only;
	look->formula = o->formula;
	look->period = o->period;
	look->plain = o->plain;
	look->all = o->verbose > 0;
	look->machine = !o->view->is_text;
	look->separated = o->separator && *o->separator;
	look->least = 0.5;
	look->labels = o->labels;
	if (o->separator && !*o->separator)
		o->separator = NULL;
	o->print = (struct view_options){
		.separator = o->separator && !strcmp(o->separator, "\\t") ? "\t" : o->separator,
		.colour = colour,
		.quiet = o->quiet,
		.beside = stderr,
	};
}

static int check_rules(const struct diff_options *o)
{
	const struct option_rule rules[] = {
		{ o->separator && !strcmp(o->separator, "."),
		  "'.' is the only non valid --field-separator argument" },
		{ o->plain && o->per != PER_SHARE, "--plain compares shares, without --per" },
		{ o->order >= (int)o->nr_sides, "-o: there is no such side" },
		{ o->slowest <= 0 || o->slowest >= 100,
		  "--slowest is a percentage between 0 and 100" },
		{ o->split_key && has_windows(o), "--split has the sides: give one --time" },
		{ o->split_key && o->per == PER_CPU_SECOND,
		  "--per=cpu-second compares recordings, without --split" },
	};

	return options_check(&diff_options_spec, rules, ARRAY_SIZE(rules));
}

int diff_options_complete(struct diff_options *o, int argc, char **argv, char *const *words,
			  bool colour)
{
	g_autoptr(GError) wrong = NULL;
	int status;

	if (!take_words(o, &wrong) || !take_failure(o, &wrong) || !take_split(o, &wrong) ||
	    !take_requests(o, &wrong) ||
	    !type_options_parse(&o->types, isatty(STDOUT_FILENO), &wrong))
		return options_wrong(&diff_options_spec, "%s", wrong->message);
	if (o->cycles)
		return 0;
	if (!take_sides(o, argc, argv, count_new(words), &wrong)) {
		fprintf(stderr, "%s\n", wrong->message);
		return 255;
	}
	name_sides(o);
	status = check_rules(o);
	if (status)
		return status;
	if (!spread_requests(o, &wrong))
		return options_wrong(&diff_options_spec, "%s", wrong->message);
	complete_session(o);
	complete_look(o, colour);
	return 0;
}

struct compared_report_options diff_options_compared(const struct diff_options *o)
{
	return (struct compared_report_options){
		.session = &o->session,
		.sides = o->sides,
		.compare = { .nr_sides = o->nr_sides,
			     .relative = o->percentage,
			     .chains = o->chains,
			     .per = o->per,
			     .cluster = o->cluster,
			     .requests = o->counts_spans
						 ? NULL
						 : (const double *)(const void *)o->requests->data,
			     .side_patterns = (const char *const *)o->patterns },
		.sort = o->sort,
		.split_key = o->split_key,
		.critical = o->critical,
		.slowest = o->slowest,
		.short_types = o->types.short_names,
		.quiet = o->quiet,
		.fair = !o->plain && !o->split_key,
		.look = o->look,
		.view = o->view,
		.print = o->print,
	};
}

bool diff_options_want_screen(const struct diff_options *o)
{
	bool text = o->stdio || o->format || o->separator || o->quiet || o->plain || o->formula ||
		    o->period || o->fail_text || strcmp(o->compute, "delta-abs");

	if (text || !isatty(STDOUT_FILENO))
		return false;
	return o->tui || (o->tui_wanted && terminal_is_built());
}

void diff_options_release(struct diff_options *o)
{
	span_options_release(&o->spans);
	g_clear_pointer(&o->sides, g_ptr_array_unref);
	g_clear_pointer(&o->requests, g_array_unref);
	g_strfreev(o->labels);
	g_strfreev(o->patterns);
	g_free(o->split_key);
	g_free(o->fail_key);
}
