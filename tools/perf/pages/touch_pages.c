// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/touch_pages.h"

#include <inttypes.h>
#include <string.h>

#include "annotate/layout.h"
#include "base/table.h"
#include "dso/lines.h"
#include "pages/about.h"
#include "pages/annotate_private.h"
#include "pages/instruction.h"
#include "pages/list_rows.h"
#include "perfdata/evsel.h"

static const struct rows_column columns[TOUCH_NR_COLUMNS] = {
	[ANNOTATE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .value = true },
	[ANNOTATE_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[TOUCH_READS] = { "reads", "Reads", .kind = CELL_SHARE, .value = true },
	[TOUCH_WRITES] = { "writes", "Writes", .kind = CELL_SHARE, .value = true },
	[TOUCH_KEY] = { "", "" }, /* the field's own */
	[TOUCH_TYPE] = { "type", "Data Type", .kind = CELL_TEXT, .loose = true },
	[TOUCH_SIZE] = { "size", "Size", .kind = CELL_BYTES, .right = true },
	[TOUCH_OFFSET] = { "type_offset", "Offset", .kind = CELL_BYTES, .right = true },
	[TOUCH_MEMBER] = { "member", "Field", .kind = CELL_TEXT, .loose = true },
	[TOUCH_ACCESS] = { "access", "Access", .kind = CELL_TEXT },
	[TOUCH_SYMBOL] = { "symbol", "Symbol", .kind = CELL_TEXT },
	[TOUCH_FILE] = { "file", "File", .kind = CELL_TEXT },
	[TOUCH_LINE] = { "line", "Line", .kind = CELL_ID, .right = true },
	[TOUCH_ADDRESS] = { "address", "Address", .kind = CELL_ADDRESS, .right = true },
	[TOUCH_INSTRUCTION] = { "instruction", "Instruction", .kind = CELL_TEXT },
	[TOUCH_DSO] = { "dso", "Shared Object", .kind = CELL_TEXT, .loose = true },
};

#define BIT(column) (1u << (column))
#define SHARES	    (BIT(ANNOTATE_SHARE) | BIT(ANNOTATE_SAMPLES) | BIT(TOUCH_READS) | BIT(TOUCH_WRITES))

/* The kind of a page's rows, and their columns. */
static const struct list {
	const char *kind;
	u32 columns; /* BIT()s */
	bool of_all; /* one page for all types */
} lists[TOUCHES_NR_BY] = {
	[TOUCHES_BY_TYPE] = { "types",
			      SHARES | BIT(TOUCH_TYPE) | BIT(TOUCH_SIZE) | BIT(TOUCH_MEMBER) |
				      BIT(TOUCH_DSO),
			      true },
	[TOUCHES_BY_CODE] = { "field",
			      BIT(ANNOTATE_SHARE) | BIT(ANNOTATE_SAMPLES) | BIT(TOUCH_OFFSET) |
				      BIT(TOUCH_MEMBER) | BIT(TOUCH_ACCESS) | BIT(TOUCH_SYMBOL) |
				      BIT(TOUCH_FILE) | BIT(TOUCH_LINE) | BIT(TOUCH_ADDRESS) |
				      BIT(TOUCH_INSTRUCTION),
			      false },
	[TOUCHES_BY_KEY] = { "users", SHARES | BIT(TOUCH_KEY) | BIT(TOUCH_MEMBER), false },
};

struct touch_pages {
	struct pages pages;
	const struct annotation *annotation;
	struct annotate_pages_options o;
	struct touch_pages_options touch;
	const struct list *of;
	GArray *list; /* struct annotated; its profile is NULL if the page is for all types */
};

static const struct touch_pages *of(const struct pages *pages)
{
	return container_of(pages, struct touch_pages, pages);
}

struct touch_row {
	GPtrArray *touches;	     /* const struct touch *; never empty */
	struct access_count *counts; /* by part */
	u64 period;		     /* of all parts */
};

struct touch_page {
	const struct touch_pages *pages;
	const struct type_profile *profile; /* NULL: all selected types */
	struct annotated_events events;
	u32 which[TOUCH_NR_COLUMNS]; /* TOUCH_ of each shown column */
	struct rows_column *columns;
	GPtrArray *rows; /* struct touch_row * */
};

static const struct touch_row *row_at(const struct touch_page *p, u32 i)
{
	return g_ptr_array_index(p->rows, i);
}

static const struct touch *first_of(const struct touch_page *p, u32 i)
{
	return g_ptr_array_index(row_at(p, i)->touches, 0);
}

/* The offset in the type with the largest part of the row's period. */
static s64 hottest(const struct touch_page *p, u32 i)
{
	g_autoptr(GHashTable)
		sums = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
	const struct touch_row *row = row_at(p, i);
	s64 best = 0;
	u64 most = 0;

	for (u32 k = 0; k < row->touches->len; k++) {
		const struct touch *touch = g_ptr_array_index(row->touches, k);
		u64 *sum = g_hash_table_lookup(sums, &touch->offset);

		if (!sum) {
			sum = g_new0(u64, 1);
			g_hash_table_insert(sums, (void *)&touch->offset, sum);
		}
		for (u32 e = 0; e < p->events.nr; e++)
			*sum += touch->counts[p->events.events[e]].period;
		if (*sum > most || !k) {
			most = *sum;
			best = touch->offset;
		}
	}
	return best;
}

static bool member_of(const struct touch_page *p, u32 i, char path[256])
{
	s64 offset = hottest(p, i);

	if (offset == TYPE_OFFSET_ANY)
		return g_strlcpy(path, "one of several", 256);
	return type_member_path(first_of(p, i)->profile->type, (u64)offset, path, 256);
}

static bool line_of(const struct touch *touch, const char **file, u32 *nr)
{
	return dso_line(touch->dso, touch->vaddr, file, nr) && *nr;
}

static void value_cell(const struct touch_page *p, u32 i, u32 which, u32 part, struct cell *out)
{
	const struct access_count *value = &row_at(p, i)->counts[part];
	struct type_count count = value->all;

	if (which == TOUCH_READS)
		count = value->reads;
	else if (which == TOUCH_WRITES)
		count = value->writes;
	annotated_cell(&p->events, which == ANNOTATE_SAMPLES ? which : ANNOTATE_SHARE, part, count,
		       out);
}

static void touch_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct touch_page *p = arg;
	const struct touch *touch = first_of(p, i);
	u32 which = p->which[column], nr;
	const char *file;
	char path[256];

	if (columns[which].value)
		value_cell(p, i, which, part, out);
	else if (which == TOUCH_KEY)
		*out = field_cell(p->pages->annotation->options.by, touch->by);
	else if (which == TOUCH_SIZE)
		out->number = touch->profile->type->size;
	else if (which == TOUCH_OFFSET && touch->offset != TYPE_OFFSET_ANY)
		*out = (struct cell){ CELL_BYTES, true, (u64)touch->offset, 0 };
	else if (which == TOUCH_ADDRESS)
		out->number = touch->vaddr;
	else if (which == TOUCH_LINE && line_of(touch, &file, &nr))
		out->number = nr;
	else if (which == TOUCH_OFFSET || which == TOUCH_LINE ||
		 (which == TOUCH_FILE && !line_of(touch, &file, &nr)) ||
		 (which == TOUCH_MEMBER && !member_of(p, i, path)) ||
		 (which == TOUCH_ACCESS && !touch->roles))
		out->kind = CELL_NONE;
}

