// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/beside_pages.h"

#include <string.h>

#include "base/intern.h"
#include "base/table.h"
#include "fields/identity.h"
#include "pages/base/list_rows.h"
#include "pages/code/align.h"

enum { BEFORE, NOW, NR_SIDES };
#define EITHER NR_SIDES	      /* as it is now, or as it was */
#define OWN    (NR_SIDES + 1) /* neither side's */

/* A column shows column @source of the rows of a side. */
struct beside_column {
	struct rows_column column;
	u8 side;
	u8 source;
};

#define VALUES(share, samples)                                                                     \
	[BESIDE_SHARE_BEFORE] = { { "overhead_before", "Before", .kind = CELL_SHARE,               \
				    .value = true },                                               \
				  BEFORE,                                                          \
				  share },                                                         \
	[BESIDE_SAMPLES_BEFORE] = { { "sample_before", "Before", "samples", CELL_COUNT,            \
				      .value = true },                                             \
				    BEFORE,                                                        \
				    samples },                                                     \
	[BESIDE_SHARE] = { { "overhead", "Now", .kind = CELL_SHARE, .value = true }, NOW, share }, \
	[BESIDE_SAMPLES] = { { "sample", "Now", "samples", CELL_COUNT, .value = true },            \
			     NOW,                                                                  \
			     samples },                                                            \
	[BESIDE_CHANGE] = { { "change", "Change", .kind = CELL_TEXT }, OWN, 0 }

static const struct beside_column code_columns[] = {
	VALUES(ANNOTATE_SHARE, ANNOTATE_SAMPLES),
	[BESIDE_ADDRESS_BEFORE] = { { "address_before", "Address", .kind = CELL_ADDRESS,
				      .right = true },
				    BEFORE,
				    CODE_ADDRESS },
	[BESIDE_INSTRUCTION_BEFORE] = { { "instruction_before", "Before", .kind = CELL_TEXT },
					BEFORE,
					CODE_INSTRUCTION },
	[BESIDE_ADDRESS] = { { "address", "Address", .kind = CELL_ADDRESS, .right = true },
			     NOW,
			     CODE_ADDRESS },
	[BESIDE_INSTRUCTION] = { { "instruction", "Now", .kind = CELL_TEXT },
				 NOW,
				 CODE_INSTRUCTION },
	[BESIDE_FILE] = { { "file", "File", .kind = CELL_TEXT }, EITHER, CODE_FILE },
	[BESIDE_LINE] = { { "line", "Line", .kind = CELL_ID, .right = true }, EITHER, CODE_LINE },
	[BESIDE_SOURCE] = { { "source", "Source", .kind = CELL_TEXT }, EITHER, CODE_SOURCE },
};

static const struct beside_column type_columns[] = {
	VALUES(ANNOTATE_SHARE, ANNOTATE_SAMPLES),
	[BESIDE_OFFSET_BEFORE] = { { "offset_before", "Offset Before", .kind = CELL_BYTES,
				     .right = true },
				   BEFORE,
				   TYPE_OFFSET },
	[BESIDE_SIZE_BEFORE] = { { "size_before", "Size Before", .kind = CELL_BYTES,
				   .right = true },
				 BEFORE,
				 TYPE_SIZE },
	[BESIDE_OFFSET] = { { "offset", "Offset", .kind = CELL_BYTES, .right = true },
			    NOW,
			    TYPE_OFFSET },
	[BESIDE_SIZE] = { { "size", "Size", .kind = CELL_BYTES, .right = true }, NOW, TYPE_SIZE },
	[BESIDE_TYPE] = { { "type", "Type", .kind = CELL_TEXT }, EITHER, TYPE_TYPE },
	[BESIDE_MEMBER] = { { "member", "Field", .kind = CELL_TEXT, .tree = true },
			    EITHER,
			    TYPE_MEMBER },
};

struct beside_pages {
	struct pages pages;
	struct pages *sides[NR_SIDES];
	bool types;
	GArray *list; /* struct align_pair: numbers of the sides' pages */
	bool unpaired;
};

static const struct beside_pages *of(const struct pages *pages)
{
	return container_of(pages, struct beside_pages, pages);
}

/* A row of the page: rows of the sides, whose kind is ROW_NONE where a side has none. */
struct beside_line {
	struct row rows[NR_SIDES];
	const char *change; /* NULL: as it was */
};

struct beside_page {
	struct page *sides[NR_SIDES]; /* NULL: it is not there */
	const struct beside_column *columns;
	struct rows_column *shown;
	GArray *lines; /* struct beside_line */
	bool types;
};

