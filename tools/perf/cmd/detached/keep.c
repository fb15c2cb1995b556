// SPDX-License-Identifier: GPL-2.0-or-later
/* perf keep: the process behind detached recordings; started by the first one. */
#include <stdio.h>

#include "cli/options.h"
#include "cmd/cmd.h"
#include "detached/keeper.h"

static const char *const usage[] = { "perf keep", NULL };
static const struct options_spec spec = { .usage = usage, .no_arguments = true };

static int keep_run(const struct config *config, int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	int status;

	if (!options_parse(&spec, &argc, &argv, NULL, &status))
		return status;
	if (keeper_run(&error))
		return 0;
	fprintf(stderr, "perf: %s\n", error->message);
	return 1;
}

const struct command cmd_keep = {
	"keep", "Keep the detached recordings of a user (perf record --detached starts it)",
	keep_run
};
