/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fixed event names of software, generic hardware and cache events, with their attr.type and attr.config. Names
 * that a PMU defines in sysfs are in pmu.h.
 */
#ifndef PERFEVENT_NAMES_H
#define PERFEVENT_NAMES_H

#include <glib.h>

#include "base/types.h"

struct event_word {
	const char *name;
	const char *alias; /* a second name, or NULL */
	u32 type;	   /* PERF_TYPE_HARDWARE or PERF_TYPE_SOFTWARE */
	u64 config;
};

/* The software and hardware words, software first; *nr of them. */
const struct event_word *event_words(u32 *nr);

/* Finds the word whose name or alias is @name[0..@len); NULL: none. */
const struct event_word *event_word_find(const char *name, size_t len);

/* Is @name[0..@len) "CACHE[-op][-result]"? Fills the config of PERF_TYPE_HW_CACHE. */
bool cache_event_parse(const char *name, size_t len, u64 *config);

/* Every cache event's usual name ("LLC-load-misses"), to be freed as a strv. */
char **cache_event_names(void);

/* The one of @names with the least edit distance to @word. NULL: all differ in more than a third of the letters. */
const char *nearest_name(const char *word, const GPtrArray *names);

#endif