static const struct beside_line *line_at(const struct beside_page *p, u32 line)
{
	return &g_array_index(p->lines, struct beside_line, line);
}

/* The side whose cell is shown; NR_SIDES: none. */
static u32 side_of(const struct beside_page *p, u32 line, u32 column)
{
	const struct beside_line *l = line_at(p, line);
	u32 side = p->columns[column].side;

	if (side == EITHER)
		side = l->rows[NOW].kind != ROW_NONE ? NOW : BEFORE;
	return side < NR_SIDES && l->rows[side].kind != ROW_NONE ? side : NR_SIDES;
}

static struct rows *rows_of(const struct beside_page *p, u32 side)
{
	return p->sides[side]->rows;
}

static void beside_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	const struct beside_page *p = arg;
	u32 side = side_of(p, line, column);

	if (column == BESIDE_CHANGE)
		out->kind = line_at(p, line)->change ? CELL_TEXT : CELL_NONE;
	else if (side == NR_SIDES)
		out->kind = CELL_NONE;
	else
		rows_of(p, side)->ops->cell(rows_of(p, side), line_at(p, line)->rows[side],
					    p->columns[column].source, 0, out);
}

static bool has_cell(const struct beside_page *p, u32 side, struct row row, u32 column)
{
	struct cell cell;

	rows_of(p, side)->ops->cell(rows_of(p, side), row, column, 0, &cell);
	return cell.kind != CELL_NONE;
}

static void text_of(const struct beside_page *p, u32 side, struct row row, u32 column, GString *out)
{
	if (has_cell(p, side, row, column))
		rows_of(p, side)->ops->text(rows_of(p, side), row, column, 0, out);
}

static void beside_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	const struct beside_page *p = arg;
	u32 side = side_of(p, line, column);

	if (column == BESIDE_CHANGE)
		g_string_append(out, line_at(p, line)->change ?: "");
	else if (side < NR_SIDES)
		text_of(p, side, line_at(p, line)->rows[side], p->columns[column].source, out);
}

static u64 beside_key(const void *arg, u32 line)
{
	return line;
}

static void beside_page_free(void *arg)
{
	struct beside_page *p = arg;

	for (u32 side = 0; side < NR_SIDES; side++)
		page_free(p->sides[side]);
	g_array_unref(p->lines);
	g_free(p->shown);
	g_free(p);
}

static u32 add_line(struct beside_page *p, struct rows *rows, u32 parent, struct beside_line line)
{
	g_array_append_val(p->lines, line);
	return list_rows_add(rows, parent);
}

/*
 * Pairs equal names, in the order of @now; what only @before has comes last. The first of a name is the other side's first one, and so
 * on. Returns struct align_pair.
 */
static GArray *pair_names(const GPtrArray *before, const GPtrArray *now)
{
	GArray *pairs = g_array_new(FALSE, FALSE, sizeof(struct align_pair));
	g_autoptr(GHashTable) unpaired =
		g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_queue_free);

	for (u32 i = 0; i < before->len; i++) {
		GQueue *queue = g_hash_table_lookup(unpaired, before->pdata[i]);

		if (!queue)
			g_hash_table_insert(unpaired, before->pdata[i], queue = g_queue_new());
		g_queue_push_tail(queue, GUINT_TO_POINTER(i + 1));
	}
	for (u32 i = 0; i < now->len; i++) {
		GQueue *queue = g_hash_table_lookup(unpaired, now->pdata[i]);
		u32 first = queue ? GPOINTER_TO_UINT(g_queue_pop_head(queue)) : 0;
		struct align_pair pair = { first ? first - 1 : ALIGN_NONE, i };

		g_array_append_val(pairs, pair);
	}
	for (u32 i = 0; i < before->len; i++) {
		GQueue *queue = g_hash_table_lookup(unpaired, before->pdata[i]);
		struct align_pair pair = { i, ALIGN_NONE };

		if (GPOINTER_TO_UINT(g_queue_peek_head(queue)) != i + 1)
			continue;
		g_queue_pop_head(queue);
		g_array_append_val(pairs, pair);
	}
	return pairs;
}

/* --- code */

/* The text without its hexadecimal numbers. */
static void strip_numbers(GString *text)
{
	gsize to = 0;

	for (gsize i = 0; i < text->len; i++) {
		text->str[to++] = text->str[i];
		if (!g_str_has_prefix(text->str + i, "0x"))
			continue;
		text->str[to - 1] = '#';
		for (i++; g_ascii_isxdigit(text->str[i + 1]);)
			i++;
	}
	g_string_truncate(text, to);
}

