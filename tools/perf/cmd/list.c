// SPDX-License-Identifier: GPL-2.0-or-later
/* perf list: the names that -e takes on this machine. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/types.h"
#include "cli/config.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/list_json.h"
#include "options/next_perf.h"
#include "options/upstream_options.h"
#include "perfevent/features.h"
#include "perfevent/parse.h"
#include "perfevent/tracepoint.h"

struct list_options {
	bool raw_dump, json;
	const char *output;
	struct upstream_options upstream;
};

#define AT(member) offsetof(struct list_options, member)

static const struct option_row rows[] = {
	{ 'j', "json", OPT_FLAG, NULL, "as a JSON array", AT(json) },
	{ 'o', "output", OPT_STRING, "file", "output file name", AT(output) },
	NEXT_PERF_OPTION(AT(upstream), 0, "cputype", "type",
			 "only the events of these cores, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "debug", "print how the list is made, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "deprecated",
		       "list deprecated events, too, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'd', "desc", "print descriptions, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 0, "details",
		       "print how events are encoded, by the next perf"),
	NEXT_PERF_FLAG(AT(upstream), 'v', "long-desc", "print long descriptions, by the next perf"),
	NEXT_PERF_OPTION(AT(upstream), 0, "unit", "pmu",
			 "only the events of this PMU, by the next perf"),
	{ 0, "raw-dump", OPT_FLAG, NULL, "only the names, on one line", AT(raw_dump) },
};
static const char *const usage[] = {
	"perf list [<options>] [hw|sw|cache|pmu|tracepoint|<event glob>]...", NULL
};
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

/* Kinds of events by the words that ask for them; forms without a list have no word. */
static const struct list_group {
	const char *word, *long_word;
	u32 kinds;
	const char *form, *form_kind;
} groups[] = {
	{ "hw", "hardware", EVENT_NAMES_HARDWARE },
	{ "sw", "software", EVENT_NAMES_SOFTWARE },
	{ "cache", "hwcache", EVENT_NAMES_CACHE },
	{ "pmu", NULL, EVENT_NAMES_PMU },
	{ NULL, NULL, 0, "rNNN", "Raw hardware event descriptor" },
	{ NULL, NULL, 0, "cpu/t1=v1[,t2=v2,t3 ...]/modifier", "Raw hardware event descriptor" },
	{ NULL, NULL, 0, "mem:<addr>[/len][:access]", "Hardware breakpoint" },
	{ "tracepoint", NULL, EVENT_NAMES_TRACEPOINT },
};

struct event_listing {
	FILE *out;
	const char *glob; /* NULL: all */
	bool raw;
	bool tracepoints;	/* they were asked for, or may be what was meant */
	struct list_json *json; /* NULL: as text */
	u32 kinds;
	u32 nr; /* names that fit the present word */
};

static void print_name(const struct event_listing *l, const char *name, const char *alias,
		       const char *kind)
{
	g_autofree char *both = alias ? g_strdup_printf("%s OR %s", name, alias) : NULL;

	if (l->json)
		list_json_event(l->json, name, alias, kind);
	else if (l->raw)
		fprintf(l->out, "%s%s%s ", name, alias ? " " : "", alias ?: "");
	else
		fprintf(l->out, "  %-50s [%s]\n", both ?: name, kind);
}

static bool matches(const char *glob, const char *text)
{
	if (!glob)
		return true;
	if (!text)
		return false;
	return strpbrk(glob, "*?[") ? !fnmatch(glob, text, 0) : strstr(text, glob) != NULL;
}

