// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/lists/stat_pages.h"

#include "base/percent.h"
#include "base/table.h"
#include "chains/ends.h"
#include "pages/base/list_rows.h"
#include "pages/lists/end_page.h"
#include "perfdata/evsel.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

static const struct rows_column columns[STAT_NR_COLUMNS] = {
	[STAT_RECORD] = { "record", "Record", .kind = CELL_TEXT },
	[STAT_NUMBER] = { "number", "Events", "records", CELL_COUNT, .value = true },
	[STAT_SHARE] = { "share", "Share", .kind = CELL_SHARE, .value = true },
};

/* A list of a page: record types and their counts. */
struct stat {
	const char *name;
	u64 nr;
};

struct stat_pages {
	struct pages pages;
	GArray *events; /* const struct evsel *: only those with samples */
	GArray *samples;
	const u64 *records;
	const struct chain_ends *ends;
};

static const struct stat_pages *of(const struct pages *pages)
{
	return container_of(pages, struct stat_pages, pages);
}

struct stat_page {
	GArray *stats; /* struct stat */
	u64 total;
};

static const struct stat *stat_at(const struct stat_page *p, u32 i)
{
	return &g_array_index(p->stats, struct stat, i);
}

static void stat_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct stat_page *p = arg;

	if (column == STAT_RECORD)
		return;
	out->number = stat_at(p, i)->nr;
	out->real = percent_of(out->number, p->total);
}

static void stat_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	g_string_append(out, stat_at(arg, i)->name);
}

static u64 stat_key(const void *arg, u32 i)
{
	return g_str_hash(stat_at(arg, i)->name);
}

static void add_stat(struct stat_page *p, struct rows *rows, const char *name, u64 nr)
{
	struct stat stat = { name, nr };

	if (!nr)
		return;
	g_array_append_val(p->stats, stat);
	list_rows_add(rows, LIST_TOP);
	p->total += nr;
}

static void stat_page_free(void *arg)
{
	struct stat_page *p = arg;

	g_array_unref(p->stats);
	g_free(p);
}

static struct page *open_counts(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { stat_cell, stat_text, stat_key };
	const struct stat_pages *s = of(pages);
	struct stat_page *p = g_new0(struct stat_page, 1);
	const struct evsel *evsel = i ? g_array_index(s->events, const struct evsel *, i - 1)
				      : NULL;
	struct page *page = page_new(g_strdup(evsel ? evsel->name : "Aggregated"));

	p->stats = g_array_new(FALSE, FALSE, sizeof(struct stat));
	page->own = p;
	page->free_own = stat_page_free;
	page->rows = list_rows_new(columns, STAT_NR_COLUMNS, &ops, p);
	for (u32 type = 0; !evsel && type < PERFDATA_RECORD_MAX; type++)
		add_stat(p, page->rows, event_type_name(type), s->records[type]);
	if (evsel)
		add_stat(p, page->rows, "SAMPLE", g_array_index(s->samples, u64, evsel->idx));
	notes_add_number(&page->notes, "total", CELL_COUNT, p->total);
	return page;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	const struct stat_pages *s = of(pages);

	return i > s->events->len ? end_page_new(s->ends) : open_counts(pages, i);
}

static void stat_pages_free(struct pages *pages)
{
	struct stat_pages *s = (struct stat_pages *)of(pages);

	g_array_unref(s->events);
	g_array_unref(s->samples);
	pages_release(pages);
	g_free(s);
}

struct pages *stat_pages_new(struct session *session, const GArray *samples)
{
	static const struct pages_ops ops = { .open = open_page, .free = stat_pages_free };
	struct stat_pages *s = g_new0(struct stat_pages, 1);
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));

	pages_init(&s->pages, &ops, "report", "stats");
	s->records = perfdata_counts(session_perfdata(session))->records;
	s->events = g_array_new(FALSE, FALSE, sizeof(const struct evsel *));
	s->samples = g_array_new(FALSE, TRUE, sizeof(u64));
	g_array_append_vals(s->samples, samples->data, samples->len);
	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		if (evsel->idx < samples->len && g_array_index(samples, u64, evsel->idx))
			g_array_append_val(s->events, evsel);
	}
	s->ends = session_chain_ends(session);
	s->pages.nr = 1 + s->events->len + (s->ends->stacks > 0);
	return &s->pages;
}
