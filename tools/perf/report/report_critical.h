/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report --critical. */
#ifndef REPORT_CRITICAL_H
#define REPORT_CRITICAL_H

#include "report/report_options.h"
#include "view/tui/critical.h"

struct screen;

/* @screen: browses it there; NULL: prints it. */
bool report_critical(struct report_options *o, struct session *session, struct screen *screen,
		     GError **error);

/*
 * For a browser of the report: what the requests @what waited for (view/tui/report.h). @session stays the caller's. False with
 * @error.
 */
bool report_critical_open(const struct report_options *o, struct session *session, const char *what,
			  struct tui_critical_options *out, GError **error);

#endif
