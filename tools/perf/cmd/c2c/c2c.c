// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * perf c2c: cache lines that threads share, by type and member, from data addresses alone. If events of hardware state where accesses
 * ended, also upstream's tables of loads that hit modified lines (HITM).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/colour.h"
#include "cli/config.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/c2c/c2c_screen.h"
#include "cmd/c2c/hitm_choice.h"
#include "cmd/cmd.h"
#include "options/config_keys.h"
#include "options/format_option.h"
#include "options/recording.h"
#include "options/session_options.h"
#include "options/span_options.h"
#include "options/type_options.h"
#include "options/upstream_options.h"
#include "pages/sharing/sharing_pages.h"
#include "perfdata/evsel.h"
#include "perfdata/info.h"
#include "term/terminal.h"
#include "view/tui/sharing.h"
#include "view/view.h"

struct c2c_options {
	struct session_options session;
	struct type_options types;
	struct span_options spans;
	struct upstream_options upstream;
	struct hitm_choice hitm;
	const char *format, *separator;
	bool quiet, stdio, double_lines;
	u64 least;
	int verbose;
	const struct view *view;
	bool browses;
	struct screen *screen; /* the browser's; NULL: the terminal */
};

#define AT(member) offsetof(struct c2c_options, member)

static const struct option_row rows[] = {
	{ 'i', "input", OPT_STRING, "file", "the input file to process", AT(session.input) },
	{ 'q', "quiet", OPT_FLAG, NULL, "No titles, notes and remarks", AT(quiet) },
	{ 't', "field-separator", OPT_STRING, "separator",
	  "separator for columns, no spaces will be added between columns", AT(separator) },
	{ 'v', "verbose", OPT_COUNT, NULL, "list what has no effect", AT(verbose) },
	{ 0, "stdio", OPT_FLAG, NULL, "print text", AT(stdio) },
	FORMAT_OPTION_ROW(AT(format)),
	{ 0, "double-cl", OPT_FLAG, NULL, "Detect sharing of two neighbouring cache lines",
	  AT(double_lines) },
	{ 0, "least", OPT_U64, "n", "Leave out members with fewer than n samples (default: 5)",
	  AT(least) },
	TYPE_OPTION_ROWS(AT(types)),
	SPAN_OPTION_ROWS(AT(spans)),
	READING_OPTION_ROWS(AT(session)),
	IGNORE_VMLINUX_OPTION_ROW(AT(session)),
	KALLSYMS_OPTION_ROW(AT(session)),
	CPU_FILTER_ROW(AT(session)),
	CODE_FILTER_ROWS(AT(session), 0, 0, 'S'),
	THREAD_FILTER_ROWS(AT(session)),
	HITM_OPTION_ROWS(AT(hitm)),
	NEXT_PERF_OPTIONAL(AT(upstream), 'g', "call-graph", "opts",
			   "call chains of lines, by the next perf"),
	NO_EFFECT_FLAG(AT(upstream), 0, "full-symbols", "names of symbols are never cut"),
	OBJDUMP_OPTION_ROW(AT(upstream)),
	NO_EFFECT_OPTION(AT(upstream), 'M', "disassembler-style", "style",
			 "no instructions are shown"),
	NEXT_PERF_FLAG(AT(upstream), 0, "stitch-lbr",
		       "complete call chains of branches, by the next perf"),
};

static const char *const usage[] = { "perf c2c report [<options>]",
				     "perf c2c record [<record options>] [--] [<command>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static const struct config_row config_rows[] = {
	{ "report.skid", CONFIG_STRING, AT(types.skid_text) },
	READER_CONFIG_ROWS,
};

/* What is known of each event, in the order of their first samples; and what hardware states. */
struct events {
	struct lexicon *lexicon;
	GPtrArray *all; /* struct sharing * */
	struct hitm *hitm;
};

static struct sharing *of_event(struct events *events, const char *name)
{
	for (u32 i = 0; i < events->all->len; i++) {
		struct sharing *s = g_ptr_array_index(events->all, i);

		if (!strcmp(s->event, name))
			return s;
	}
	g_ptr_array_add(events->all, sharing_new(name, events->lexicon));
	return g_ptr_array_index(events->all, events->all->len - 1);
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct events *events = arg;

