// SPDX-License-Identifier: GPL-2.0-or-later
/* The tools about sums of samples: top, drill. */
#include <string.h>

#include "ask/ask_private.h"
#include "ask/handle.h"

/* The keys that tell most behind a condition on a key. */
static const struct {
	const char *key, *next;
} nexts[] = {
	{ "type", "typeoff" },	   { "typeoff", "symbol,srcline" }, { "typecln", "typeoff" },
	{ "symbol", "typeoff" },   { "srcline", "typeoff" },	    { "state", "syscall,wchan" },
	{ "syscall", "file" },	   { "lock", "owner_span" },	    { "dso", "symbol" },
	{ "comm", "symbol,type" }, { "tid", "symbol,type" },	    { "service", "span" },
	{ "trace_id", "span" },	   { "host", "service" },	    { "type_rank", "type" },
};

static const char *next_keys(const char *handle)
{
	g_autofree char *last = handle_last_key(handle);

	for (u32 i = 0; last && i < ARRAY_SIZE(nexts); i++)
		if (!strcmp(nexts[i].key, last))
			return nexts[i].next;
	return "symbol,type";
}

/* The names of the answer's keys as columns have them, ended by NULL. */
static GPtrArray *names_of(const struct explorer_answer *answer)
{
	GPtrArray *names = explorer_keys(answer);

	g_ptr_array_add(names, NULL);
	return names;
}

static struct explorer_answer *ask_explorer(struct asking *a, const char *keys, GError **error)
{
	struct explorer *e = a->file->explorer;
	struct explorer_question q;
	struct explorer_answer *answer;

	explorer_question_init(&q, explorer_options(e));
	for (u32 i = 0; i < a->terms->len; i++)
		terms_add(q.terms,
			  &(struct term){ .field = terms_at(a->terms, i)->field,
					  .part = g_strdup(terms_at(a->terms, i)->part),
					  .exact = g_strdup(terms_at(a->terms, i)->exact) });
	explorer_question_set_sort(&q, keys);
	q.no_children = true;
	q.least = 0;
	answer = explorer_ask(e, &q, error);
	explorer_question_release(&q);
	return answer;
}

static void write_share(struct json_out *j, const char *name, double percent)
{
	if (percent < 0)
		return;
	json_out_key(j, name);
	json_out_real(j, (double)(s64)(percent * 100 + 0.5) / 100);
}

/* How sure the types of the shown samples are: the share of each rank. */
static bool add_certainty(struct asking *a, GError **error)
{
	struct explorer_answer *answer = ask_explorer(a, "type_rank", error);
	struct pages *pages = answer ? explorer_pages(answer) : NULL;
	struct page *page = pages && pages->nr ? pages->ops->open(pages, 0) : NULL;
	struct json_out *j = &a->answer.facts;
	struct row row = { ROW_NONE };
	s32 share, rank;

	if (!answer)
		return false;
	json_out_key(j, "type_ranks");
	json_out_begin(j, '{');
	if (page)
		row = page->rows->ops->first(page->rows, row);
	for (; row.kind == ROW_ENTRY; row = page->rows->ops->next(page->rows, row)) {
		g_autoptr(GString) text = g_string_new(NULL);
		struct cell cell;

		share = rows_find_column(page->rows, "overhead");
		rank = rows_find_column(page->rows, "type_rank");
		page->rows->ops->text(page->rows, row, (u32)rank, 0, text);
		page->rows->ops->cell(page->rows, row, (u32)share, 0, &cell);
		write_share(j, g_strstrip(text->str), cell.real);
	}
	json_out_end(j, '}');
	page_free(page);
	explorer_answer_free(answer);
	return true;
}

static void add_status(struct asking *a, const struct explorer_answer *answer)
{
	struct json_out *j = &a->answer.facts;
	struct explorer_status s;

	if (!explorer_pages(answer)->nr)
		return;
	s = explorer_status(answer, 0);
	json_out_key(j, "matching_samples");
	json_out_u64(j, s.shown);
	write_share(j, "percent_with_activity", s.activity);
	write_share(j, "percent_with_type", s.type);
}

static bool is_about_types(const GPtrArray *names)
{
	for (u32 i = 0; i + 1 < names->len; i++)
		if (g_str_has_prefix(names->pdata[i], "type"))
			return true;
	return false;
}

static bool sum(struct asking *a, const char *keys, GError **error)
{
	struct explorer_answer *answer = ask_explorer(a, keys, error);
	g_autoptr(GPtrArray) names = NULL;
	struct answer_look look = { .within = a->within };
	bool ok;

	if (!answer)
		return false;
	names = names_of(answer);
	look.keys = (const char *const *)names->pdata;
	if (a->within) {
		json_out_key(&a->answer.facts, "where");
		json_out_text(&a->answer.facts, a->within);
	}
	add_status(a, answer);
	ok = (!is_about_types(names) || add_certainty(a, error)) &&
	     asking_add_pages(a, explorer_pages(answer), &look, error);
	explorer_answer_free(answer);
	return ok;
}

bool tool_top(struct asking *a, GError **error)
{
	return sum(a, asking_argument(a, "keys"), error);
}

bool tool_drill(struct asking *a, GError **error)
{
	const char *keys = asking_argument(a, "keys");

	if (!a->within)
		return error_set(error, PERF_ERROR_USAGE, "drill: give the handle of a row");
	return sum(a, keys ?: next_keys(a->within), error);
}
