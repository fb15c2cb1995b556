/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the span in which a sample's thread worked, and its name. The sample has the activity
 * (the span's id); the spans were loaded from files.
 */
#ifndef SESSION_NAMED_H
#define SESSION_NAMED_H

#include "activity/layout.h"
#include "resolve/place.h"
#include "spans/spans.h"

/* The activity has a trace id and a span id. */
static inline bool activity_has_ids(const struct activity *a)
{
	return a && a->state == ACTIVITY_OK && a->has & ACTIVITY_HAS_IDS;
}

/*
 * Libraries that put ids into labels often leave the trace id out, or half of it. Where the files of
 * spans (@spans may be NULL) know one span only by what there is, its trace is @a's.
 */
void named_complete(struct spans *spans, struct activity *a);

/* The span of @a's trace with the id of 8 bytes @id; NULL: @spans (may be NULL) has none. */
const struct span *named_span(const struct spans *spans, const struct activity *a, const u8 *id);

/*
 * The label @key of what the sample was done for: of the activity itself, else of its span
 * (spans_label()), else an attribute of its process. @value is @size bytes, not ended and not
 * text for certain, good as long as the place. False: there is none.
 */
bool named_label(const struct spans *spans, const struct activity *a, const char *key,
		 const char **value, size_t *size);

#endif