	if (!filtered) {
		sharing_take(of_event(events, place->evsel->name), place);
		hitm_take(events->hitm, place);
	}
	return true;
}

static bool take_event(const struct event *event, const struct place *place, void *events,
		       GError **error)
{
	return !place || take(place, 0, events, error);
}

static void free_sharing(void *sharing)
{
	sharing_free(sharing);
}

/* The tables of hardware, if some sample has such data. */
static struct sharing_hitm hitm_of(const struct c2c_options *o, const struct events *events)
{
	return (struct sharing_hitm){
		.hitm = events->hitm->has_levels ? events->hitm : NULL,
		.nodes = MIN((u32)o->hitm.node_info, HITM_NODE_CPUS),
		.counts_only = o->hitm.counts_only,
		.wanted = hitm_choice_given(&o->hitm),
	};
}

static bool print(const struct c2c_options *o, const struct events *events, GError **error)
{
	const struct sharing_hitm hitm = hitm_of(o, events);
	const struct view_options options = {
		.separator = o->separator && *o->separator ? o->separator : NULL,
		.colour = colour_wanted(COLOUR_AUTO, isatty(STDOUT_FILENO)),
		.quiet = o->quiet,
		.beside = stderr,
	};
	struct pages *pages =
		sharing_pages_new(events->all, &hitm, !o->view->is_text || options.separator);
	bool ok = o->view->print(pages, &options, stdout, error);

	pages_free(pages);
	return ok;
}

/* Without shared lines, a text says so. */
static bool browse(const struct c2c_options *o, const struct events *events,
		   struct session *session, GError **error)
{
	const struct sharing_hitm hitm = hitm_of(o, events);
	struct pages *pages = sharing_pages_new(events->all, &hitm, false);
	const struct tui_sharing_options options = {
		.pages = pages,
		.nodes = hitm.nodes,
		.annotator = { .session = session, .skip_empty = true },
	};
	bool some = pages->nr, ok = true;
	struct screen *screen = o->screen ?: some ? terminal_open(error) : NULL;

	if (some && screen)
		tui_sharing_run(screen, &options);
	if (screen && !o->screen)
		screen_free(screen);
	pages_free(pages);
	if (some)
		ok = screen;
	return some ? ok : print(o, events, error);
}

static bool states_accesses(struct session *session)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++)
		if (((const struct evsel *)g_ptr_array_index(evsels, i))->attr.sample_type &
		    PERF_SAMPLE_DATA_SRC)
			return true;
	return false;
}

/* Only the tables of hardware depend on the order of samples. */
static bool read_samples(struct session *session, struct events *events, GError **error)
{
	if (states_accesses(session))
		return session_each_event(session, sharing_needs, true, take_event, events, error);
	return session_each_sample(session, sharing_needs, take, events, error);
}

static void finish(const struct c2c_options *o, struct events *events)
{
	for (u32 i = 0; i < events->all->len; i++)
		sharing_finish(g_ptr_array_index(events->all, i), (u32)MIN(o->least, UINT32_MAX));
	hitm_finish(events->hitm);
}

static void release(struct events *events)
{
	g_ptr_array_unref(events->all);
	hitm_free(events->hitm);
	lexicon_free(events->lexicon);
}

/* Text says what is missing of what was asked for. */
static bool browses(const struct c2c_options *o, const struct events *events)
{
	return o->browses && (events->hitm->has_levels || !hitm_choice_given(&o->hitm));
}

static bool report(struct c2c_options *o, GError **error)
{
	struct session *session = session_open(&o->session, error);
	struct hitm_options hitm = { .line_size = o->double_lines ? 128 : 64 };
	const struct perfdata_info *info;
	struct events events;
	bool ok;

	if (!session)
		return false;
	info = perfdata_info(session_perfdata(session));
	events.lexicon = lexicon_new(session);
	events.lexicon->short_types = o->types.short_names;
	events.lexicon->cache_line_size = hitm.line_size;
	events.all = g_ptr_array_new_with_free_func(free_sharing);
	ok = hitm_choice_parse(&o->hitm, info->arch, &hitm, error);
	events.hitm = hitm_new(&hitm, events.lexicon, info);
	ok = ok && read_samples(session, &events, error);
	if (ok)
		finish(o, &events);
	ok = ok &&
	     (browses(o, &events) ? browse(o, &events, session, error) : print(o, &events, error));
	if (ok)
		recording_tell_cut(session_perfdata(session));
	release(&events);
	session_close(session);
	return ok;
}