static void append_file(const struct touch_page *p, const struct touch *touch, GString *out)
{
	const char *file, *slash;
	u32 nr;

	if (!line_of(touch, &file, &nr))
		return;
	slash = p->pages->o.full_paths ? NULL : strrchr(file, '/');
	g_string_append(out, slash ? slash + 1 : file);
}

static void append_symbol(const struct touch *touch, GString *out)
{
	if (touch->symbol)
		g_string_append(out, dso_symbol_name(touch->dso, touch->symbol));
	else
		g_string_append_printf(out, "0x%" PRIx64, touch->vaddr);
}

static void touch_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct touch_page *p = arg;
	const struct annotation *a = p->pages->annotation;
	const struct touch *touch = first_of(p, i);
	char path[256];

	switch (p->which[column]) {
	case TOUCH_KEY:
		field_print(a->options.by, a->options.lexicon, touch->by, out);
		break;
	case TOUCH_TYPE:
		annotated_type(&p->pages->o, type_shown_name(touch->profile->type), out);
		break;
	case TOUCH_MEMBER:
		if (member_of(p, i, path))
			g_string_append(out, path);
		break;
	case TOUCH_ACCESS:
		g_string_append(out, annotated_roles(touch->roles));
		break;
	case TOUCH_SYMBOL:
		append_symbol(touch, out);
		break;
	case TOUCH_FILE:
		append_file(p, touch, out);
		break;
	case TOUCH_INSTRUCTION:
		instruction_append(a->decoder, touch->dso, touch->vaddr, out);
		break;
	default:
		g_string_append(out, p->pages->o.full_paths ? dso_long_name(touch->dso)
							    : dso_short_name(touch->dso));
	}
}

