/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What threads wait for now (perf top --wall): the longest waits that the samples of the last frames have seen, with
 * owners, and threads that wait for each other.
 *
 *	 12.3 s  one (4711) in checkout  waits for book.lock (mutex), held by two (4712) in report
 *
 * Waits for work (fields/idle.h) and threads without a wait are not among these.
 */
#ifndef TOP_WAITS_H
#define TOP_WAITS_H

#include "fields/fields.h"
#include "perfevent/paths.h"

#define TOP_WAITS_NEEDS (NEED_SAMPLE | NEED_COMM | NEED_SYMBOL | NEED_CHAIN | NEED_ACTIVITY)

struct top_waits;

struct top_waits *top_waits_new(const struct kernel_paths *paths);
void top_waits_free(struct top_waits *w);

/* A sample; only thread states count. */
void top_waits_take(struct top_waits *w, struct lexicon *lexicon, const struct place *place);

/* A frame ends. */
void top_waits_next_frame(struct top_waits *w);

/*
 * One line for each of the @most longest waits, and before these one for each circle of threads that wait for each other. A
 * circle is told only if none of its threads has run since the locks were looked at. Nothing, if there are none.
 */
void top_waits_append(const struct top_waits *w, u32 most, GString *out);

/* Is there a circle? */
bool top_waits_has_deadlock(const struct top_waits *w);

#endif
