// SPDX-License-Identifier: GPL-2.0-or-later
/* Cells and columns of a hist's rows. */
#include <string.h>

#include "base/digits.h"
#include "base/percent.h"
#include "base/text.h"
#include "fields/paths.h"
#include "pages/report/hist_rows_private.h"
#include "session/session.h"

/* The least width, without reading any row. */
static u32 least_width(const struct hist_rows *r, const struct column *c)
{
	u32 width = c->field->width;

	if (r->o.lexicon->ns)
		width = MAX(width, c->field->width_ns);
	if (r->o.lexicon->unresolved)
		width = MAX(width, c->field->width_unresolved);
	return MAX(width, (u32)strlen(columns_title(r->o.columns, c)));
}

void hist_rows_column(const struct rows *rows, u32 i, struct rows_column *out)
{
	const struct hist_rows *r = hist_rows_of(rows);
	const struct column *c = hist_rows_at(r, i);
	bool value = c->key < 0 && !field_is_of_branches(c->field);

	*out = (struct rows_column){
		.name = c->field->name,
		.title = columns_title(r->o.columns, c),
		.unit = c->field->unit,
		.kind = r->rows.nested && c->key == 0 ? CELL_TEXT : c->field->kind,
		.width = least_width(r, c),
		.nr_parts = value && c->field->value != VALUE_ACCESS ? r->o.nr_members : 1,
		.level = c->level,
		.value = value,
		.right = c->field->right,
		.right_title = c->field->evsel,
		.cut = c->field->cut,
		.loose = c->field->loose,
		.tree = r->rows.nested && c->key == 0,
	};
}

static bool is_percent(enum field_value value)
{
	return value >= VALUE_OVERHEAD && value <= VALUE_LATENCY_CHILDREN;
}

static const u64 *totals_for(const struct hist_rows *r, enum field_value value)
{
	return value == VALUE_LATENCY || value == VALUE_LATENCY_CHILDREN ? r->o.latency_totals
									 : r->o.totals;
}

static bool is_weight(enum field_value value)
{
	return value >= VALUE_WEIGHT1 && value <= VALUE_WEIGHT3;
}

static bool is_of_callees(enum field_value value)
{
	return value == VALUE_OVERHEAD_CHILDREN || value == VALUE_LATENCY_CHILDREN;
}

static void nested_name(const struct hist_rows *r, const struct column *c, u32 node, GString *out)
{
	const struct hist_node *n = hist_rows_node(r, node);

	if (n->leaf)
		g_string_append(out, "(self)");
	else
		field_print(c->field, r->o.lexicon, n->entry->keys[0], out);
}

/* In a hierarchy: all branches below the level. */
static struct hist_branches branches_of(const struct hist_rows *r, u32 node)
{
	const struct hist_node *n = hist_rows_node(r, node);
	struct hist_branches sum = { 0 };

	if (!n->first)
		return hist_branches_of(r->o.hist, n->entry);
	for (u32 child = n->first; child; child = hist_rows_node(r, child)->next) {
		struct hist_branches of_child = branches_of(r, child);

		sum.nr += of_child.nr;
		sum.predicted += of_child.predicted;
		sum.aborts += of_child.aborts;
		sum.cycles += of_child.cycles;
	}
	return sum;
}

static struct cell branches_cell(enum field_value value, struct hist_branches b)
{
	u64 number = value == VALUE_ABORTS ? b.aborts : b.nr ? b.cycles / b.nr : 0;

	if (value == VALUE_PREDICTED)
		return (struct cell){ .kind = CELL_SHARE,
				      .number = b.predicted,
				      .real = percent_of(b.predicted, b.nr) };
	return (struct cell){ .kind = CELL_COUNT, .number = number };
}

/* In a hierarchy: of all entries below the level. */
static u64 accesses_of(const struct hist_rows *r, u32 node, enum access_class class)
{
	const struct hist_node *n = hist_rows_node(r, node);
	u64 sum = 0;

	if (!n->first)
		return hist_accesses_of(r->o.hist, n->entry, class);
	for (u32 child = n->first; child; child = hist_rows_node(r, child)->next)
		sum += accesses_of(r, child, class);
	return sum;
}

/* A share of the whole, as the row's own: the classes of a name add up to it. */
static struct cell access_cell(const struct hist_rows *r, const struct field *field, u32 node)
{
	u64 period = accesses_of(r, node, field->access), all = 0;

	if (hist_rows_node(r, node)->others)
		return (struct cell){ .kind = CELL_NONE };
	for (u32 m = 0; m < r->o.nr_members; m++)
		all += r->o.totals[m];
	return (struct cell){ .kind = CELL_SHARE,
			      .number = period,
			      .real = percent_of(period, all) };
}

static u32 first_key(const struct hist_rows *r)
{
	u32 i = 0;

	while (i < r->columns->len && hist_rows_at(r, i)->key < 0)
		i++;
	return i;
}

/* The text that a key's cell shows: the key's own text, or another one. */
enum key_place { KEY_OWN, KEY_OTHERS, KEY_NESTED, KEY_EMPTY };

static enum key_place key_place(const struct hist_rows *r, const struct column *c,
				const struct hist_node *n)
{
	if (n->others)
		return KEY_OTHERS;
	if (r->rows.nested && c->key == 0)
		return KEY_NESTED;
	return r->rows.nested && !n->leaf ? KEY_EMPTY : KEY_OWN;
}

