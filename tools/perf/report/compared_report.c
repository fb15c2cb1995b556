// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/compared_report.h"

#include <stdio.h>

#include "base/crew.h"
#include "base/error.h"
#include "compare/fair.h"
#include "compare/functions.h"
#include "compare/keys.h"
#include "critical/asked.h"
#include "hist/timeline.h"
#include "options/recording.h"
#include "pages/compared.h"
#include "perfdata/read/reader.h"
#include "session/requests.h"
#include "term/terminal.h"
#include "view/tui/report.h"

/* A recording, from its opening until its sums were taken. */
struct compared_reading {
	u32 side, at; /* the side's recording */
	bool is_read;
	struct session *session;
	struct lexicon *lexicon;
	struct columns *columns;
	struct profile *profile;
	struct compare_names *names;
	struct compare_recording is;
	GError *error;
};

struct compared_report {
	const struct compared_report_options *o;
	GPtrArray *keys; /* NULL: no recording was read yet */
	struct comparison *comparison;
	struct fair *fair;
};

void compared_side_free(void *arg)
{
	struct compared_side *side = arg;

	g_ptr_array_unref(side->paths);
	g_free(side);
}

char *compared_side_label(const struct compared_side *side)
{
	char *first = side->paths->pdata[0];
	g_autofree char *text = side->paths->len > 1 ? g_strdup_printf("%s and %u more", first,
								       side->paths->len - 1)
						     : g_strdup(first);

	return side->time ? g_strdup_printf("%s, %s", text, side->time) : g_steal_pointer(&text);
}

struct compared_report *compared_report_new(const struct compared_report_options *o)
{
	struct compared_report *r = g_new0(struct compared_report, 1);

	r->o = o;
	r->fair = fair_new(o->compare.nr_sides);
	return r;
}

void compared_report_free(struct compared_report *r)
{
	comparison_free(r->comparison);
	fair_free(r->fair);
	g_clear_pointer(&r->keys, g_ptr_array_unref);
	g_free(r);
}

const struct comparison *compared_report_comparison(const struct compared_report *r)
{
	return r->comparison;
}

static struct lexicon *make_lexicon(const struct compared_report_options *o,
				    struct session *session)
{
	struct lexicon *lexicon = lexicon_new(session);

	lexicon->short_types = o->short_types;
	lexicon->max_ids = 100000;
	lexicon->request_keys = asked_new(session, o->critical, o->slowest);
	return lexicon;
}

static void free_lexicon(struct lexicon *lexicon)
{
	if (lexicon)
		asked_free(lexicon->request_keys);
	lexicon_free(lexicon);
}

/* What values are per, if samples or spans tell it. */
static bool measure(const struct compared_report_options *o, struct session *session,
		    struct compare_recording *out, GError **error)
{
	const GPtrArray *names = o->session->filter.spans;
	u64 from, to, requests = 0;
	bool counts = o->compare.per == PER_REQUEST && !o->compare.requests;

	*out = (struct compare_recording){ perfdata_path(session_perfdata(session)) };
	if (o->compare.per != PER_SECOND && !counts)
		return true;
	if (!timeline_covered(session, &from, &to, error) ||
	    (counts && !requests_count(session, names, from, to, &requests, error)))
		return false;
	out->seconds = from < to ? (double)(to - from) / 1e9 : 0;
	out->requests = (double)requests;
	return true;
}

/* The first recording tells what the keys are. */
static bool begin(struct compared_report *r, const struct columns *columns, struct lexicon *lexicon,
		  GError **error)
{
	const struct compared_report_options *o = r->o;
	struct compare_options options = o->compare;

	if (r->comparison)
		return true;
	options.split = -1;
	r->keys = compare_keys_new(o->sort, o->compare.chains, lexicon, error);
	if (!r->keys ||
	    (o->split_key && !compare_find_split(o->split_key, columns, &options.split, error)))
		return false;
	options.keys = r->keys;
	r->comparison = comparison_new(&options);
	return true;
}

static void take_chains(const struct compared_report_options *o, struct profile_options *po)
{
	chain_options_init(&po->chain);
	po->chains = o->compare.chains;
}

static struct session *open_session(const struct compared_report_options *o,
				    const struct compared_side *side, u32 i, int nr_threads,
				    bool show_progress, GError **error)
{
	struct session_options so = *o->session;

	so.input = side->paths->pdata[i];
	so.beside = NULL;
	so.filter.time = side->time;
	so.show_progress &= show_progress;
	so.threads = nr_threads;
	return session_open(&so, error);
}

static enum clusters_kind clusters_kind(const struct compared_report_options *o,
					const struct columns *columns)
{
	bool several = !o->split_key;

	for (u32 i = 0; i < o->sides->len; i++)
		several &= ((const struct compared_side *)o->sides->pdata[i])->paths->len > 1;
	return compare_clusters_kind(&o->compare, several, columns->needs);
}

