// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_request.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/config.h"
#include "cmd/buildid/copies.h"
#include "cmd/record/record_detached.h"
#include "cmd/record/record_words.h"
#include "perfdata/regs.h"

static bool take_build_ids(const struct config_row *row, const char *value, void *opts,
			   GError **error)
{
	struct record_options *o = &((struct record_request *)opts)->opts;

	if (!strcmp(value, "cache"))
		o->no_buildid_cache = false;
	else if (!strcmp(value, "no-cache"))
		o->no_buildid_cache = true;
	else if (!strcmp(value, "skip"))
		o->no_buildid = o->no_buildid_cache = true;
	else if (!strcmp(value, "mmap") || !strcmp(value, "no-mmap"))
		o->buildid_mmap = *value == 'm';
	else
		return error_set(error, PERF_ERROR_USAGE,
				 "expected cache, no-cache, skip, mmap or no-mmap");
	return true;
}

static bool take_limit(const struct config_row *row, const char *value, void *opts, GError **error)
{
	struct record_request *r = opts;

	return options_parse_size(value, true, &r->copies_limit) ||
	       error_set(error, PERF_ERROR_USAGE,
			 "expected a size with a unit, such as 500M or 2G");
}

static const struct config_row config_rows[] = {
	{ "buildid.limit", CONFIG_CALL, .call = take_limit },
	{ "record.aio", CONFIG_UNUSED, .why = "a separate thread always writes the file" },
	{ "record.build-id", CONFIG_CALL, .call = take_build_ids },
	{ "record.call-graph", CONFIG_STRING, offsetof(struct record_request, record_graph_mode) },
	{ "record.debuginfod", CONFIG_UNUSED, .why = "perf record caches no debug information" },
	{ "call-graph.record-mode", CONFIG_STRING, offsetof(struct record_request, graph_mode) },
	{ "call-graph.dump-size", CONFIG_STRING, offsetof(struct record_request, dump_size) },
	{ "call-graph.order", CONFIG_UNUSED, .why = "it is for perf report" },
	{ "call-graph.print-limit", CONFIG_UNUSED, .why = "it is for perf report" },
	{ "call-graph.print-type", CONFIG_UNUSED, .why = "it is for perf report" },
	{ "call-graph.sort-key", CONFIG_UNUSED, .why = "it is for perf report" },
	{ "call-graph.threshold", CONFIG_UNUSED, .why = "it is for perf report" },
	{ "core.proc-map-timeout", CONFIG_UNUSED, .why = "perf always reads all maps" },
};

bool record_request_begin(struct record_request *r, const struct config *config)
{
	*r = (struct record_request){
		.copies_limit = COPIES_LIMIT,
		.opts = { .timestamp = true, .synth = SYNTH_ALL, .wall.merge = WALL_MERGE_DEFAULT }
	};
	return config_apply(config, config_rows, ARRAY_SIZE(config_rows), r);
}

void record_request_release(struct record_request *r)
{
	if (r->detached.triggers)
		g_ptr_array_unref(r->detached.triggers);
	record_options_release(&r->opts);
}

void record_request_note_unused(const struct config *config)
{
	config_note_unused(config, config_rows, ARRAY_SIZE(config_rows));
}

/* As in upstream, processes take precedence over CPUs, with a message. */
static void narrow(struct record_options *opts)
{
	if (!opts->all_cpus && !opts->cpus)
		return;
	if (!opts->quiet)
		fprintf(stderr, "%s overrides %s\n",
			opts->user   ? "-u"
			: opts->pids ? "-p"
				     : "-t",
			opts->cpus ? "-C" : "-a");
	opts->all_cpus = false;
	opts->cpus = NULL;
}

