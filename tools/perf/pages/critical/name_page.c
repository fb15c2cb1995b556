// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/name_page.h"

#include <inttypes.h>

#include "base/intern.h"
#include "critical/names.h"
#include "pages/base/list_rows.h"
#include "pages/critical/critical_words.h"

#define MOST_NAMES 100u

enum { SPANS_P99, SPANS_P50, SPANS_P90, SPANS_MAX, SPANS_NR, SPANS_SPAN };

#define TIME_COLUMN(name, title)                                                                   \
	{                                                                                          \
		name, title, .kind = CELL_TIME, .value = true, .nr_parts = 1, .width = 10          \
	}

static const struct rows_column columns[] = {
	[SPANS_P99] = TIME_COLUMN("p99", "p99"),
	[SPANS_P50] = TIME_COLUMN("p50", "p50"),
	[SPANS_P90] = TIME_COLUMN("p90", "p90"),
	[SPANS_MAX] = TIME_COLUMN("max", "Max"),
	[SPANS_NR] = { "instances", "Instances", "instances", .kind = CELL_COUNT, .value = true,
		       .nr_parts = 1, .width = 10 },
	[SPANS_SPAN] = { CRITICAL_LAST_SHOWN, "Span", .kind = CELL_TEXT, .nr_parts = 1,
			 .loose = true },
};

struct name_page {
	const struct critical_answer *answer;
	GArray *names; /* struct critical_name */
};

static const struct critical_name *name_at(const void *arg, u32 line)
{
	return &g_array_index(((const struct name_page *)arg)->names, struct critical_name, line);
}

static void cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct critical_name *n = name_at(arg, line);
	const u64 values[] = { [SPANS_P99] = n->p99,
			       [SPANS_P50] = n->p50,
			       [SPANS_P90] = n->p90,
			       [SPANS_MAX] = n->max,
			       [SPANS_NR] = n->nr };

	if (column < ARRAY_SIZE(values))
		out->number = values[column];
}

static void text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct name_page *p = arg;

	g_string_append(out, intern_text(p->answer->lexicon->texts, name_at(arg, line)->name));
}

static u64 key(const void *arg, u32 line)
{
	return name_at(arg, line)->name;
}

static void number(const void *arg, u32 line, u32 column, const struct cell *c, GString *out)
{
	if (c->kind == CELL_TIME)
		critical_append_time(out, c->number);
	else
		g_string_append_printf(out, "%" PRIu64, c->number);
}

static void free_page(void *arg)
{
	struct name_page *p = arg;

	g_array_unref(p->names);
	g_free(p);
}

struct page *critical_names_page(const struct critical_answer *answer)
{
	static const struct list_ops ops = { cell, text, key, number };
	struct name_page *p;
	struct page *page;
	GArray *names = critical_names(answer->doings,
				       intern_id(answer->lexicon->texts, "(spans without a name)"));

	if (names->len < 2 || answer->is_thread) {
		g_array_unref(names);
		return NULL;
	}
	p = g_new0(struct name_page, 1);
	p->answer = answer;
	p->names = names;
	page = page_new(g_strdup("Spans"));
	page->kind = "critical-spans";
	page->own = p;
	page->free_own = free_page;
	page->rows = list_rows_new(columns, ARRAY_SIZE(columns), &ops, p);
	for (u32 i = 0; i < MIN(names->len, MOST_NAMES); i++)
		list_rows_add(page->rows, LIST_TOP);
	notes_add_number(&page->notes, "names", CELL_COUNT, names->len);
	return page;
}
