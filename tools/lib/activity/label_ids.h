/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of an activity's labels are its ids?
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
 * Where @activity is its labels, and among them are ids, it becomes the pair of these, in state OK,
 * and keeps the labels. Where there is only one of the two the other is zero. A label that was cut,
 * or does not read as an id, is none.
 */
void activity_take_label_ids(struct activity *activity, const struct activity_id_names *names);

#endif