/*
 * Instructions are equal if they read the same. Addresses of code and of static variables differ from build to build, their symbols do
 * not: an instruction with one is compared without numbers, but with the symbol.
 */
static struct align_line code_line(const struct beside_page *p, u32 side, struct row row,
				   struct intern *texts)
{
	g_autoptr(GString) text = g_string_new(NULL), symbol = g_string_new(NULL);
	struct align_line line;

	text_of(p, side, row, CODE_INSTRUCTION, text);
	line.equal = intern_id(texts, text->str);
	if (has_cell(p, side, row, CODE_TARGET))
		g_string_truncate(text, strcspn(text->str, " "));
	strip_numbers(text);
	line.alike = intern_id(texts, text->str);
	text_of(p, side, row, CODE_REFERENCES, symbol);
	if (!symbol->len)
		return line;
	/* "        # 404040 <table+0x8>": what is before the name is an address. */
	if (strchr(symbol->str, '<'))
		g_string_append(text, strchr(symbol->str, '<'));
	strip_numbers(text);
	line.equal = intern_id(texts, text->str);
	return line;
}

/* The rows of a side's list, and what they are compared by. */
static GArray *code_lines(const struct beside_page *p, u32 side, struct intern *texts, GArray *rows)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct align_line));
	struct rows *from = p->sides[side] ? rows_of(p, side) : NULL;
	struct row row = from ? from->ops->first(from, (struct row){ ROW_NONE })
			      : (struct row){ ROW_NONE };

	for (; row.kind != ROW_NONE; row = from->ops->next(from, row)) {
		struct align_line line = code_line(p, side, row, texts);

		g_array_append_val(rows, row);
		g_array_append_val(lines, line);
	}
	return lines;
}

static struct row row_at(const GArray *rows, u32 i)
{
	return i == ALIGN_NONE ? (struct row){ ROW_NONE } : g_array_index(rows, struct row, i);
}

static bool add_code(struct beside_page *p, struct rows *rows)
{
	struct intern *texts = intern_new();
	g_autoptr(GArray) before = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_autoptr(GArray) now = g_array_new(FALSE, FALSE, sizeof(struct row));
	g_autoptr(GArray) a = code_lines(p, BEFORE, texts, before);
	g_autoptr(GArray) b = code_lines(p, NOW, texts, now);
	bool whole;
	g_autoptr(GArray) pairs = align_lines(a, b, &whole);

	for (u32 i = 0; i < pairs->len; i++) {
		struct align_pair pair = g_array_index(pairs, struct align_pair, i);
		struct beside_line line = { { row_at(before, pair.a), row_at(now, pair.b) } };

		if (pair.a == ALIGN_NONE)
			line.change = "new";
		else if (pair.b == ALIGN_NONE)
			line.change = "gone";
		else if (g_array_index(a, struct align_line, pair.a).equal !=
			 g_array_index(b, struct align_line, pair.b).equal)
			line.change = "changed";
		add_line(p, rows, LIST_TOP, line);
	}
	intern_free(texts);
	return whole;
}

/* --- types */

static u64 number_of(const struct beside_page *p, u32 side, struct row row, u32 column)
{
	struct cell cell;

	rows_of(p, side)->ops->cell(rows_of(p, side), row, column, 0, &cell);
	return cell.number;
}

/* Members below a row of each side; those of one name are one. */
static void add_members(struct beside_page *p, struct rows *rows, u32 parent,
			const struct beside_line *above);

static void add_member(struct beside_page *p, struct rows *rows, u32 parent,
		       struct beside_line line)
{
	if (line.rows[BEFORE].kind == ROW_NONE)
		line.change = "new";
	else if (line.rows[NOW].kind == ROW_NONE)
		line.change = "gone";
	else if (number_of(p, BEFORE, line.rows[BEFORE], TYPE_OFFSET) !=
		 number_of(p, NOW, line.rows[NOW], TYPE_OFFSET))
		line.change = "moved";
	else if (number_of(p, BEFORE, line.rows[BEFORE], TYPE_SIZE) !=
		 number_of(p, NOW, line.rows[NOW], TYPE_SIZE))
		line.change = "changed";
	parent = add_line(p, rows, parent, line);
	add_members(p, rows, parent, &line);
}