/* The key of a row: touches with the same group are summed. */
struct touch_group {
	u64 a, b, c;
};

static struct touch_group group_of(enum touches_by by, const struct touch *touch)
{
	if (by == TOUCHES_BY_TYPE)
		return (struct touch_group){ GPOINTER_TO_SIZE(touch->profile), 0, 0 };
	if (by == TOUCHES_BY_KEY)
		return (struct touch_group){ touch->by, 0, 0 };
	return (struct touch_group){ GPOINTER_TO_SIZE(touch->dso), touch->vaddr,
				     (u64)touch->offset << 2 | touch->roles };
}

static u64 touch_key(const void *arg, u32 i)
{
	const struct touch_page *p = arg;
	const struct touch *touch = first_of(p, i);

	if (p->pages->touch.by == TOUCHES_BY_KEY)
		return touch->by;
	if (p->pages->touch.by == TOUCHES_BY_TYPE)
		return table_mix(type_identity(touch->profile->type), dso_id(touch->dso));
	return table_mix(touch->vaddr, (u64)touch->offset << 2 | touch->roles);
}

static bool about_touch(const struct page *page, struct row row, struct about *out)
{
	const struct touch_page *p = page->own;
	const struct touch *touch = first_of(p, list_rows_line(row));
	enum touches_by by = p->pages->touch.by;

	*out = (struct about){ .type = touch->profile->type };
	if (by == TOUCHES_BY_KEY) {
		out->has_key = true;
		out->key = touch->by;
	}
	if (by != TOUCHES_BY_CODE)
		return true;
	out->dso = touch->dso;
	out->symbol = touch->symbol;
	out->vaddr = touch->vaddr;
	out->offset = (u64)touch->offset;
	out->size = touch->offset != TYPE_OFFSET_ANY;
	return true;
}

/* The accesses that belong to a page: by bytes, or by path for fields, for example in arrays. */
struct selection {
	u64 offset, size; /* @size 0: all */
	const char *path;
};

static bool select_field(const struct touch_pages *t, const struct type_profile *profile,
			 struct selection *out)
{
	const char *field = t->touch.field;
	struct type_line line;

	*out = (struct selection){ t->touch.offset, t->touch.size, NULL };
	if (!field)
		return true;
	out->path = field;
	if (!type_find_line(profile->type, field, &line))
		return *field != '+' && !g_ascii_isdigit(*field);
	*out = (struct selection){ line.offset, line.size ?: UINT64_MAX, NULL };
	return true;
}

static bool is_selected(const struct selection *s, const struct touch *touch)
{
	char path[256];
	size_t size;

	if (!s->path)
		return !s->size || (touch->offset >= (s64)s->offset &&
				    (u64)touch->offset - s->offset < s->size);
	size = strlen(s->path);
	return touch->offset >= 0 &&
	       type_member_path(touch->profile->type, (u64)touch->offset, path, sizeof(path)) &&
	       !strncmp(path, s->path, size) && (!path[size] || path[size] == '.');
}

static guint group_hash(const void *p)
{
	const struct touch_group *g = p;

	return table_fold(table_mix(table_mix(g->a, g->b), g->c));
}

static int group_equal(const void *a, const void *b)
{
	return !memcmp(a, b, sizeof(struct touch_group));
}

static void row_free(void *arg)
{
	struct touch_row *row = arg;

	g_ptr_array_unref(row->touches);
	g_free(row->counts);
	g_free(row);
}

static void add_touch(struct touch_page *p, GHashTable *groups, const struct touch *touch)
{
	struct touch_group group = group_of(p->pages->touch.by, touch);
	struct touch_row *row = g_hash_table_lookup(groups, &group);

	if (!row) {
		row = g_new0(struct touch_row, 1);
		row->touches = g_ptr_array_new();
		row->counts = g_new0(struct access_count, MAX(p->events.nr, 1));
		g_ptr_array_add(p->rows, row);
		g_hash_table_insert(groups, g_memdup2(&group, sizeof(group)), row);
	}
	g_ptr_array_add(row->touches, (void *)touch);
	for (u32 i = 0; i < p->events.nr; i++) {
		const struct type_count *count = &touch->counts[p->events.events[i]];

		access_count_add(&row->counts[i], count, touch->roles);
		row->period += count->period;
	}
}

