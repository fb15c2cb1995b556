// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/rows.h"

#include <string.h>

#include "fields/of_sample.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "session/session.h"
#include "view/script/private.h"

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
	u64 wanted;
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

/* Without white space around it; CELL_NONE if nothing is left. */
static struct cell text_cell(struct script_rows *r)
{
	g_strstrip(r->text->str);
	r->text->len = strlen(r->text->str);
	return (struct cell){ .kind = r->text->len ? CELL_TEXT : CELL_NONE };
}

static struct cell frame_cell(struct script_rows *r, const struct sample_column *c, u32 i)
{
	const struct script_column_row *row = c->column == NO_COLUMN ? NULL
								     : script_column_row(c->column);
	struct cell cell = { .kind = CELL_NONE };

	if (row && row->frame)
		cell = row->frame(r->printer, r->place, i, r->text);
	return cell.kind == CELL_TEXT ? text_cell(r) : cell;
}

static struct cell sample_cell(struct script_rows *r, const struct sample_column *c)
{
	const struct script_column_row *row = c->column == NO_COLUMN ? NULL
								     : script_column_row(c->column);
	struct cell cell = { .kind = CELL_TEXT };

	if (row && row->cell)
		cell = row->cell(r->printer, r->place, r->text);
	else if (c->of.field)
		return c->of.cell(c->of.field, r->printer->lexicon, r->place, r->text);
	else
		script_print_columns(r->printer, r->place, COLUMN_BIT(c->column),
				     COLUMN_BIT(c->column), r->text);
	return cell.kind == CELL_TEXT ? text_cell(r) : cell;
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
	const struct script_column_row *row = script_column_row(column);
	struct sample_column c = { .column = column, .name = row->name, .kind = row->kind };
	const struct field *field;

	for (u32 k = 0; row->key && (field = fields_at(k)); k++)
		if (!strcmp(field->name, row->key))
			c.of = field_of_sample(field);
	if (c.of.field) {
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
	r->printer->shown_time = script_shown_time(r->printer, place->time);
	r->nr_frames = r->show_chain && r->wanted & COLUMN_BIT(COLUMN_IP) &&
				       place->sample->type & PERF_SAMPLE_CALLCHAIN
			       ? script_chain_length(r->printer, place)
			       : 0;
	return rows_first(rows, (struct row){ ROW_NONE });
}
