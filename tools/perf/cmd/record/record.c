// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/config.h"
#include "cmd/buildid/copies.h"
#include "cmd/cmd.h"
#include "cmd/record/record_detached.h"
#include "cmd/record/record_frames.h"
#include "cmd/record/record_live.h"
#include "cmd/record/record_report.h"
#include "cmd/record/record_request.h"
#include "cmd/record/record_words.h"
#include "dso/open_files.h"
#include "dso/vdso.h"
#include "record/recorder.h"
#include "report/live_report.h"

/* As in upstream, a pipe on stdout is the output, so that `perf record CMD | perf report` works. */
static const char *default_output(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static void die_of(int signal_number)
{
	sigset_t mask;

	signal(signal_number, SIG_DFL);
	sigemptyset(&mask);
	sigaddset(&mask, signal_number);
	raise(signal_number);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

/* For the file: with the path of this program, as in upstream. */
static GPtrArray *whole_command_line(int argc, char **argv)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	char *self = g_file_read_link("/proc/self/exe", NULL);

	g_ptr_array_add(words, self ? self : g_strdup("perf"));
	for (int i = 0; i < argc; i++)
		g_ptr_array_add(words, g_strdup(argv[i]));
	return words;
}

/* Returns the exit status that it means. */
static int say_failure(const GError *error)
{
	/* A message with a mark below the event's text uses its own lines. */
	bool is_event = strchr(error->message, '\n');

	fprintf(stderr, "%s%s\n", is_event ? "" : "perf: ", error->message);
	if (!g_error_matches(error, PERF_ERROR, PERF_ERROR_USAGE))
		return RECORD_EXIT_FAILED;
	if (is_event) {
		fprintf(stderr, "Run 'perf list' for a list of valid events\n");
		options_usage(&record_request_spec, "e", stderr);
	}
	return OPTIONS_EXIT_USAGE;
}

/* As in upstream: the list, then the usage. */
static int print_regs(void)
{
	g_autofree char *names = callgraph_regs_names();

	fprintf(stderr, "available registers: %s\n", names);
	options_usage(&record_request_spec, "regs", stderr);
	return OPTIONS_EXIT_USAGE;
}

/*
 * Stacks that are unwound later, perhaps on another machine, may contain frames in this kernel's vdso.
 */
static void keep_vdso(const struct record_options *opts, bool narrow)
{
	bool stacks = opts->callgraph.mode == CALLGRAPH_DWARF ||
		      opts->live_late == LIVE_LATE_STACKS;

	if (!stacks || opts->no_buildid || opts->no_buildid_cache || opts->dry_run)
		return;
	vdso_keep(VDSO_OWN, getenv("PERF_BUILDID_DIR"));
	if (narrow)
		vdso_keep(VDSO_NARROW, getenv("PERF_BUILDID_DIR"));
}

static int record_here(const struct config *config, struct record_request *request,
		       const GPtrArray *command_line)
{
	struct record_options *opts = &request->opts;
	g_autoptr(GError) error = NULL;
	struct record_result result;
	struct live_report *report = NULL;
	struct open_files *held = open_files_new();
	struct live *live;
	struct recorder *r;
	bool ok;

	if (request->report) {
		report =
			live_report_new(config, request->report, record_may_have_tracepoints(opts));
		if (!report) {
			open_files_free(held);
			return OPTIONS_EXIT_USAGE;
		}
	} else if (!opts->output) {
		opts->output = default_output();
	}
	opts->skid_measured = true;
	record_note_frames(opts);
	r = recorder_new(opts, (int)command_line->len, (char *const *)command_line->pdata);
	live = record_live_new(opts, r, held);
	if (report)
		recorder_add_consumer(r, record_report_consumer(&(struct records_reader){
						 .read = live_report_read, .arg = report }));
	recorder_hold_files(r, held);
	ok = recorder_run(r, &result, &error);
	record_live_end(live, opts, ok && !opts->quiet);
	if (ok)
		keep_vdso(opts, result.narrow);
	recorder_close(r);
	live_free(live);
	if (ok)
		copies_keep_recorded(opts, held, request->copies_limit);
	open_files_free(held);
	if (ok && report)
		ok = live_report_print(report, &error);
	if (!ok)
		result = (struct record_result){ .status = say_failure(error) };
	live_report_free(report);
	if (result.signal)
		die_of(result.signal);
	return result.status;
}

/* @argv: what the options left; @call: the words as they were given. */
static int run_request(const struct config *config, struct record_request *request, int argc,
		       char **argv, const struct record_detached_call *call)
{
	struct record_options *opts = &request->opts;
	int status;

	if (request->list_regs)
		return print_regs();
	if (opts->verbose)
		record_request_note_unused(config);
	status = record_request_check(request, argc, argv);
	if (status)
		return status;
	record_default_events(opts);
	if (!request->detached.name)
		return record_here(config, request, call->command_line);
	status = record_detached_run(&request->detached, opts, call);
	if (status == OPTIONS_EXIT_USAGE)
		options_usage(&record_request_spec, "detached", stderr);
	return status;
}

static int record_run_command(const struct config *config, int argc, char **argv)
{
	struct record_request request;
	g_autoptr(GPtrArray) command_line = whole_command_line(argc, argv);
	g_autofree char **words = upstream_words(argc, argv);
	const struct record_detached_call call = { argc, argv, command_line };
	int status;

	if (!record_request_begin(&request, config))
		return CONFIG_EXIT_BAD;
	if (options_parse(&record_request_spec, &argc, &argv, &request, &status))
		status = upstream_options_settle(&request.upstream, config, &record_request_spec,
						 words, request.opts.verbose)
				 ?: run_request(config, &request, argc, argv, &call);
	record_request_release(&request);
	return status;
}

const struct command cmd_record = { "record", "Run a command and record its profile into perf.data",
				    record_run_command };