/* Generic hardware events are named by every kernel, and counted by few machines. */
static bool is_supported(const char *name)
{
	struct event_list list;
	bool yes = false;

	event_list_init(&list);
	if (event_list_parse(&list, kernel_paths_host(), name, NULL)) {
		struct evsel *evsel = event_list_at(&list, 0)->evsel;
		int fd;

		evsel->attr.disabled = 1;
		evsel->attr.exclude_kernel = 1;
		evsel->attr.exclude_hv = 1;
		fd = evsel_sys_open(evsel, 0, -1, -1, 0);
		yes = fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	event_list_release(&list);
	return yes;
}

static bool list_name(const struct event_name *name, void *arg)
{
	struct event_listing *l = arg;

	if (!matches(l->glob, name->name) && !matches(l->glob, name->alias))
		return true;
	if (l->kinds & (EVENT_NAMES_HARDWARE | EVENT_NAMES_CACHE) && !is_supported(name->name))
		return true;
	l->nr++;
	print_name(l, name->name, l->kinds & EVENT_NAMES_PMU ? NULL : name->alias, name->kind);
	return true;
}

static void list_group(const struct list_group *group, struct event_listing *l)
{
	l->kinds = group->kinds;
	l->tracepoints |= !l->glob && group->kinds & EVENT_NAMES_TRACEPOINT;
	if (!group->kinds && !l->raw && !l->glob)
		print_name(l, group->form, NULL, group->form_kind);
	else
		event_names_each(kernel_paths_host(), group->kinds, list_name, l);
}

static bool is_group(const struct list_group *group, const char *word)
{
	return (group->word && !strcmp(group->word, word)) ||
	       (group->long_word && !strcmp(group->long_word, word));
}

/* A word is a kind of events, or else a part of their names or a glob. */
static void list_word(const char *word, struct event_listing *l)
{
	bool found = false;

	l->nr = 0;
	for (u32 i = 0; i < ARRAY_SIZE(groups); i++) {
		if (is_group(&groups[i], word)) {
			l->glob = NULL;
			list_group(&groups[i], l);
			found = true;
		}
	}
	l->glob = word;
	for (u32 i = 0; i < ARRAY_SIZE(groups) && !found; i++)
		list_group(&groups[i], l);
	if (l->nr || found)
		return;
	/* Upstream says nothing, and exits with 0 as we do. */
	l->tracepoints = true;
	if (l->raw || l->json)
		return;
	fflush(stdout);
	fprintf(stderr, "perf list: no event matches '%s'\n", word);
}

/* Names that could not be looked at may be what is missing. --raw-dump and -j are for programs. */
static void note_tracepoints(const struct event_listing *l)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *root = NULL;

	if (!l->tracepoints || l->raw || l->json)
		return;
	root = tracefs_find(kernel_paths_host(), &error);
	fflush(stdout);
	if (!root)
		fprintf(stderr, "perf list: tracepoints are not listed: %s\n", error->message);
}

static void list_words(struct event_listing *l, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		list_word(argv[i], l);
	for (u32 i = 0; i < ARRAY_SIZE(groups) && !argc; i++)
		list_group(&groups[i], l);
	if (l->raw)
		putc('\n', l->out);
	note_tracepoints(l);
	if (l->json)
		list_json_finish(l->json);
}

/* Metrics and markers of programs: only the kernel's perf lists them. Scripts around `perf stat` ask for them. */
static bool asks_for_foreign(int argc, char **argv)
{
	static const char *const foreign[] = { "metric", "metrics", "metricgroup", "metricgroups",
					       "sdt",	 "pfm",	    NULL };

	for (int i = 0; i < argc; i++)
		if (g_strv_contains(foreign, argv[i]))
			return true;
	return false;
}

/* Returns 0 if the list is for this perf, else an exit status after a message. */
static int hand_on(const struct list_options *o, const struct config *config, char *const *words,
		   int argc, char **argv)
{
	bool fallback = config_get_bool(config, "perf.fallback", true);

	if (!asks_for_foreign(argc, argv))
		return upstream_options_settle(&o->upstream, config, &spec, words, false);
	if (fallback)
		next_perf_exec(words, words);
	next_perf_say_missing("the lists of metrics and markers", fallback);
	return OPTIONS_EXIT_USAGE;
}

static int list_run(const struct config *config, int argc, char **argv)
{
	struct list_options opts = { 0 };
	g_autofree char **words = upstream_words(argc, argv);
	struct event_listing l = { .out = stdout };
	struct list_json json;
	struct pager pager;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	status = hand_on(&opts, config, words, argc, argv);
	if (status)
		return status;
	l.raw = opts.raw_dump && !opts.json;
	l.json = opts.json ? &json : NULL;
	if (!opts.output)
		pager_start(&pager);
	else
		l.out = file_create_stream(opts.output);
	json = (struct list_json){ .out = l.out };
	if (l.out)
		list_words(&l, argc, argv);
	if (!opts.output) {
		pager_finish(&pager);
	} else if (!l.out || fclose(l.out)) {
		fprintf(stderr, "perf list: %s: %s\n", opts.output, strerror(errno));
		return 255;
	}
	return 0;
}

const struct command cmd_list = { "list", "List the events that can be recorded here", list_run };
