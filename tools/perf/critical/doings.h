/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The activities of a recording by number, and the instances of what was asked for: `--critical=checkout` asks for all
 * spans of that name, and each of them is an instance. An activity counts for its span's instance, and for those of the
 * spans around it as far as the sample or the files of spans tell them.
 *
 * An instance lasts from its first to its last sight, unless the files of spans state begin and duration.
 */
#ifndef CRITICAL_DOINGS_H
#define CRITICAL_DOINGS_H

#include <glib.h>

#include "fields/fields.h"
#include "resolve/place.h"

#define DOINGS_MOST 1000000u /* instances; samples of further ones are counted */

struct critical_instance {
	u64 from, to;
	u32 thread;   /* of its last sight; UINT32_MAX: it has none */
	u32 activity; /* one of its own */
	u32 name;     /* text, of the span */
	u32 nr_sights, nr_inside;
	u64 last;	 /* end of the last sight */
	u64 last_inside; /* of those in the stated time, and its thread */
	u32 thread_inside;
	u64 begin, duration; /* stated; 0: not */
	bool stated;	     /* @from and @to are */
	bool stated_by_own;  /* @begin is by the clock of the host that has the span */
	bool named;	     /* @name is more than an id */
};

struct doings;

/*
 * @what: a pattern of names of spans, the id of a span or of a trace, or a value that an activity without ids has. NULL: each
 * outermost span, as the key root_span has it, and each value. Borrows @lexicon.
 */
struct doings *doings_new(struct lexicon *lexicon, const char *what);
void doings_free(struct doings *d);

/*
 * The number of the activity of @place; 0: the thread had none, or nobody read it. @correction: what is added to the times of day of the place's host
 * (messages.h), which the caller has done for those that doings_see() gets.
 */
u32 doings_of(struct doings *d, const struct place *place, s64 correction);

/* The thread had this activity from @from to @to. */
void doings_see(struct doings *d, u32 activity, u32 thread, u64 from, u64 to);

/* Ends seeing: decides which times of instances count. */
void doings_settle(struct doings *d);

/* struct critical_instance, in any order. */
const GArray *doings_instances(const struct doings *d);
/* The ids of the instance: "<trace>:<span>", of a trace "<trace>"; of an activity without ids its value. */
void doings_append_id(const struct doings *d, u32 instance, GString *out);
/* Samples of instances beyond DOINGS_MOST. */
u64 doings_beyond(const struct doings *d);

/*
 * The text of the span of an activity; 0 for activity 0. Ids without names have one text, so that rows of a tree by spans
 * do not fall apart.
 */
u32 doings_span(const struct doings *d, u32 activity);
/* The same, but an id is its own text. */
u32 doings_exact_span(const struct doings *d, u32 activity);
/* The instances that it counts for: indices, @nr of them. */
const u32 *doings_members(const struct doings *d, u32 activity, u32 *nr);
/* Does the activity count for that instance? */
bool doings_is_of(const struct doings *d, u32 activity, u32 instance);

#endif
