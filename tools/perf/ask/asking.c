// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/ask_private.h"
#include "view/json/rows.h"

#define MAX_TITLES 20u

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

s32 asking_find_part(const struct asking *a, struct pages *pages)
{
	const char *part = asking_argument(a, "part");

	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);
		bool found = page && (!part || !g_strcmp0(page->title, part));

		page_free(page);
		if (found)
			return (s32)i;
	}
	return -1;
}

static void write_other_titles(struct json_out *j, struct pages *pages, s32 found)
{
	if (pages->nr < 2)
		return;
	json_out_open(j, "other_parts", '[');
	for (u32 i = 0; i < MIN(pages->nr, MAX_TITLES); i++) {
		struct page *page = (s32)i == found ? NULL : pages->ops->open(pages, i);

		if (page)
			json_out_text(j, page->title);
		page_free(page);
	}
	json_out_end(j, ']');
}

static void add_page(struct asking *a, struct pages *pages, u32 i, const struct answer_look *look)
{
	struct page *page = pages->ops->open(pages, i);
	struct answer_look mine = *look;

	mine.file = mine.file ?: asking_argument(a, "file");
	mine.part = asking_argument(a, "part");
	answer_page(&a->answer, page, &mine);
	answer_notes(&a->answer, &page->notes);
	page_free(page);
}

bool asking_add_pages(struct asking *a, struct pages *pages, const struct answer_look *look,
		      GError **error)
{
	s32 found = asking_find_part(a, pages);
	struct notes remarks;

	if (found < 0 && asking_argument(a, "part"))
		return error_set(error, PERF_ERROR_USAGE, "there is no part '%s'",
				 asking_argument(a, "part"));
	write_other_titles(&a->answer.facts, pages, found);
	json_facts(&a->answer.facts, &pages->notes, true);
	if (found >= 0)
		add_page(a, pages, (u32)found, look);
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	answer_notes(&a->answer, &pages->notes);
	answer_notes(&a->answer, &remarks);
	notes_release(&remarks);
	return true;
}
