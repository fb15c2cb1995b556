// SPDX-License-Identifier: GPL-2.0-or-later
#include "ask/ask_private.h"

const char *asking_argument(const struct asking *a, const char *name)
{
	const char *text = g_hash_table_lookup(a->arguments, name);

	return text && *text ? text : NULL;
}

/* Opens the pages up to the wanted one, and lists the titles of the others. */
static struct page *open_part(struct pages *pages, const char *part, GPtrArray *titles,
			      GError **error)
{
	struct page *found = NULL;

	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page && !found && (!part || !g_strcmp0(page->title, part))) {
			found = page;
			continue;
		}
		if (page && titles->len < 20)
			g_ptr_array_add(titles, g_strdup(page->title));
		page_free(page);
	}
	if (!found && part)
		error_set(error, PERF_ERROR_USAGE, "there is no part '%s'", part);
	return found;
}

static void write_titles(struct answer *answer, const GPtrArray *titles)
{
	if (!titles->len)
		return;
	json_out_key(&answer->facts, "other_parts");
	json_out_begin(&answer->facts, '[');
	for (u32 i = 0; i < titles->len; i++)
		json_out_text(&answer->facts, titles->pdata[i]);
	json_out_end(&answer->facts, ']');
}

bool asking_add_pages(struct asking *a, struct pages *pages, const struct answer_look *look,
		      GError **error)
{
	g_autoptr(GPtrArray) titles = g_ptr_array_new_with_free_func(g_free);
	const char *part = asking_argument(a, "part");
	struct page *page = open_part(pages, part, titles, error);
	struct notes remarks;

	if (!page && part)
		return false;
	write_titles(&a->answer, titles);
	answer_facts(&a->answer, &pages->notes);
	if (page) {
		g_autofree char *first = answer_first_handle(page, look);

		answer_page(&a->answer, page, look);
		answer_notes(&a->answer, &page->notes);
		if (first)
			answer_next(&a->answer, "drill", "handle", first);
	}
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	answer_notes(&a->answer, &pages->notes);
	answer_notes(&a->answer, &remarks);
	notes_release(&remarks);
	page_free(page);
	return true;
}
