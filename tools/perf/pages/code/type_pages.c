// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of a data type: its layout in memory, as a tree of members. */
#include "annotate/layout.h"
#include "base/table.h"
#include "pages/code/annotate_private.h"
#include "pages/base/about.h"
#include "pages/base/list_rows.h"
#include "pages/code/type_stats.h"

static const struct rows_column columns[TYPE_NR_COLUMNS] = {
	[ANNOTATE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .value = true },
	[ANNOTATE_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[TYPE_READS] = { "reads", "Reads", .kind = CELL_SHARE, .value = true },
	[TYPE_READ_SAMPLES] = { "read_sample", "Reads", "samples", CELL_COUNT, .value = true },
	[TYPE_WRITES] = { "writes", "Writes", .kind = CELL_SHARE, .value = true },
	[TYPE_WRITE_SAMPLES] = { "write_sample", "Writes", "samples", CELL_COUNT, .value = true },
	[TYPE_OFFSET] = { "offset", "Offset", .kind = CELL_BYTES, .right = true },
	[TYPE_SIZE] = { "size", "Size", .kind = CELL_BYTES, .right = true },
	[TYPE_TYPE] = { "type", "Type", .kind = CELL_TEXT, .tree = true },
	[TYPE_MEMBER] = { "member", "Field", .kind = CELL_TEXT },
	[TYPE_BITS] = { "bit_size", "Bits", "bits", CELL_COUNT, .right = true },
	[TYPE_LINE] = { "cache_line", "Cache line", .kind = CELL_ID, .right = true },
	[TYPE_MARK] = { "mark", "Mark", .kind = CELL_TEXT },
};

struct type_pages {
	struct pages pages;
	struct type_profiles *profiles;
	struct annotate_pages_options o;
	GArray *list; /* struct annotated */
};

static const struct type_pages *of(const struct pages *pages)
{
	return container_of(pages, struct type_pages, pages);
}

struct type_page {
	const struct type_pages *pages;
	const struct type_profile *profile;
	struct annotated_events events;
	struct rows_column *columns;
	struct rows *rows;
	GArray *lines;	/* struct type_line */
	GArray *around; /* u32: the lines of the members around the one being added */
	GArray *hot;	/* u32: hot lines */
};

static const struct type_line *line_at(const struct type_page *p, u32 i)
{
	return &g_array_index(p->lines, struct type_line, i);
}

static struct access_count value_of(const struct type_page *p, const struct type_line *line,
				    u32 event)
{
	if (!line->depth)
		return p->profile->total[event];
	return type_profile_sum(p->profile, event, line->offset,
				line->open_ended ? UINT64_MAX : line->size);
}

static void value_cell(const struct type_page *p, const struct type_line *line, u32 column,
		       u32 part, struct cell *out)
{
	struct access_count value = value_of(p, line, p->events.events[part]);
	struct type_count count = value.all;

	if (column == TYPE_READS || column == TYPE_READ_SAMPLES)
		count = value.reads;
	else if (column == TYPE_WRITES || column == TYPE_WRITE_SAMPLES)
		count = value.writes;
	annotated_cell(&p->events, column, part, count, out);
}

static bool is_hot(const struct type_page *p, u32 line)
{
	for (u32 i = 0; i < p->hot->len; i++)
		if (g_array_index(p->hot, u32, i) == line)
			return true;
	return false;
}

static const char *mark_of(const struct type_page *p, u32 i)
{
	u8 kind = line_at(p, i)->kind;

	if (kind == LINE_MEMBER)
		return is_hot(p, i) ? "hot" : NULL;
	return kind == LINE_HOLE ? "hole" : "padding";
}

static void line_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct type_page *p = arg;
	const struct type_line *line = line_at(p, i);

	if (column < TYPE_NR_VALUES)
		value_cell(p, line, column, part, out);
	else if (column == TYPE_OFFSET)
		out->number = line->offset;
	else if (column == TYPE_SIZE)
		out->number = line->size;
	else if (column == TYPE_LINE)
		out->number = line->offset / p->pages->o.cache_line_size;
	else if (column == TYPE_BITS && line->bit_size)
		out->number = line->bit_size;
	else if (column == TYPE_BITS || (column == TYPE_MARK && !mark_of(p, i)))
		out->kind = CELL_NONE;
}

/* A type without a name has the text of its C declaration, because its members follow. */
static const char *name_of(const struct type_line *line)
{
	bool in_place = line->depth && line->opens;

	return in_place ? line->type->name : type_shown_name(line->type);
}

