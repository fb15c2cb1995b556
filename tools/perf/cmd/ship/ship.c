// SPDX-License-Identifier: GPL-2.0-or-later
/* perf ship: sends the recordings of a folder to a server. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/options.h"
#include "cmd/cmd.h"
#include "export/exchange/row_mask.h"
#include "options/session_options.h"
#include "options/span_options.h"
#include "ship/ship.h"

#define ONCE_RETRY_S 60
#define TIMEOUT_S    60

struct options {
	struct ship_options ship;
	struct session_options session;
	struct span_options spans;
	const char *columns, *retry;
	GPtrArray *only;
	int timeout;
	bool verbose;
};

#define AT(member) offsetof(struct options, member)

static const struct option_row rows[] = {
	{ 0, "cacert", OPT_STRING, "file", "certificates of authorities that are trusted",
	  AT(ship.server.cacert) },
	{ 0, "columns", OPT_STRING, "name[,name...]", "send the texts of these columns only, of",
	  AT(columns), .words = row_mask_names },
	{ 'f', "force", OPT_FLAG, NULL, "send files of other owners, too", AT(ship.folder.force) },
	{ 0, "limit", OPT_SIZE, "size",
	  "drop the oldest files that wait if all have more than this", AT(ship.limit) },
	{ 0, "netrc", OPT_STRING, "file", "file with the password (default: ~/.netrc)",
	  AT(ship.server.netrc) },
	{ 0, "once", OPT_FLAG, NULL, "send what is there, and end", AT(ship.once) },
	{ 0, "only", OPT_LIST, "column=pattern",
	  "of this column, send only texts that fit the pattern", AT(only) },
	{ 0, "remove", OPT_FLAG, NULL, "remove files that were sent or dropped",
	  AT(ship.folder.remove) },
	{ 0, "retry", OPT_STRING, "time",
	  "end if the server fails for so long (default: never, with --once 1m)", AT(retry) },
	{ 0, "timeout", OPT_INT, "seconds", "how long the server may be silent (default: 60)",
	  AT(timeout) },
	{ 'v', "verbose", OPT_FLAG, NULL, "print what was sent", AT(verbose) },
	{ 0, "symfs", OPT_STRING, "directory",
	  "Look for files with symbols relative to this directory", AT(session.dso.symfs) },
	{ 0, "no-demangle", OPT_FLAG, NULL, "Disable symbol demangling",
	  AT(session.dso.no_demangle) },
	VMLINUX_OPTION_ROW(AT(session)),
	SPAN_OPTION_ROWS(AT(spans)),
};

static const char *const usage[] = { "perf ship [<options>] <folder> <url>", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows) };

static bool set_mask(struct options *o, GError **error)
{
	if (!o->columns && !(o->only && o->only->len))
		return true;
	o->ship.mask = row_mask_new();
	if (o->columns && !row_mask_columns(o->ship.mask, o->columns, error)) {
		g_prefix_error(error, "--columns: ");
		return false;
	}
	for (u32 i = 0; o->only && i < o->only->len; i++)
		if (!row_mask_values(o->ship.mask, o->only->pdata[i], error)) {
			g_prefix_error(error, "--only: ");
			return false;
		}
	return true;
}

/* Signals are read from a descriptor, so that they end every wait, and only those. */
static int take_signals(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, SIGINT);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &mask, NULL);
	signal(SIGPIPE, SIG_IGN); /* a server that closes a connection */
	return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void print_counts(const struct ship_counts *c)
{
	printf("%" PRIu64 " files with %" PRIu64 " samples are sent, %" PRIu64
	       " were there already\n",
	       c->files, c->samples, c->there_already);
	if (c->dropped.files)
		printf("%" PRIu64 " files (%" PRIu64 " bytes) were dropped so far\n",
		       c->dropped.files, c->dropped.bytes);
}

static int run(struct options *o)
{
	g_autoptr(GError) error = NULL;
	struct ship_counts counts;
	bool good;

	o->ship.server.stop_fd = take_signals();
	span_options_apply(&o->spans, &o->session, NULL, 0);
	o->session.resolver.chains = CHAINS_CUT;
	o->session.force = o->ship.folder.force;
	o->ship.session = &o->session;
	good = ship_run(&o->ship, &counts, &error);
	if (o->verbose)
		print_counts(&counts);
	if (g_error_matches(error, PERF_ERROR, PERF_ERROR_STOPPED))
		return 0;
	if (!good)
		fprintf(stderr, "perf: %s\n", error->message);
	return good ? 0 : 1;
}

static int check(struct options *o, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	const struct option_rule rules[] = {
		{ argc != 2, "name a folder and the URL of a server" },
		{ o->timeout < 1, "--timeout: expected a number of seconds" },
		{ o->retry && !options_parse_seconds(o->retry, &o->ship.retry_s),
		  "--retry: expected a time, such as 10m" },
	};
	int status = options_check(&spec, rules, ARRAY_SIZE(rules));

	if (status)
		return status;
	if (!set_mask(o, &error))
		return options_wrong(&spec, "%s", error->message);
	if (!o->retry && o->ship.once)
		o->ship.retry_s = ONCE_RETRY_S;
	o->ship.folder.folder = argv[0];
	o->ship.server.url = argv[1];
	o->ship.server.timeout_s = (u32)o->timeout;
	return 0;
}

static int ship_main(const struct config *config, int argc, char **argv)
{
	struct options o = { .timeout = TIMEOUT_S };
	int status;

	if (options_parse(&spec, &argc, &argv, &o, &status)) {
		status = check(&o, argc, argv);
		if (!status)
			status = run(&o);
	}
	row_mask_free(o.ship.mask);
	g_clear_pointer(&o.only, g_ptr_array_unref);
	span_options_release(&o.spans);
	return status;
}

const struct command cmd_ship = { "ship", "Send the recordings of a folder to a server of samples",
				  ship_main };
