// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/ask_private.h"
#include "view/json/rows.h"

#define MAX_TITLES 20

const char *asking_argument(const struct asking *a, const char *name)
{
	const char *text = g_hash_table_lookup(a->arguments, name);

	return text && *text ? text : NULL;
}

struct explorer_answer *asking_explore(struct explorer *e, GArray *terms, const char *keys,
				       GError **error)
{
	struct explorer_question q;
	struct explorer_answer *answer;

	explorer_question_init(&q, explorer_options(e));
	g_array_unref(q.terms);
	q.terms = terms;
	explorer_question_set_sort(&q, keys);
	q.no_children = true;
	q.least = 0;
	answer = explorer_ask(e, &q, error);
	explorer_question_release(&q);
	return answer;
}

struct page *asking_open_part(const struct asking *a, struct pages *pages, GPtrArray *titles)
{
	const char *part = asking_argument(a, "part");
	struct page *found = NULL;

	for (u32 i = 0; i < pages->nr && (titles || !found); i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page && !found && (!part || !g_strcmp0(page->title, part))) {
			found = page;
			continue;
		}
		if (page && titles && titles->len < MAX_TITLES)
			g_ptr_array_add(titles, g_strdup(page->title));
		page_free(page);
	}
	return found;
}

static void write_titles(struct json_out *j, const GPtrArray *titles)
{
	if (!titles->len)
		return;
	json_out_open(j, "other_parts", '[');
	for (u32 i = 0; i < titles->len; i++)
		json_out_text(j, titles->pdata[i]);
	json_out_end(j, ']');
}

bool asking_add_pages(struct asking *a, struct pages *pages, const struct answer_look *look,
		      GError **error)
{
	g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
	const char *part = asking_argument(a, "part");
	struct page *page = asking_open_part(a, pages, titles);
	struct notes remarks;

	if (!page && part)
		return error_set(error, PERF_ERROR_USAGE, "there is no part '%s'", part);
	write_titles(&a->answer.facts, titles);
	json_facts(&a->answer.facts, &pages->notes, true);
	if (page) {
		answer_page(&a->answer, page, look);
		answer_notes(&a->answer, &page->notes);
	}
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	answer_notes(&a->answer, &pages->notes);
	answer_notes(&a->answer, &remarks);
	notes_release(&remarks);
	page_free(page);
	return true;
}