static bool wants_browser(const struct c2c_options *o)
{
	bool text = o->format || o->stdio || o->separator || o->quiet || o->hitm.counts_only;

	return o->screen ||
	       (!text && terminal_is_built() && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO));
}

static int complete(struct c2c_options *o)
{
	struct hitm_options hitm;
	g_autoptr(GError) wrong = NULL;

	o->view = o->format ? view_find(o->format, &wrong) : &view_stdio;
	if (!o->view || !hitm_choice_parse(&o->hitm, NULL, &hitm, &wrong) ||
	    !type_options_parse(&o->types, isatty(STDOUT_FILENO), &wrong))
		return options_wrong(&spec, "%s", wrong->message);
	span_options_apply(&o->spans, &o->session, (const char *const[]){ "span" }, 1);
	o->session.type_min = o->types.min;
	o->session.skid = o->types.skid;
	o->session.show_progress = !o->quiet && !o->screen;
	o->browses = wants_browser(o);
	o->session.dso.buildid_dir = getenv("PERF_BUILDID_DIR");
	return 0;
}

/* 0: the report was made; else an exit status after a message. */
static int make_report(struct c2c_options *o)
{
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	bool ok;

	if (!o->browses)
		pager_start(&pager);
	ok = report(o, &error);
	fflush(stdout);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return ok ? 0 : 255;
}

static int report_run(const struct config *config, struct screen *on, int argc, char **argv,
		      char *const *words)
{
	struct c2c_options o = { .least = 5, .screen = on };
	int status;

	if (!config_apply(config, config_rows, ARRAY_SIZE(config_rows), &o))
		return CONFIG_EXIT_BAD;
	if (options_parse(&spec, &argc, &argv, &o, &status)) {
		if (argc)
			status = options_wrong(&spec, "unexpected argument '%s'", argv[0]);
		if (!status)
			status = upstream_options_settle(&o.upstream, config, &spec, words,
							 o.verbose);
		if (!status)
			status = complete(&o);
		if (!status)
			status = make_report(&o);
	}
	span_options_release(&o.spans);
	return status;
}

int c2c_on_screen(struct screen *screen, const struct config *config, int argc, char **argv)
{
	return report_run(config, screen, argc, argv, argv);
}

/* perf record with data addresses. */
static int record_run(const struct config *config, int argc, char **argv)
{
	g_autofree char **words = g_new0(char *, (size_t)argc + 2);

	words[0] = (char *)"record";
	words[1] = (char *)"-d";
	for (int i = 1; i < argc; i++)
		words[i + 1] = argv[i];
	return cmd_record.run(config, argc + 1, words);
}

/* Options of upstream's perf c2c record that are none of perf record. */
static bool needs_hardware(char *const *words)
{
	for (; *words && strcmp(*words, "--"); words++)
		if (g_str_has_prefix(*words, "-l") || g_str_has_prefix(*words, "--ldlat"))
			return true;
	return false;
}

static int c2c_run(const struct config *config, int argc, char **argv)
{
	g_autofree char **words = upstream_words(argc, argv);

	if (argc > 1 && !strcmp(argv[1], "record")) {
		if (needs_hardware(words))
			return upstream_hand_on(config, &spec, "--ldlat is for events of hardware",
						words);
		return record_run(config, argc - 1, argv + 1);
	}
	if (argc > 1 && !strcmp(argv[1], "report"))
		return report_run(config, NULL, argc - 1, argv + 1, words);
	if (argc > 1 && argv[1][0] == '-')
		return report_run(config, NULL, argc, argv, words);
	return options_wrong(&spec, "expected record or report");
}

const struct command cmd_c2c = { "c2c", "Find cache lines that threads share, by type and member",
				 c2c_run };
