/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where do samples of an event land: at the instruction that took the time, or at the one after it? This depends on CPU,
 * hypervisor and kind of event. perf record measures it with a loop whose one slow load is known
 * (perfevent/slow_loop.h), and writes the result as a note into the file:
 *
 *	skid.cpu-clock -> "240 samples: 239 after, 0 at, 1 elsewhere"
 */
#ifndef PERFDATA_SKID_H
#define PERFDATA_SKID_H

#include "perfdata/evsel.h"
#include "perfdata/info.h"

/* Counts of samples in the loop. */
struct skid_measure {
	u32 nr;	      /* all */
	u32 nr_at;    /* at the slow load */
	u32 nr_after; /* at the instruction after it; the others are elsewhere in the loop */
};

enum skid_place {
	SKID_UNKNOWN, /* fewer than SKID_LEAST samples */
	SKID_AT,      /* SKID_PERCENT or more name the instruction that waited */
	SKID_AFTER,   /* SKID_PERCENT or more name the instruction after it */
	SKID_MIXED,   /* neither */
};
#define SKID_LEAST   20
#define SKID_PERCENT 90

enum skid_place skid_measure_place(const struct skid_measure *m);

/*
 * The kinds of events that are measured: "cpu-clock", "task-clock", "cycles". They sample time. A counter of
 * instructions or of cache misses does not tell where a wait lands. Modifiers such as :u make no difference.
 */
enum skid_kind {
	SKID_CPU_CLOCK,
	SKID_TASK_CLOCK,
	SKID_CYCLES, /* without precise_ip; on a hybrid CPU, the event of one of its PMUs is not of this kind */
	NR_SKID_KINDS,
	SKID_NO_KIND = NR_SKID_KINDS,
};
enum skid_kind skid_kind_of(const struct evsel *evsel);
const char *skid_kind_name(enum skid_kind kind);
/* The key of its note: "skid.cpu-clock". */
const char *skid_kind_note(enum skid_kind kind);
/* An event of this kind, with type and config only; evsel_free(). */
struct evsel *skid_kind_evsel(enum skid_kind kind);

/* The value of the note; g_free(). */
char *skid_measure_text(const struct skid_measure *m);
/* False: @text is not exactly such a value, or its counts do not add up. */
bool skid_measure_parse(const char *text, struct skid_measure *out);

/* For people, after "samples [of KIND] ": "name the instruction that waited". */
const char *skid_place_words(enum skid_place place);
/*
 * For people: "samples name the instruction after the one that waited: 99.6 % of 240"; if it is neither, all counts.
 * g_free().
 */
char *skid_measure_sentence(const struct skid_measure *m);

/* False: the file has no measurement for events of @evsel's kind, or garbage. */
bool perfdata_skid_find(const struct perfdata_info *info, const struct evsel *evsel,
			struct skid_measure *out);
/* The same for a note. False: it is another one, or garbage. */
bool perfdata_skid_of_note(const struct info_note *note, struct skid_measure *out);
void perfdata_skid_add(struct perfdata_info *info, enum skid_kind kind,
		       const struct skid_measure *m);

#endif
