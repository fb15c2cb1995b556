// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/timeline_pages.h"

#include <inttypes.h>
#include <string.h>

#include "base/percent.h"
#include "pages/base/list_rows.h"
#include "pages/notes/notes.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"

#define SLICE_FACT "slice" /* the name of the fact */

struct timeline_pages {
	struct pages pages;
	const struct timeline *timeline;
	struct timeline_pages_options o;
};

enum { WHOLE, FIRST_KEY };

struct timeline_page {
	const struct timeline *timeline;
	const struct timeline_event *event;
	enum time_unit unit;
	u64 *slices; /* sums of all rows, by slice */
	struct rows_column *columns;
	u32 nr_keys, nr_columns;
};

static const struct timeline_pages *of(const struct pages *pages)
{
	return container_of(pages, struct timeline_pages, pages);
}

static const struct timeline_row *row_at(const struct timeline_page *p, u32 line)
{
	return p->event->rows->pdata[line];
}

static void time_cell(const struct timeline_page *p, u64 period, u64 whole, u64 length,
		      struct cell *out)
{
	*out = (struct cell){ .kind = CELL_SHARE, .number = period };
	if (p->unit == TIME_SECONDS)
		out->kind = CELL_TIME;
	else if (p->unit == TIME_THREADS)
		*out = (struct cell){ .kind = CELL_AVERAGE,
				      .real = length ? (double)period / (double)length : 0 };
	else
		out->real = percent_of(period, whole);
}

/* Only a part of the first and of the last slice may be in the time of the samples. */
static u64 slice_length(const struct timeline *t, u32 i)
{
	u64 start = t->from - t->from % t->slice_ns + timeline_start(t, i);

	return MIN(start + t->slice_ns, t->to) - MAX(start, t->from);
}

static void cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct timeline_page *p = arg;
	const struct timeline *t = p->timeline;
	const struct timeline_row *row = row_at(p, line);

	if (column == WHOLE)
		time_cell(p, row->period, p->event->period, t->to - t->from, out);
	else if (column >= FIRST_KEY + p->nr_keys && column < p->nr_columns - 1)
		out->number = row->durations[column - FIRST_KEY - p->nr_keys];
	else if (column == p->nr_columns - 1)
		time_cell(p, timeline_at(t, row, part), p->slices[part], slice_length(t, part),
			  out);
}

static void text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct timeline_page *p = arg;
	const struct columns *columns = p->timeline->options.columns;
	const struct field *field = g_ptr_array_index(columns->groups, column - FIRST_KEY);

	field_print(field, p->timeline->options.lexicon, row_at(p, line)->keys[column - FIRST_KEY],
		    out);
}

static u64 key(const void *arg, u32 line)
{
	const struct timeline_page *p = arg;
	const u64 *keys = row_at(p, line)->keys;
	u64 hash = 0;

	for (u32 i = 0; i < p->nr_keys; i++)
		hash = hash * 0x9e3779b97f4a7c15ull + keys[i];
	return hash;
}

static const struct {
	const char *name, *title;
} durations[TIMELINE_DURATIONS] = {
	{ "under_1us", "<1us" }, { "under_10us", "<10us" }, { "under_100us", "<100us" },
	{ "under_1ms", "<1ms" }, { "under_10ms", "<10ms" }, { "under_100ms", "<100ms" },
	{ "under_1s", "<1s" },	 { "under_10s", "<10s" },   { "over_10s", ">=10s" },
};

u32 timeline_pages_nr_durations(const struct rows *rows)
{
	return rows_find_column(rows, durations[0].name) >= 0 ? TIMELINE_DURATIONS : 0;
}

u32 timeline_pages_nr_keys(const struct rows *rows)
{
	return rows->nr_columns - 2 - timeline_pages_nr_durations(rows);
}

u64 timeline_pages_slice_ns(const struct page *page)
{
	for (u32 i = 0; i < page->notes.list->len; i++) {
		const struct note *note = g_ptr_array_index(page->notes.list, i);

		if (note->name && !strcmp(note->name, SLICE_FACT))
			return note->value.number;
	}
	return 0;
}

