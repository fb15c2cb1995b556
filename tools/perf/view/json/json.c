// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/json/json.h"

#include "view/json/rows.h"

static void write_facts(struct json_out *j, const struct notes *notes)
{
	json_out_begin(j, '{');
	json_facts(j, notes, false);
	json_out_end(j, '}');
}

static void write_remarks(struct json_out *j, const struct notes *notes)
{
	json_out_begin(j, '[');
	for (u32 i = 0; i < notes->list->len; i++) {
		const struct note *note = notes_at(notes, i);

		json_out_line(j);
		json_out_begin(j, '{');
		json_out_key(j, "kind");
		json_out_text(j, note_kind_name(note->kind));
		json_out_key(j, "text");
		json_out_text(j, note->text);
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
}

static void write_page(struct json_rows *w, const struct page *page)
{
	struct json_out *j = &w->json;

	json_rows_use(w, page->rows);
	json_out_line(j);
	json_out_begin(j, '{');
	json_out_key(j, "title");
	json_out_text(j, page->title);
	if (page->kind) {
		json_out_key(j, "kind");
		json_out_text(j, page->kind);
	}
	if (page->parts->len) {
		json_out_key(j, "events");
		json_out_begin(j, '[');
		for (u32 i = 0; i < page->parts->len; i++)
			json_out_text(j, g_ptr_array_index(page->parts, i));
		json_out_end(j, ']');
	}
	json_out_key(j, "facts");
	write_facts(j, &page->notes);
	json_rows_columns(w);
	json_rows_all(w);
	json_out_end(j, '}');
}

static void write_headers(struct json_out *j, const struct pages *pages)
{
	json_out_key(j, "headers");
	json_out_begin(j, '[');
	for (u32 i = 0; i < pages->headers->len; i++)
		write_facts(j, g_ptr_array_index(pages->headers, i));
	json_out_end(j, ']');
}

bool json_print_pages(struct pages *pages, const struct view_options *options, FILE *out,
		      GError **error)
{
	struct json_rows w;
	struct notes remarks;

	json_rows_init(&w, out);
	json_out_begin(&w.json, '{');
	json_rows_begin(&w, pages->command, pages->kind);
	if (pages->headers->len)
		write_headers(&w.json, pages);
	json_out_key(&w.json, "facts");
	write_facts(&w.json, &pages->notes);
	json_out_key(&w.json, "pages");
	json_out_begin(&w.json, '[');
	for (u32 i = 0; i < pages->nr; i++) {
		struct page *page = pages->ops->open(pages, i);

		if (page)
			write_page(&w, page);
		page_free(page);
	}
	json_out_end(&w.json, ']');
	notes_init(&remarks);
	pages_remark(pages, &remarks);
	json_out_key(&w.json, "notes");
	write_remarks(&w.json, &remarks);
	notes_release(&remarks);
	json_out_end(&w.json, '}');
	g_string_append_c(w.json.text, '\n');
	json_rows_release(&w);
	return true;
}
