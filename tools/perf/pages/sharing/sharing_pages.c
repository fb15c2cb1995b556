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
	WHAT_CPUS,
	WHAT_MEMBER,
	WHAT_LINES,
	WHAT_OBJECTS,
	WHAT_SAMPLES,
	WHAT_WHO,
	WHAT_SPANS,
	NR_WHATS,
};

#define NUMBER(id, text, of_kind, of_width, of_unit)                                               \
	{                                                                                          \
		.name = id, .title = text, .kind = of_kind, .width = of_width, .unit = of_unit,    \
		.right = true, .right_title = true                                                 \
	}

static const struct rows_column columns[NR_WHATS] = {
	[WHAT_GROUP] = NUMBER("type_share", "Type", CELL_SHARE, 7, NULL),
	[WHAT_KIND] = { .name = "sharing", .title = "Sharing", .kind = CELL_TEXT, .width = 10 },
	[WHAT_SHARE] = NUMBER("share", "Share", CELL_SHARE, 7, NULL),
	[WHAT_READS] = NUMBER("reads", "Reads", CELL_COUNT, 6, "samples"),
	[WHAT_WRITES] = NUMBER("writes", "Writes", CELL_COUNT, 6, "samples"),
	[WHAT_THREADS] = NUMBER("threads", "Threads", CELL_COUNT, 7, "threads"),
	[WHAT_CPUS] = NUMBER("cpus", "CPUs", CELL_COUNT, 4, "CPUs"),
	[WHAT_MEMBER] = { .name = "member", .title = "Member", .kind = CELL_TEXT },
	[WHAT_LINES] = NUMBER("lines", "Lines", CELL_COUNT, 5, "lines"),
	[WHAT_OBJECTS] = NUMBER("objects", "Objects", CELL_COUNT, 7, "objects"),
	[WHAT_SAMPLES] = NUMBER("samples", "Samples", CELL_COUNT, 7, "samples"),
	[WHAT_WHO] = { .name = "who", .title = "Threads' names", .kind = CELL_TEXT },
	[WHAT_SPANS] = { .name = "spans", .title = "Spans", .kind = CELL_TEXT },
};

struct sharing_pages {
	struct pages pages;
	GPtrArray *shown;	 /* const struct sharing *: of the events with rows */
	const GPtrArray *events; /* const struct sharing * */
	struct sharing_hitm hitm;
	u32 nr_hitm; /* pages of that, which come first */
	bool machine;
};

struct sharing_page {
	const struct sharing *s;
	bool machine;
	/* Those of @columns that the page shows. */
	struct rows_column shown[NR_WHATS];
	enum sharing_column what[NR_WHATS];
	u32 nr;
};

static const struct sharing_row *row_at(const struct sharing_page *p, u32 line)
{
	return &g_array_index(p->s->rows, struct sharing_row, line);
}

const struct sharing *sharing_pages_of(const struct page *page)
{
	return ((const struct sharing_page *)page->own)->s;
}

const struct sharing_row *sharing_pages_row(const struct page *page, struct row row)
{
	return row_at(page->own, list_rows_line(row));
}

/* The row above is of the same type, which shares in the same way. */
static bool goes_on(const struct sharing_page *p, u32 line)
{
	const struct sharing_row *row = row_at(p, line), *above = line ? row - 1 : NULL;

	return !p->machine && above && above->kind == row->kind && above->type == row->type;
}

static double share(const struct sharing_page *p, u64 period)
{
	return percent_of(period, p->s->period);
}

static void cell(const void *arg, u32 line, u32 i, u32 part, struct cell *out)
{
	const struct sharing_page *p = arg;
	const struct sharing_row *row = row_at(p, line);

	switch (p->what[i]) {
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
	case WHAT_CPUS:
		out->number = row->cpus;
		if (!row->cpus)
			out->kind = CELL_NONE;
		break;
	default:
		break;
	}
	if (p->what[i] == WHAT_GROUP && goes_on(p, line))
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
	const struct sharing_page *p = arg;
	const struct sharing_row *row = row_at(p, line);
	const struct intern *texts = p->s->lexicon->texts;
	enum sharing_column what = p->what[i];

	if (what == WHAT_KIND && !goes_on(p, line))
		g_string_append(out, kinds[row->kind]);
	else if (what == WHAT_MEMBER)
		g_string_append(out, intern_text(texts, row->member));
	else if (what == WHAT_WHO)
		g_string_append(out, intern_text(texts, row->who));
	else if (what == WHAT_SPANS)
		g_string_append(out, intern_text(texts, row->spans));
}

static u64 key(const void *arg, u32 line)
{
	const struct sharing_row *row = row_at(arg, line);

	return table_mix(table_mix(row->kind, row->type), row->member);
}

static void number(const void *arg, u32 line, u32 i, const struct cell *cell, GString *out)
{
	const struct sharing_page *p = arg;

	if (cell->kind == CELL_NONE)
		return;
	if (p->what[i] == WHAT_GROUP || p->what[i] == WHAT_SHARE)
		g_string_append_printf(out, "%.2f%%", cell->real);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, cell->number);
}