/* Recordings that are read at once. */
struct read_batch {
	struct compared_report *r;
	GPtrArray *readings; /* struct compared_reading * */
	int nr_threads;	     /* of each */
};

/* Only the caller's thread, worker 0, shows progress. */
static void read_one(void *arg, u32 worker, u32 i)
{
	const struct read_batch *batch = arg;
	const struct compared_report_options *o = batch->r->o;
	struct compared_reading *reading = g_ptr_array_index(batch->readings, i);
	g_autofree char *sort = compare_keys_with(o->sort, o->split_key);
	struct profile_options po = { 0 };

	reading->is_read = true;
	reading->session = open_session(o, g_ptr_array_index(o->sides, reading->side), reading->at,
					batch->nr_threads, !worker, &reading->error);
	if (!reading->session)
		return;
	reading->lexicon = make_lexicon(o, reading->session);
	reading->columns = compare_columns_new(sort, reading->lexicon, &reading->error);
	if (!reading->columns)
		return;
	po.columns = reading->columns;
	po.clusters = clusters_kind(o, reading->columns);
	take_chains(o, &po);
	reading->profile = profile_new(reading->session, reading->lexicon, &po);
	if (profile_read(reading->profile, &reading->error) &&
	    measure(o, reading->session, &reading->is, &reading->error))
		reading->names = compare_names_new(reading->profile);
}

static void reading_close(struct compared_reading *reading)
{
	compare_names_free(reading->names);
	profile_free(reading->profile);
	columns_free(reading->columns);
	free_lexicon(reading->lexicon);
	session_close(reading->session);
	reading->names = NULL;
	reading->profile = NULL;
	reading->columns = NULL;
	reading->lexicon = NULL;
	reading->session = NULL;
}

static void reading_free(void *arg)
{
	struct compared_reading *reading = arg;

	reading_close(reading);
	g_clear_error(&reading->error);
	g_free(reading);
}

/* Adds the recording's sums to the comparison, and closes it. */
static bool take_reading(struct compared_report *r, struct compared_reading *reading,
			 GError **error)
{
	bool ok = !reading->error;

	if (!ok)
		g_propagate_error(error, g_steal_pointer(&reading->error));
	ok = ok && comparison_take(r->comparison, reading->side, reading->profile, reading->names,
				   &reading->is, error);
	/* Options of compilers matter where files are not the same ones anyway. */
	if (ok)
		fair_take(r->fair, reading->side, reading->session, reading->profile, r->o->fair);
	if (ok && !r->o->quiet)
		recording_tell_cut(session_perfdata(reading->session));
	reading_close(reading);
	return ok;
}

/* All recordings, in the order of the sides. */
static GPtrArray *list_readings(const struct compared_report_options *o)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(reading_free);

	for (u32 side = 0; side < o->sides->len; side++) {
		const struct compared_side *s = g_ptr_array_index(o->sides, side);

		for (u32 i = 0; i < s->paths->len; i++) {
			struct compared_reading *reading = g_new0(struct compared_reading, 1);

			reading->side = side;
			reading->at = i;
			g_ptr_array_add(all, reading);
		}
	}
	return all;
}

/* Reads these recordings at once. */
static void read_batch(struct compared_report *r, struct crew *crew, GPtrArray *readings)
{
	struct read_batch batch = { r, readings, (int)MAX(1, crew_size(crew) / readings->len) };

	crew_run(crew, readings->len, read_one, &batch);
}

static bool learn_reading(struct compared_report *r, struct compared_reading *reading,
			  GError **error)
{
	if (reading->error) {
		g_propagate_error(error, g_steal_pointer(&reading->error));
		return false;
	}
	if (!begin(r, reading->columns, reading->lexicon, error))
		return false;
	comparison_learn(r->comparison, reading->side, reading->names);
	return true;
}

/*
 * Reads the first recording of two sides, and of more if there are threads for them, before any is taken: they tell which
 * functions are the same.
 */
static bool read_first(struct compared_report *r, struct crew *crew, const GPtrArray *all,
		       GError **error)
{
	g_autoptr(GPtrArray) firsts = g_ptr_array_new();
	bool ok = true;

	for (u32 i = 0; i < all->len && firsts->len < MAX(2, crew_size(crew)); i++)
		if (!((const struct compared_reading *)all->pdata[i])->at)
			g_ptr_array_add(firsts, all->pdata[i]);
	read_batch(r, crew, firsts);
	for (u32 i = 0; ok && i < firsts->len; i++)
		ok = learn_reading(r, firsts->pdata[i], error);
	return ok;
}

/* Reads recording @from and those behind it that are not read yet: as many as there are threads. */
static void read_next(struct compared_report *r, struct crew *crew, const GPtrArray *all, u32 from)
{
	g_autoptr(GPtrArray) readings = g_ptr_array_new();

	for (u32 i = from; i < all->len && readings->len < crew_size(crew); i++)
		if (!((const struct compared_reading *)all->pdata[i])->is_read)
			g_ptr_array_add(readings, all->pdata[i]);
	read_batch(r, crew, readings);
}