static struct cell key_cell(const struct hist_rows *r, const struct column *c,
			    const struct hist_node *n)
{
	enum key_place place = key_place(r, c, n);

	if (place == KEY_OWN)
		return field_cell(c->field, n->entry->keys[c->key]);
	return (struct cell){ .kind = place == KEY_EMPTY ? CELL_NONE : CELL_TEXT };
}

static void key_text(const struct hist_rows *r, u32 column, u32 node, GString *out)
{
	const struct column *c = hist_rows_at(r, column);
	const struct hist_node *n = hist_rows_node(r, node);

	switch (key_place(r, c, n)) {
	case KEY_OTHERS:
		if (column == first_key(r) && n->folded)
			g_string_append(out, "(idle)");
		else if (column == first_key(r))
			g_string_append_printf(out, "(%u others)", n->others);
		break;
	case KEY_NESTED:
		nested_name(r, c, node, out);
		break;
	case KEY_OWN:
		field_print(c->field, r->o.lexicon, n->entry->keys[c->key], out);
		break;
	case KEY_EMPTY:
		break;
	}
}

static double threads_of(const struct hist_rows *r, u64 period)
{
	u64 elapsed = r->o.lexicon->elapsed;

	return elapsed ? (double)period / (double)elapsed : 0;
}

void hist_rows_cell(const struct rows *rows, struct row row, u32 i, u32 part, struct cell *out)
{
	const struct hist_rows *r = hist_rows_of(rows);
	const struct column *c = hist_rows_at(r, i);
	const struct hist_node *n = hist_rows_node(r, row.entry);
	enum field_value value = c->field->value;

	if (c->key >= 0) {
		*out = key_cell(r, c, n);
	} else if (n->shared && is_of_callees(value)) {
		*out = (struct cell){ .kind = CELL_NONE };
	} else if (field_is_of_branches(c->field)) {
		*out = branches_cell(value, branches_of(r, row.entry));
	} else if (value == VALUE_ACCESS) {
		*out = access_cell(r, c->field, row.entry);
	} else if (is_weight(value)) {
		*out = (struct cell){ .kind = CELL_AVERAGE,
				      .real = hist_node_weight(n, value, part) };
	} else if (value == VALUE_THREADS) {
		*out = (struct cell){ .kind = CELL_AVERAGE,
				      .real = threads_of(r, hist_node_value(n, value, part)) };
	} else {
		*out = (struct cell){ .kind = c->field->kind,
				      .number = hist_node_value(n, value, part) };
		if (is_percent(value))
			out->real = percent_of(out->number, totals_for(r, value)[part]);
	}
}

void hist_rows_text(const struct rows *rows, struct row row, u32 i, u32 part, GString *out)
{
	const struct hist_rows *r = hist_rows_of(rows);
	const struct column *c = hist_rows_at(r, i);
	struct cell cell;

	if (c->key >= 0) {
		key_text(r, i, row.entry, out);
		return;
	}
	hist_rows_cell(rows, row, i, part, &cell);
	if (cell.kind == CELL_NONE)
		return;
	if (cell.kind == CELL_COUNT) {
		digits_dec(out, cell.number, 0);
	} else if (cell.kind == CELL_TIME) {
		g_string_append_printf(out, "%.6f", (double)cell.number / 1e9);
	} else if (cell.kind == CELL_AVERAGE) {
		g_string_append_printf(out, c->field->value == VALUE_THREADS ? "%.3f" : "%.1f",
				       cell.real);
	} else if (c->field->value == VALUE_PREDICTED || c->field->value == VALUE_ACCESS) {
		g_string_append_printf(out, "%.1f%%", cell.real);
	} else {
		digits_fixed(out, cell.real, 2);
		g_string_append_c(out, '%');
	}
}

/* Indent per level of an activity tree, whose names are below each other. */
#define NESTED_INDENT 4

static u32 widest_nested(const struct hist_rows *r, u32 column, u32 width)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const struct column *c = hist_rows_at(r, column);

	for (u32 i = 1; i < r->o.tree->nr; i++) {
		const struct hist_node *n = hist_rows_node(r, i);
		u32 indent = c->key ? 0 : n->level * NESTED_INDENT, columns;

		g_string_truncate(text, 0);
		if (c->key == 0)
			nested_name(r, c, i, text);
		else if (n->leaf)
			field_print(c->field, r->o.lexicon, n->entry->keys[c->key], text);
		columns = indent + text_columns(text->str, text->len);
		width = MAX(width, columns);
	}
	return width;
}

u32 hist_rows_widest(const struct rows *rows, u32 column)
{
	const struct hist_rows *r = hist_rows_of(rows);
	const struct column *c = hist_rows_at(r, column);
	g_autoptr(GString) text = NULL;
	u32 width = least_width(r, c);
	u64 last = 0;

	if (c->key < 0 || c->field->fixed)
		return width;
	if (r->rows.nested)
		return widest_nested(r, column, width);
	text = g_string_new(NULL);
	for (u32 i = 1; i < r->o.tree->nr; i++) {
		u64 key = hist_rows_node(r, i)->entry->keys[c->key];
		u32 columns;

		if (i > 1 && key == last)
			continue;
		last = key;
		g_string_truncate(text, 0);
		field_print(c->field, r->o.lexicon, key, text);
		columns = text_columns(text->str, text->len);
		width = MAX(width, columns);
	}
	return width;
}