static void add_profile(struct touch_page *p, GHashTable *groups,
			const struct type_profile *profile)
{
	struct selection selection;

	if (!select_field(p->pages, profile, &selection))
		return;
	for (u32 i = 0; i < profile->touches->len; i++) {
		const struct touch *touch = g_ptr_array_index(profile->touches, i);
		bool counts = false;

		for (u32 e = 0; e < p->events.nr; e++)
			counts |= touch->counts[p->events.events[e]].samples != 0;
		if (counts && is_selected(&selection, touch))
			add_touch(p, groups, touch);
	}
}

static int compare_names(const struct touch *a, const struct touch *b)
{
	int by_name = strcmp(type_shown_name(a->profile->type), type_shown_name(b->profile->type));

	if (!by_name && a->symbol && b->symbol)
		by_name = strcmp(a->symbol->raw, b->symbol->raw);
	return by_name;
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct touch_row *a = *(struct touch_row *const *)pa;
	const struct touch_row *b = *(struct touch_row *const *)pb;
	const struct touch *ta = a->touches->pdata[0], *tb = b->touches->pdata[0];
	int by_name;

	if (a->period != b->period)
		return a->period > b->period ? -1 : 1;
	by_name = compare_names(ta, tb);
	if (by_name)
		return by_name;
	if (ta->vaddr != tb->vaddr)
		return ta->vaddr < tb->vaddr ? -1 : 1;
	return ta->offset < tb->offset ? -1 : ta->offset > tb->offset;
}

static void add_rows(struct touch_page *p)
{
	g_autoptr(GHashTable) groups = g_hash_table_new_full(group_hash, group_equal, g_free, NULL);
	const GPtrArray *profiles = p->pages->annotation->types->profiles;

	if (p->profile)
		add_profile(p, groups, p->profile);
	for (u32 i = 0; !p->profile && i < profiles->len; i++)
		if (annotated_is_wanted(&p->pages->o, profiles->pdata[i]))
			add_profile(p, groups, profiles->pdata[i]);
	g_ptr_array_sort(p->rows, compare_rows);
}

/* In a list of types, shares are of all samples. Otherwise they are of the page's subject. */
static void find_whole(struct touch_page *p)
{
	for (u32 e = 0; e < p->events.nr; e++) {
		struct type_count all = p->pages->annotation->types->total[p->events.events[e]];
		struct access_count local = { 0 };

		for (u32 i = 0; p->profile && i < p->rows->len; i++)
			access_count_add(&local, &row_at(p, i)->counts[e].all, 0);
		annotated_whole(&p->pages->o, &p->events, e, p->profile ? local.all : all, all);
	}
}

static void make_columns(struct touch_page *p)
{
	struct rows_column shown[TOUCH_NR_COLUMNS];
	const struct field *by = p->pages->annotation->options.by;
	u32 nr = 0;

	for (u32 i = 0; i < TOUCH_NR_COLUMNS; i++) {
		if (!(p->pages->of->columns & BIT(i)))
			continue;
		shown[nr] = columns[i];
		if (i == TOUCH_KEY)
			shown[nr] = (struct rows_column){ .name = by->name,
							  .title = by->header,
							  .unit = by->unit,
							  .kind = by->kind,
							  .right = by->right };
		p->which[nr++] = i;
	}
	p->columns = annotated_columns(shown, nr, &p->events);
}

static void touch_page_free(void *arg)
{
	struct touch_page *p = arg;

	annotated_release(&p->events);
	g_ptr_array_unref(p->rows);
	g_free(p->columns);
	g_free(p);
}

/* "struct order", "struct order +0x8 (id_next)"; for a list of all types, the name of the event. */
static char *title_of(const struct touch_pages *t, const struct annotated *a)
{
	const struct type_profile *profile = a->profile;
	struct selection selection;
	GString *title;

	if (!profile)
		return evsel_group_title(t->o.evsels, a->first, a->nr);
	title = g_string_new(NULL);
	if (!select_field(t, profile, &selection) || (!selection.path && !selection.size))
		annotated_type(&t->o, type_shown_name(profile->type), title);
	else if (t->touch.field && *t->touch.field != '+' && !g_ascii_isdigit(*t->touch.field))
		g_string_printf(title, "%s (%s)", type_shown_name(profile->type), t->touch.field);
	else
		type_offset_append(profile->type, type_shown_name(profile->type),
				   (s64)selection.offset, title);
	return g_string_free(title, FALSE);
}

