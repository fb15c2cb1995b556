// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/explorer.h"

#include <string.h>

#include "base/percent.h"
#include "base/progress.h"
#include "fields/paths.h"
#include "hist/project.h"
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

struct explorer {
	struct explorer_options o;
	GPtrArray *keys;   /* char *: keys of the next wide profile */
	struct wide *wide; /* NULL: nothing was read yet */
	bool tree;	   /* the wide profile has span paths */
};

struct explorer_answer {
	struct explorer *explorer;
	struct wide *wide;
	struct columns *columns;
	struct profile *profile;
	struct pages *pages;
	struct report_pages_options po;
};

/* Keys for zooming that are always read, even if no column shows them. They cost little. */
static const char *const standing[] = { "comm", "dso", "symbol", "tid" };

void explorer_question_init(struct explorer_question *q, const struct explorer_options *o)
{
	*q = (struct explorer_question){
		.terms = terms_new(),
		.tree = o->columns.tree,
		.hierarchy = o->pages.hierarchy,
		.relative = o->pages.relative,
		.least = o->pages.least,
		.member = o->pages.sort_member,
	};
}

void explorer_question_copy(struct explorer_question *q, const struct explorer_question *from)
{
	*q = *from;
	q->sort = g_strdup(from->sort);
	q->first = g_strdup(from->first);
	q->terms = terms_copy(from->terms);
}

void explorer_question_release(struct explorer_question *q)
{
	g_clear_pointer(&q->terms, g_array_unref);
	g_clear_pointer(&q->sort, g_free);
	g_clear_pointer(&q->first, g_free);
}

void explorer_question_add(struct explorer_question *q, const struct term *term)
{
	terms_add(q->terms, term);
}

bool explorer_question_has(const struct explorer_question *q, const struct term *term)
{
	for (u32 i = 0; i < q->terms->len; i++)
		if (term_equal(terms_at(q->terms, i), term))
			return true;
	return false;
}

void explorer_question_set_sort(struct explorer_question *q, const char *sort)
{
	g_free(q->sort);
	q->sort = g_strdup(sort);
	g_clear_pointer(&q->first, g_free);
}

struct explorer *explorer_new(const struct explorer_options *o)
{
	struct explorer *e = g_new0(struct explorer, 1);

	e->o = *o;
	e->keys = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 0; i < ARRAY_SIZE(standing); i++)
		g_ptr_array_add(e->keys, g_strdup(standing[i]));
	return e;
}

const struct explorer_options *explorer_options(const struct explorer *e)
{
	return &e->o;
}

struct profile *explorer_profile(const struct explorer *e)
{
	return e->wide ? e->wide->profile : NULL;
}

void explorer_set_watch(struct explorer *e, const struct progress_watch *watch)
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

void explorer_free(struct explorer *e)
{
	if (!e)
		return;
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

void explorer_want(struct explorer *e, const char *key)
{
	if (!has_name(e->keys, key))
		g_ptr_array_add(e->keys, g_strdup(key));
}

static void want_field(struct explorer *e, const struct field *field)
{
	if (field == &field_activity_path)
		e->tree = true;
	else
		explorer_want(e, field->name);
}

/* Adds the keys that an answer needs. */
static void want_keys(struct explorer *e, const struct columns *columns, const GArray *terms)
{
	for (u32 i = 0; i < columns->groups->len; i++) {
		const struct field *f = columns->groups->pdata[i];

		want_field(e, f);
	}
	for (u32 i = 0; i < terms_nr(terms); i++)
		want_field(e, terms_at(terms, i)->field);
}

static char *joined_keys(const struct explorer *e)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < e->keys->len; i++)
		g_string_append_printf(text, "%s%s", i ? "," : "", (char *)e->keys->pdata[i]);
	return g_string_free(text, FALSE);
}

static bool read_samples(struct explorer *e, struct profile *profile, GError **error)
{
	if (e->o.read)
		return e->o.read(e->o.read_arg, profile, error);
	return profile_read(profile, error);
}

static struct wide *read_wide(struct explorer *e, GError **error)
{
	struct columns_options co = e->o.columns;
	struct profile_options po = e->o.profile;
	struct wide *w = g_new0(struct wide, 1);
	g_autofree char *sort = joined_keys(e);

	co.sort = sort;
	co.fields = NULL;
	co.tree = e->tree;
	w->columns = columns_new(&co, error);
	if (w->columns) {
		po.columns = w->columns;
		po.wide = true;
		w->profile = profile_new(e->o.session, e->o.lexicon, &po);
	}
	if (!w->profile || !read_samples(e, w->profile, error)) {
		wide_free(w);
		return NULL;
	}
	return w;
}

static void put_wide(struct explorer *e, struct wide *w)
{
	if (e->wide && !e->wide->nr_users)
		wide_free(e->wide);
	e->wide = w;
}

/* Keeps the wide profile if it has all keys; else makes another one with the missing keys. */
static bool make_wide(struct explorer *e, const struct columns *columns, const GArray *terms,
		      GError **error)
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

