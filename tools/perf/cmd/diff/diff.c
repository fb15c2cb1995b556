// SPDX-License-Identifier: GPL-2.0-or-later
/* perf diff: what differs between recordings. */
#include <stdio.h>
#include <unistd.h>

#include "base/types.h"
#include "cli/colour.h"
#include "cli/pager.h"
#include "cmd/cmd.h"
#include "cmd/diff/diff_options.h"
#include "cmd/diff/diff_screen.h"
#include "cmd/diff/diff_verdict.h"

/* The exit status. */
static int print(const struct diff_options *o, GError **error)
{
	const struct compared_report_options co = diff_options_compared(o);
	struct compared_report *r = compared_report_new(&co);
	int status = 255;

	if (compared_report_read(r, error) && compared_report_print(r, error))
		status = diff_verdict(o, compared_report_comparison(r)) ? 1 : 0;
	compared_report_free(r);
	return status;
}

static int browse(const struct diff_options *o, struct screen *screen, GError **error)
{
	const struct compared_report_options co = diff_options_compared(o);

	return compared_report_browse(&co, screen, error) ? 0 : 255;
}

int diff_on_screen(struct screen *screen, const struct config *config, int argc, char **argv)
{
	struct diff_options opts;
	g_autofree char **words = upstream_words(argc, argv);
	g_autoptr(GError) error = NULL;
	int status;

	if (!diff_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&diff_options_spec, &argc, &argv, &opts, &status))
		return status;
	status = diff_options_complete(&opts, argc, argv, words, false);
	if (!status)
		status = browse(&opts, screen, &error);
	if (error)
		fprintf(stderr, "%s\n", error->message);
	diff_options_release(&opts);
	return status;
}

static int run(const struct diff_options *o)
{
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	int status;

	if (diff_options_want_screen(o)) {
		status = browse(o, NULL, &error);
	} else {
		pager_start(&pager);
		status = print(o, &error);
		fflush(stdout);
	}
	if (error)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return status;
}

static int diff_run(const struct config *config, int argc, char **argv)
{
	struct diff_options opts;
	g_autofree char **words = upstream_words(argc, argv);
	int status;

	if (!diff_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&diff_options_spec, &argc, &argv, &opts, &status))
		return status;
	status = upstream_options_settle(&opts.upstream, config, &diff_options_spec, words,
					 opts.verbose);
	if (!status)
		status = diff_options_complete(&opts, argc, argv, words,
					       colour_wanted(COLOUR_AUTO, isatty(STDOUT_FILENO)));
	if (!status && opts.cycles)
		status = upstream_hand_on(config, &diff_options_spec, "-c cycles is a method",
					  words);
	if (!status)
		status = run(&opts);
	diff_options_release(&opts);
	return status;
}

const struct command cmd_diff = { "diff",
				  "Read perf.data files and say what differs between them, and how "
				  "certain that is",
				  diff_run };
