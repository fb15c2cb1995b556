// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: reads a recording and prints where its samples fell. */
#include <stdio.h>

#include "cli/config.h"
#include "cmd/cmd.h"
#include "cmd/one_report.h"
#include "cmd/report_lists.h"
#include "pages/header.h"
#include "pages/notes.h"
#include "view/stdio/pages.h"

static bool make_report(struct report_options *o, struct session *session, GError **error)
{
	struct report r = { .options = o, .session = session };
	bool ok = report_read(&r, error) && report_print(&r, error);

	report_release(&r);
	return ok;
}

static bool print_only_header(const struct report_options *o, struct session *session,
			      GError **error)
{
	struct pages *pages;
	bool ok;

	if (o->view->is_text) {
		report_print_header(o, session);
		return true;
	}
	pages = header_pages_new(session, "report");
	ok = o->view->print(pages, &o->look, stdout, error);
	pages_free(pages);
	return ok;
}

static void print_header_hint(void)
{
	struct notes notes;

	notes_init(&notes);
	notes_add_header_hint(&notes);
	stdio_print_notes(&notes, stdout);
	notes_release(&notes);
}

static bool run(struct report_options *o, struct session *session, GError **error)
{
	if (o->header_only)
		return print_only_header(o, session, error);
	if (o->dump && !o->view->is_text)
		return error_set(error, PERF_ERROR_USAGE, "-D has no other form than stdio");
	if ((o->dump || o->stats || o->tasks || o->mmaps) && session_nr_files(session) > 1)
		return error_set(
			error, PERF_ERROR_USAGE,
			"-D, --stats, --tasks and --mmaps are about one file: give one -i");
	if (o->dump || o->stats || o->tasks || o->mmaps)
		report_print_header(o, session);
	if (o->dump && !o->quiet && !o->header && !o->header_full)
		print_header_hint();
	if (o->dump)
		return report_dump(session, stdout, error);
	if (o->stats)
		return report_stats(session, o->view, stdout, error);
	if (o->tasks || o->mmaps)
		return report_tasks(session, o->mmaps, o->view, stdout, error);
	return make_report(o, session, error);
}

static int report_run(const struct config *config, int argc, char **argv)
{
	struct report_options opts;
	g_autoptr(GError) error = NULL;
	struct session *session;
	struct pager pager = { 0 };
	int status;
	bool ok;

	if (!report_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&report_options_spec, &argc, &argv, &opts, &status)) {
		report_options_release(&opts);
		return status;
	}
	if (opts.verbose)
		report_options_note_unused(config);
	pager_start(&pager);
	status = report_options_complete(&opts, argc, argv, &pager);
	if (status) {
		pager_finish(&pager);
		report_options_release(&opts);
		return status;
	}
	session = session_open(&opts.session, &error);
	ok = session && run(&opts, session, &error);
	session_close(session);
	report_options_release(&opts);
	fflush(stdout);
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	pager_finish(&pager);
	return ok ? 0 : 255;
}

const struct command cmd_report = {
	"report", "Read perf.data (created by perf record) and display the profile", report_run
};