/* A thread for each recording is faster than all threads for one recording after the other, which share their work at the end. */
bool compared_report_read(struct compared_report *r, GError **error)
{
	g_autoptr(GPtrArray) all = list_readings(r->o);
	struct crew *crew = crew_new((u32)MAX(0, r->o->session->threads));
	bool ok = read_first(r, crew, all, error);

	for (u32 i = 0; ok && i < all->len; i++) {
		struct compared_reading *reading = g_ptr_array_index(all, i);

		if (!reading->is_read)
			read_next(r, crew, all, i);
		ok = take_reading(r, reading, error);
	}
	crew_free(crew);
	return ok && comparison_judge(r->comparison, error);
}

static void add_unfair(const struct compared_report *r, struct pages *pages)
{
	g_autoptr(GPtrArray) sentences = fair_sentences(r->fair);

	for (u32 i = 0; i < sentences->len; i++) {
		g_autofree char *name = g_strdup_printf("unfair_%u", i);

		note_set_text(notes_add_words(&pages->notes, g_intern_string(name),
					      sentences->pdata[i]),
			      i + 1 < sentences->len ? GAP_NONE : GAP_BELOW,
			      "Not the same on both sides: %s", (char *)sentences->pdata[i]);
	}
}

bool compared_report_print(const struct compared_report *r, GError **error)
{
	struct pages *pages = compare_pages_new(r->comparison, &r->o->look);
	bool ok;

	if (r->o->fair)
		add_unfair(r, pages);
	ok = r->o->view->print(pages, &r->o->print, stdout, error);
	pages_free(pages);
	return ok;
}

/* What the browser keeps open. */
struct opened {
	struct session *session;
	struct lexicon *lexicon;
};

static void opened_clear(void *arg)
{
	struct opened *o = arg;

	free_lexicon(o->lexicon);
	session_close(o->session);
}

/* The recordings stay in @all, which is freed after @explorer. */
static bool open_part(const struct compared_report_options *o, struct explorer *explorer, u32 side,
		      u32 i, GArray *all, GError **error)
{
	g_autofree char *sort = compare_keys_with(o->sort, o->split_key);
	const struct compared_side *from = g_ptr_array_index(o->sides, side);
	struct opened opened = { open_session(o, from, i, o->session->threads, true, error), NULL };
	struct profile_options po = { 0 };
	struct compare_recording recording;
	struct columns *columns;
	struct explorer *part;

	if (!opened.session)
		return false;
	opened.lexicon = make_lexicon(o, opened.session);
	g_array_append_val(all, opened);
	columns = compare_columns_new(sort, opened.lexicon, error);
	if (!columns || !measure(o, opened.session, &recording, error)) {
		columns_free(columns);
		return false;
	}
	po.clusters = clusters_kind(o, columns);
	columns_free(columns);
	take_chains(o, &po);
	part = explorer_new(&(struct explorer_options){
		.session = opened.session,
		.lexicon = opened.lexicon,
		.columns = { .sort = o->sort,
			     .sort_default = COLUMNS_DEFAULT_SORT,
			     .families = FIELD_NORMAL | FIELD_MEMORY,
			     .lexicon = opened.lexicon },
		.profile = po,
		.pages = { .session = o->session },
	});
	compared_add(explorer, side, part, &recording);
	return true;
}

static bool run_browser(const struct compared_report_options *o, struct explorer *explorer,
			struct screen *screen, GError **error)
{
	g_autofree char *title = g_strjoinv(" → ", o->look.labels);
	struct screen *own = screen ? NULL : terminal_open(error);
	char *next = NULL;
	bool ok = (screen || own) &&
		  tui_report_run(screen ?: own,
				 &(struct tui_report_options){ .explorer = explorer,
							       .title = title,
							       .code_pages = o->code_pages },
				 &next, error);

	screen_free(own);
	return ok;
}

bool compared_report_browse(const struct compared_report_options *o, struct screen *screen,
			    GError **error)
{
	struct compared_options co = { .compare = o->compare,
				       .split_key = o->split_key,
				       .sort = o->sort,
				       .look = o->look,
				       .fair = o->fair };
	struct explorer *explorer;
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct opened));
	bool ok = true;

	co.look.browser = true;
	g_array_set_clear_func(all, opened_clear);
	explorer = compared_new(&co);
	for (u32 i = 0; ok && i < o->sides->len; i++) {
		const struct compared_side *side = g_ptr_array_index(o->sides, i);

		for (u32 k = 0; ok && k < side->paths->len; k++)
			ok = open_part(o, explorer, i, k, all, error);
	}
	ok = ok && run_browser(o, explorer, screen, error);
	explorer_free(explorer);
	return ok;
}
