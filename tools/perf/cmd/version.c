// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/types.h"
#include "base/version.h"
#include "cli/options.h"
#include "cmd/cmd.h"

struct version_options {
	bool build_options;
};

static const struct option_row rows[] = {
	{ 'v', "build-options", OPT_FLAG, NULL, "what this build has, and what it was left without",
	  offsetof(struct version_options, build_options) },
};
static const char *const usage[] = { "perf version [<options>]", NULL };
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows), .no_arguments = true };

static void print_build_options(void)
{
	for (const struct build_feature *f = build_features; f->name; f++)
		printf("%22s: [ %-3s ]  # %s\n", f->name, f->on ? "on" : "OFF", f->what);
}

static int version_run(const struct config *config, int argc, char **argv)
{
	struct version_options opts = { 0 };
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	printf("perf version %s\n", version_text);
	if (opts.build_options)
		print_build_options();
	return 0;
}

const struct command cmd_version = { "version",
				     "Display the version of perf and what it was built with",
				     version_run };