static void line_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct type_page *p = arg;
	const struct type_line *line = line_at(p, i);

	if (column == TYPE_MARK)
		g_string_append(out, mark_of(p, i));
	else if (column == TYPE_TYPE && line->kind == LINE_MEMBER)
		annotated_type(&p->pages->o, name_of(line), out);
	else if (column == TYPE_TYPE)
		g_string_append_printf(out, "(%s)", mark_of(p, i));
	else
		g_string_append(out, line->name);
}

static bool about_line(const struct page *page, struct row row, struct about *out)
{
	const struct type_page *p = page->own;
	const struct type_line *line = line_at(p, list_rows_line(row));

	*out = (struct about){ .type = p->profile->type };
	if (line->depth) {
		out->offset = line->offset;
		out->size = line->open_ended ? UINT64_MAX : MAX(line->size, 1);
	}
	return line->kind == LINE_MEMBER;
}

static u64 line_key(const void *arg, u32 i)
{
	const struct type_line *line = line_at(arg, i);

	return table_mix(table_mix(line->offset << 8 | line->bit_size, line->kind),
			 g_str_hash(line->name));
}

/* Limit of lines. In damaged debug information, members can nest without end. */
#define MAX_LINES (1 << 20)

static bool add_line(const struct type_line *line, void *arg)
{
	struct type_page *p = arg;
	u32 number;

	g_array_set_size(p->around, line->depth);
	number = list_rows_add(p->rows, line->depth ? g_array_index(p->around, u32, line->depth - 1)
						    : LIST_TOP);
	g_array_append_val(p->lines, *line);
	g_array_append_val(p->around, number);
	return p->lines->len < MAX_LINES;
}

struct hot_line {
	const struct type_line *line;
	u32 number;
	u64 period;
};

static int compare_hot(const void *pa, const void *pb)
{
	const struct hot_line *a = pa, *b = pb;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static u64 period_of(const struct type_page *p, const struct type_line *line)
{
	u64 sum = 0;

	for (u32 i = 0; i < p->events.nr; i++)
		sum += value_of(p, line, p->events.events[i]).all.period;
	return sum;
}

/* Is the line in the same bytes as an earlier one, as members of a union are? Such bytes count once. */
static bool lies_over(const struct type_page *p, const struct type_line *line)
{
	for (u32 i = 0; i < p->hot->len; i++) {
		const struct type_line *hot = line_at(p, g_array_index(p->hot, u32, i));

		if (line->offset < hot->offset + hot->size &&
		    hot->offset < line->offset + line->size)
			return true;
	}
	return false;
}

#define MAX_HOT 64

/*
 * Finds the hot members: the smallest set of members without members of their own that have three quarters of the
 * type's period.
 */
static void find_hot(struct type_page *p)
{
	g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct hot_line));
	u64 whole = period_of(p, line_at(p, 0)), sum = 0;

	for (u32 i = 1; i < p->lines->len; i++) {
		struct hot_line hot = { line_at(p, i), i, 0 };

		hot.period = hot.line->opens || hot.line->kind ? 0 : period_of(p, hot.line);
		if (hot.period)
			g_array_append_val(all, hot);
	}
	g_array_sort(all, compare_hot);
	for (u32 i = 0; i < MIN(all->len, MAX_HOT) && sum < whole - whole / 4; i++) {
		const struct hot_line *hot = &g_array_index(all, struct hot_line, i);

		sum += lies_over(p, hot->line) ? 0 : hot->period;
		g_array_append_val(p->hot, hot->number);
	}
}

static void type_page_free(void *arg)
{
	struct type_page *p = arg;

	annotated_release(&p->events);
	g_array_unref(p->lines);
	g_array_unref(p->around);
	g_array_unref(p->hot);
	g_free(p->columns);
	g_free(p);
}

/* The number of pages of statistics, which come before the pages of types. */
static u32 nr_before(const struct type_pages *t)
{
	return t->o.type_stat + (t->o.insns != NULL);
}

