/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report --critical. */
#ifndef REPORT_CRITICAL_H
#define REPORT_CRITICAL_H

#include "report/report_options.h"

struct screen;

/* @screen: browses it there; NULL: prints it. */
bool report_critical(struct report_options *o, struct session *session, struct screen *screen,
		     GError **error);

#endif
