// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "base/text.h"
#include "dso/dso.h"
#include "fields/of_sample.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "session/session.h"
#include "view/script/private.h"

/* Columns that are also sort keys of the report: the key makes the cell. */
static const struct {
	enum script_column column;
	const char *field;
} same_words[] = {
	{ COLUMN_COMM, "comm" },
	{ COLUMN_PID, "pid" },
	{ COLUMN_TID, "tid" },
	{ COLUMN_CPU, "cpu" },
	{ COLUMN_TIME, "time" },
	{ COLUMN_PERIOD, "period" },
	{ COLUMN_ADDR, "addr" },
	{ COLUMN_WEIGHT, "weight" },
	{ COLUMN_INS_LAT, "ins_lat" },
	{ COLUMN_RETIRE_LAT, "retire_lat" },
	{ COLUMN_CGROUP, "cgroup" },
	{ COLUMN_SYM, "symbol" },
	{ COLUMN_SYMOFF, "symoff" },
	{ COLUMN_DSO, "dso" },
	{ COLUMN_SRCLINE, "srcline" },
	{ COLUMN_DATA_PAGE_SIZE, "data_page_size" },
	{ COLUMN_CODE_PAGE_SIZE, "code_page_size" },
};

/* Types of the other columns. A column in neither list is text, as in a line. */
static const struct {
	enum script_column column;
	enum cell_kind kind;
} typed[] = {
	{ COLUMN_IP, CELL_ADDRESS },
	{ COLUMN_DSOFF, CELL_BYTES },
	{ COLUMN_INSNLEN, CELL_BYTES },
	{ COLUMN_PHYS_ADDR, CELL_ADDRESS },
};

#define NO_COLUMN NR_COLUMNS /* a sort key that script has no column for */

struct sample_column {
	enum script_column column;
	enum cell_kind kind;
	const char *name, *unit;
	struct field_of_sample of; /* .field NULL: none */
};

struct script_rows {
	struct rows rows;
	struct script_printer *printer;
	const struct script_columns *wanted_columns;
	GArray *columns; /* struct sample_column */
	bool show_chain;
	/* The sample of the present row. */
	const struct place *place;
	u64 wanted, time;
	u32 nr_frames;
	/* The last requested cell. Mostly its text is requested next. */
	GString *text;
	struct row text_row;
	u32 text_column;
};

static struct script_rows *of(const struct rows *rows)
{
	return (struct script_rows *)container_of(rows, struct script_rows, rows);
}

static const struct sample_column *column_at(const struct script_rows *r, u32 i)
{
	return &g_array_index(r->columns, struct sample_column, i);
}

static void rows_column(const struct rows *rows, u32 i, struct rows_column *out)
{
	const struct sample_column *c = column_at(of(rows), i);

	*out = (struct rows_column){ .name = c->name,
				     .title = c->name,
				     .unit = c->unit,
				     .kind = c->kind,
				     .width = (u32)strlen(c->name),
				     .nr_parts = 1 };
}

static bool is_wanted(const struct script_rows *r, const struct sample_column *c)
{
	const GPtrArray *fields = r->wanted_columns->fields[script_class_of(r->place->evsel)];

	if (c->column != NO_COLUMN)
		return r->wanted & COLUMN_BIT(c->column);
	return g_ptr_array_find((GPtrArray *)fields, c->of.field, NULL);
}

/* The cell of a frame of a call chain: only columns about code. */
static struct cell frame_cell(struct script_rows *r, const struct sample_column *c, u32 i)
{
	const struct code *code = r->place->chain[i];
	u64 foff;

	switch (c->column) {
	case COLUMN_IP:
		return (struct cell){ .kind = CELL_ADDRESS, .number = code->va };
	case COLUMN_SYM:
		return code_symbol_cell(code, r->text);
	case COLUMN_SYMOFF:
		return code_offset_cell(code);
	case COLUMN_DSO:
		return code_dso_cell(code, r->text);
	case COLUMN_DSOFF:
		if (!code->dso || dso_kind(code->dso) != DSO_USER ||
		    !dso_vaddr_to_foff(code->dso, code->vaddr, &foff))
			return (struct cell){ .kind = CELL_NONE };
		return (struct cell){ .kind = CELL_BYTES, .number = foff };
	case COLUMN_SRCLINE:
		script_print_frame_line(r->printer, r->place, i, r->text);
		g_strstrip(r->text->str);
		r->text->len = strlen(r->text->str);
		return (struct cell){ .kind = r->text->len ? CELL_TEXT : CELL_NONE };
	default:
		return (struct cell){ .kind = CELL_NONE };
	}
}

