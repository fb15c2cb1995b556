// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/sum_page.h"

#include "base/intern.h"
#include "base/percent.h"
#include "base/table.h"
#include "critical/sums.h"
#include "pages/base/list_rows.h"
#include "pages/critical/critical_words.h"

#define MOST_BOUNDS 10

enum { SUM_SLOW, SUM_REST, SUM_TIME, SUM_WHAT, SUM_SPAN, SUM_NAME, SUM_ALL, NR_SUM_COLUMNS };

struct sum_page {
	const struct critical_answer *answer;
	GArray *sums;  /* struct path_sum */
	GArray *lines; /* u32: index of a sum */
	bool bounds;
	const u8 *ids; /* by column */
	struct rows_column columns[NR_SUM_COLUMNS];
	u32 nr_columns;
};

static const struct rows_column all_columns[] = {
	[SUM_SLOW] = { "slow", "Slow", .kind = CELL_SHARE, .value = true, .nr_parts = 1,
		       .width = 8 },
	[SUM_REST] = { "rest", "Rest", .kind = CELL_SHARE, .value = true, .nr_parts = 1,
		       .width = 8 },
	[SUM_TIME] = { "time", "Each", .kind = CELL_TIME, .value = true, .nr_parts = 1,
		       .width = 10 },
	[SUM_WHAT] = { CRITICAL_LAST_SHOWN, "Lost to other spans", .kind = CELL_TEXT, .nr_parts = 1,
		       .tree = true, .loose = true },
	[SUM_SPAN] = { "span", "Span", .kind = CELL_TEXT, .nr_parts = 1 },
	[SUM_NAME] = { "name", "Name", .kind = CELL_TEXT, .nr_parts = 1 },
	[SUM_ALL] = { "all", "All", .kind = CELL_SHARE, .nr_parts = 1 },
};

static const u8 columns_of_several[] = { SUM_SLOW, SUM_REST, SUM_TIME, SUM_WHAT,
					 SUM_SPAN, SUM_NAME, SUM_ALL };
static const u8 columns_of_one[] = { SUM_SLOW, SUM_TIME, SUM_WHAT, SUM_SPAN, SUM_NAME };

static const struct path_sum *sum_of(const struct sum_page *p, u32 line)
{
	return &g_array_index(p->sums, struct path_sum, g_array_index(p->lines, u32, line));
}

/* What the sums are of. */
static const struct critical_class *class_of(const struct sum_page *p, enum path_class class)
{
	return p->bounds ? &critical_savings(p->answer)->classes[class]
			 : &p->answer->classes[class];
}

static double share(const struct sum_page *p, const struct path_sum *sum, enum path_class class)
{
	return percent_of(sum->ns[class], class_of(p, class)->ns);
}

static void cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct sum_page *p = arg;
	const struct path_sum *sum = sum_of(p, line);

	column = p->ids[column];
	if (column == SUM_ALL) {
		out->number = sum->ns[CLASS_SLOW] + sum->ns[CLASS_REST];
		out->real = critical_share_of_all(p->answer, sum);
	} else if (column == SUM_TIME) {
		out->number = sum->ns[CLASS_SLOW] / MAX(class_of(p, CLASS_SLOW)->walked, 1);
	} else if (column == SUM_SLOW || column == SUM_REST) {
		enum path_class class = column == SUM_SLOW ? CLASS_SLOW : CLASS_REST;

		out->number = sum->ns[class];
		out->real = share(p, sum, class);
	}
}

static void text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct sum_page *p = arg;
	const struct path_sum *sum = sum_of(p, line);

	column = p->ids[column];
	if (column == SUM_WHAT)
		critical_append_sum(p->answer, sum, out);
	else if (column == SUM_SPAN)
		g_string_append(out, intern_text(p->answer->lexicon->texts, sum->span));
	else if (column == SUM_NAME)
		g_string_append(out, intern_text(p->answer->lexicon->texts, sum->what));
}

static u64 key(const void *arg, u32 line)
{
	const struct path_sum *sum = sum_of(arg, line);

	return table_mix((u64)sum->span << 32 | sum->what, sum->kind);
}

static void number(const void *arg, u32 line, u32 column, const struct cell *c, GString *out)
{
	if (c->kind == CELL_TIME)
		critical_append_time(out, c->number);
	else if (c->kind == CELL_SHARE)
		g_string_append_printf(out, "%.1f %%", c->real);
}

static void free_page(void *arg)
{
	struct sum_page *p = arg;

	g_array_unref(p->sums);
	g_array_unref(p->lines);
	g_free(p);
}

static void add_line(struct page *page, u32 sum, u32 *whole)
{
	struct sum_page *p = page->own;
	const struct path_sum *s = &g_array_index(p->sums, struct path_sum, sum);
	bool is_part = !p->bounds && (s->what || s->kind != SUM_WAIT);
	u32 line = list_rows_add(page->rows, is_part ? *whole : LIST_TOP);

	if (!is_part)
		*whole = line;
	g_array_append_val(p->lines, sum);
}

static void choose_columns(struct sum_page *p)
{
	bool one = !p->answer->classes[CLASS_REST].nr;

	p->ids = one ? columns_of_one : columns_of_several;
	p->nr_columns = one ? ARRAY_SIZE(columns_of_one) : ARRAY_SIZE(columns_of_several);
	if (p->bounds && !one) /* those that were walked again may be fewer than all */
		p->nr_columns--;
	for (u32 i = 0; i < p->nr_columns; i++) {
		struct rows_column *c = &p->columns[i];

		*c = all_columns[p->ids[i]];
		if (p->ids[i] == SUM_WHAT && p->bounds)
			c->title = "Saved at most, if it cost nothing";
		else if (p->ids[i] == SUM_SLOW && one)
			c->title = "Share";
		else if (p->ids[i] == SUM_TIME && one)
			c->title = "Time";
	}
}

/* Takes @sums over. */
static struct page *make(const struct critical_answer *a, GArray *sums, bool bounds, double least)
{
	static const struct list_ops ops = { cell, text, key, number };
	struct sum_page *p = g_new0(struct sum_page, 1);
	struct page *page = page_new(g_strdup(bounds ? "Bounds" : "Lost"));
	u32 whole = LIST_TOP;

	p->answer = a;
	p->sums = sums;
	p->bounds = bounds;
	choose_columns(p);
	p->lines = g_array_new(FALSE, FALSE, sizeof(u32));
	page->own = p;
	page->free_own = free_page;
	page->kind = bounds ? "critical-bounds" : "critical-lost";
	page->rows = list_rows_new(p->columns, p->nr_columns, &ops, p);
	for (u32 i = 0; i < sums->len && (!bounds || p->lines->len < MOST_BOUNDS); i++) {
		const struct path_sum *s = &g_array_index(sums, struct path_sum, i);

		if (MAX(share(p, s, CLASS_SLOW), share(p, s, CLASS_REST)) >= least)
			add_line(page, i, &whole);
	}
	if (p->lines->len)
		return page;
	page_free(page);
	return NULL;
}

struct page *critical_lost_page(const struct critical_answer *answer, double least)
{
	return make(answer, path_sums_lost(answer->tree), false, least);
}

struct page *critical_bounds_page(const struct critical_answer *answer, double least)
{
	return make(answer, g_array_ref(critical_savings(answer)->sums), true, least);
}
