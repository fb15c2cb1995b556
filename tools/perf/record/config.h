/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets each event's attributes from the options, as far as perfevent/parse.h leaves them open:
 * rate, sample_type, read_format, side records, how counting starts. Terms in the event's own text
 * win over options. Nothing is opened here; perfevent/open.h later takes back what the kernel
 * refuses.
 */
#ifndef RECORD_CONFIG_H
#define RECORD_CONFIG_H

#include "perfevent/parse.h"
#include "record/base/options.h"
#include "record/base/target.h"

/* True if side records need a separate dummy event: they are needed while the events do not count (before a delay ends)
 * or where they do not count (on other CPUs). */
bool config_needs_side_event(const struct record_options *opts, enum target_kind kind);

/*
 * @rate: Hz, for events without a count of their own. @pages: of each ring. @side: the list
 * with the dummy event, or NULL: the first of @list carries the side records.
 */
bool config_events(struct event_list *list, struct event_list *side,
		   const struct record_options *opts, enum target_kind kind, u64 rate, u32 pages,
		   GError **error);

/* For @list, the events that a source adds. Type, config and period are already set. */
void config_added_events(struct event_list *list, const struct record_options *opts,
			 enum target_kind kind, u32 pages);

/*
 * Gives all events of @list the same start of records (IDENTIFIER first), so that records of other
 * events can be in the same ring.
 */
void config_identify(struct event_list *list);

#endif