static struct cell text_cell(struct script_rows *r, const struct sample_column *c)
{
	size_t start = r->text->len;

	if (c->column == COLUMN_EVENT)
		g_string_append(r->text, r->place->evsel->name);
	else
		script_print_column(r->printer, r->place, c->column, r->text);
	g_strstrip(r->text->str + start);
	r->text->len = strlen(r->text->str);
	if (r->text->len == start)
		return (struct cell){ .kind = CELL_NONE };
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell sample_cell(struct script_rows *r, const struct sample_column *c)
{
	const struct code *const *chain = r->place->chain;
	const struct code *ip = r->place->ip;
	struct cell cell;

	switch (c->column) {
	case COLUMN_TIME:
		return (struct cell){ .kind = CELL_TIME, .number = r->time };
	case COLUMN_PHYS_ADDR:
		return (struct cell){ .kind = CELL_ADDRESS, .number = r->place->sample->phys_addr };
	case COLUMN_IP:
		return (struct cell){ .kind = CELL_ADDRESS, .number = ip->va };
	case COLUMN_DSOFF:
		return chain && r->place->nr_chain && chain[0] == ip
			       ? frame_cell(r, c, 0)
			       : (struct cell){ .kind = CELL_NONE };
	case COLUMN_INSNLEN:
		cell = text_cell(r, c); /* "ilen: 4" */
		if (cell.kind == CELL_TEXT)
			cell = (struct cell){
				.kind = CELL_BYTES,
				.number = strtoull(strpbrk(r->text->str, "0123456789"), NULL, 10)
			};
		return cell;
	default:
		return c->of.field ? c->of.cell(c->of.field, script_lexicon(r->printer), r->place,
						r->text)
				   : text_cell(r, c);
	}
}

static void rows_cell(const struct rows *rows, struct row row, u32 i, u32 part, struct cell *out)
{
	struct script_rows *r = of(rows);
	const struct sample_column *c = column_at(r, i);

	g_string_truncate(r->text, 0);
	r->text_row = row;
	r->text_column = i;
	if (!is_wanted(r, c))
		*out = (struct cell){ .kind = CELL_NONE };
	else if (row.level)
		*out = frame_cell(r, c, row.entry - 1);
	else
		*out = sample_cell(r, c);
}

static void rows_text(const struct rows *rows, struct row row, u32 i, u32 part, GString *out)
{
	struct script_rows *r = of(rows);
	struct cell cell;

	if (r->text_column != i || r->text_row.level != row.level || r->text_row.entry != row.entry)
		rows_cell(rows, row, i, part, &cell);
	g_string_append_len(out, r->text->str, (gssize)r->text->len);
}

static struct row frame_row(const struct script_rows *r, u32 i)
{
	return i < r->nr_frames ? (struct row){ ROW_ENTRY, 1, i + 1, 0 } : (struct row){ ROW_NONE };
}

static struct row rows_first(struct rows *rows, struct row parent)
{
	struct script_rows *r = of(rows);

	if (parent.kind == ROW_NONE)
		return r->place ? (struct row){ ROW_ENTRY, 0, 1, 0 } : (struct row){ ROW_NONE };
	return parent.level ? (struct row){ ROW_NONE } : frame_row(r, 0);
}

static struct row rows_next(struct rows *rows, struct row row)
{
	return row.level ? frame_row(of(rows), row.entry) : (struct row){ ROW_NONE };
}

static u32 rows_nr(struct rows *rows, struct row parent)
{
	const struct script_rows *r = of(rows);

	return parent.kind == ROW_NONE ? r->place != NULL : parent.level ? 0 : r->nr_frames;
}

static u32 rows_window(struct rows *rows, struct row parent, u32 from, struct row *out, u32 nr)
{
	u32 all = rows_nr(rows, parent), filled = 0;

	for (; filled < nr && from + filled < all; filled++)
		out[filled] = parent.kind == ROW_NONE ? rows_first(rows, parent)
						      : frame_row(of(rows), from + filled);
	return filled;
}

static bool rows_foldable(const struct rows *rows, struct row row)
{
	return !row.level && of(rows)->nr_frames;
}

static u64 rows_key(struct rows *rows, struct row row)
{
	return row.level ? row.entry : of(rows)->place->time;
}

static void rows_release(struct rows *rows)
{
	struct script_rows *r = of(rows);

	g_array_unref(r->columns);
	g_string_free(r->text, TRUE);
	g_free(r);
}

static const struct rows_ops ops = {
	.column = rows_column,
	.free = rows_release,
	.first = rows_first,
	.next = rows_next,
	.nr = rows_nr,
	.window = rows_window,
	.foldable = rows_foldable,
	.key = rows_key,
	.cell = rows_cell,
	.text = rows_text,
};

static struct sample_column own_column(enum script_column column)
{
	struct sample_column c = { .column = column, .name = script_column_name(column) };

