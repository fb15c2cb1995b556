// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/skid.h"

#include <stdio.h>
#include <string.h>

#include "base/percent.h"

#define PREFIX "skid."

static const struct {
	const char *note;
	u32 type;
	u64 config;
} kinds[NR_SKID_KINDS] = {
	[SKID_CPU_CLOCK] = { PREFIX "cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK },
	[SKID_TASK_CLOCK] = { PREFIX "task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK },
	[SKID_CYCLES] = { PREFIX "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
};

enum skid_place skid_measure_place(const struct skid_measure *m)
{
	if (m->nr < SKID_LEAST)
		return SKID_UNKNOWN;
	if (percent_of(m->nr_at, m->nr) >= SKID_PERCENT)
		return SKID_AT;
	if (percent_of(m->nr_after, m->nr) >= SKID_PERCENT)
		return SKID_AFTER;
	return SKID_MIXED;
}

enum skid_kind skid_kind_of(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;

	for (enum skid_kind kind = 0; kind < NR_SKID_KINDS && !attr->precise_ip; kind++)
		if (attr->type == kinds[kind].type && attr->config == kinds[kind].config)
			return kind;
	return SKID_NO_KIND;
}

const char *skid_kind_note(enum skid_kind kind)
{
	return kinds[kind].note;
}

const char *skid_kind_name(enum skid_kind kind)
{
	return kinds[kind].note + strlen(PREFIX);
}

struct evsel *skid_kind_evsel(enum skid_kind kind)
{
	struct evsel *evsel = evsel_new();

	evsel->attr.type = kinds[kind].type;
	evsel->attr.config = kinds[kind].config;
	return evsel;
}

char *skid_measure_text(const struct skid_measure *m)
{
	return g_strdup_printf("%u samples: %u after, %u at, %u elsewhere", m->nr, m->nr_after,
			       m->nr_at, m->nr - m->nr_after - m->nr_at);
}

bool skid_measure_parse(const char *text, struct skid_measure *out)
{
	struct skid_measure m;
	u32 elsewhere;
	g_autofree char *again = NULL;

	/* Nine digits fit into 32 bits, as does the sum of three such numbers. */
	if (sscanf(text, "%9u samples: %9u after, %9u at, %9u elsewhere", &m.nr, &m.nr_after,
		   &m.nr_at, &elsewhere) != 4 ||
	    m.nr != m.nr_after + m.nr_at + elsewhere)
		return false;
	/* sscanf() also accepts signs, blanks, leading zeros and more text. */
	again = skid_measure_text(&m);
	if (strcmp(again, text))
		return false;
	*out = m;
	return true;
}

const char *skid_place_words(enum skid_place place)
{
	static const char *const words[] = {
		[SKID_UNKNOWN] = "are too few to tell which instruction they name",
		[SKID_AT] = "name the instruction that waited",
		[SKID_AFTER] = "name the instruction after the one that waited",
		[SKID_MIXED] = ("do not always name the same instruction of those near the one "
				"that waited"),
	};

	return words[place];
}

char *skid_measure_sentence(const struct skid_measure *m)
{
	enum skid_place place = skid_measure_place(m);
	g_autofree char *text = skid_measure_text(m);

	if (place != SKID_AT && place != SKID_AFTER)
		return g_strdup_printf("samples %s: %s", skid_place_words(place), text);
	return g_strdup_printf("samples %s: %.1f %% of %u", skid_place_words(place),
			       percent_of(place == SKID_AT ? m->nr_at : m->nr_after, m->nr), m->nr);
}

bool perfdata_skid_find(const struct perfdata_info *info, const struct evsel *evsel,
			struct skid_measure *out)
{
	enum skid_kind kind = skid_kind_of(evsel);
	const char *text = kind == SKID_NO_KIND ? NULL : perfdata_info_note(info, kinds[kind].note);

	return text && skid_measure_parse(text, out);
}

bool perfdata_skid_of_note(const struct info_note *note, struct skid_measure *out)
{
	return g_str_has_prefix(note->key, PREFIX) && skid_measure_parse(note->value, out);
}

void perfdata_skid_add(struct perfdata_info *info, enum skid_kind kind,
		       const struct skid_measure *m)
{
	g_autofree char *text = skid_measure_text(m);

	perfdata_info_add_note(info, kinds[kind].note, text);
}
