// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/base/page.h"

#include <string.h>

static void note_free(gpointer p)
{
	struct note *note = p;

	g_free(note->words);
	g_free(note->text);
	g_free(note);
}

void notes_init(struct notes *notes)
{
	notes->list = g_ptr_array_new_with_free_func(note_free);
}

void notes_release(struct notes *notes)
{
	g_ptr_array_unref(notes->list);
}

static struct note *add(struct notes *notes, enum note_kind kind)
{
	struct note *note = g_new0(struct note, 1);

	note->kind = kind;
	g_ptr_array_add(notes->list, note);
	return note;
}

struct note *notes_add(struct notes *notes, enum note_kind kind, const char *format, ...)
{
	struct note *note = add(notes, kind);
	va_list args;

	va_start(args, format);
	note->text = g_strdup_vprintf(format, args);
	va_end(args);
	return note;
}

struct note *notes_add_number(struct notes *notes, const char *name, enum cell_kind kind,
			      u64 number)
{
	struct note *note = add(notes, NOTE_FACT);

	note->name = name;
	note->value = (struct cell){ .kind = kind, .number = number };
	return note;
}

struct note *notes_add_words(struct notes *notes, const char *name, const char *words)
{
	struct note *note = add(notes, NOTE_FACT);

	note->name = name;
	note->words = g_strdup(words);
	return note;
}

void notes_set_words(struct notes *notes, const char *name, const char *words)
{
	struct note *note = (struct note *)notes_find(notes, name);

	g_free(note->words);
	note->words = g_strdup(words);
}

void note_set_text(struct note *note, enum note_gap gap, const char *format, ...)
{
	va_list args;

	g_free(note->text);
	va_start(args, format);
	note->text = g_strdup_vprintf(format, args);
	va_end(args);
	note->gap = gap;
}

const struct note *notes_find(const struct notes *notes, const char *name)
{
	for (u32 i = 0; i < notes->list->len; i++)
		if (notes_at(notes, i)->name && !strcmp(notes_at(notes, i)->name, name))
			return notes_at(notes, i);
	return NULL;
}

const char *note_kind_name(enum note_kind kind)
{
	static const char *const names[NOTE_NR_KINDS] = {
		[NOTE_FACT] = "fact",	    [NOTE_HINT] = "hint",   [NOTE_REMARK] = "note",
		[NOTE_WARNING] = "warning", [NOTE_ERROR] = "error",
	};

	return names[kind];
}

struct page *page_new(char *title)
{
	struct page *page = g_new0(struct page, 1);

	page->title = title;
	page->parts = g_ptr_array_new();
	notes_init(&page->notes);
	return page;
}

void page_free(struct page *page)
{
	if (!page)
		return;
	rows_free(page->rows);
	if (page->free_own)
		page->free_own(page->own);
	g_ptr_array_unref(page->parts);
	notes_release(&page->notes);
	g_free(page->title);
	g_free(page);
}

static void header_free(gpointer p)
{
	notes_release(p);
	g_free(p);
}

void pages_init(struct pages *pages, const struct pages_ops *ops, const char *command,
		const char *kind)
{
	*pages = (struct pages){ .ops = ops, .command = command, .kind = kind };
	notes_init(&pages->notes);
	notes_init(&pages->closing);
	pages->headers = g_ptr_array_new_with_free_func(header_free);
}

void pages_release(struct pages *pages)
{
	notes_release(&pages->notes);
	notes_release(&pages->closing);
	g_ptr_array_unref(pages->headers);
}

struct notes *pages_add_header(struct pages *pages)
{
	struct notes *header = g_new0(struct notes, 1);

	notes_init(header);
	g_ptr_array_add(pages->headers, header);
	return header;
}

void pages_remark(struct pages *pages, struct notes *remarks)
{
	if (pages->ops->remark)
		pages->ops->remark(pages, remarks);
}

static bool is_there(const struct notes *notes, const struct note *note)
{
	for (u32 i = 0; i < notes->list->len; i++)
		if (!g_strcmp0(notes_at(notes, i)->text, note->text))
			return true;
	return false;
}

void pages_remark_new(struct pages *pages, struct notes *remarks)
{
	struct notes own;

	notes_init(&own);
	pages_remark(pages, &own);
	for (u32 i = 0; i < own.list->len; i++)
		if (!is_there(remarks, notes_at(&own, i)))
			notes_add(remarks, notes_at(&own, i)->kind, "%s", notes_at(&own, i)->text)
				->gap = notes_at(&own, i)->gap;
	notes_release(&own);
}

void pages_free(struct pages *pages)
{
	if (pages)
		pages->ops->free(pages);
}
