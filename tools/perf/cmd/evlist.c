// SPDX-License-Identifier: GPL-2.0-or-later
/* perf evlist: the events that a recording has. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cli/options.h"
#include "cmd/cmd.h"
#include "options/recording.h"
#include "perfdata/print/print.h"
#include "resolve/trace.h"

struct evlist_options {
	const char *input;
	bool freq, group, trace_fields, force;
	int verbose;
};

#define AT(member) offsetof(struct evlist_options, member)

static const struct option_row rows[] = {
	{ 'f', "force", OPT_FLAG, NULL, "read files of other owners, too", AT(force) },
	{ 'F', "freq", OPT_FLAG, NULL, "Show the sample frequency", AT(freq) },
	{ 'g', "group", OPT_FLAG, NULL, "Show event group information", AT(group) },
	{ 'i', "input", OPT_STRING, "file", "Input file name", AT(input) },
	{ 'v', "verbose", OPT_COUNT, NULL, "Show all event attr details", AT(verbose) },
	{ 0, "trace-fields", OPT_FLAG, NULL, "Show tracepoint fields", AT(trace_fields) },
};

static const char *const usage[] = { "perf evlist [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

static void print_group(const GPtrArray *evsels, u32 leader_idx)
{
	const struct evsel *leader = g_ptr_array_index(evsels, leader_idx);

	printf("%s{%s", evsel_group_name(leader) ?: "", leader->name);
	for (u32 i = 1; i < leader->nr_members && leader_idx + i < evsels->len; i++)
		printf(",%s", ((struct evsel *)g_ptr_array_index(evsels, leader_idx + i))->name);
	puts("}");
}

static void print_trace_fields(const struct evsel *evsel, struct trace_formats *formats)
{
	g_auto(GStrv) names = NULL;

	if (evsel->attr.type != PERF_TYPE_TRACEPOINT) {
		printf("%s: (not a tracepoint)\n", evsel->name);
		return;
	}
	names = trace_field_names(formats, evsel);
	printf("%s: trace_fields: ", evsel->name);
	for (char **name = names; name && *name; name++)
		printf("%s%s", name == names ? "" : ",", *name);
	putchar('\n');
}

static void print_event(const struct evsel *evsel, const struct evlist_options *o)
{
	g_autoptr(GString) attr = g_string_new(NULL);

	if (o->verbose) {
		evsel_print_attr(evsel, ": ", attr);
		printf("%s: %s\n", evsel->name, attr->str);
	} else if (o->freq) {
		printf("%s: sample_%s=%" PRIu64 "\n", evsel->name,
		       evsel->attr.freq ? "freq" : "period", (u64)evsel->attr.sample_period);
	} else {
		puts(evsel->name);
	}
}

static void print_tips(const GPtrArray *evsels, const struct evlist_options *o)
{
	bool tracepoints = false, groups = false;

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		tracepoints |= evsel->attr.type == PERF_TYPE_TRACEPOINT;
		groups |= evsel->nr_members > 1;
	}
	if (tracepoints && !o->trace_fields)
		puts("# Tip: use 'perf evlist --trace-fields' to show fields for tracepoint "
		     "events");
	if (groups && !o->group)
		puts("# Tip: use 'perf evlist -g' to show group information");
}

static void print_events(const struct perfdata *pd, const struct evlist_options *o)
{
	const GPtrArray *evsels = perfdata_evsels(pd);
	GBytes *blob = perfdata_info(pd)->tracing_data;
	struct trace_formats *formats = o->trace_fields && blob ? trace_formats_new(blob, NULL)
								: NULL;

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (o->group && evsel->leader != evsel->idx)
			continue;
		if (o->group && evsel->nr_members > 1)
			print_group(evsels, i);
		else if (o->trace_fields)
			print_trace_fields(evsel, formats);
		else
			print_event(evsel, o);
	}
	trace_formats_free(formats);
	print_tips(evsels, o);
}

/* A pipe says what it has as it goes. */
static bool read_to_end(struct perfdata *pd, GError **error)
{
	struct event ev;
	int got = 1;

	perfdata_want(pd, PERFDATA_WANT_SIDEBAND);
	while (perfdata_is_pipe(pd) && got > 0)
		got = perfdata_next(pd, &ev, error);
	return got >= 0;
}

static int evlist_run(const struct config *config, int argc, char **argv)
{
	struct evlist_options opts = { .input = perfdata_default_path() };
	g_autoptr(GError) error = NULL;
	struct perfdata *pd;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.group && (opts.verbose || opts.freq))
		return options_wrong(&spec, "--group option is not compatible with other options");
	pd = recording_open(opts.input, opts.force, &error);
	status = pd && read_to_end(pd, &error) ? 0 : 255;
	if (status)
		fprintf(stderr, "perf: %s\n", error->message);
	else
		print_events(pd, &opts);
	recording_close(pd, !status);
	return status;
}

const struct command cmd_evlist = { "evlist", "List the events of a recording", evlist_run };
