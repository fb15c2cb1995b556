/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The number of records of each type in a file, the number of samples of each event, and how the stacks ended. */
#ifndef PAGES_STAT_PAGES_H
#define PAGES_STAT_PAGES_H

#include "pages/base/page.h"
#include "session/session.h"

/* The columns of the first page. The pages of events have one row: samples. */
enum { STAT_RECORD, STAT_NUMBER, STAT_SHARE, STAT_NR_COLUMNS };

/* @samples: u64 by evsel's idx, copied. All records must have been read. */
struct pages *stat_pages_new(struct session *session, const GArray *samples);

#endif
