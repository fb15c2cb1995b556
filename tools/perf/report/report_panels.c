// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/report_panels.h"

#include <string.h>

#include "fields/waits.h"
#include "hist/cross.h"
#include "hist/span_times.h"
#include "pages/code/annotate_pages.h"
#include "pages/code/annotator.h"
#include "pages/report/cross_pages.h"
#include "pages/report/joined_pages.h"
#include "pages/report/span_pages.h"
#include "perfdata/read/reader.h"

struct panels {
	struct panels_input in;
	/* The input of the report, or of the two compared recordings. */
	struct session *session;
	struct lexicon *lexicon;
	GPtrArray *beside; /* const char *: files of that session except the first */
	GPtrArray *fields; /* const struct field * */
	struct cross *cross;
	struct span_times *span_times;
	struct type_profiles *types, *types_before;
	struct annotator *annotator; /* for other layouts */
	GArray *without_debug;	     /* u64; used by the report's own remarks */
};

/* The keys by which a page can be searched, whatever keys the report has. */
static const char *const base_keys[] = { "span",   "service", "type", "typeoff",
					 "symbol", "dso",     "tid",  "comm" };

/* The same for recordings of thread states (record --wall). */
static const char *const wall_keys[] = { "state", "syscall", "wchan" };

static void add_field(struct panels *p, const struct field *field)
{
	bool of_sample = field->family & (FIELD_NORMAL | FIELD_MEMORY);

	if (!of_sample || field->take || (p->in.baseline && field->evsel) ||
	    g_ptr_array_find(p->fields, field, NULL))
		return;
	g_ptr_array_add(p->fields, (void *)field);
}

static bool has_event(struct session *session, const char *name)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	for (u32 i = 0; i < evsels->len; i++)
		if (!strcmp(((const struct evsel *)evsels->pdata[i])->name, name))
			return true;
	return false;
}

struct panels *panels_new(const struct panels_input *input)
{
	struct panels *p = g_new0(struct panels, 1);
	const struct columns *columns = input->columns;

	p->in = *input;
	p->session = input->session;
	p->lexicon = input->profile->lexicon;
	p->fields = g_ptr_array_new();
	/* The rows of a tree are paths of spans, for which the page cannot search. */
	for (u32 i = columns->tree; i < columns->groups->len; i++)
		add_field(p, columns->groups->pdata[i]);
	for (u32 i = 0; i < ARRAY_SIZE(base_keys); i++) {
		const struct field *field = fields_find(base_keys[i], FIELD_NORMAL, NULL);

		/* Threads of two recordings are always different. */
		if (!input->baseline || !(field->needs & NEED_THREAD))
			add_field(p, field);
	}
	for (u32 i = 0; has_event(p->session, WALL_EVENT) && i < ARRAY_SIZE(wall_keys); i++)
		add_field(p, fields_find(wall_keys[i], FIELD_NORMAL, NULL));
	p->without_debug = g_array_new(FALSE, TRUE, sizeof(u64));
	return p;
}

void panels_free(struct panels *p)
{
	if (!p)
		return;
	annotator_free(p->annotator);
	cross_free(p->cross);
	span_times_free(p->span_times);
	type_profiles_free(p->types);
	type_profiles_free(p->types_before);
	if (p->session != p->in.session) {
		lexicon_free(p->lexicon);
		session_close(p->session);
	}
	g_clear_pointer(&p->beside, g_ptr_array_unref);
	g_ptr_array_unref(p->fields);
	g_array_unref(p->without_debug);
	g_free(p);
}

/*
 * The same files again, and the baseline as the last one, so that functions have the same numbers in all.
 */
static bool open_with_baseline(struct panels *p, GError **error)
{
	struct session_options options = *p->in.session_options;
	const struct lexicon *from = p->lexicon;
	const GPtrArray *beside = options.beside;

	p->beside = g_ptr_array_new();
	for (u32 i = 0; beside && i < beside->len; i++)
		g_ptr_array_add(p->beside, beside->pdata[i]);
	g_ptr_array_add(p->beside, (void *)p->in.baseline);
	options.beside = p->beside;
	p->session = session_open(&options, error);
	if (!p->session) {
		p->session = p->in.session;
		return false;
	}
	p->lexicon = lexicon_new(p->session);
	p->lexicon->verbose = from->verbose;
	p->lexicon->full_source_path = from->full_source_path;
	p->lexicon->raw_trace = from->raw_trace;
	p->lexicon->short_types = from->short_types;
	p->lexicon->ns = from->ns;
	p->lexicon->time_quantum = from->time_quantum;
	p->lexicon->cache_line_size = from->cache_line_size;
	return true;
}

