// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/live_report.h"

#include <stdio.h>

#include "report/one_report.h"

struct live_report {
	struct report_options options;
	struct report report;
	GError *error;
};

struct live_report *live_report_new(const struct config *config, const char *sort, bool traced)
{
	struct live_report *l = g_new0(struct live_report, 1);
	struct pager none = { 0 };
	g_autoptr(GError) wrong = NULL;

	if (!report_options_begin(&l->options, config)) {
		g_free(l);
		return NULL;
	}
	l->options.sort = sort && *sort ? sort : NULL;
	if (!traced && !report_options_know_keys(&l->options, &wrong)) {
		fprintf(stderr, "--report: %s\n", wrong->message);
		live_report_free(l);
		return NULL;
	}
	if (report_options_complete(&l->options, 0, NULL, &none)) {
		live_report_free(l);
		return NULL;
	}
	l->options.session.show_progress = false;
	return l;
}

void live_report_read(void *live_report, struct perfdata *records)
{
	struct live_report *l = live_report;
	struct report *r = &l->report;

	l->options.session.opened = records;
	r->options = &l->options;
	r->session = session_open(&l->options.session, &l->error);
	if (r->session)
		report_read(r, &l->error);
}

bool live_report_print(struct live_report *l, GError **error)
{
	bool ok;

	if (l->error) {
		g_propagate_error(error, g_steal_pointer(&l->error));
		return false;
	}
	ok = report_print(&l->report, error);
	fflush(stdout);
	return ok;
}

void live_report_free(struct live_report *l)
{
	if (!l)
		return;
	report_release(&l->report);
	session_close(l->report.session);
	report_options_release(&l->options);
	g_clear_error(&l->error);
	g_free(l);
}
