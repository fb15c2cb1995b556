// SPDX-License-Identifier: GPL-2.0-or-later
/* perf report: reads a recording and prints its profile. */
#include <stdio.h>

#include "cli/config.h"
#include "cmd/cmd.h"
#include "cmd/report/report_screen.h"
#include "options/debug_files.h"
#include "options/recording.h"
#include "pages/lists/header.h"
#include "pages/notes/notes.h"
#include "report/one_report.h"
#include "report/report_baseline.h"
#include "report/report_critical.h"
#include "report/report_lists.h"
#include "report/report_timeline.h"
#include "term/terminal.h"
#include "view/stdio/pages.h"
#include "view/tui/report.h"

static bool make_report(struct report_options *o, struct session *session, GError **error)
{
	struct report r = { .options = o, .session = session };
	bool ok = report_read(&r, error) && report_print(&r, error);

	report_release(&r);
	return ok;
}

static void tell_cut(const struct report_options *o, struct session *session)
{
	for (u32 i = 0; !o->quiet && i < session_nr_files(session); i++)
		recording_tell_cut(session_perfdata(session_file(session, i)));
}

static bool print_only_header(const struct report_options *o, struct session *session,
			      GError **error)
{
	struct pages *pages;
	bool ok;

	if (o->view->is_text) {
		report_print_header(o, session);
		tell_cut(o, session);
		return true;
	}
	pages = header_pages_new(session, "report");
	ok = o->view->print(pages, &o->look, stdout, error);
	pages_free(pages);
	if (ok)
		tell_cut(o, session);
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

/* A list of records is printed whole, and then whether the recorder came to its end. */
static bool print_list(const struct report_options *o, struct session *session, GError **error)
{
	if (!(o->dump	 ? report_dump(session, !o->disable_order, stdout, error)
	      : o->stats ? report_stats(session, o->view, stdout, error)
			 : report_tasks(session, o->mmaps, o->view, stdout, error)))
		return false;
	tell_cut(o, session);
	return true;
}

static bool run(struct report_options *o, struct session *session, GError **error)
{
	bool list = o->dump || o->stats || o->tasks || o->mmaps;

	if (o->header_only)
		return print_only_header(o, session, error);
	if (o->dump && !o->view->is_text)
		return error_set(error, PERF_ERROR_USAGE, "-D needs --format=stdio");
	if (list && session_nr_files(session) > 1)
		return error_set(error, PERF_ERROR_USAGE,
				 "-D, --stats, --tasks and --mmaps read one file: give one -i");
	if (list)
		report_print_header(o, session);
	if (o->dump && !o->quiet && !o->header && !o->header_full)
		print_header_hint();
	if (list)
		return print_list(o, session, error);
	if (o->critical && !o->compares_requests)
		return report_critical(o, session, NULL, error);
	if (o->timeline)
		return report_timeline(o, session, error);
	return make_report(o, session, error);
}

static bool run_as_text(struct report_options *o, GError **error)
{
	struct session *session;
	bool ok;

	if (report_options_compare(o))
		return report_baseline_print(o, error);
	session = session_open(&o->session, error);
	ok = session && run(o, session, error);
	session_close(session);
	return ok;
}

/* A session, and how it is shown. */
struct browsing {
	const struct report_options *options;
	struct session *session;
};

static bool open_requests(void *arg, const char *span, struct tui_critical_options *out,
			  GError **error)
{
	const struct browsing *b = arg;

	return report_critical_open(b->options, b->session, span, out, error);
}

/* The browser of one file. */
static bool browse(struct report_options *o, struct session *session, struct screen *screen,
		   char **next, GError **error)
{
	struct report r = { .options = o, .session = session };
	struct browsing browsing = { o, session };
	const struct tui_report_requests requests = { open_requests, &browsing };
	struct explorer *explorer = NULL;
	bool ok;

	if (o->critical && !o->compares_requests)
		return report_critical(o, session, screen, error);
	o->browses = true;
	ok = report_settle(&r, error);

	if (ok) {
		explorer = explorer_new(&(struct explorer_options){
			.session = session,
			.lexicon = r.lexicon,
			.columns = r.columns_options,
			.profile = r.profile_options,
			.pages = report_pages_options(&r),
		});
		ok = tui_report_run(
			screen,
			&(struct tui_report_options){ .explorer = explorer,
						      .requests = &requests,
						      .code = { .no_source = o->code.no_source,
								.raw_bytes = o->code.raw_bytes,
								.sampled = o->code.show_sampled },
						      .code_pages = &o->code_look },
			next, error);
	}
	explorer_free(explorer);
	report_release(&r);
	return ok;
}

static bool show_opening(void *arg, const char *what, u64 done, u64 total)
{
	return tui_busy(arg, what, done, total);
}

/* For a second file, @screen shows the progress of reading threads and maps, and ^C stops it. */
static struct session *open_next(struct report_options *o, struct screen *screen, GError **error)
{
	const struct progress_watch none = { 0 };
	struct tui *tui = screen ? tui_new(screen) : NULL;
	struct session *session;

	if (tui)
		o->session.watch = (struct progress_watch){ show_opening, tui };
	session = session_open(&o->session, error);
	if (session)
		session_set_watch(session, &none);
	o->session.watch = none;
	tui_free(tui);
	return session;
}

/*
 * Browses one file after the other, as the user chooses. Without a @screen, the terminal is initialized after the
 * first file was opened, so that ^C and the progress line work as for text until then.
 */
static bool run_on_screen(struct report_options *o, struct screen *screen, GError **error)
{
	g_autofree char *name = NULL;
	struct screen *own = NULL;
	bool ok;

	if (report_options_compare(o))
		return report_baseline_browse(o, screen, error);
	do {
		char *next = NULL;
		struct session *session = open_next(o, name ? screen ?: own : NULL, error);

		if (session && !screen && !own)
			own = terminal_open(error);
		ok = session && (screen || own) && browse(o, session, screen ?: own, &next, error);
		session_close(session);
		g_free(name);
		o->session.input = name = next;
		o->session.show_progress = false;
		g_ptr_array_set_size(o->beside, 0);
	} while (ok && name);
	screen_free(own);
	return ok;
}

int report_on_screen(struct screen *screen, const struct config *config, int argc, char **argv)
{
	struct report_options opts;
	g_autoptr(GError) error = NULL;
	struct pager none = { 0 };
	int status;

	if (!report_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&report_options_spec, &argc, &argv, &opts, &status)) {
		report_options_release(&opts);
		return status;
	}
	status = report_options_complete(&opts, argc, argv, &none);
	if (!status && !run_on_screen(&opts, screen, &error)) {
		fprintf(stderr, "%s\n", error->message);
		status = 255;
	}
	report_options_release(&opts);
	return status;
}

