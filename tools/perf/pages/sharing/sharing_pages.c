// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/sharing/sharing_pages.h"

#include "base/percent.h"
#include "base/table.h"
#include "base/text.h"
#include "pages/base/list_rows.h"
#include "pages/notes/notes.h"

enum sharing_column {
	WHAT_GROUP,
	WHAT_KIND,
	WHAT_SHARE,
	WHAT_READS,
	WHAT_WRITES,
	WHAT_THREADS,
	WHAT_MEMBER,
	WHAT_LINES,
	WHAT_OBJECTS,
	WHAT_SAMPLES,
	WHAT_WHO,
	NR_WHATS,
};

static const struct rows_column columns[NR_WHATS] = {
	[WHAT_GROUP] = { .name = "type_share",
			 .title = "Type",
			 .kind = CELL_SHARE,
			 .width = 7,
			 .right = true,
			 .right_title = true },
	[WHAT_KIND] = { .name = "sharing", .title = "Sharing", .kind = CELL_TEXT, .width = 10 },
	[WHAT_LINES] = { .name = "lines",
			 .title = "Lines",
			 .kind = CELL_COUNT,
			 .width = 5,
			 .right = true,
			 .right_title = true,
			 .unit = "lines" },
	[WHAT_OBJECTS] = { .name = "objects",
			   .title = "Objects",
			   .kind = CELL_COUNT,
			   .width = 7,
			   .right = true,
			   .right_title = true,
			   .unit = "objects" },
	[WHAT_SHARE] = { .name = "share",
			 .title = "Share",
			 .kind = CELL_SHARE,
			 .width = 7,
			 .right = true,
			 .right_title = true },
	[WHAT_SAMPLES] = { .name = "samples",
			   .title = "Samples",
			   .kind = CELL_COUNT,
			   .width = 7,
			   .right = true,
			   .right_title = true,
			   .unit = "samples" },
	[WHAT_READS] = { .name = "reads",
			 .title = "Reads",
			 .kind = CELL_COUNT,
			 .width = 6,
			 .right = true,
			 .right_title = true,
			 .unit = "samples" },
	[WHAT_WRITES] = { .name = "writes",
			  .title = "Writes",
			  .kind = CELL_COUNT,
			  .width = 6,
			  .right = true,
			  .right_title = true,
			  .unit = "samples" },
	[WHAT_THREADS] = { .name = "threads",
			   .title = "Threads",
			   .kind = CELL_COUNT,
			   .width = 7,
			   .right = true,
			   .right_title = true,
			   .unit = "threads" },
	[WHAT_MEMBER] = { .name = "member", .title = "Member", .kind = CELL_TEXT },
	[WHAT_WHO] = { .name = "who", .title = "Threads' names", .kind = CELL_TEXT },
};

struct sharing_pages {
	struct pages pages;
	const struct sharing *s;
	bool machine;
};

static const struct sharing_row *row_at(const struct sharing_pages *p, u32 line)
{
	return &g_array_index(p->s->rows, struct sharing_row, line);
}

/* The row above is of the same type, which shares in the same way. */
static bool goes_on(const struct sharing_pages *p, u32 line)
{
	const struct sharing_row *row = row_at(p, line), *above = line ? row - 1 : NULL;

	return !p->machine && above && above->kind == row->kind && above->type == row->type;
}

static double share(const struct sharing_pages *p, u64 period)
{
	return percent_of(period, p->s->period);
}

static void cell(const void *arg, u32 line, u32 i, u32 part, struct cell *out)
{
	const struct sharing_pages *p = arg;
	const struct sharing_row *row = row_at(p, line);

	switch (i) {
	case WHAT_GROUP:
		out->number = row->group;
		out->real = share(p, row->group);
		break;
	case WHAT_SHARE:
		out->number = row->period;
		out->real = share(p, row->period);
		break;
	case WHAT_LINES:
		out->number = row->lines;
		break;
	case WHAT_OBJECTS:
		out->number = row->objects;
		break;
	case WHAT_SAMPLES:
		out->number = row->samples;
		break;
	case WHAT_READS:
		out->number = row->reads;
		break;
	case WHAT_WRITES:
		out->number = row->writes;
		break;
	case WHAT_THREADS:
		out->number = row->threads;
		break;
	default:
		break;
	}
	if (i == WHAT_GROUP && goes_on(p, line))
		out->kind = CELL_NONE;
}

static void text(const void *arg, u32 line, u32 i, u32 part, GString *out)
{
	static const char *const kinds[NR_SHARING_KINDS] = {
		[SHARING_SAME] = "same bytes",
		[SHARING_MEMBERS] = "members",
		[SHARING_NEIGHBOUR] = "neighbours",
		[SHARING_OTHER] = "others",
	};
	const struct sharing_pages *p = arg;
	const struct sharing_row *row = row_at(p, line);
	const struct intern *texts = p->s->lexicon->texts;

	if (i == WHAT_KIND && !goes_on(p, line))
		g_string_append(out, kinds[row->kind]);
	else if (i == WHAT_MEMBER)
		g_string_append(out, intern_text(texts, row->member));
	else if (i == WHAT_WHO)
		g_string_append(out, intern_text(texts, row->who));
}

static u64 key(const void *arg, u32 line)
{
	const struct sharing_row *row = row_at(arg, line);

	return table_mix(table_mix(row->kind, row->type), row->member);
}

static void number(const void *arg, u32 line, u32 i, const struct cell *cell, GString *out)
{
	if (cell->kind == CELL_NONE)
		return;
	if (i == WHAT_GROUP || i == WHAT_SHARE)
		g_string_append_printf(out, "%.2f%%", cell->real);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, cell->number);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { cell, text, key, number };
	struct sharing_pages *p = (struct sharing_pages *)pages;
	struct page *page;

	if (!p->s->rows->len) {
		notes_add(&pages->closing, NOTE_WARNING,
			  "No cache line was seen that two threads touch at the same time while "
			  "one of them writes.");
		return NULL;
	}
	page = page_new(g_strdup("cache lines"));
	page->rows = list_rows_new(columns, NR_WHATS, &ops, p);
	for (u32 line = 0; line < p->s->rows->len; line++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

static void remark(struct pages *pages, struct notes *remarks)
{
	struct sharing_pages *p = (struct sharing_pages *)pages;

	if (p->s->nr_small)
		notes_add(remarks, NOTE_REMARK,
			  "%u row%s with few samples %s left out: perf c2c report --least=1 shows "
			  "all",
			  p->s->nr_small, text_plural(p->s->nr_small),
			  p->s->nr_small == 1 ? "is" : "are");
	notes_add_addresses(remarks, p->s->addresses, p->s->samples);
}

static void free_pages(struct pages *pages)
{
	pages_release(pages);
	g_free(pages);
}

struct pages *sharing_pages_new(const struct sharing *s, bool machine)
{
	static const struct pages_ops ops = { open_page, remark, free_pages };
	struct sharing_pages *p = g_new0(struct sharing_pages, 1);

	p->s = s;
	p->machine = machine;
	pages_init(&p->pages, &ops, "c2c", "sharing");
	p->pages.nr = 1;
	note_set_text(notes_add_number(&p->pages.notes, "samples", CELL_COUNT, s->samples),
		      GAP_NONE, "Samples: %" G_GUINT64_FORMAT, s->samples);
	note_set_text(notes_add_number(&p->pages.notes, "shared_period", CELL_COUNT, s->shared),
		      GAP_BELOW,
		      "%.1f %% of their time is on cache lines that threads share while one of "
		      "them writes",
		      share(p, s->shared));
	return &p->pages;
}
