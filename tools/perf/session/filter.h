/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does this sample count? The filters of the command line, parsed once. Answers about
 * functions and dsos are remembered by their ids.
 */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H

#include "base/error.h"
#include "session/session.h"

struct activity;
struct filter;
struct spans;

/* First and last sample, ns; both 0 where not known. */
struct time_span {
	u64 from, to;
};

/* NULL with @error for a text that does not parse, or a time in percent without a span. */
struct filter *filter_new(const struct session_filter *texts, const struct time_span *span,
			  GError **error);
void filter_free(struct filter *filter);

/* --time is about times of day: what this adds to an event's time makes one. */
void filter_set_wall(struct filter *filter, s64 to_wall);

/* A name of --symbols may be the end of a longer one from now on. */
void filter_widen_symbols(struct filter *filter);

/* A symbol that passed is not called exactly as --symbols says; there may be several such. */
bool filter_found_by_part(const struct filter *filter);

/* Whether --time asks for percentages, which need to know the first and last sample. */
bool filter_needs_span(const struct session_filter *texts);

/* What is known before anything is resolved: --time and --cpu. */
bool filter_drops(const struct filter *filter, u64 time, u32 cpu);

/* Nothing is kept out by what follows; nothing is dropped at all. */
bool filter_passes_all(const struct filter *filter);
/*
 * What --time leaves of a stretch of @period ns that ends at @time; false: nothing.
 */
bool filter_clip(const struct filter *f, u64 *time, u64 *period);
bool filter_drops_cpu(const struct filter *f, u32 cpu);
bool filter_drops_none(const struct filter *filter);

/* enum session_filtered bits: of the sample's thread and chain, of an address. */
u32 filter_thread(struct filter *filter, const struct place *place);
u32 filter_code(struct filter *filter, const struct code *code);

/* ... of what the sample was done for; @activity and @spans may be NULL. */
u32 filter_activity(const struct filter *filter, const struct spans *spans,
		    const struct activity *activity);

/* Whether some threads pass and others do not. */
bool filter_by_thread(const struct filter *filter);

/* What filter_*() will ask of a place: enum place_need. */
u32 filter_needs(const struct filter *filter);

#endif
