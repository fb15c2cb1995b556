/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The filters of tracepoints: --filter, --exclude-perf. perfevent/filter.h has their form. */
#ifndef RECORD_FILTERS_H
#define RECORD_FILTERS_H

#include "record/base/options.h"
#include "record/base/source.h"

/* Gives the filters that follow -e number @nr (from 1) to its events: those of @list from @first on. */
bool filters_add(const struct record_options *opts, u32 nr, struct event_list *list, u32 first,
		 GError **error);

/* When the events are open: sets the filters of events without --exclude-perf. */
bool filters_set(const struct recording *rec, GError **error);

/* True: there is an event with --exclude-perf. */
bool filters_need_threads(const struct recording *rec);

/* When all threads of the recorder have started: sets those of events with --exclude-perf. */
bool filters_leave_out_own(const struct recording *rec, GError **error);

#endif
