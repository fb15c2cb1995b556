// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_critical.h"

#include "critical/critical.h"
#include "pages/critical/critical_pages.h"
#include "pages/lists/header.h"
#include "pages/report/joined_pages.h"
#include "perfdata/read/reader.h"
#include "report/one_report.h"

#define LEAST 0.5 /* percent */

static struct pages *pages_of(const struct report *r, struct critical *c)
{
	const struct report_options *o = r->options;

	return critical_pages_new(critical_answer(c),
				  &(struct critical_pages_options){
					  .session = r->session,
					  .slowest = o->slowest,
					  .least = o->least_given ? o->least : LEAST,
				  });
}

static bool print(const struct report *r, struct critical *c, GError **error)
{
	const struct report_options *o = r->options;
	struct pages *pages = pages_of(r, c);
	bool ok;

	if (!o->view->is_text && (o->header || o->header_full))
		pages_add_headers(pages, r->session);
	report_print_header(o, r->session);
	ok = o->view->print(pages, &o->look, stdout, error);
	pages_free(pages);
	return ok;
}

static void browse(const struct report *r, struct critical *c, struct screen *screen)
{
	const struct tui_critical_options options = {
		.pages = pages_of(r, c),
		.annotator = { .session = r->session, .skip_empty = true },
	};

	tui_critical_run(screen, &options);
	pages_free(options.pages);
}

/* What a browser's view borrows. */
struct requests_shown {
	struct report_options options;
	struct report report;
	struct critical *critical;
	struct pages *pages;
};

static void close_opened(void *own)
{
	struct requests_shown *opened = own;

	if (opened->pages)
		pages_free(opened->pages);
	critical_free(opened->critical);
	report_release(&opened->report);
	g_free(opened);
}

bool report_critical_open(const struct report_options *o, struct session *session, const char *what,
			  struct tui_critical_options *out, GError **error)
{
	struct requests_shown *opened = g_new0(struct requests_shown, 1);
	struct report *r = &opened->report;

	opened->options = *o;
	*r = (struct report){ .options = &opened->options, .session = session };
	if (report_settle(r, error)) {
		r->lexicon->max_ids = 0; /* each instance is one */
		opened->critical = critical_new(&(struct critical_options){ .lexicon = r->lexicon,
									    .what = what,
									    .slowest = o->slowest },
						error);
	}
	if (!opened->critical) {
		close_opened(opened);
		return false;
	}
	opened->pages = pages_of(r, opened->critical);
	*out = (struct tui_critical_options){
		.pages = opened->pages,
		.annotator = { .session = session, .skip_empty = true },
		.free_own = close_opened,
		.own = opened,
	};
	return true;
}

/* The panels of a report, and those of the requests. */
static bool print_panels(const struct report *r, struct critical *c, GError **error)
{
	struct report panels = { .options = r->options, .session = r->session };
	bool ok = report_read(&panels, error);

	if (ok) {
		const struct joined_part parts[] = { { report_pages(&panels), UINT32_MAX },
						     { pages_of(r, c), UINT32_MAX } };

		ok = report_print_pages(&panels, joined_pages_new(parts, ARRAY_SIZE(parts)), error);
	}
	report_release(&panels);
	return ok;
}

static bool show(const struct report *r, struct critical *c, struct screen *screen, GError **error)
{
	if (r->options->panels.wanted)
		return print_panels(r, c, error);
	if (!screen)
		return print(r, c, error);
	browse(r, c, screen);
	return true;
}

bool report_critical(struct report_options *o, struct session *session, struct screen *screen,
		     GError **error)
{
	struct report r = { .options = o, .session = session };
	struct critical *c = NULL;
	bool ok;

	if (o->panels.wanted && perfdata_is_pipe(session_perfdata(session)))
		return error_set(error, PERF_ERROR_USAGE,
				 "--critical with --html or --panels reads a file, not a pipe");
	ok = report_settle(&r, error);
	if (ok) {
		r.lexicon->max_ids = 0; /* each instance is one */
		c = critical_new(&(struct critical_options){ .lexicon = r.lexicon,
							     .what = o->critical,
							     .slowest = o->slowest,
							     .points = o->panels.wanted },
				 error);
	}
	ok = c && show(&r, c, screen, error);
	critical_free(c);
	report_release(&r);
	return ok;
}