	for (u32 i = 0; i < ARRAY_SIZE(typed); i++)
		if (typed[i].column == column)
			c.kind = typed[i].kind;
	for (u32 i = 0; i < ARRAY_SIZE(same_words); i++) {
		const struct field *field;

		if (same_words[i].column != column)
			continue;
		for (u32 k = 0; (field = fields_at(k)); k++)
			if (!strcmp(field->name, same_words[i].field))
				c.of = field_of_sample(field);
		c.kind = c.of.kind;
		c.unit = c.of.unit;
	}
	return c;
}

static void add_fields(struct script_rows *r, const GPtrArray *fields)
{
	for (u32 i = 0; i < fields->len; i++) {
		struct sample_column c = { .column = NO_COLUMN };
		bool known = false;

		c.of = field_of_sample(g_ptr_array_index(fields, i));
		c.name = c.of.field->name;
		c.kind = c.of.kind;
		c.unit = c.of.unit;
		for (u32 k = 0; k < r->columns->len; k++)
			known |= column_at(r, k)->of.field == c.of.field;
		if (!known)
			g_array_append_val(r->columns, c);
	}
}

struct rows *script_rows_new(struct script_printer *printer, struct session *session,
			     const struct script_columns *columns, bool show_chain)
{
	struct script_rows *r = g_new0(struct script_rows, 1);
	const GPtrArray *evsels = perfdata_evsels(session_perfdata(session));
	u32 classes = evsels->len ? 0 : (1u << NR_SCRIPT_CLASS) - 1;
	u64 wanted = 0, mask;

	for (u32 i = 0; i < evsels->len; i++) {
		const struct evsel *evsel = g_ptr_array_index(evsels, i);

		classes |= 1u << script_class_of(evsel);
		wanted |= script_columns_of(columns, evsel, &mask, NULL) ? mask : 0;
	}
	r->columns = g_array_new(FALSE, FALSE, sizeof(struct sample_column));
	for (u32 class = 0; class < NR_SCRIPT_CLASS; class ++)
		if (!evsels->len)
			wanted |= columns->wanted[class];
	for (u32 i = 0; i < NR_COLUMNS; i++) {
		struct sample_column c = own_column(i);

		if (wanted & COLUMN_BIT(i))
			g_array_append_val(r->columns, c);
	}
	for (u32 class = 0; class < NR_SCRIPT_CLASS; class ++)
		if (classes & 1u << class)
			add_fields(r, columns->fields[class]);
	r->rows = (struct rows){
		.ops = &ops, .nr_columns = r->columns->len, .nr_levels = 1, .sparse = true
	};
	r->printer = printer;
	r->wanted_columns = columns;
	r->show_chain = show_chain;
	r->text = g_string_new(NULL);
	return &r->rows;
}

struct row script_rows_take(struct rows *rows, const struct place *place)
{
	struct script_rows *r = of(rows);

	r->place = place;
	r->text_row = (struct row){ ROW_NONE };
	if (!script_wanted(r->printer, place, &r->wanted))
		return (struct row){ ROW_NONE };
	r->time = script_shown_time(r->printer, place->time);
	r->nr_frames = r->show_chain && r->wanted & COLUMN_BIT(COLUMN_IP) &&
				       place->sample->type & PERF_SAMPLE_CALLCHAIN
			       ? script_chain_length(r->printer, place)
			       : 0;
	return rows_first(rows, (struct row){ ROW_NONE });
}
