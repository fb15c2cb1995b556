// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record_detached.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cmd/record_live.h"
#include "detached/keeper.h"
#include "detached/pinned.h"
#include "detached/shelf.h"

#define EXIT_FAILED 255

bool record_detached_is_meant(const struct detached_options *detached)
{
	return detached->on_crash || detached->triggers || detached->carrier ||
	       (detached->keep && detached_keep_may_be(detached->keep));
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
	struct live *live = record_live_new(opts, r);
	int status = worker_run(w, r, report);

	record_live_end(live, opts, false);
	recorder_close(r);
	live_free(live);
	return status;
}

static int pin(const struct detached_options *detached, struct record_options *opts,
	       const struct record_detached_call *call)
{
	g_autoptr(GError) error = NULL;

	if (!shelf_is_name(detached->name)) {
		fprintf(stderr,
			"perf: --detached=%s: a name has up to 63 letters, digits, and -_.@+\n",
			detached->name);
		return OPTIONS_EXIT_USAGE;
	}
	if (pinned_record(detached, opts, (int)call->command_line->len,
			  (char *const *)call->command_line->pdata, &error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return g_error_matches(error, PERF_ERROR, PERF_ERROR_USAGE) ? OPTIONS_EXIT_USAGE
								    : EXIT_FAILED;
}

int record_detached_run(struct detached_options *detached, struct record_options *opts,
			const struct record_detached_call *call)
{
	const char *worker_fd = getenv(KEEPER_WORKER_VARIABLE);
	g_autofree char *fd = g_strdup(worker_fd);
	g_autoptr(GError) error = NULL;
	struct detached_worker *w;
	int status;

	if (detached->carrier && !strcmp(detached->carrier, "bpf"))
		return pin(detached, opts, call);
	if (detached->carrier && strcmp(detached->carrier, "keeper")) {
		fprintf(stderr, "perf: --carrier=%s: there are keeper and bpf\n",
			detached->carrier);
		return OPTIONS_EXIT_USAGE;
	}
	detached->output = opts->output;
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
