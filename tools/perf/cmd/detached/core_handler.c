// SPDX-License-Identifier: GPL-2.0-or-later
/* perf core-handler: adds recordings to core dumps. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cmd/cmd.h"
#include "detached/core_handler.h"

struct handler_words {
	const char *dir;
};

static const struct option_row rows[] = {
	{ 0, "dir", OPT_STRING, "directory",
	  "directory that keeps the previous core_pattern (default: " CORE_HANDLER_DIR ")",
	  offsetof(struct handler_words, dir) },
};
static const char *const usage[] = { "perf core-handler install|remove|status [<options>]", NULL };
static const struct options_spec spec = {
	.usage = usage, .rows = rows, .nr_rows = ARRAY_SIZE(rows), .no_arguments = true
};

static bool say_status(const char *dir, GError **error)
{
	g_autofree char *present = core_pattern_read(error), *before = core_pattern_before(dir);

	if (!present)
		return false;
	if (core_pattern_kind(present) != CORE_PATTERN_OURS)
		printf("not installed: core dumps go to %s\n", *present ? present : "nobody");
	else
		printf("installed: recordings are added to core dumps, which then go to %s\n",
		       before ? before : "core (the previous core_pattern is unknown)");
	return true;
}

static int core_handler_command(const struct config *config, int argc, char **argv)
{
	struct handler_words words = { .dir = CORE_HANDLER_DIR };
	const char *verb = argc > 1 && argv[1][0] != '-' ? argv[1] : NULL;
	g_autoptr(GError) error = NULL;
	int status;
	bool fine;

	if (verb && !strcmp(verb, "run"))
		return core_handler_run(argc - 2, argv + 2);
	if (verb) {
		argc--;
		argv++;
	}
	if (!options_parse(&spec, &argc, &argv, &words, &status))
		return status;
	if (verb && !strcmp(verb, "install"))
		fine = core_handler_install(words.dir, &error);
	else if (verb && !strcmp(verb, "remove"))
		fine = core_handler_remove(words.dir, &error);
	else if (verb && !strcmp(verb, "status"))
		fine = say_status(words.dir, &error);
	else
		return options_wrong(&spec, "expected install, remove or status");
	if (fine)
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

const struct command cmd_core_handler = { "core-handler", "Add detached recordings to core dumps",
					  core_handler_command };
