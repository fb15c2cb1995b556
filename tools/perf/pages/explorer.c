// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/explorer.h"

#include <string.h>

#include "pages/compared.h"
#include "pages/explorer_private.h"

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

void explorer_free(struct explorer *e)
{
	if (e)
		e->ops->free(e);
}

const struct explorer_options *explorer_options(const struct explorer *e)
{
	return &e->o;
}

void explorer_set_watch(struct explorer *e, const struct progress_watch *watch)
{
	e->ops->set_watch(e, watch);
}

struct explorer_answer *explorer_ask(struct explorer *e, const struct explorer_question *q,
				     GError **error)
{
	return e->ops->ask(e, q, error);
}

void explorer_answer_free(struct explorer_answer *a)
{
	if (!a)
		return;
	pages_free(a->pages);
	a->explorer->ops->free_answer(a);
}

struct pages *explorer_pages(const struct explorer_answer *a)
{
	return a->pages;
}

s32 explorer_sorted_column(const struct explorer_answer *a, const struct page *page)
{
	return a->explorer->ops->sorted_column(a, page);
}

bool explorer_look(struct explorer_answer *a, struct page *page, bool relative, double least)
{
	return a->explorer->ops->look(a, page, relative, least);
}

struct explorer_status explorer_status(const struct explorer_answer *a, u32 page)
{
	return a->explorer->ops->status(a, page);
}

/* The word before a key in the name of a zoom: "span cancel". */
static void name_term(struct term *term)
{
	static const char *const plain[] = { "type", "typeoff", "symbol", "dso" };
	bool named = true;
	char *text;

	g_strstrip(term->text);
	for (u32 i = 0; i < ARRAY_SIZE(plain); i++)
		named &= strcmp(plain[i], term->field->name) != 0;
	/* What a thread waits for in a futex is a lock, or alike. */
	if (!strcmp(term->field->name, "file") && g_str_has_prefix(term->text, "futex:"))
		text = g_strdup_printf("lock %s", term->text);
	else if (named)
		text = g_strdup_printf("%s %s", term->field->name, term->text);
	else
		return;
	g_free(term->text);
	term->text = text;
}

bool explorer_term_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      const char *name, struct term *out)
{
	const struct field *field = fields_find(name, FIELD_NORMAL | FIELD_MEMORY, NULL);

	if (!field || row.kind == ROW_NONE || !a->explorer->ops->term_of(a, page, row, field, out))
		return false;
	name_term(out);
	return true;
}

bool explorer_path_of(const struct explorer_answer *a, const struct page *page, struct row row,
		      struct term *out)
{
	return row.kind != ROW_NONE && a->explorer->ops->path_of(a, page, row, out);
}

GPtrArray *explorer_keys(const struct explorer_answer *a)
{
	const GPtrArray *groups = a->explorer->ops->groups(a);
	GPtrArray *names = g_ptr_array_new();

	for (u32 i = 0; i < groups->len; i++)
		g_ptr_array_add(names, (void *)((const struct field *)groups->pdata[i])->name);
	return names;
}
