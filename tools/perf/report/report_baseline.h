/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf report --baseline: what perf diff says, with the report's options. */
#ifndef REPORT_REPORT_BASELINE_H
#define REPORT_REPORT_BASELINE_H

#include "report/report_options.h"

/* As text. */
bool report_baseline_print(const struct report_options *o, GError **error);

struct screen;

/* In the browser. @screen NULL: the terminal. */
bool report_baseline_browse(const struct report_options *o, struct screen *screen, GError **error);

#endif
