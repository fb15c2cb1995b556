/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report --timeline. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "report/report_options.h"

bool report_timeline(struct report_options *o, struct session *session, GError **error);

#endif