/* The event of that name in the first file. */
static bool find_event(const struct panels *p, const struct evsel *evsel, u32 *event)
{
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(p->session));

	for (*event = 0; *event < evsels->len; (*event)++)
		if (!strcmp(((const struct evsel *)evsels->pdata[*event])->name, evsel->name))
			return true;
	return false;
}

static void take(struct panels *p, const struct place *place, u32 filtered)
{
	struct type_sample sample = { .access = place->access ?: &(const struct access){ 0 },
				      .ip = place->ip,
				      .count = { 1, evsel_period(place->evsel, place->sample) } };

	if (!p->types) { /* a pipe's events are known by now */
		p->types = type_profiles_new(perfdata_evsels(session_perfdata(p->session))->len);
		p->types_before = type_profiles_new(p->types->nr_events);
	}
	cross_take(p->cross, place, filtered);
	if (filtered || !find_event(p, place->evsel, &sample.event) ||
	    sample.event >= p->types->nr_events)
		return;
	if (session_index(place->session) >= p->cross->options.nr_files) {
		type_profiles_add(p->types_before, &sample);
		return;
	}
	span_times_take(p->span_times, place);
	type_profiles_add(p->types, &sample);
	profile_count_chain(p->in.profile, place);
}

static bool take_sample(const struct place *place, u32 filtered, void *arg, GError **error)
{
	take(arg, place, filtered);
	return true;
}

static bool take_for_both(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct panels *p = arg;

	profile_take(p->in.profile, place, filtered);
	take(p, place, filtered);
	return true;
}

bool panels_read(struct panels *p, GError **error)
{
	const struct profile *profile = p->in.profile;
	bool once = perfdata_is_pipe(session_perfdata(p->in.session)), ok;
	u32 needs;

	if (once && p->in.baseline)
		return error_set(error, PERF_ERROR_USAGE, "--baseline compares files, not pipes");
	if (p->in.baseline && !open_with_baseline(p, error))
		return false;
	p->cross = cross_new(&(struct cross_options){
		.session = p->session,
		.lexicon = p->lexicon,
		.fields = p->fields,
		.nr_files = session_nr_files(p->in.session),
		.compared = p->in.baseline,
		.no_inline = profile->options.no_inline,
		.no_unresolved = profile->options.no_unresolved,
		.memory = profile->options.memory,
	});
	p->span_times = span_times_new(p->lexicon);
	needs = p->cross->needs | SPAN_TIMES_NEEDS;
	if (once) {
		ok = session_each_sample(p->session, needs | profile_needs(profile), take_for_both,
					 p, error);
		profile_look(p->in.profile);
	} else {
		ok = profile_read(p->in.profile, error) &&
		     session_each_sample(p->session, needs, take_sample, p, error);
	}
	if (ok)
		cross_settle(p->cross);
	return ok;
}

#define MAX_TYPES 100 /* with a page: those with the most time */

static struct pages *open_types(struct panels *p, struct type_profiles *types, const char *baseline)
{
	return type_pages_new(types,
			      &(struct annotate_pages_options){
				      .evsels = perfdata_evsels(session_perfdata(p->session)),
				      .group = true,
				      .layout = true,
				      .cache_line_size = p->lexicon->cache_line_size,
				      .session = p->session,
				      .without_debug = p->without_debug,
				      .baseline = baseline,
				      .short_names = p->lexicon->short_types,
			      });
}

/* Other layouts of types, if the samples can be read for them: the pages are complete without. */
static struct pages *open_advice(struct panels *p)
{
	p->annotator = annotator_new(&(struct annotator_options){
		.session = p->session,
		.lexicon = p->lexicon,
		.look = { .short_names = p->lexicon->short_types,
			  .group = true,
			  .without_debug = p->without_debug },
	});
	return annotator_advice_of(p->annotator, p->types, NULL);
}

struct pages *panels_join(struct panels *p, struct pages *report)
{
	struct joined_part parts[6] = { { report, UINT32_MAX } };
	struct pages *advice;
	u32 nr = 1;

	if (p->types) {
		parts[nr++] = (struct joined_part){ cross_pages_new(p->cross, p->in.baseline),
						    UINT32_MAX };
		parts[nr++] = (struct joined_part){ span_pages_new(p->span_times, p->lexicon),
						    UINT32_MAX };
		parts[nr++] = (struct joined_part){ open_types(p, p->types, NULL), MAX_TYPES };
	}
	if (p->types && p->in.baseline) {
		parts[nr++] = (struct joined_part){ open_types(p, p->types_before, p->in.baseline),
						    MAX_TYPES };
	}
	advice = p->types && !p->in.baseline ? open_advice(p) : NULL;
	if (advice)
		parts[nr++] = (struct joined_part){ advice, UINT32_MAX };
	return joined_pages_new(parts, nr);
}
