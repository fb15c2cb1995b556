// SPDX-License-Identifier: GPL-2.0-or-later
/* The explorer of one profile. */
#include "pages/explorer.h"

#include <string.h>

#include "base/percent.h"
#include "base/progress.h"
#include "fields/paths.h"
#include "hist/project.h"
#include "pages/explorer_private.h"
#include "pages/report/hist_rows.h"

/*
 * A wide profile: one pass over the samples with many keys. Answers refer to it. The newest one is kept for the next
 * question.
 */
struct wide {
	struct columns *columns;
	struct profile *profile;
	u32 nr_users;
};

struct profile_explorer {
	struct explorer base;
	GPtrArray *keys;   /* char *: keys of the next wide profile */
	struct wide *wide; /* NULL: nothing was read yet */
	bool tree;	   /* the wide profile has span paths */
};

struct profile_answer {
	struct explorer_answer base;
	struct wide *wide;
	struct columns *columns;
	struct profile *profile;
	struct report_pages_options po;
};

static struct profile_explorer *of(const struct explorer *e)
{
	return container_of(e, struct profile_explorer, base);
}

static struct profile_answer *answer_of(const struct explorer_answer *a)
{
	return container_of(a, struct profile_answer, base);
}

/* Keys for zooming that are always read, even if no column shows them. They cost little. */
static const char *const standing[] = { "comm", "dso", "symbol", "tid" };

struct profile *explorer_profile(const struct explorer *e)
{
	return of(e)->wide ? of(e)->wide->profile : NULL;
}

const struct profile *explorer_answer_profile(const struct explorer_answer *a)
{
	return answer_of(a)->profile;
}

static void set_watch(struct explorer *e, const struct progress_watch *watch)
{
	session_set_watch(e->o.session, watch);
}

static void wide_free(struct wide *w)
{
	if (!w)
		return;
	profile_free(w->profile);
	columns_free(w->columns);
	g_free(w);
}

static void free_explorer(struct explorer *base)
{
	struct profile_explorer *e = of(base);

	wide_free(e->wide);
	g_ptr_array_unref(e->keys);
	g_free(e);
}

static bool has_name(const GPtrArray *names, const char *name)
{
	for (u32 i = 0; i < names->len; i++)
		if (!strcmp(names->pdata[i], name))
			return true;
	return false;
}

static void want(struct profile_explorer *e, const char *key)
{
	if (!has_name(e->keys, key))
		g_ptr_array_add(e->keys, g_strdup(key));
}

void explorer_want(struct explorer *e, const char *key)
{
	want(of(e), key);
}

static void want_field(struct profile_explorer *e, const struct field *field)
{
	if (field == &field_activity_path)
		e->tree = true;
	else
		want(e, field->name);
}

/* Adds the keys that an answer needs. */
static void want_keys(struct profile_explorer *e, const struct columns *columns,
		      const GArray *terms)
{
	for (u32 i = 0; i < columns->groups->len; i++) {
		const struct field *f = columns->groups->pdata[i];

		want_field(e, f);
	}
	for (u32 i = 0; i < terms_nr(terms); i++)
		want_field(e, terms_at(terms, i)->field);
}

static char *joined_keys(const struct profile_explorer *e)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < e->keys->len; i++)
		g_string_append_printf(text, "%s%s", i ? "," : "", (char *)e->keys->pdata[i]);
	return g_string_free(text, FALSE);
}

static bool read_samples(struct profile_explorer *e, struct profile *profile, GError **error)
{
	if (e->base.o.read)
		return e->base.o.read(e->base.o.read_arg, profile, error);
	return profile_read(profile, error);
}

static struct wide *read_wide(struct profile_explorer *e, GError **error)
{
	struct columns_options co = e->base.o.columns;
	struct profile_options po = e->base.o.profile;
	struct wide *w = g_new0(struct wide, 1);
	g_autofree char *sort = joined_keys(e);