/* Adds the size in bytes and in cache lines, for an object that starts at a cache line. */
static void add_size(const struct type_page *p, struct notes *notes)
{
	u64 size = p->profile->type->size, line = p->pages->o.cache_line_size;

	notes_add_number(notes, "size", CELL_BYTES, size);
	notes_add_number(notes, "cache_line_size", CELL_BYTES, line);
	notes_add_number(notes, "cache_lines", CELL_COUNT, (size + line - 1) / line);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { line_cell, line_text, line_key };
	const struct type_pages *t = of(pages);
	const struct annotated *a;
	g_autoptr(GString) title = NULL;
	struct type_page *p;
	struct page *page;

	if (i < nr_before(t))
		return !i && t->o.type_stat ? type_stat_page(&t->profiles->stat)
					    : insn_stat_page(t->o.insns);
	a = &g_array_index(t->list, struct annotated, i - nr_before(t));
	title = g_string_new(NULL);
	p = g_new0(struct type_page, 1);
	p->pages = t;
	p->profile = a->profile;
	annotated_type(&t->o, type_shown_name(p->profile->type), title);
	page = annotated_page(&t->o, a, g_strdup(title->str), &p->events);
	notes_add_words(&page->notes, "dso", dso_long_name(p->profile->dso));
	if (p->pages->o.baseline)
		notes_add_words(&page->notes, "baseline", p->pages->o.baseline);
	notes_add_number(&page->notes, "samples", CELL_COUNT,
			 type_profile_samples(p->profile, a->first, a->nr));
	for (u32 k = 0; k < p->events.nr; k++)
		annotated_whole(&t->o, &p->events, k, p->profile->total[p->events.events[k]].all,
				t->profiles->total[p->events.events[k]]);
	p->columns = annotated_columns(columns, TYPE_NR_COLUMNS, &p->events);
	p->lines = g_array_new(FALSE, FALSE, sizeof(struct type_line));
	p->around = g_array_new(FALSE, FALSE, sizeof(u32));
	p->rows = list_rows_new(p->columns, TYPE_NR_COLUMNS, &ops, p);
	p->hot = g_array_new(FALSE, FALSE, sizeof(u32));
	type_each_line(p->profile->type, t->o.layout, add_line, p);
	find_hot(p);
	add_size(p, &page->notes);
	page->rows = p->rows;
	page->own = p;
	page->free_own = type_page_free;
	page->about = about_line;
	return page;
}

static void type_pages_free(struct pages *pages)
{
	struct type_pages *t = (struct type_pages *)of(pages);

	g_array_unref(t->list);
	pages_release(pages);
	g_free(t);
}

static void remark(struct pages *pages, struct notes *notes)
{
	annotated_remark(&of(pages)->o, notes);
}

static void list_group(struct type_pages *t, struct annotated a)
{
	type_profiles_sort(t->profiles, a.first, a.nr);
	for (u32 i = 0; i < t->profiles->profiles->len; i++) {
		const struct type_profile *profile;

		a.profile = g_ptr_array_index(t->profiles->profiles, i);
		profile = a.profile;
		if (type_profile_samples(profile, a.first, a.nr) &&
		    !annotated_below_limit(&t->o, profile->total[a.first].all.period,
					   &t->profiles->total[a.first]) &&
		    annotated_is_wanted(&t->o, profile))
			g_array_append_val(t->list, a);
	}
}

struct pages *type_pages_new(struct type_profiles *profiles, const struct annotate_pages_options *o)
{
	static const struct pages_ops ops = { open_page, remark, type_pages_free };
	struct type_pages *t = g_new0(struct type_pages, 1);
	struct annotated a = { 0 };

	pages_init(&t->pages, &ops, "annotate", "type");
	t->profiles = profiles;
	t->o = *o;
	t->o.cache_line_size = o->cache_line_size ?: ANNOTATED_LINE_SIZE;
	t->list = g_array_new(FALSE, FALSE, sizeof(struct annotated));
	while (annotated_next(o, profiles->nr_events, &a))
		list_group(t, a);
	t->pages.nr = nr_before(t) + t->list->len;
	return &t->pages;
}

u32 type_pages_nr(const struct pages *pages)
{
	return of(pages)->list->len;
}

const char *type_pages_name(const struct pages *pages, u32 i)
{
	const struct type_pages *t = of(pages);
	const struct type_profile *profile;

	if (i < nr_before(t))
		return "";
	profile = g_array_index(t->list, struct annotated, i - nr_before(t)).profile;
	return type_shown_name(profile->type);
}

char *type_pages_event(const struct pages *pages, u32 i)
{
	const struct type_pages *t = of(pages);
	const struct annotated *a;

	if (i < nr_before(t))
		return g_strdup("");
	a = &g_array_index(t->list, struct annotated, i - nr_before(t));
	return annotated_event(&t->o, a);
}

s64 type_pages_find(const struct pages *pages, const struct type *type, const char *pattern)
{
	const struct type_pages *t = of(pages);

	for (u32 i = 0; i < t->list->len; i++) {
		const struct type_profile *profile =
			g_array_index(t->list, struct annotated, i).profile;

		if (type ? profile->type == type : type_name_matches(profile->type, pattern))
			return nr_before(t) + i;
	}
	return -1;
}