/*
 * There is no recording. If a key is wrong, too, that comes first, with the list of keys. The fields of tracepoints are
 * keys that only a recording tells; so the other error is told as well.
 */
static void tell_wrong_key(const struct report_options *o, GError **error)
{
	const struct columns_options co = {
		.sort = o->sort,
		.fields = o->fields,
		.sort_default = COLUMNS_DEFAULT_SORT,
		.families = FIELD_NORMAL | FIELD_MEMORY | FIELD_BRANCH,
	};
	g_autoptr(GError) wrong = NULL;

	columns_free(columns_new(&co, &wrong));
	if (wrong)
		g_prefix_error(error, "%s\n", wrong->message);
}

static int report_run(const struct config *config, int argc, char **argv)
{
	struct report_options opts;
	g_autofree char **words = upstream_words(argc, argv);
	g_autoptr(GError) error = NULL;
	struct pager pager = { 0 };
	int status;
	bool ok, screen;

	if (!report_options_begin(&opts, config))
		return CONFIG_EXIT_BAD;
	if (!options_parse(&report_options_spec, &argc, &argv, &opts, &status)) {
		report_options_release(&opts);
		return status;
	}
	status = upstream_options_settle(&opts.upstream, config, &report_options_spec, words,
					 opts.verbose);
	if (status) {
		report_options_release(&opts);
		return status;
	}
	if (opts.verbose)
		report_options_note_unused(config);
	screen = report_options_want_screen(&opts);
	opts.session.verbose = opts.verbose && !opts.quiet && !screen;
	opts.session.unsplit = opts.dump;
	if (!screen)
		pager_start(&pager);
	status = report_options_complete(&opts, argc, argv, &pager);
	if (status) {
		pager_finish(&pager);
		report_options_release(&opts);
		return status;
	}
	if (!opts.quiet && !opts.header_only)
		debug_files_offer(&opts.session);
	ok = screen ? run_on_screen(&opts, NULL, &error) : run_as_text(&opts, &error);
	if (g_error_matches(error, PERF_ERROR, PERF_ERROR_ABSENT))
		tell_wrong_key(&opts, &error);
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