	co.sort = sort;
	co.fields = NULL;
	co.tree = e->tree;
	w->columns = columns_new(&co, error);
	if (w->columns) {
		po.columns = w->columns;
		po.wide = true;
		w->profile = profile_new(e->base.o.session, e->base.o.lexicon, &po);
	}
	if (!w->profile || !read_samples(e, w->profile, error)) {
		wide_free(w);
		return NULL;
	}
	return w;
}

static void put_wide(struct profile_explorer *e, struct wide *w)
{
	if (e->wide && !e->wide->nr_users)
		wide_free(e->wide);
	e->wide = w;
}

/* Keeps the wide profile if it has all keys; else makes another one with the missing keys. */
static bool make_wide(struct profile_explorer *e, const struct columns *columns,
		      const GArray *terms, GError **error)
{
	struct wide *w;
	u32 nr_before = e->keys->len;
	bool tree_before = e->tree;

	if (e->wide && profile_can_project(e->wide->profile, columns, terms))
		return true;
	want_keys(e, columns, terms);
	w = read_wide(e, error);
	if (w) {
		put_wide(e, w);
		return true;
	}
	g_ptr_array_set_size(e->keys, (gint)nr_before);
	e->tree = tree_before;
	return false;
}

/* Makes that column the first sort key. */
static void sort_by(struct columns *columns, const char *name)
{
	for (u32 i = 0; name && i < columns->order->len; i++) {
		struct column c = *columns_order(columns, i);

		if (strcmp(c.field->name, name))
			continue;
		g_array_remove_index(columns->order, i);
		g_array_insert_val(columns->order, 0, c);
		return;
	}
}

static struct columns *columns_for(struct profile_explorer *e, const struct explorer_question *q,
				   GError **error)
{
	struct columns_options co = e->base.o.columns;
	struct columns *columns;

	if (q->sort)
		co.fields = NULL;
	if (q->sort || (q->tree && !e->base.o.columns.tree))
		co.sort = q->sort;
	co.tree = q->tree;
	if (q->tree || q->no_children || q->hierarchy)
		co.children = false;
	columns = columns_new(&co, error);
	if (columns)
		sort_by(columns, q->first);
	return columns;
}

static void free_answer(struct explorer_answer *base)
{
	struct profile_answer *a = answer_of(base);

	profile_free(a->profile);
	columns_free(a->columns);
	if (!--a->wide->nr_users && a->wide != of(base->explorer)->wide)
		wide_free(a->wide);
	g_free(a);
}

static struct explorer_answer *answer_new(struct profile_explorer *e,
					  const struct explorer_question *q,
					  struct columns *columns, GError **error)
{
	struct profile_answer *a = g_new0(struct profile_answer, 1);
	struct profile_options po = e->base.o.profile;

	po.columns = columns;
	po.children = po.children && !q->tree && !q->no_children && !q->hierarchy;
	po.chains = po.chains && !q->tree;
	a->base.explorer = &e->base;
	a->wide = e->wide;
	a->wide->nr_users++;
	a->columns = columns;
	a->profile = profile_project(a->wide->profile, &po, q->terms, error);
	if (!a->profile) {
		free_answer(&a->base);
		return NULL;
	}
	a->po = e->base.o.pages;
	a->po.columns = columns;
	a->po.hierarchy = q->hierarchy && !q->tree;
	a->po.relative = q->relative;
	a->po.least = q->least;
	a->po.sort_member = q->member;
	a->po.with_header = true;
	a->base.pages = report_pages_new(a->profile, &a->po);
	return &a->base;
}

static struct explorer_answer *ask(struct explorer *base, const struct explorer_question *q,
				   GError **error)
{
	struct profile_explorer *e = of(base);
	struct columns *columns = columns_for(e, q, error);

	if (!columns)
		return NULL;
	if (!make_wide(e, columns, q->terms, error)) {
		columns_free(columns);
		return NULL;
	}
	return answer_new(e, q, columns, error);
}

static s32 sorted_column(const struct explorer_answer *a, const struct page *page)
{
	const GArray *order = answer_of(a)->columns->order;
	const struct column *first = order->len ? columns_order(answer_of(a)->columns, 0) : NULL;

	return first ? rows_find_column(page->rows, first->field->name) : -1;
}