static GArray *members_below(const struct beside_page *p, u32 side, const struct beside_line *above)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct row));
	struct rows *rows;
	struct row row;

	if (!p->sides[side] || (above && above->rows[side].kind == ROW_NONE))
		return out;
	rows = rows_of(p, side);
	row = rows->ops->first(rows, above ? above->rows[side] : (struct row){ ROW_NONE });
	for (; row.kind != ROW_NONE; row = rows->ops->next(rows, row))
		g_array_append_val(out, row);
	return out;
}

/* What pairs a row: its name, or that it is a hole. */
static GPtrArray *names_of(const struct beside_page *p, u32 side, const GArray *rows)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (u32 i = 0; i < rows->len; i++) {
		struct row row = g_array_index(rows, struct row, i);
		GString *name = g_string_new(NULL);

		text_of(p, side, row, TYPE_MARK, name);
		if (!strcmp(name->str, "hot"))
			g_string_truncate(name, 0);
		g_string_append_c(name, ' ');
		text_of(p, side, row, TYPE_MEMBER, name);
		g_ptr_array_add(names, g_string_free(name, FALSE));
	}
	return names;
}

static void add_members(struct beside_page *p, struct rows *rows, u32 parent,
			const struct beside_line *above)
{
	g_autoptr(GArray) before = members_below(p, BEFORE, above);
	g_autoptr(GArray) now = members_below(p, NOW, above);
	g_autoptr(GPtrArray) names_before = names_of(p, BEFORE, before);
	g_autoptr(GPtrArray) names = names_of(p, NOW, now);
	g_autoptr(GArray) pairs = pair_names(names_before, names);

	for (u32 i = 0; i < pairs->len; i++) {
		struct align_pair pair = g_array_index(pairs, struct align_pair, i);
		struct beside_line line = { { row_at(before, pair.a), row_at(now, pair.b) } };

		add_member(p, rows, parent, line);
	}
}

/* --- pages */

/* Facts of both sides: "samples" and "samples_before". */
static void add_facts(const struct beside_page *p, struct page *page)
{
	static const char *const names[][NR_SIDES] = {
		{ "samples_before", "samples" },
		{ "size_before", "size" },
	};
	const struct page *one = p->sides[NOW] ?: p->sides[BEFORE];

	for (u32 i = 0; i < ARRAY_SIZE(names); i++) {
		for (u32 side = 0; side < NR_SIDES; side++) {
			const struct note *note =
				p->sides[side] ? notes_find(&p->sides[side]->notes, names[i][NOW])
					       : NULL;

			if (note || (!i && notes_find(&one->notes, names[i][NOW])))
				notes_add_number(&page->notes, names[i][side],
						 i ? CELL_BYTES : CELL_COUNT,
						 note ? note->value.number : 0);
		}
	}
	for (u32 side = 0; side < NR_SIDES; side++)
		if (p->sides[side])
			notes_add_words(&page->notes, side == NOW ? "dso" : "dso_before",
					notes_find(&p->sides[side]->notes, "dso")->words);
	notes_add_words(&page->notes, "event", notes_find(&one->notes, "event")->words);
	if (p->sides[BEFORE])
		notes_add_words(&page->notes, "event_before",
				notes_find(&p->sides[BEFORE]->notes, "event")->words);
	notes_add_words(&page->notes, "percent_of", notes_find(&one->notes, "percent_of")->words);
}

static struct page *page_beside(struct beside_pages *pages, struct beside_page *p)
{
	static const struct list_ops ops = { beside_cell, beside_text, beside_key };
	u32 nr = p->types ? BESIDE_TYPE_NR : BESIDE_CODE_NR;
	struct page *page = page_new(g_strdup((p->sides[NOW] ?: p->sides[BEFORE])->title));

	p->columns = p->types ? type_columns : code_columns;
	p->shown = g_new(struct rows_column, nr);
	for (u32 i = 0; i < nr; i++)
		p->shown[i] = p->columns[i].column;
	page->rows = list_rows_new(p->shown, nr, &ops, p);
	page->own = p;
	page->free_own = beside_page_free;
	add_facts(p, page);
	if (p->types)
		add_members(p, page->rows, LIST_TOP, NULL);
	else if (!add_code(p, page->rows))
		pages->unpaired = true;
	return page;
}

static struct page *open_page(struct pages *pages, u32 i)
{
	struct beside_pages *b = (struct beside_pages *)of(pages);
	const struct align_pair *pair = &g_array_index(b->list, struct align_pair, i);
	struct beside_page *p = g_new0(struct beside_page, 1);

