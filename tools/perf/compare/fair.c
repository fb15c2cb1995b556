// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A fact is a subject and what is said about it, "event cpu-clock" and "4000 Hz". Each side has a set of facts. If the
 * sets of two sides differ in a subject, that is a sentence.
 */
#include "compare/fair.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "base/intern.h"
#include "base/percent.h"
#include "dso/dso.h"
#include "dso/dsos.h"
#include "hist/profile.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"

#define LARGE 5.0 /* percent of the samples: files that matter */
#define LOSS  1.0 /* percent: losses that matter */

struct fair_fact {
	u32 rank; /* the smaller is the graver */
	GPtrArray *
		sides; /* GPtrArray * of char *: what the recordings of each side say; empty: nothing */
};

struct fair {
	u32 nr_sides;
	GHashTable *facts;   /* char * subject -> struct fair_fact * */
	GPtrArray *subjects; /* const char *, in order of appearance */
};

enum fair_rank { RANK_EVENT, RANK_MACHINE, RANK_LOSS, RANK_DEBUG, RANK_BUILD, RANK_NR };

static void fact_free(void *arg)
{
	struct fair_fact *fact = arg;

	g_ptr_array_unref(fact->sides);
	g_free(fact);
}

struct fair *fair_new(u32 nr_sides)
{
	struct fair *f = g_new0(struct fair, 1);

	f->nr_sides = nr_sides;
	f->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, fact_free);
	f->subjects = g_ptr_array_new();
	return f;
}

void fair_free(struct fair *f)
{
	if (!f)
		return;
	g_ptr_array_unref(f->subjects);
	g_hash_table_destroy(f->facts);
	g_free(f);
}

static void texts_free(void *arg)
{
	g_ptr_array_unref(arg);
}

static struct fair_fact *fact_new(const struct fair *f, enum fair_rank rank)
{
	struct fair_fact *fact = g_new0(struct fair_fact, 1);

	fact->rank = rank;
	fact->sides = g_ptr_array_new_with_free_func(texts_free);
	for (u32 i = 0; i < f->nr_sides; i++)
		g_ptr_array_add(fact->sides, g_ptr_array_new_with_free_func(g_free));
	return fact;
}

/* Several recordings of a side may say several things: each once. Takes @says over. */
static void state(struct fair *f, u32 side, enum fair_rank rank, const char *subject, char *says)
{
	struct fair_fact *fact = g_hash_table_lookup(f->facts, subject);
	GPtrArray *texts;

	if (!fact) {
		char *copy = g_strdup(subject);

		fact = fact_new(f, rank);
		g_hash_table_insert(f->facts, copy, fact);
		g_ptr_array_add(f->subjects, copy);
	}
	texts = fact->sides->pdata[side];
	if (g_ptr_array_find_with_equal_func(texts, says, g_str_equal, NULL))
		g_free(says);
	else
		g_ptr_array_add(texts, says);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "1000 Hz and 4000 Hz"; NULL: the side says nothing. */
static char *join(const struct fair_fact *fact, u32 side)
{
	GPtrArray *texts = fact->sides->pdata[side];
	g_autoptr(GString) all = g_string_new(NULL);

	g_ptr_array_sort(texts, by_text);
	for (u32 i = 0; i < texts->len; i++)
		g_string_append_printf(all, "%s%s", i ? " and " : "", (char *)texts->pdata[i]);
	return texts->len ? g_string_free(g_steal_pointer(&all), FALSE) : NULL;
}

static char *event_says(const struct evsel *evsel)
{
	const struct perf_event_attr *attr = &evsel->attr;
	const char *only = attr->exclude_kernel && !attr->exclude_user	 ? " (user only)"
			   : attr->exclude_user && !attr->exclude_kernel ? " (kernel only)"
									 : "";

	if (attr->freq)
		return g_strdup_printf("%" G_GUINT64_FORMAT " Hz%s", (u64)attr->sample_freq, only);
	return g_strdup_printf("period %" G_GUINT64_FORMAT "%s", (u64)attr->sample_period, only);
}

static void take_events(struct fair *f, u32 side, struct session *session)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);
		g_autofree char *subject = g_strdup_printf("event %s", evsel->name);

		if (!evsel_is_dummy(evsel))
			state(f, side, RANK_EVENT, subject, event_says(evsel));
	}
}

static void take_machine(struct fair *f, u32 side, struct session *session)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(session));

	if (info->cpudesc)
		state(f, side, RANK_MACHINE, "processor", g_strdup(info->cpudesc));
	if (info->arch)
		state(f, side, RANK_MACHINE, "architecture", g_strdup(info->arch));
	if (info->osrelease)
		state(f, side, RANK_MACHINE, "kernel", g_strdup(info->osrelease));
	if (info->nrcpus_online)
		state(f, side, RANK_MACHINE, "number of CPUs",
		      g_strdup_printf("%u", info->nrcpus_online));
}

static u64 nr_samples(const struct profile *profile)
{
	u64 nr = 0;

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		nr += g_array_index(e->totals, struct profile_totals, 0).samples;
	}
	return nr;
}

