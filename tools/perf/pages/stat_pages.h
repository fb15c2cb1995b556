/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many records of each type a file has, how many samples of each event, how the stacks ended. */
#ifndef PAGES_STAT_PAGES_H
#define PAGES_STAT_PAGES_H

#include "pages/page.h"
#include "session/session.h"

/* Of the first page; those of events have one row, of samples. */
enum { STAT_RECORD, STAT_NUMBER, STAT_SHARE, STAT_NR_COLUMNS };

/* @samples: u64 by evsel's idx, copied. All records must have been read. */
struct pages *stat_pages_new(struct session *session, const GArray *samples);

#endif
