// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/span_pages.h"

#include <inttypes.h>

#include "base/intern.h"
#include "base/table.h"
#include "pages/base/list_rows.h"

struct span_pages {
	struct pages pages;
	const struct lexicon *lexicon;
	const struct span_times *times;
	const GArray *list; /* struct span_time */
	const struct field *name, *thread;
};

static const struct span_pages *of(const struct pages *pages)
{
	return container_of(pages, struct span_pages, pages);
}

enum {
	SPAN_NAME,
	SPAN_ACTIVITY,
	SPAN_THREAD,
	SPAN_BEGIN,
	SPAN_DURATION,
	SPAN_SOURCE,
	SPAN_SAMPLES
};

static const struct rows_column columns[] = {
	[SPAN_NAME] = { "span", "Span", .kind = CELL_TEXT },
	[SPAN_ACTIVITY] = { "activity", "Activity", .kind = CELL_TEXT },
	[SPAN_THREAD] = { "tid", "Tid:Command", .kind = CELL_TEXT },
	[SPAN_BEGIN] = { "begin", "Begin", .kind = CELL_TIME, .value = true },
	[SPAN_DURATION] = { "duration", "Duration", .kind = CELL_TIME, .value = true },
	[SPAN_SOURCE] = { "source", "Source", .kind = CELL_TEXT },
	[SPAN_SAMPLES] = { "samples", "Samples", "samples", CELL_COUNT, .value = true },
};

static const struct span_time *span_at(const struct span_pages *p, u32 line)
{
	return &g_array_index(p->list, struct span_time, line);
}

static void span_cell(const void *arg, u32 line, u32 column, u32 nr, struct cell *out)
{
	const struct span_time *s = span_at(arg, line);

	if (column == SPAN_BEGIN)
		out->number = s->from_ns;
	else if (column == SPAN_DURATION)
		out->number = s->to_ns - s->from_ns;
	else if (column == SPAN_SAMPLES)
		out->number = s->samples;
	else if (column == SPAN_THREAD && s->several)
		out->kind = CELL_NONE;
}

static void span_text(const void *arg, u32 line, u32 column, u32 nr, GString *out)
{
	const struct span_pages *p = arg;
	const struct span_time *s = span_at(p, line);

	if (column == SPAN_NAME)
		field_print(p->name, p->lexicon, s->name, out);
	else if (column == SPAN_THREAD)
		field_print(p->thread, p->lexicon, s->thread, out);
	else if (column == SPAN_SOURCE)
		g_string_append(out, s->stated ? "file" : "samples");
	else if (s->value)
		g_string_append(out, intern_text(p->lexicon->texts, s->value));
	else
		g_string_append_printf(out, "%016" PRIx64 "%016" PRIx64 ":%016" PRIx64, s->trace[0],
				       s->trace[1], s->id);
}

static u64 span_key(const void *arg, u32 line)
{
	return line;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { span_cell, span_text, span_key };
	const struct span_pages *p = of(pages);
	struct page *page = page_new(g_strdup("Slowest spans"));
	u64 beyond;

	page->kind = "spans";
	page->rows = list_rows_new(columns, ARRAY_SIZE(columns), &ops, p);
	for (u32 line = 0; line < p->list->len; line++)
		list_rows_add(page->rows, LIST_TOP);
	notes_add_number(&page->notes, "spans", CELL_COUNT, span_times_nr(p->times, &beyond));
	return page;
}

static void remark(struct pages *pages, struct notes *notes)
{
	u64 beyond;

	span_times_nr(of(pages)->times, &beyond);
	if (beyond)
		notes_add(notes, NOTE_REMARK,
			  "%" PRIu64 " samples are of further spans: the list of spans has only "
			  "the first %u ids",
			  beyond, SPAN_TIMES_MOST);
}

static void span_pages_free(struct pages *pages)
{
	pages_release(pages);
	g_free((struct span_pages *)of(pages));
}

struct pages *span_pages_new(struct span_times *times, const struct lexicon *lexicon)
{
	static const struct pages_ops ops = { open_page, remark, span_pages_free };
	struct span_pages *p = g_new0(struct span_pages, 1);

	pages_init(&p->pages, &ops, "report", "spans");
	p->lexicon = lexicon;
	p->times = times;
	p->list = span_times_settle(times);
	p->name = fields_find("span", FIELD_NORMAL, NULL);
	p->thread = fields_find("tid", FIELD_NORMAL, NULL);
	p->pages.nr = p->list->len > 0;
	return &p->pages;
}
