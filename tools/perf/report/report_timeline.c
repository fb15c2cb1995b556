// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_timeline.h"

#include "hist/timeline.h"
#include "report/one_report.h"

/* Of rows for programs, if no length of slices is given. Text joins slices until they fit into the terminal. */
#define MAX_COLUMNS 256

static bool read_and_print(struct report *r, GError **error)
{
	const struct report_options *o = r->options;
	struct timeline *t = timeline_new(&(struct timeline_options){
		.session = r->session,
		.lexicon = r->lexicon,
		.columns = r->columns,
		.slice_ns = o->slice_ns,
		.max_slices = o->view->is_text || o->slice_ns ? 0 : MAX_COLUMNS,
	});
	bool ok = timeline_read(t, error);

	if (ok) {
		struct pages *pages = timeline_pages_new(
			t, &(struct timeline_pages_options){
				   .unit = o->time_unit, .least = o->least, .top = o->pages.top });

		report_print_header(o, r->session);
		ok = o->view->print(pages, &o->look, stdout, error);
		pages_free(pages);
	}
	timeline_free(t);
	return ok;
}

bool report_timeline(struct report_options *o, struct session *session, GError **error)
{
	struct report r = { .options = o, .session = session };
	bool ok;

	o->show_value = NULL; /* slices have their own */
	ok = report_settle(&r, error);
	if (ok) {
		r.columns_options.children = false;
		r.columns = columns_new(&r.columns_options, error);
		ok = r.columns && read_and_print(&r, error);
	}
	report_release(&r);
	return ok;
}