/* Checks the options for outputs and for speed. */
static int check_output(const struct record_request *r)
{
	const struct record_options *opts = &r->opts;
	bool pipe = opts->output && !strcmp(opts->output, "-");

	if ((opts->switch_output.given || opts->timestamp_filename) && pipe)
		return options_wrong(&record_request_spec, "a pipe cannot be switched or renamed");
	if (!r->detached.name && record_detached_is_meant(&r->detached))
		return options_wrong(&record_request_spec,
				     "--on-crash, --trigger and a time in --keep need --detached");
	if (r->report && r->detached.name)
		return options_wrong(&record_request_spec,
				     "--report and --detached cannot be used together");
	if (r->report && pipe)
		return options_wrong(
			&record_request_spec,
			"--report and -o - both write to standard output: name a file with -o");
	if (pipe && isatty(STDOUT_FILENO)) {
		fprintf(stderr,
			"perf: standard output is a terminal: name a file with -o, or a pipe\n");
		return RECORD_EXIT_FAILED;
	}
	if (opts->realtime < 0 || opts->realtime > 99) { /* the first sentence is upstream's */
		fprintf(stderr, "perf: Could not set realtime priority. Expected 1 to 99\n");
		return RECORD_EXIT_FAILED;
	}
	return 0;
}

/* Options that need or exclude each other. */
static int check_rules(const struct record_request *r)
{
	const struct record_options *o = &r->opts;
	const struct option_rule rules[] = {
		{ o->tls.source != TLS_SOURCE_AUTO && !o->tls.layout,
		  "--tls-source needs --sample-tls" },
		{ o->tls.layout && !*o->tls.layout,
		  "--sample-tls= needs a layout, such as auto or otep" },
		{ o->cgroups && !o->all_cpus && !o->cpus, /* upstream's words */
		  "cgroup monitoring only available in system-wide mode" },
		{ o->cgroups && !o->events && !o->wall.hz && !o->off_cpu.given,
		  "must define events before cgroups" },
		{ o->tids && (o->pids || o->user), "-t cannot be used together with -p or -u" },
		{ o->count_given && o->freq,
		  "cannot set both count and frequency at the same time" },
		{ o->count_given && !o->count, "--count must be above 0" },
		{ o->branches && o->callgraph.mode == CALLGRAPH_LBR,
		  "--call-graph lbr cannot be used together with -b or -j" },
		{ o->all_user && o->all_kernel,
		  "--all-user and --all-kernel cannot be used together" },
		{ o->switch_max_files < 0, "--switch-max-files must be above 0" },
		{ (o->control || (o->delay_times && o->delay_times->len > 1)) &&
			  (o->wall.hz || o->off_cpu.given),
		  "--wall and --off-cpu cannot pause: --control and ranges of --delay are for "
		  "events" },
		{ o->control && r->detached.name,
		  "--control and --detached cannot be used together" },
		{ (o->keep.files || o->keep.bytes) && !o->switch_output.given,
		  "--keep needs --switch-output or --detached" },
		{ (o->live_late != LIVE_LATE_FP || o->no_stitch) &&
			  o->callgraph.mode != CALLGRAPH_LIVE,
		  "--live-wait and --no-stitch need --call-graph live" },
	};

	if (o->wall.needs_wall && !o->wall.hz)
		return options_wrong(&record_request_spec, "--%s needs --wall", o->wall.needs_wall);
	return options_check(&record_request_spec, rules, ARRAY_SIZE(rules));
}

int record_request_check(struct record_request *r, int argc, char **argv)
{
	struct record_options *opts = &r->opts;
	bool whom = opts->pids || opts->tids || opts->user;
	int status;

	if (argc)
		opts->command = argv;
	if (!argc && !whom && !opts->cpus)
		opts->all_cpus = true; /* as upstream: until it is stopped */
	if (whom)
		narrow(opts);
	if (r->detached.name) /* its --keep is another one */
		opts->keep = (struct keep_limits){ 0 };
	status = check_rules(r);
	if (status)
		return status;
	if ((opts->keep.files || opts->keep.bytes || opts->wall.hz) && !opts->clock_given) {
		/* Needed to find files by the time of day, and by perf data convert --to=xcapture. */
		opts->clock_given = true;
		opts->clockid = CLOCK_MONOTONIC;
	}
	opts->data_mmap |= opts->callgraph.mode == CALLGRAPH_DWARF;
	if (opts->callgraph.mode == CALLGRAPH_DWARF && opts->user_regs &&
	    opts->user_regs != REGS_ALL && !opts->quiet)
		fprintf(stderr, "WARNING: with --call-graph=dwarf and only some of the registers "
				"(--user-regs), call chains may end early; IP and SP are recorded "
				"in any case.\n");
	return check_output(r);
}
