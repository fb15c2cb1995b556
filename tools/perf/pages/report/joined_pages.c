// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/joined_pages.h"

struct joined_pages {
	struct pages pages;
	struct joined_part *parts;
	u32 nr;
};

static struct joined_pages *of(struct pages *pages)
{
	return container_of(pages, struct joined_pages, pages);
}

static u32 nr_of(const struct joined_part *part)
{
	return MIN(part->max, part->pages->nr);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	struct joined_pages *j = of(pages);
	struct page *page;
	u32 part = 0;

	while (i >= nr_of(&j->parts[part]))
		i -= nr_of(&j->parts[part++]);
	page = j->parts[part].pages->ops->open(j->parts[part].pages, i);
	if (page && part && !page->kind)
		page->kind = j->parts[part].pages->kind;
	return page;
}

static void remark(struct pages *pages, struct notes *notes)
{
	struct joined_pages *j = of(pages);

	for (u32 i = 0; i < j->nr; i++)
		pages_remark_new(j->parts[i].pages, notes);
}

static void joined_pages_free(struct pages *pages)
{
	struct joined_pages *j = of(pages);

	pages_release(pages);
	for (u32 i = 0; i < j->nr; i++)
		pages_free(j->parts[i].pages);
	g_free(j->parts);
	g_free(j);
}

/* Moves the first part's notes to the top of the joined pages. */
static void take_notes(struct notes *to, struct notes *from)
{
	struct notes empty = *to;

	*to = *from;
	*from = empty;
}

struct pages *joined_pages_new(const struct joined_part *parts, u32 nr)
{
	static const struct pages_ops ops = { open_page, remark, joined_pages_free };
	struct joined_pages *j = g_new0(struct joined_pages, 1);

	pages_init(&j->pages, &ops, parts[0].pages->command, parts[0].pages->kind);
	j->parts = g_memdup2(parts, nr * sizeof(*parts));
	j->nr = nr;
	take_notes(&j->pages.notes, &parts[0].pages->notes);
	take_notes(&j->pages.closing, &parts[0].pages->closing);
	for (u32 i = 0; i < nr; i++)
		j->pages.nr += nr_of(&parts[i]);
	return &j->pages;
}
