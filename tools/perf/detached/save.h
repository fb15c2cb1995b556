/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an image holds now, as an ordinary perf.data file. */
#ifndef DETACHED_SAVE_H
#define DETACHED_SAVE_H

#include "base/error.h"

/*
 * @from: a detached recording's file, or a core dump; of another owner only with @force. A file @to is complete or not
 * there (it is written beside itself and renamed); "-" is standard output.
 */
bool save_image(const char *from, const char *to, bool force, GError **error);

/* The same of what is open, which is closed. */
struct perfdata;
bool save_opened(struct perfdata *pd, const char *to, GError **error);

#endif
