/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's fixed event names: which attr.type and attr.config does a word mean?
 * Software, generic hardware and cache events; what a PMU names itself is pmu.h.
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

/* The word that @name[0..@len) is, by name or alias; NULL. */
const struct event_word *event_word_find(const char *name, size_t len);

/* Is @name[0..@len) "CACHE[-op][-result]"? Fills the config of PERF_TYPE_HW_CACHE. */
bool cache_event_parse(const char *name, size_t len, u64 *config);

/* Every cache event's usual name ("LLC-load-misses"), to be freed as a strv. */
char **cache_event_names(void);

/* The nearest of @names to @word by edits, or NULL when none is near (a third of its letters). */
const char *nearest_name(const char *word, const GPtrArray *names);

#endif