static void add_facts(const struct touch_page *p, const char *title, struct notes *notes)
{
	g_autoptr(GHashTable) functions = g_hash_table_new(NULL, NULL);
	const char *event = notes_find(notes, "event")->words;
	struct note *note;
	u64 samples = 0;

	for (u32 i = 0; i < p->rows->len; i++) {
		const struct touch_row *row = row_at(p, i);

		for (u32 e = 0; e < p->events.nr; e++)
			samples += row->counts[e].all.samples;
		for (u32 k = 0; k < row->touches->len; k++) {
			const struct touch *touch = row->touches->pdata[k];

			g_hash_table_add(functions, (void *)touch->symbol);
		}
	}
	note = notes_add_number(notes, "samples", CELL_COUNT, samples);
	if (!p->profile) {
		note_set_text(note, GAP_BELOW, "Data types of %s: %" PRIu64 " sample%s", event,
			      samples, samples == 1 ? "" : "s");
		return;
	}
	note_set_text(note, GAP_BELOW, "%s in %s: %" PRIu64 " sample%s of %s", title,
		      dso_short_name(p->profile->dso), samples, samples == 1 ? "" : "s", event);
	notes_add_words(notes, "type", type_shown_name(p->profile->type));
	notes_add_words(notes, "dso", dso_long_name(p->profile->dso));
	notes_add_number(notes, "nr_functions", CELL_COUNT, g_hash_table_size(functions));
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { touch_cell, touch_text, touch_key };
	const struct touch_pages *t = of(pages);
	const struct annotated *a = &g_array_index(t->list, struct annotated, i);
	struct touch_page *p = g_new0(struct touch_page, 1);
	struct page *page = annotated_page(&t->o, a, title_of(t, a), &p->events);

	p->pages = t;
	p->profile = a->profile;
	p->rows = g_ptr_array_new_with_free_func(row_free);
	add_rows(p);
	find_whole(p);
	make_columns(p);
	page->rows = list_rows_new(p->columns, (u32)__builtin_popcount(t->of->columns), &ops, p);
	for (u32 k = 0; k < p->rows->len; k++)
		list_rows_add(page->rows, LIST_TOP);
	add_facts(p, page->title, &page->notes);
	page->own = p;
	page->free_own = touch_page_free;
	page->about = about_touch;
	return page;
}

static void touch_pages_free(struct pages *pages)
{
	struct touch_pages *t = (struct touch_pages *)of(pages);

	g_array_unref(t->list);
	pages_release(pages);
	g_free(t);
}

static void remark(struct pages *pages, struct notes *notes)
{
	annotated_remark(&of(pages)->o, notes);
}

static bool has_touch(const struct touch_pages *t, const struct type_profile *profile)
{
	struct selection selection;

	if (!select_field(t, profile, &selection))
		return false;
	for (u32 i = 0; i < profile->touches->len; i++)
		if (is_selected(&selection, profile->touches->pdata[i]))
			return true;
	return false;
}

static void list_group(struct touch_pages *t, struct annotated a)
{
	const struct type_profiles *types = t->annotation->types;
	u64 samples = 0;

	for (u32 i = a.first; i < a.first + a.nr; i++)
		samples += types->total[i].samples;
	if (t->of->of_all) {
		if (samples)
			g_array_append_val(t->list, a);
		return;
	}
	type_profiles_sort(t->annotation->types, a.first, a.nr);
	for (u32 i = 0; i < types->profiles->len; i++) {
		const struct type_profile *profile = types->profiles->pdata[i];

		a.profile = (void *)profile;
		if (type_profile_samples(profile, a.first, a.nr) &&
		    annotated_is_wanted(&t->o, profile) && has_touch(t, profile))
			g_array_append_val(t->list, a);
	}
}

struct pages *touch_pages_new(const struct annotation *annotation,
			      const struct annotate_pages_options *o,
			      const struct touch_pages_options *touch)
{
	static const struct pages_ops ops = { open_page, remark, touch_pages_free };
	struct touch_pages *t = g_new0(struct touch_pages, 1);
	struct annotated a = { 0 };

	t->of = &lists[touch->by];
	pages_init(&t->pages, &ops, "annotate", t->of->kind);
	t->annotation = annotation;
	t->o = *o;
	t->touch = *touch;
	t->list = g_array_new(FALSE, FALSE, sizeof(struct annotated));
	for (; a.first < annotation->nr_events; a.first += a.nr) {
		a.nr = annotated_width(o, a.first, annotation->nr_events);
		list_group(t, a);
	}
	t->pages.nr = t->list->len;
	return &t->pages;
}