static void take_losses(struct fair *f, u32 side, struct session *session, u64 samples)
{
	const struct session_counts *counts = session_counts(session);
	u64 lost = MAX(counts->lost_samples, counts->lost_events);
	double percent = percent_of(lost, lost + samples);

	state(f, side, RANK_LOSS, "lost samples",
	      percent < LOSS ? g_strdup("few") : g_strdup_printf("%.0f%%", percent));
}

/* The producer of the first unit that a compiler made; "": none states one. */
static char *producer_of(struct dso *dso)
{
	Dwarf_Addr bias;
	Dwarf *dwarf;
	Dwarf_CU *cu = NULL;
	char *found = NULL;
	Dwarf_Die die;

	dso_lock(dso);
	dwarf = dso_dwarf(dso, &bias);
	while (dwarf && !found && !dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &die, NULL)) {
		Dwarf_Attribute attr;
		const char *text =
			dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_producer, &attr));

		if (text && *text && !g_str_has_prefix(text, "GNU AS"))
			found = g_strdup(text);
	}
	dso_unlock(dso);
	return found;
}

static void take_file(struct fair *f, u32 side, struct dso *dso)
{
	g_autofree char *built = g_strdup_printf("compiler of %s", dso_short_name(dso));
	g_autofree char *debug = g_strdup_printf("debug information of %s", dso_short_name(dso));
	char *producer;

	state(f, side, RANK_DEBUG, debug,
	      g_strdup(dso_no_debug_info(dso).why == DSO_PRESENT ? "present" : "none"));
	producer = producer_of(dso);
	if (producer)
		state(f, side, RANK_BUILD, built, producer);
}

/* u64 of period by the key of "dso" -> the periods of that file. */
static GHashTable *sum_files(const struct profile *profile, u32 group, u64 *all)
{
	GHashTable *sums = g_hash_table_new_full(NULL, NULL, NULL, g_free);

	for (u32 i = 0; i < profile->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(profile->events, i);

		for (u32 k = 0; k < hist_nr(e->hist); k++) {
			const struct hist_entry *entry = hist_at(e->hist, k);
			gpointer dso = GUINT_TO_POINTER((u32)entry->keys[group]);
			u64 *sum = g_hash_table_lookup(sums, dso);

			if (!sum) {
				sum = g_new0(u64, 1);
				g_hash_table_insert(sums, dso, sum);
			}
			*sum += entry->self->samples;
			*all += entry->self->samples;
		}
	}
	return sums;
}

static void take_files(struct fair *f, u32 side, struct session *session,
		       const struct profile *profile)
{
	const GPtrArray *groups = profile->options.columns->groups;
	struct dsos *dsos = session_dsos(session);
	GHashTable *sums;
	u64 all = 0;
	u32 group = 0;

	while (group < groups->len &&
	       strcmp(((const struct field *)groups->pdata[group])->name, "dso"))
		group++;
	if (group == groups->len)
		return;
	sums = sum_files(profile, group, &all);
	for (u32 i = 0; i < dsos_count(dsos); i++) {
		struct dso *dso = dsos_at(dsos, i);
		const char *name = profile->lexicon->verbose ? dso_long_name(dso)
							     : dso_short_name(dso);
		u64 *sum = g_hash_table_lookup(
			sums, GUINT_TO_POINTER(intern_id(profile->lexicon->texts, name)));

		if (sum && percent_of(*sum, all) >= LARGE && dso_kind(dso) == DSO_USER)
			take_file(f, side, dso);
	}
	g_hash_table_destroy(sums);
}

void fair_take(struct fair *f, u32 side, struct session *session, const struct profile *profile,
	       bool debug)
{
	take_events(f, side, session);
	take_machine(f, side, session);
	take_losses(f, side, session, nr_samples(profile));
	if (debug)
		take_files(f, side, session, profile);
}

/* A sentence about two sides that differ, or NULL. */
static char *sentence(const char *subject, const struct fair_fact *fact, u32 side)
{
	g_autofree char *old = join(fact, 0), *now = join(fact, side);

	if (fact->rank == RANK_BUILD && (!old || !now))
		return NULL; /* there is a sentence about the debug information, or no such file */
	if (fact->rank == RANK_DEBUG && (!old || !now))
		return NULL;
	if (!old || !now)
		return g_strdup_printf("%s: only in the %s recordings", subject,
				       old ? "old" : "new");
	if (!strcmp(old, now))
		return NULL;
	return g_strdup_printf("%s: %s before, %s after", subject, old, now);
}

GPtrArray *fair_sentences(const struct fair *f)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);

	for (u32 rank = 0; rank < RANK_NR; rank++)
		for (u32 i = 0; i < f->subjects->len; i++) {
			const struct fair_fact *fact =
				g_hash_table_lookup(f->facts, f->subjects->pdata[i]);

			for (u32 s = 1; fact->rank == rank && s < f->nr_sides; s++) {
				char *text = sentence(f->subjects->pdata[i], fact, s);

				if (text)
					g_ptr_array_add(all, text);
			}
		}
	return all;
}