static void make_columns(struct timeline_page *p)
{
	static const struct {
		const char *name, *title;
		enum cell_kind kind;
	} wholes[] = {
		[TIME_SHARE] = { "overhead", "Overhead", CELL_SHARE },
		[TIME_SECONDS] = { "time", "Seconds", CELL_TIME },
		[TIME_THREADS] = { "threads", "Threads", CELL_AVERAGE },
	};
	const GPtrArray *groups = p->timeline->options.columns->groups;
	struct rows_column *c = p->columns =
		g_new0(struct rows_column, groups->len + 2 + TIMELINE_DURATIONS);

	p->nr_keys = groups->len;
	*c++ = (struct rows_column){ .name = wholes[p->unit].name,
				     .title = wholes[p->unit].title,
				     .kind = wholes[p->unit].kind,
				     .nr_parts = 1,
				     .value = true };
	for (u32 i = 0; i < groups->len; i++) {
		const struct field *field = g_ptr_array_index(groups, i);

		*c++ = (struct rows_column){ .name = field->name,
					     .title = field->header,
					     .nr_parts = 1 };
	}
	for (u32 i = 0; p->event->lasts && i < TIMELINE_DURATIONS; i++)
		*c++ = (struct rows_column){ .name = durations[i].name,
					     .title = durations[i].title,
					     .unit = "waits",
					     .kind = CELL_COUNT,
					     .nr_parts = 1,
					     .value = true };
	p->nr_columns = (u32)(c - p->columns) + 1;
	*c = (struct rows_column){ .name = "timeline",
				   .title = "Timeline",
				   .kind = wholes[p->unit].kind,
				   .nr_parts = timeline_nr_slices(p->timeline),
				   .value = true };
}

static void page_free_own(void *arg)
{
	struct timeline_page *p = arg;

	g_free(p->slices);
	g_free(p->columns);
	g_free(p);
}

/* A slice's title is the second at which it begins. */
static void add_parts(struct timeline_page *p, struct page *page)
{
	g_ptr_array_set_free_func(page->parts, g_free);
	for (u32 i = 0; i < timeline_nr_slices(p->timeline); i++)
		g_ptr_array_add(page->parts,
				g_strdup_printf("%.6f",
						(double)timeline_start(p->timeline, i) / 1e9));
}

static void add_rows(const struct timeline_pages *t, struct timeline_page *p, struct page *page)
{
	u32 nr = timeline_nr_slices(p->timeline);

	p->slices = g_new0(u64, nr + 1);
	for (u32 i = 0; i < p->event->rows->len; i++) {
		const struct timeline_row *row = row_at(p, i);

		for (u32 k = 0; k < nr; k++)
			p->slices[k] += timeline_at(p->timeline, row, k);
	}
	for (u32 i = 0; i < p->event->rows->len && (!t->o.top || i < t->o.top); i++)
		if (percent_of(row_at(p, i)->period, p->event->period) >= t->o.least)
			list_rows_add(page->rows, LIST_TOP);
}

static void add_facts(const struct timeline_page *p, struct page *page)
{
	const struct timeline *t = p->timeline;
	struct note *note;

	note = notes_add_number(&page->notes, "samples", CELL_COUNT, p->event->samples);
	note_set_text(note, GAP_NONE, "Samples: %" PRIu64 " of event '%s'", p->event->samples,
		      page->title);
	note = notes_add_number(&page->notes, SLICE_FACT, CELL_TIME, t->slice_ns);
	note_set_text(note, GAP_NONE, "Time: %.6f s in slices of %.6f s",
		      (double)(t->to - t->from) / 1e9, (double)t->slice_ns / 1e9);
	if (t->options.slice_ns && t->slice_ns != t->options.slice_ns)
		notes_add(&page->notes, NOTE_REMARK,
			  "the requested slices would be too many: longer ones are used");
	notes_add_number(&page->notes, "begin", CELL_TIME, t->from - t->from % t->slice_ns);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { cell, text, key };
	const struct timeline_pages *t = of(pages);
	struct timeline_page *p = g_new0(struct timeline_page, 1);
	struct page *page;

	p->timeline = t->timeline;
	p->event = g_ptr_array_index(t->timeline->events, i);
	p->unit = t->o.unit;
	make_columns(p);
	page = page_new(g_strdup(p->event->evsel->name));
	page->own = p;
	page->free_own = page_free_own;
	page->rows = list_rows_new(p->columns, p->nr_columns, &ops, p);
	add_parts(p, page);
	add_rows(t, p, page);
	add_facts(p, page);
	return page;
}

static void remark(struct pages *pages, struct notes *notes)
{
	struct session *session = of(pages)->timeline->options.session;

	if (!pages->nr)
		notes_add(notes, NOTE_ERROR, "The %s data has no samples!",
			  perfdata_path(session_perfdata(session)));
	for (u32 i = 0; pages->nr && i < session_nr_files(session); i++)
		notes_add_losses(notes, session_file(session, i));
}

static void timeline_pages_free(struct pages *pages)
{
	pages_release(pages);
	g_free((struct timeline_pages *)of(pages));
}

struct pages *timeline_pages_new(const struct timeline *timeline,
				 const struct timeline_pages_options *options)
{
	static const struct pages_ops ops = { open_page, remark, timeline_pages_free };
	struct timeline_pages *t = g_new0(struct timeline_pages, 1);

	pages_init(&t->pages, &ops, "report", "timeline");
	t->timeline = timeline;
	t->o = *options;
	t->pages.nr = timeline->events->len;
	return &t->pages;
}
