// SPDX-License-Identifier: GPL-2.0-or-later
/* The structure as it lies in memory: the type, below it its members, below them theirs. */
#include "base/table.h"
#include "pages/annotate_private.h"
#include "pages/list_rows.h"
#include "pages/type_stats.h"

static const struct rows_column columns[TYPE_NR_COLUMNS] = {
	[ANNOTATE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .value = true },
	[ANNOTATE_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[TYPE_OFFSET] = { "offset", "Offset", .kind = CELL_BYTES, .right = true },
	[TYPE_SIZE] = { "size", "Size", .kind = CELL_BYTES, .right = true },
	[TYPE_TYPE] = { "type", "Type", .kind = CELL_TEXT, .tree = true },
	[TYPE_MEMBER] = { "member", "Field", .kind = CELL_TEXT },
	[TYPE_BITS] = { "bit_size", "Bits", "bits", CELL_COUNT, .right = true },
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
	GArray *lines;	/* struct type_line, those that close a structure left out */
	GArray *around; /* u32: the lines that the one being added is below */
};

static const struct type_line *line_at(const struct type_page *p, u32 i)
{
	return &g_array_index(p->lines, struct type_line, i);
}

static struct type_count value_of(const struct type_page *p, const struct type_line *line, u32 part)
{
	u32 event = p->events.events[part];

	if (!line->depth)
		return p->profile->total[event];
	return type_profile_sum(p->profile, event, line->offset,
				line->open_ended ? UINT64_MAX : line->size);
}

static void line_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct type_page *p = arg;
	const struct type_line *line = line_at(p, i);

	if (column < ANNOTATE_NR_VALUES)
		annotated_cell(&p->events, column, part, value_of(p, line, part), out);
	else if (column == TYPE_OFFSET)
		out->number = line->offset;
	else if (column == TYPE_SIZE)
		out->number = line->size;
	else if (column == TYPE_BITS && line->bit_size)
		out->number = line->bit_size;
	else if (column == TYPE_BITS)
		out->kind = CELL_NONE;
}

/* A type without a name stands as C declares it, where its members follow. */
static const char *name_of(const struct type_line *line)
{
	bool in_place = line->depth && line->opens;

	return in_place ? line->type->name : type_shown_name(line->type);
}

static void append_name(const struct type_pages *pages, const char *name, GString *out)
{
	char buffer[512];

	g_string_append(out, pages->o.short_names ? type_name_short(name, buffer, sizeof(buffer))
						  : name);
}

static void line_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct type_page *p = arg;
	const struct type_line *line = line_at(p, i);

	if (column == TYPE_TYPE)
		append_name(p->pages, name_of(line), out);
	else
		g_string_append(out, line->name);
}

static u64 line_key(const void *arg, u32 i)
{
	const struct type_line *line = line_at(arg, i);

	return table_mix(line->offset << 8 | line->bit_size, g_str_hash(line->name));
}

/* Of a type as damaged debug information may have it, whose members nest without end. */
#define MAX_LINES (1 << 20)

static void add_line(const struct type_line *line, void *arg)
{
	struct type_page *p = arg;
	u32 number;

	if (!line->type || p->lines->len == MAX_LINES)
		return;
	g_array_set_size(p->around, line->depth);
	number = list_rows_add(p->rows, line->depth ? g_array_index(p->around, u32, line->depth - 1)
						    : LIST_TOP);
	g_array_append_val(p->lines, *line);
	g_array_append_val(p->around, number);
}

static void type_page_free(void *arg)
{
	struct type_page *p = arg;

	annotated_release(&p->events);
	g_array_unref(p->lines);
	g_array_unref(p->around);
	g_free(p->columns);
	g_free(p);
}

/* Pages of numbers, before those of types. */
static u32 nr_before(const struct type_pages *t)
{
	return t->o.type_stat + (t->o.insns != NULL);
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
	append_name(t, type_shown_name(p->profile->type), title);
	page = annotated_page(&t->o, a, g_strdup(title->str), &p->events);
	notes_add_words(&page->notes, "dso", dso_long_name(p->profile->dso));
	notes_add_number(&page->notes, "samples", CELL_COUNT,
			 type_profile_samples(p->profile, a->first, a->nr));
	p->events.whole = p->profile->total;
	p->columns = annotated_columns(columns, TYPE_NR_COLUMNS, &p->events);
	p->lines = g_array_new(FALSE, FALSE, sizeof(struct type_line));
	p->around = g_array_new(FALSE, FALSE, sizeof(u32));
	p->rows = list_rows_new(p->columns, TYPE_NR_COLUMNS, &ops, p);
	type_each_line(p->profile->type, add_line, p);
	page->rows = p->rows;
	page->own = p;
	page->free_own = type_page_free;
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
		    !annotated_below_limit(&t->o, &profile->total[a.first],
					   &t->profiles->total[a.first]) &&
		    (!t->o.pattern || type_name_matches(profile->type, t->o.pattern)))
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
	t->list = g_array_new(FALSE, FALSE, sizeof(struct annotated));
	for (; a.first < profiles->nr_events; a.first += a.nr) {
		a.nr = annotated_width(o, a.first, profiles->nr_events);
		list_group(t, a);
	}
	t->pages.nr = nr_before(t) + t->list->len;
	return &t->pages;
}

u32 type_pages_nr(const struct pages *pages)
{
	return of(pages)->list->len;
}