/* CPUs and spans are shown if some row has them, and to programs always. */
static bool has_column(const struct sharing_page *p, enum sharing_column what)
{
	if (p->machine || (what != WHAT_CPUS && what != WHAT_SPANS))
		return true;
	for (u32 i = 0; i < p->s->rows->len; i++) {
		const struct sharing_row *row = row_at(p, i);

		if (what == WHAT_CPUS ? row->cpus > 0
				      : *intern_text(p->s->lexicon->texts, row->spans) != 0)
			return true;
	}
	return false;
}

static void choose_columns(struct sharing_page *p)
{
	for (enum sharing_column what = 0; what < NR_WHATS; what++) {
		if (!has_column(p, what))
			continue;
		p->shown[p->nr] = columns[what];
		p->what[p->nr++] = what;
	}
}

static void add_notes(struct notes *notes, const struct sharing_page *p)
{
	note_set_text(notes_add_number(notes, "samples", CELL_COUNT, p->s->samples), GAP_NONE,
		      "Samples: %" G_GUINT64_FORMAT " of event '%s'", p->s->samples, p->s->event);
	note_set_text(notes_add_number(notes, "shared_period", CELL_COUNT, p->s->shared), GAP_BELOW,
		      "%.1f %% of them, by their time, are on cache lines that threads share while "
		      "one of "
		      "them writes",
		      share(p, p->s->shared));
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { cell, text, key, number };
	const struct sharing_pages *all = container_of(pages, struct sharing_pages, pages);
	struct sharing_page *p;
	struct page *page;

	if (i < all->nr_hitm)
		return hitm_page_new(all->hitm.hitm, i, all->hitm.nodes, all->machine);
	p = g_new0(struct sharing_page, 1);
	p->s = g_ptr_array_index(all->shown, i - all->nr_hitm);
	p->machine = all->machine;
	page = page_new(g_strdup(p->s->event));
	page->own = p;
	page->free_own = g_free;
	add_notes(&page->notes, p);
	choose_columns(p);
	page->rows = list_rows_new(p->shown, p->nr, &ops, p);
	for (u32 line = 0; line < p->s->rows->len; line++)
		list_rows_add(page->rows, LIST_TOP);
	return page;
}

static void remark(struct pages *pages, struct notes *remarks)
{
	const struct sharing_pages *p = container_of(pages, struct sharing_pages, pages);
	u64 counts[NR_ADDRESS_HOW] = { 0 }, samples = 0;
	u32 nr_small = 0;
	bool some = false;

	for (u32 i = 0; i < p->events->len; i++)
		some |= sharing_has_addresses(g_ptr_array_index(p->events, i));
	for (u32 i = 0; i < p->events->len; i++) {
		const struct sharing *s = g_ptr_array_index(p->events, i);

		/* An event without any address counts only if there is no other. */
		if (some && !sharing_has_addresses(s))
			continue;
		for (u32 how = 0; how < NR_ADDRESS_HOW; how++)
			counts[how] += s->addresses[how];
		samples += s->samples;
		nr_small += s->nr_small;
	}
	if (p->hitm.wanted && !p->hitm.hitm)
		notes_add(remarks, NOTE_REMARK,
			  "No sample states a level of cache or memory, so there are no counts of "
			  "HITM. Events of hardware state it, see perf mem record.");
	if (p->hitm.counts_only)
		return;
	if (!p->shown->len)
		notes_add(remarks, NOTE_REMARK,
			  "No cache line was seen that two threads touch at the same time while "
			  "one of them writes.");
	if (nr_small)
		notes_add(remarks, NOTE_REMARK,
			  "%u row%s with few samples %s left out: perf c2c report --least=1 shows "
			  "all",
			  nr_small, text_plural(nr_small), nr_small == 1 ? "is" : "are");
	notes_add_addresses(remarks, counts, samples);
}

static void free_pages(struct pages *pages)
{
	struct sharing_pages *p = container_of(pages, struct sharing_pages, pages);

	g_ptr_array_unref(p->shown);
	pages_release(pages);
	g_free(p);
}

struct pages *sharing_pages_new(const GPtrArray *events, const struct sharing_hitm *hitm,
				bool machine)
{
	static const struct pages_ops ops = { open_page, remark, free_pages };
	struct sharing_pages *p = g_new0(struct sharing_pages, 1);

	p->shown = g_ptr_array_new();
	for (u32 i = 0; i < events->len; i++)
		if (((const struct sharing *)g_ptr_array_index(events, i))->rows->len)
			g_ptr_array_add(p->shown, g_ptr_array_index(events, i));
	p->events = events;
	p->hitm = *hitm;
	p->machine = machine;
	if (hitm->hitm)
		p->nr_hitm = hitm->counts_only ? 1 : NR_HITM_PAGES;
	pages_init(&p->pages, &ops, "c2c", "sharing");
	p->pages.nr = p->nr_hitm + (hitm->counts_only ? 0 : p->shown->len);
	return &p->pages;
}
