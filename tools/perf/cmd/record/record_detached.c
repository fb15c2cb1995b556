// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record/record_detached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cmd/record/record_live.h"
#include "detached/keeper.h"
#include "detached/pinned.h"
#include "detached/shelf.h"

#define EXIT_FAILED 255

bool record_detached_is_meant(const struct detached_options *detached)
{
	return detached->on_crash || detached->triggers || detached->trigger_limit ||
	       detached->carrier || (detached->keep && detached_keep_may_be(detached->keep));
}

static int ask_keeper(const struct record_detached_call *call)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	int status;

	g_ptr_array_add(words, (char *)"perf");
	for (int i = 0; i < call->argc; i++)
		g_ptr_array_add(words, call->argv[i]);
	if (keeper_call((int)words->len, (char *const *)words->pdata, &status, &error))
		return status;
	fprintf(stderr, "perf: %s\n", error->message);
	return EXIT_FAILED;
}

static int be_worker(struct detached_worker *w, struct record_options *opts,
		     const struct record_detached_call *call, int report)
{
	struct recorder *r = recorder_new(opts, (int)call->command_line->len,
					  (char *const *)call->command_line->pdata);
	struct live *live = record_live_new(opts, r, NULL);
	int status = worker_run(w, r, report);

	record_live_end(live, opts, false);
	recorder_close(r);
	live_free(live);
	return status;
}

/* A name belongs to one recording, of either carrier. */
static bool check_name(const char *name, GError **error)
{
	g_autofree char *path = NULL, *pinned = NULL;

	if (!shelf_is_name(name))
		return error_set(error, PERF_ERROR_USAGE,
				 "--detached=%s: a name has up to 63 letters, digits, and -_.@+",
				 name);
	path = shelf_path(name);
	pinned = pinned_path(name);
	return (access(path, F_OK) && !pinned) ||
	       error_set(
		       error, PERF_ERROR_USAGE,
		       "a detached recording %s exists already: remove it with perf detached rm %s",
		       name, name);
}

static int print_failure(const GError *error)
{
	fprintf(stderr, "perf: %s\n", error->message);
	return g_error_matches(error, PERF_ERROR, PERF_ERROR_USAGE) ? OPTIONS_EXIT_USAGE
								    : EXIT_FAILED;
}

/* BPF is only the default: if it is unavailable, use the keeper. */
static bool may_fall_back(const struct detached_options *detached, const GError *error)
{
	return !detached->carrier && (g_error_matches(error, PERF_ERROR, PERF_ERROR_SYSTEM) ||
				      g_error_matches(error, PERF_ERROR, PERF_ERROR_UNSUPPORTED));
}

/* True: it is finished, or has failed; *@status is the exit status. */
static bool pin(const struct detached_options *detached, const struct record_options *opts,
		const struct record_detached_call *call, int *status)
{
	struct record_options own = *opts;
	g_autoptr(GError) error = NULL;

	*status = 0;
	if (pinned_record(detached, &own, (int)call->command_line->len,
			  (char *const *)call->command_line->pdata, &error))
		return true;
	if (may_fall_back(detached, error))
		return false;
	*status = print_failure(error);
	return true;
}

static int keep(struct detached_options *detached, struct record_options *opts,
		const struct record_detached_call *call, const char *worker_fd)
{
	g_autofree char *fd = g_strdup(worker_fd);
	g_autoptr(GError) error = NULL;
	struct detached_worker *w;
	int status;

	detached->output = opts->output;
	detached->besides = pinned_taken();
	w = worker_new(detached, opts, &error);
	if (!w) {
		fprintf(stderr, "perf: %s\n", error->message);
		return OPTIONS_EXIT_USAGE;
	}
	if (fd) {
		unsetenv(KEEPER_WORKER_VARIABLE); /* the command is no worker */
		status = be_worker(w, opts, call, atoi(fd));
	} else {
		status = ask_keeper(call);
	}
	worker_free(w);
	return status;
}

int record_detached_run(struct detached_options *detached, struct record_options *opts,
			const struct record_detached_call *call)
{
	const char *worker_fd = getenv(KEEPER_WORKER_VARIABLE), *carrier = detached->carrier;
	g_autoptr(GError) error = NULL;
	bool is_bpf = carrier && !strcmp(carrier, "bpf");
	int status;

	if (worker_fd)
		return keep(detached, opts, call, worker_fd);
	if (carrier && !is_bpf && strcmp(carrier, "keeper")) {
		fprintf(stderr, "perf: --carrier=%s: expected keeper or bpf\n", carrier);
		return OPTIONS_EXIT_USAGE;
	}
	if (!check_name(detached->name, &error))
		return print_failure(error);
	if (!carrier)
		is_bpf = pinned_is_chosen(detached, opts);
	if (is_bpf && pin(detached, opts, call, &status))
		return status;
	return keep(detached, opts, call, NULL);
}
