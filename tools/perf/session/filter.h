/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filters of the command line, parsed once. Answers about functions and dsos are cached by id.
 */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H

#include "base/error.h"
#include "session/session.h"

struct activity;
struct filter;
struct spans;

/* First and last sample, ns; both 0 if unknown. */
struct time_span {
	u64 from, to;
};

/* NULL with @error for an invalid text, or a time in percent without a span. */
struct filter *filter_new(const struct session_filter *texts, const struct time_span *span,
			  GError **error);
void filter_free(struct filter *filter);

/* The ranges of --time; NULL: all. */
const GArray *filter_times(const struct filter *filter);
/* Only samples in these ranges, too, which must be in order and apart. */
void filter_limit_times(struct filter *filter, const GArray *times);

/* The --time option has times of day: adding @to_wall to an event's time gives one. */
void filter_set_wall(struct filter *filter, s64 to_wall);

/* What --socket-filter needs: struct info_cpu by CPU number; may be NULL. */
void filter_set_cpus(struct filter *filter, const GArray *cpus);

/* True if the answer depends on the sample's CPU, besides filter_drops(). */
bool filter_by_socket(const struct filter *filter);

/* From now on, a name of --symbols also matches the end of a longer name. */
void filter_widen_symbols(struct filter *filter);

/* True if a symbol matched whose name is not exactly one of --symbols. */
bool filter_found_by_part(const struct filter *filter);

/* True if --time has percentages, which need the first and last sample. */
bool filter_needs_span(const struct session_filter *texts);

/* The filters that need no look-ups: --time and --cpu. */
bool filter_drops(const struct filter *filter, u64 time, u32 cpu);

/* True if the following filters exclude nothing. */
bool filter_passes_all(const struct filter *filter);
/* Clips the period of @period ns that ends at @time to --time; false: nothing is left. */
bool filter_clip(const struct filter *f, u64 *time, u64 *period);
bool filter_drops_cpu(const struct filter *f, u32 cpu);
bool filter_drops_none(const struct filter *filter);

/* enum session_filtered bits: for the sample's thread and chain, for an address. */
u32 filter_thread(struct filter *filter, const struct place *place);
u32 filter_code(struct filter *filter, const struct code *code);

/* ... for the sample's activity; @activity and @spans may be NULL. */
u32 filter_activity(const struct filter *filter, const struct spans *spans,
		    const struct activity *activity);

/* True if the filters exclude some threads but not others. */
bool filter_by_thread(const struct filter *filter);

/* enum place_need: what filter_*() needs of a place. */
u32 filter_needs(const struct filter *filter);

#endif
