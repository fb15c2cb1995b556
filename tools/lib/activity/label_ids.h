/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds trace and span ids among the labels of an activity.
 *
 * Go's pprof labels and custom-labels have no place for trace and span ids: tracing libraries put
 * them into labels, under names of their own and as text. The names in use are known here, the user
 * may add others:
 *
 *	trace	trace_id traceId traceid trace.id "trace id", and dd.trace_id as Datadog writes it
 *	span	span_id spanId spanid span.id profile_id, and "span id" dd.span_id as Datadog does
 *	root	"local root span id" dd.local_root_span_id
 *
 * An id is 32 or 16 hexadecimal digits (of a trace, 16 are the lower half); a UUID; else, and under
 * Datadog's names first, a decimal number of 64 bits.
 */
#ifndef ACTIVITY_LABEL_IDS_H
#define ACTIVITY_LABEL_IDS_H

#include <glib.h>

#include "activity/layout.h"

/* Names that come before the known ones; const char *, either may be NULL. */
struct activity_id_names {
	const GPtrArray *trace, *span;
};

/*
 * If @activity has only labels, and some labels are ids, the activity gets these ids and state OK. It keeps the labels.
 * If only one of the two ids exists, the other one is zero. A label that was cut, or that cannot be parsed as an id, is
 * ignored.
 */
void activity_take_label_ids(struct activity *activity, const struct activity_id_names *names);

#endif
