// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/compared_report.h"

#include <stdio.h>

#include "base/error.h"
#include "compare/fair.h"
#include "compare/keys.h"
#include "hist/timeline.h"
#include "options/recording.h"
#include "pages/compared.h"
#include "perfdata/read/reader.h"
#include "session/requests.h"
#include "term/terminal.h"
#include "view/tui/report.h"

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
	return lexicon;
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

static bool take_profile(struct compared_report *r, u32 side, struct session *session,
			 struct profile *profile, GError **error)
{
	const struct compared_report_options *o = r->o;
	struct compare_recording recording;

	if (!profile_read(profile, error) || !measure(o, session, &recording, error) ||
	    !comparison_take(r->comparison, side, profile, &recording, error))
		return false;
	/* Options of compilers matter where files are not the same ones anyway. */
	fair_take(r->fair, side, session, profile, o->fair);
	return true;
}

static void take_chains(const struct compared_report_options *o, struct profile_options *po)
{
	chain_options_init(&po->chain);
	po->chains = o->compare.chains;
}

static bool read_session(struct compared_report *r, u32 side, struct session *session,
			 GError **error)
{
	const struct compared_report_options *o = r->o;
	struct lexicon *lexicon = make_lexicon(o, session);
	g_autofree char *sort = compare_keys_with(o->sort, o->split_key);
	struct columns *columns = compare_columns_new(sort, lexicon, error);
	struct profile *profile = NULL;
	bool ok = columns && begin(r, columns, lexicon, error);

	if (ok) {
		struct profile_options po = { .columns = columns };

		take_chains(o, &po);
		profile = profile_new(session, lexicon, &po);
		ok = take_profile(r, side, session, profile, error);
	}
	profile_free(profile);
	columns_free(columns);
	lexicon_free(lexicon);
	return ok;
}

static struct session *open_session(const struct compared_report_options *o,
				    const struct compared_side *side, u32 i, GError **error)
{
	struct session_options so = *o->session;

	so.input = side->paths->pdata[i];
	so.beside = NULL;
	so.filter.time = side->time;
	return session_open(&so, error);
}

static bool read_side(struct compared_report *r, u32 at, GError **error)
{
	const struct compared_side *side = g_ptr_array_index(r->o->sides, at);

	for (u32 i = 0; i < side->paths->len; i++) {
		struct session *session = open_session(r->o, side, i, error);
		bool ok = session && read_session(r, at, session, error);

		if (ok && !r->o->quiet)
			recording_tell_cut(session_perfdata(session));
		session_close(session);
		if (!ok)
			return false;
	}
	return true;
}

bool compared_report_read(struct compared_report *r, GError **error)
{
	for (u32 i = 0; i < r->o->sides->len; i++)
		if (!read_side(r, i, error))
			return false;
	return comparison_judge(r->comparison, error);
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

	lexicon_free(o->lexicon);
	session_close(o->session);
}

/* The recordings stay in @all, which is freed after @explorer. */
static bool open_part(const struct compared_report_options *o, struct explorer *explorer, u32 side,
		      u32 i, GArray *all, GError **error)
{
	const struct compared_side *from = g_ptr_array_index(o->sides, side);
	struct opened opened = { open_session(o, from, i, error), NULL };
	struct profile_options po = { 0 };
	struct compare_recording recording;
	struct explorer *part;

	if (!opened.session)
		return false;
	opened.lexicon = make_lexicon(o, opened.session);
	g_array_append_val(all, opened);
	if (!measure(o, opened.session, &recording, error))
		return false;
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