	p->types = b->types;
	p->lines = g_array_new(FALSE, FALSE, sizeof(struct beside_line));
	if (pair->a != ALIGN_NONE)
		p->sides[BEFORE] = b->sides[BEFORE]->ops->open(b->sides[BEFORE], pair->a);
	if (pair->b != ALIGN_NONE)
		p->sides[NOW] = b->sides[NOW]->ops->open(b->sides[NOW], pair->b);
	if (p->sides[BEFORE] || p->sides[NOW])
		return page_beside(b, p);
	beside_page_free(p);
	return NULL;
}

static void remark(struct pages *pages, struct notes *notes)
{
	if (of(pages)->unpaired)
		notes_add(notes, NOTE_REMARK,
			  "a function is so long, and so different, that its instructions are not "
			  "paired");
	for (u32 side = NR_SIDES; side--;)
		pages_remark_new(of(pages)->sides[side], notes);
}

static void beside_pages_free(struct pages *pages)
{
	struct beside_pages *b = (struct beside_pages *)of(pages);

	for (u32 side = 0; side < NR_SIDES; side++)
		pages_free(b->sides[side]);
	g_array_unref(b->list);
	pages_release(pages);
	g_free(b);
}

/* What the page of a side is about. */
static char *name_of(const struct beside_pages *b, u32 side, u32 page)
{
	struct annotate_function function;

	if (b->types)
		return g_strdup(type_pages_name(b->sides[side], page));
	code_pages_function(b->sides[side], page, &function);
	return identity_function(dso_symbol_name(function.dso, function.symbol));
}

static char *event_of(const struct beside_pages *b, u32 side, u32 page)
{
	return b->types ? type_pages_event(b->sides[side], page)
			: code_pages_event(b->sides[side], page);
}

static GHashTable *events_of(const struct beside_pages *b, u32 side)
{
	GHashTable *events = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (u32 i = 0; i < b->sides[side]->nr; i++)
		g_hash_table_add(events, event_of(b, side, i));
	return events;
}

/* What pairs the pages of a side: names, and events that both sides have. */
static GPtrArray *page_names(const struct beside_pages *b, u32 side, GHashTable *others)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);

	for (u32 i = 0; i < b->sides[side]->nr; i++) {
		g_autofree char *name = name_of(b, side, i);
		g_autofree char *event = event_of(b, side, i);
		bool has = g_hash_table_contains(others, event);

		g_ptr_array_add(names, g_strdup_printf("%s\n%s", name, has ? event : ""));
	}
	return names;
}

/*
 * Lists the pages of both sides. A function has a page for each event: it is paired with that of the same event. If the other
 * recording has no such event, and for two functions of one name, the first page is the other side's first one, and so on.
 */
static void list_pages(struct beside_pages *b)
{
	g_autoptr(GHashTable) events_before = events_of(b, BEFORE);
	g_autoptr(GHashTable) events = events_of(b, NOW);
	g_autoptr(GPtrArray) before = page_names(b, BEFORE, events);
	g_autoptr(GPtrArray) now = page_names(b, NOW, events_before);

	b->list = pair_names(before, now);
}

char *beside_pages_name(const struct pages *pages, u32 i)
{
	const struct beside_pages *b = of(pages);
	const struct align_pair *pair = &g_array_index(b->list, struct align_pair, i);

	return pair->b != ALIGN_NONE ? name_of(b, NOW, pair->b) : name_of(b, BEFORE, pair->a);
}

bool beside_page_about(const struct page *page, struct row row, bool *before, struct about *out)
{
	const struct beside_page *p = page->own;
	const struct beside_line *line = line_at(p, list_rows_line(row));
	u32 side = line->rows[NOW].kind != ROW_NONE ? NOW : BEFORE;
	const struct page *from = p->sides[side];

	*before = side == BEFORE;
	return from->about && from->about(from, line->rows[side], out);
}

static struct pages *beside_new(struct pages *before, struct pages *now, bool types)
{
	static const struct pages_ops ops = { open_page, remark, beside_pages_free };
	struct beside_pages *b = g_new0(struct beside_pages, 1);

	pages_init(&b->pages, &ops, "annotate", types ? "types-beside" : "code-beside");
	b->sides[BEFORE] = before;
	b->sides[NOW] = now;
	b->types = types;
	list_pages(b);
	b->pages.nr = b->list->len;
	return &b->pages;
}

struct pages *beside_code_pages_new(struct pages *before, struct pages *now)
{
	return beside_new(before, now, false);
}

struct pages *beside_type_pages_new(struct pages *before, struct pages *now)
{
	return beside_new(before, now, true);
}