static bool look(struct explorer_answer *a, struct page *page, bool relative, double least)
{
	report_pages_look(a->pages, page, relative, least);
	return true;
}

/* Is @text the text of @key? @known: cache by key; 1: no, 2: yes. */
static bool has_text(const struct field *field, const struct lexicon *lexicon, u64 key,
		     const char *text, GHashTable *known)
{
	u32 answer = GPOINTER_TO_UINT(g_hash_table_lookup(known, GSIZE_TO_POINTER(key)));
	g_autoptr(GString) printed = NULL;

	if (answer)
		return answer == 2;
	printed = g_string_new(NULL);
	field_print(field, lexicon, key, printed);
	answer = strcmp(printed->str, text) ? 1 : 2;
	g_hash_table_insert(known, GSIZE_TO_POINTER(key), GUINT_TO_POINTER(answer));
	return answer == 2;
}

/* Share of the samples whose key for the field has a text other than @without, the text for "nothing". */
static double share_with(const struct profile_answer *a, const char *name, const char *without)
{
	const struct profile *p = a->profile;
	const struct field *field = fields_find(name, FIELD_NORMAL, NULL);
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
	u64 with = 0, all = 0, key;

	for (u32 i = 0; i < p->events->len; i++) {
		const struct profile_event *e = p->events->pdata[i];

		for (u32 k = 0; k < hist_nr(e->taken); k++) {
			const struct hist_entry *entry = hist_at(e->taken, k);

			if (!profile_entry_key(a->columns, entry, field, &key))
				return -1;
			all += entry->self[0].samples;
			if (has_text(field, p->lexicon, key, without, known))
				continue;
			with += entry->self[0].samples;
		}
	}
	return all ? percent_of(with, all) : -1;
}

static double share_of_activities(const struct profile *p)
{
	u64 all = 0;

	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++)
		all += p->activity_states[i];
	return all ? percent_of(p->activity_states[ACTIVITY_OK], all) : -1;
}

static struct explorer_status status(const struct explorer_answer *base, u32 page)
{
	const struct profile_answer *a = answer_of(base);
	struct explorer_status s = { .activity = share_of_activities(a->profile),
				     .type = share_with(a, "type", "(unknown)") };
	const struct profile_event *e = report_pages_event(base->pages, page);

	for (u32 m = 0; m < e->totals->len; m++) {
		const struct profile_totals *t =
			&g_array_index(e->totals, struct profile_totals, m);

		s.shown += t->shown_samples;
		s.all += t->samples;
	}
	return s;
}

static bool term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		    const struct field *field, struct term *out)
{
	GString *text;
	u64 key;

	if (!hist_rows_key(page->rows, row, field, &key))
		return false;
	text = g_string_new(NULL);
	field_print(field, a->explorer->o.lexicon, key, text);
	*out = (struct term){ .field = field, .key = key };
	out->text = g_string_free(text, FALSE);
	return true;
}

static bool path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		    struct term *out)
{
	if (!term_of(a, page, row, &field_activity_path, out))
		return false;
	out->below = true;
	return true;
}

static const GPtrArray *groups(const struct explorer_answer *a)
{
	return answer_of(a)->columns->groups;
}

struct explorer *explorer_new(const struct explorer_options *o)
{
	static const struct explorer_ops ops = {
		.free = free_explorer,
		.set_watch = set_watch,
		.ask = ask,
		.free_answer = free_answer,
		.sorted_column = sorted_column,
		.look = look,
		.status = status,
		.term_of = term_of,
		.path_of = path_of,
		.groups = groups,
	};
	struct profile_explorer *e = g_new0(struct profile_explorer, 1);

	e->base = (struct explorer){ .ops = &ops, .o = *o };
	e->keys = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 0; i < ARRAY_SIZE(standing); i++)
		g_ptr_array_add(e->keys, g_strdup(standing[i]));
	return &e->base;
}
