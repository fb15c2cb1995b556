// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/touch_pages.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "dso/lines.h"
#include "pages/base/about.h"
#include "pages/base/list_rows.h"
#include "pages/code/annotate_private.h"
#include "pages/code/instruction.h"
#include "pages/code/touch_rows.h"
#include "perfdata/evsel.h"

static const struct rows_column columns[TOUCH_NR_COLUMNS] = {
	[ANNOTATE_SHARE] = { "overhead", "Percent", .kind = CELL_SHARE, .value = true },
	[ANNOTATE_SAMPLES] = { "sample", "Samples", "samples", CELL_COUNT, .value = true },
	[TOUCH_READS] = { "reads", "Reads", .kind = CELL_SHARE, .value = true },
	[TOUCH_WRITES] = { "writes", "Writes", .kind = CELL_SHARE, .value = true },
	[TOUCH_KEY] = { "", "" }, /* the field's own texts */
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

/* Lists: kinds of rows, and their columns. */
static const struct list {
	const char *kind;
	u32 columns; /* BIT()s */
	bool of_all; /* one page for all types together */
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
	GArray *list; /* struct annotated; profile NULL: the page is for all types */
};

static const struct touch_pages *of(const struct pages *pages)
{
	return container_of(pages, struct touch_pages, pages);
}

struct touch_page {
	const struct touch_pages *pages;
	const struct type_profile *profile; /* NULL: all selected types */
	struct annotated_events events;
	u32 which[TOUCH_NR_COLUMNS]; /* TOUCH_... of each shown column */
	struct rows_column *columns;
	struct touch_rows *rows;
};

static const struct touch_row *row_at(const struct touch_page *p, u32 i)
{
	return touch_rows_at(p->rows, i);
}

static const struct touch *first_of(const struct touch_page *p, u32 i)
{
	return g_ptr_array_index(row_at(p, i)->touches, 0);
}

/* The offset in the type with most of the row's period. */
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

static void add_rows(struct touch_page *p)
{
	const GPtrArray *profiles = p->pages->annotation->types->profiles;
	const struct touch_pages_options *o = &p->pages->touch;

	if (p->profile)
		touch_rows_add(p->rows, p->profile, o);
	for (u32 i = 0; !p->profile && i < profiles->len; i++)
		if (annotated_is_wanted(&p->pages->o, profiles->pdata[i]))
			touch_rows_add(p->rows, profiles->pdata[i], o);
	touch_rows_sort(p->rows);
}

/* Sets what 100% is: all samples for a list of types, else the samples of the page's type or field. */
static void find_whole(struct touch_page *p)
{
	for (u32 e = 0; e < p->events.nr; e++) {
		struct type_count all = p->pages->annotation->types->total[p->events.events[e]];
		struct access_count local = { 0 };

		for (u32 i = 0; p->profile && i < touch_rows_nr(p->rows); i++)
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
	touch_rows_free(p->rows);
	g_free(p->columns);
	g_free(p);
}

/* "struct order", "struct order +0x8 (id_next)"; for all types together, the event. */
static char *title_of(const struct touch_pages *t, const struct annotated *a)
{
	const struct type_profile *profile = a->profile;
	struct touch_selection selection;
	GString *title;

	if (!profile)
		return evsel_group_title(t->o.evsels, a->first, a->nr);
	title = g_string_new(NULL);
	if (!touch_select(&t->touch, profile, &selection) || (!selection.path && !selection.size))
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

	for (u32 i = 0; i < touch_rows_nr(p->rows); i++) {
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
	p->rows = touch_rows_new(t->touch.by, &p->events);
	add_rows(p);
	find_whole(p);
	make_columns(p);
	page->rows = list_rows_new(p->columns, (u32)__builtin_popcount(t->of->columns), &ops, p);
	for (u32 k = 0; k < touch_rows_nr(p->rows); k++)
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
	struct touch_selection selection;

	if (!touch_select(&t->touch, profile, &selection))
		return false;
	for (u32 i = 0; i < profile->touches->len; i++)
		if (touch_is_selected(&selection, profile->touches->pdata[i]))
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
	while (annotated_next(o, annotation->nr_events, &a))
		list_group(t, a);
	t->pages.nr = t->list->len;
	return &t->pages;
}