static struct columns *columns_for(struct explorer *e, const struct explorer_question *q,
				   GError **error)
{
	struct columns_options co = e->o.columns;
	struct columns *columns;

	if (q->sort)
		co.fields = NULL;
	if (q->sort || (q->tree && !e->o.columns.tree))
		co.sort = q->sort;
	co.tree = q->tree;
	if (q->tree || q->no_children || q->hierarchy)
		co.children = false;
	columns = columns_new(&co, error);
	if (columns)
		sort_by(columns, q->first);
	return columns;
}

static struct explorer_answer *answer_new(struct explorer *e, const struct explorer_question *q,
					  struct columns *columns, GError **error)
{
	struct explorer_answer *a = g_new0(struct explorer_answer, 1);
	struct profile_options po = e->o.profile;

	po.columns = columns;
	po.children = po.children && !q->tree && !q->no_children && !q->hierarchy;
	po.chains = po.chains && !q->tree;
	a->explorer = e;
	a->wide = e->wide;
	a->wide->nr_users++;
	a->columns = columns;
	a->profile = profile_project(a->wide->profile, &po, q->terms, error);
	if (!a->profile) {
		explorer_answer_free(a);
		return NULL;
	}
	a->po = e->o.pages;
	a->po.columns = columns;
	a->po.hierarchy = q->hierarchy && !q->tree;
	a->po.relative = q->relative;
	a->po.least = q->least;
	a->po.sort_member = q->member;
	a->po.with_header = true;
	a->pages = report_pages_new(a->profile, &a->po);
	return a;
}

struct explorer_answer *explorer_ask(struct explorer *e, const struct explorer_question *q,
				     GError **error)
{
	struct columns *columns = columns_for(e, q, error);

	if (!columns)
		return NULL;
	if (!make_wide(e, columns, q->terms, error)) {
		columns_free(columns);
		return NULL;
	}
	return answer_new(e, q, columns, error);
}

void explorer_answer_free(struct explorer_answer *a)
{
	if (!a)
		return;
	pages_free(a->pages);
	profile_free(a->profile);
	columns_free(a->columns);
	if (!--a->wide->nr_users && a->wide != a->explorer->wide)
		wide_free(a->wide);
	g_free(a);
}

struct pages *explorer_pages(const struct explorer_answer *a)
{
	return a->pages;
}

s32 explorer_sorted_column(const struct explorer_answer *a, const struct page *page)
{
	const struct column *first = a->columns->order->len ? columns_order(a->columns, 0) : NULL;

	return first ? rows_find_column(page->rows, first->field->name) : -1;
}

void explorer_look(struct explorer_answer *a, struct page *page, bool relative, double least)
{
	report_pages_look(a->pages, page, relative, least);
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
static double share_with(const struct explorer_answer *a, const char *name, const char *without)
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

struct explorer_status explorer_status(const struct explorer_answer *a, u32 page)
{
	struct explorer_status s = { .activity = share_of_activities(a->profile),
				     .type = share_with(a, "type", "(unknown)") };
	const struct profile_event *e = report_pages_event(a->pages, page);

	for (u32 m = 0; m < e->totals->len; m++) {
		const struct profile_totals *t =
			&g_array_index(e->totals, struct profile_totals, m);

		s.shown += t->shown_samples;
		s.all += t->samples;
	}
	return s;
}

/* The word before a key in the name of a zoom: "span cancel". */
static char *term_text(const struct field *field, const struct lexicon *lexicon, u64 key)
{
	static const char *const plain[] = { "type", "typeoff", "symbol", "dso" };
	GString *text = g_string_new(NULL);
	bool named = true;

	for (u32 i = 0; i < ARRAY_SIZE(plain); i++)
		named &= strcmp(plain[i], field->name) != 0;
	field_print(field, lexicon, key, text);
	g_strstrip(text->str);
	text->len = strlen(text->str);
	/* What a thread waits for in a futex is a lock, or alike. */
	if (!strcmp(field->name, "file") && g_str_has_prefix(text->str, "futex:"))
		g_string_prepend(text, "lock ");
	else if (named)
		g_string_prepend(g_string_prepend(text, " "), field->name);
	return g_string_free(text, FALSE);
}

bool explorer_term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      const char *name, struct term *out)
{
	const struct field *field = fields_find(name, FIELD_NORMAL | FIELD_MEMORY, NULL);
	u64 key;

	if (!field || row.kind == ROW_NONE)
		return false;
	if (!hist_rows_key(page->rows, row, field, &key))
		return false;
	*out = (struct term){ .field = field, .key = key };
	out->text = term_text(field, a->explorer->o.lexicon, key);
	return true;
}

bool explorer_path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      struct term *out)
{
	const struct field *field = &field_activity_path;
	GString *text;
	u64 key;

	if (row.kind == ROW_NONE || !hist_rows_key(page->rows, row, field, &key))
		return false;
	text = g_string_new(NULL);
	field_print(field, a->explorer->o.lexicon, key, text);
	*out = (struct term){ .field = field, .key = key, .below = true };
	out->text = g_string_free(text, FALSE);
	return true;
}

GPtrArray *explorer_keys(const struct explorer_answer *a)
{
	GPtrArray *names = g_ptr_array_new();

	for (u32 i = 0; i < a->columns->groups->len; i++)
		g_ptr_array_add(names,
				(void *)((const struct field *)a->columns->groups->pdata[i])->name);
	return names;
}
