// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/hist_rows.h"

#include <string.h>

#include "base/digits.h"
#include "base/percent.h"
#include "base/table.h"
#include "base/text.h"
#include "dso/dso.h"
#include "fields/paths.h"
#include "session/session.h"

#define KEPT_CHAINS 16

struct hist_rows {
	struct rows rows;
	struct hist_rows_options o;
	GPtrArray *columns; /* const struct column *: those that these events have */
	/* Call trees looked at lately; those of others are made again when they are asked for. */
	struct {
		struct chain *chain;
		u32 of; /* tree node, 0: none */
	} chains[KEPT_CHAINS];
	/* GArray of u32, by tree node: what is shown below it, where --percent-limit hides some. */
	GHashTable *shown;
};

static const struct hist_rows *of(const struct rows *rows)
{
	return container_of(rows, struct hist_rows, rows);
}

static const struct hist_node *node_at(const struct hist_rows *r, u32 i)
{
	return &r->o.tree->nodes[i];
}

static const struct column *column_at(const struct hist_rows *r, u32 i)
{
	return g_ptr_array_index(r->columns, i);
}

/* Without a look at any row. */
static u32 least_width(const struct hist_rows *r, const struct column *c)
{
	u32 width = c->field->width;

	if (r->o.lexicon->ns)
		width = MAX(width, c->field->width_ns);
	if (r->o.lexicon->unresolved)
		width = MAX(width, c->field->width_unresolved);
	return MAX(width, (u32)strlen(columns_title(r->o.columns, c)));
}

static void rows_column(const struct rows *rows, u32 i, struct rows_column *out)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, i);
	bool value = c->key < 0 && !field_is_of_branches(c->field);

	*out = (struct rows_column){
		.name = c->field->name,
		.title = columns_title(r->o.columns, c),
		.unit = c->field->unit,
		.kind = r->rows.nested && c->key == 0 ? CELL_TEXT : c->field->kind,
		.width = least_width(r, c),
		.nr_parts = value ? r->o.nr_members : 1,
		.level = c->level,
		.value = value,
		.right = c->field->right,
		.right_title = c->field->evsel,
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

static u64 period_of(const struct hist_rows *r, const struct hist_node *n)
{
	return hist_node_value(n, r->o.children ? VALUE_OVERHEAD_CHILDREN : VALUE_OVERHEAD, 0);
}

/* Of a group the leader counts, as it does for the order. */
static bool is_small(const struct hist_rows *r, const struct hist_node *n)
{
	return percent_of(period_of(r, n), r->o.totals[0]) < r->o.least;
}

static u32 next_shown(const struct hist_rows *r, u32 node)
{
	while (node && is_small(r, node_at(r, node)))
		node = r->o.by_share ? 0 : node_at(r, node)->next;
	return node;
}

static void nested_name(const struct hist_rows *r, const struct column *c, u32 node, GString *out)
{
	const struct hist_node *n = node_at(r, node);

	if (n->leaf)
		g_string_append(out, "(self)");
	else
		field_print(c->field, r->o.lexicon, n->entry->keys[0], out);
}

/* Of a level of a hierarchy, all below it. */
static struct hist_branches branches_of(const struct hist_rows *r, u32 node)
{
	const struct hist_node *n = node_at(r, node);
	struct hist_branches sum = { 0 };

	if (!n->first)
		return hist_branches_of(r->o.hist, n->entry);
	for (u32 child = n->first; child; child = node_at(r, child)->next) {
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

static u32 first_key(const struct hist_rows *r)
{
	u32 i = 0;

	while (i < r->columns->len && column_at(r, i)->key < 0)
		i++;
	return i;
}

/* Which text stands in a key's place, where it is not the key's own. */
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
	const struct column *c = column_at(r, column);
	const struct hist_node *n = node_at(r, node);

	switch (key_place(r, c, n)) {
	case KEY_OTHERS:
		if (column == first_key(r))
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

static void rows_cell(const struct rows *rows, struct row row, u32 i, u32 part, struct cell *out)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, i);
	const struct hist_node *n = node_at(r, row.entry);
	enum field_value value = c->field->value;

	if (c->key >= 0) {
		*out = key_cell(r, c, n);
	} else if (field_is_of_branches(c->field)) {
		*out = branches_cell(value, branches_of(r, row.entry));
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

static void rows_text(const struct rows *rows, struct row row, u32 i, u32 part, GString *out)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, i);
	struct cell cell;

	if (c->key >= 0) {
		key_text(r, i, row.entry, out);
		return;
	}
	rows_cell(rows, row, i, part, &cell);
	if (cell.kind == CELL_COUNT) {
		digits_dec(out, cell.number, 0);
	} else if (cell.kind == CELL_TIME) {
		g_string_append_printf(out, "%.6f", (double)cell.number / 1e9);
	} else if (cell.kind == CELL_AVERAGE) {
		g_string_append_printf(out, c->field->value == VALUE_THREADS ? "%.3f" : "%.1f",
				       cell.real);
	} else if (c->field->value == VALUE_PREDICTED) {
		g_string_append_printf(out, "%.1f%%", cell.real);
	} else {
		digits_hundredths(out, cell.real);
		g_string_append_c(out, '%');
	}
}

static struct row entry_row(const struct hist_rows *r, u32 node)
{
	node = next_shown(r, node);
	if (!node)
		return (struct row){ ROW_NONE };
	return (struct row){ ROW_ENTRY, node_at(r, node)->level, node, 0 };
}

/* Whether it is known, without its chains, that a row has no call tree to show. */
static bool without_calls(const struct hist_rows *r, u32 entry)
{
	const struct hist_node *n = node_at(r, entry);

	if (!r->o.stacks || n->first || n->others || r->o.chain->mode == CHAIN_NONE)
		return true;
	/* No branch can be above the threshold when the whole is below it. */
	return r->o.chain->mode != CHAIN_FRACTAL &&
	       period_of(r, n) < (u64)(r->o.chain_total * r->o.chain->threshold / 100.0);
}

/* The row's call tree, or NULL where it is known to have nothing to show. */
static const struct chain *chain_of(struct hist_rows *r, u32 entry)
{
	u32 at = entry % KEPT_CHAINS;

	if (r->chains[at].of == entry)
		return r->chains[at].chain;
	chain_free(r->chains[at].chain);
	r->chains[at].chain = NULL;
	r->chains[at].of = entry;
	if (!without_calls(r, entry))
		r->chains[at].chain = chain_new(r->o.hist, r->o.stacks, node_at(r, entry)->entry,
						r->o.chain, r->o.chain_total);
	return r->chains[at].chain;
}

/*
 * Percentages of CHAIN_FRACTAL are of what goes on below @above; at the first fork, and below a
 * trunk that all of the entry has in common, of the whole entry, as upstream has it.
 */
static bool is_trunk(const struct hist_rows *r, const struct chain *c, u32 entry, u32 above)
{
	const struct chain_node *n = &c->nodes[above];

	return !above || (!n->parent && c->nodes[0].first == above && !n->next &&
			  n->period == period_of(r, node_at(r, entry)));
}

static u64 whole_below(const struct hist_rows *r, const struct chain *c, u32 entry, u32 above)
{
	if (is_trunk(r, c, entry, above))
		return period_of(r, node_at(r, entry));
	return c->nodes[above].period - c->nodes[above].self_period;
}

/* What is in none of the branches that are shown below @above. */
static void rest_below(const struct hist_rows *r, const struct chain *c, u32 entry, u32 above,
		       u64 *period, u64 *samples)
{
	*period = whole_below(r, c, entry, above);
	*samples = c->nodes[above].samples;
	for (u32 child = c->nodes[above].first; child; child = c->nodes[child].next) {
		*period -= MIN(*period, c->nodes[child].period);
		*samples -= MIN(*samples, c->nodes[child].samples);
	}
}

static struct row calls_row(struct hist_rows *r, struct row parent, u32 node)
{
	const struct chain *c = chain_of(r, parent.entry);
	u32 above = parent.kind == ROW_CALLS ? parent.node : 0;
	u64 period, samples;

	if (c && node)
		return (struct row){ ROW_CALLS, parent.level, parent.entry, node };
	if (!c || r->o.chain->mode != CHAIN_FRACTAL || !c->nodes[above].first)
		return (struct row){ ROW_NONE };
	rest_below(r, c, parent.entry, above, &period, &samples);
	if (!period)
		return (struct row){ ROW_NONE };
	return (struct row){ ROW_REST, parent.level, parent.entry, above };
}

static struct row rows_first(struct rows *rows, struct row parent)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	const struct chain *c;
	struct row row;

	if (parent.kind == ROW_NONE)
		return entry_row(r, node_at(r, 0)->first);
	if (parent.kind == ROW_REST)
		return (struct row){ ROW_NONE };
	if (parent.kind == ROW_ENTRY && node_at(r, parent.entry)->first)
		return entry_row(r, node_at(r, parent.entry)->first);
	c = chain_of(r, parent.entry);
	if (!c)
		return (struct row){ ROW_NONE };
	row = calls_row(r, parent, c->nodes[parent.kind == ROW_CALLS ? parent.node : 0].first);
	row.level = parent.kind == ROW_CALLS ? parent.level + 1 : 0;
	return row;
}

static struct row rows_next(struct rows *rows, struct row row)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	const struct chain *c;
	struct row parent = row;

	if (row.kind == ROW_ENTRY)
		return entry_row(r, node_at(r, row.entry)->next);
	c = row.kind == ROW_CALLS ? chain_of(r, row.entry) : NULL;
	if (!c)
		return (struct row){ ROW_NONE };
	parent.node = c->nodes[row.node].parent;
	parent.kind = parent.node ? ROW_CALLS : ROW_ENTRY;
	return calls_row(r, parent, c->nodes[row.node].next);
}

static void rows_calls(struct rows *rows, struct row row, struct rows_calls *out)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	const struct chain *c = chain_of(r, row.entry);
	const struct chain_node *n = &c->nodes[row.node];
	u32 above = row.kind == ROW_REST ? row.node : n->parent;
	u64 samples = n->samples, whole = r->o.chain_whole;

	*out = (struct rows_calls){ .nr_frames = n->nr_frames, .period = n->period };
	out->all = row.kind == ROW_CALLS && is_trunk(r, c, row.entry, row.node);
	if (row.kind == ROW_REST) {
		out->nr_frames = 1;
		rest_below(r, c, row.entry, above, &out->period, &samples);
	}
	/* Of folded chains each counts by itself; flat ones with those that go on from them. */
	if (r->o.chain->mode == CHAIN_FOLDED) {
		out->period = n->self_period;
		samples = n->self_samples;
	}
	if (r->o.chain->mode == CHAIN_FRACTAL)
		whole = whole_below(r, c, row.entry, above);
	out->samples = samples;
	out->percent = -1;
	if (r->o.chain->value == CHAIN_COUNT) {
		g_snprintf(out->value, sizeof(out->value), "%" G_GUINT64_FORMAT, samples);
	} else if (r->o.chain->value == CHAIN_PERIOD) {
		g_snprintf(out->value, sizeof(out->value), "%" G_GUINT64_FORMAT, out->period);
	} else {
		out->percent = percent_of(out->period, whole);
		g_snprintf(out->value, sizeof(out->value), "%.2f%%", out->percent);
	}
}

static void rows_frame(struct rows *rows, struct row row, u32 i, GString *out)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	const struct code *code;
	const char *name, *file, *slash;
	u32 line;

	if (row.kind == ROW_REST) {
		g_string_append(out, "[...]");
		return;
	}
	code = chain_of(r, row.entry)->nodes[row.node].frames[i]->code;
	name = code_name(code);
	if (!name) {
		g_string_append_printf(out, "%#" G_GINT64_MODIFIER "x", code->va);
		return;
	}
	g_string_append(out, name);
	if (r->o.chain->key != CHAIN_BY_FUNCTION && code_line(code, &file, &line)) {
		slash = strrchr(file, '/');
		g_string_append_printf(out, " %s:%u", slash ? slash + 1 : file, line);
	} else if (r->o.chain->key == CHAIN_BY_ADDRESS && code->symbol) {
		g_string_append_printf(out, " +%" G_GUINT64_FORMAT,
				       code->vaddr - code->symbol->start);
	}
	if (code->inlined)
		g_string_append(out, " (inlined)");
}

/* How many of @list, which stand by their shares, are not small. */
static u32 nr_not_small(const struct hist_rows *r, const u32 *list, u32 nr)
{
	u32 low = 0;

	while (low < nr) {
		u32 middle = low + (nr - low) / 2;

		if (is_small(r, node_at(r, list[middle])))
			nr = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The tree's nodes that are shown below @node, as they stand. */
static const u32 *shown_below(struct hist_rows *r, u32 node, u32 *nr)
{
	const struct hist_node *n = node_at(r, node);
	GArray *list;

	*nr = n->nr;
	if (!(r->o.least > 0))
		return r->o.tree->order + n->below;
	if (r->o.by_share) {
		*nr = nr_not_small(r, r->o.tree->order + n->below, n->nr);
		return r->o.tree->order + n->below;
	}
	list = g_hash_table_lookup(r->shown, GUINT_TO_POINTER(node));
	if (!list) {
		list = g_array_new(FALSE, FALSE, sizeof(u32));
		for (u32 i = next_shown(r, n->first); i; i = next_shown(r, node_at(r, i)->next))
			g_array_append_val(list, i);
		g_hash_table_insert(r->shown, GUINT_TO_POINTER(node), list);
	}
	*nr = list->len;
	return (const u32 *)(const void *)list->data;
}

static bool has_entries(const struct hist_rows *r, struct row parent)
{
	return parent.kind == ROW_NONE ||
	       (parent.kind == ROW_ENTRY && node_at(r, parent.entry)->first);
}

static u32 rows_nr(struct rows *rows, struct row parent)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	u32 nr = 0;

	if (has_entries(r, parent)) {
		shown_below(r, parent.kind == ROW_NONE ? 0 : parent.entry, &nr);
		return nr;
	}
	for (struct row row = rows_first(rows, parent); row.kind != ROW_NONE;
	     row = rows_next(rows, row))
		nr++;
	return nr;
}

static u32 rows_window(struct rows *rows, struct row parent, u32 from, struct row *out, u32 nr)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	u32 filled = 0, all;

	if (has_entries(r, parent)) {
		const u32 *list = shown_below(r, parent.kind == ROW_NONE ? 0 : parent.entry, &all);

		for (; filled < nr && from + filled < all; filled++)
			out[filled] = entry_row(r, list[from + filled]);
		return filled;
	}
	for (struct row row = rows_first(rows, parent); row.kind != ROW_NONE && filled < nr;
	     row = rows_next(rows, row))
		if (from)
			from--;
		else
			out[filled++] = row;
	return filled;
}

static bool rows_foldable(const struct rows *rows, struct row row)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	const struct chain *c;

	if (row.kind == ROW_ENTRY && node_at(r, row.entry)->first)
		return next_shown(r, node_at(r, row.entry)->first);
	if (row.kind == ROW_ENTRY)
		return !without_calls(r, row.entry) &&
		       chain_has_any(r->o.hist, r->o.stacks, node_at(r, row.entry)->entry,
				     r->o.chain, r->o.chain_total);
	c = row.kind == ROW_CALLS ? chain_of(r, row.entry) : NULL;
	return c && c->nodes[row.node].first;
}

/* Of a span in an activity tree the path says all; of an entry, its keys down to its level. */
static u64 entry_key(const struct hist_rows *r, u32 node)
{
	const struct hist_node *n = node_at(r, node);
	u64 mixed = (u64)n->level << 2 | (u64)n->leaf << 1 | (n->others != 0);

	for (u32 i = 0; !n->others && i < r->o.columns->groups->len; i++) {
		u32 level = g_array_index(r->o.columns->levels, u32, i);

		if (r->rows.nested ? !i || n->leaf : r->rows.nr_levels < 2 || level <= n->level)
			mixed = table_mix(mixed, n->entry->keys[i]);
	}
	return mixed;
}

static u64 rows_key(struct rows *rows, struct row row)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);
	u64 mixed = entry_key(r, row.entry);
	const struct chain *c;

	if (row.kind == ROW_ENTRY)
		return mixed;
	c = chain_of(r, row.entry);
	mixed = table_mix(mixed, row.kind);
	/* The same frames by the same way up. */
	for (u32 node = row.node; node; node = c->nodes[node].parent)
		for (u32 i = c->nodes[node].nr_frames; i--;)
			mixed = table_mix(mixed, c->nodes[node].frames[i]->same);
	return mixed;
}

static s32 group_of(const struct columns *columns, const char *name)
{
	for (u32 i = 0; i < columns->groups->len; i++)
		if (!strcmp(((const struct field *)columns->groups->pdata[i])->name, name))
			return (s32)i;
	return -1;
}

static bool entry_has_key(const struct hist_rows *r, const struct hist_node *n, s32 group)
{
	if (group < 0 || n->others)
		return false;
	if (r->rows.nested)
		return !group || n->leaf;
	return r->rows.nr_levels < 2 || g_array_index(r->o.columns->levels, u32, group) <= n->level;
}

/* What a row says of itself by another key: its span by its path, its dso by its symbol. */
static bool derived_key(const struct hist_rows *r, const struct hist_node *n,
			const struct field *field, u64 *key)
{
	s32 symbol = group_of(r->o.columns, "symbol");
	struct place place = { 0 };

	if (r->rows.nested && path_span(r->o.lexicon, (u32)n->entry->keys[0], key) == field)
		return true;
	if (!field->per_frame || !entry_has_key(r, n, symbol) || !n->entry->keys[symbol])
		return false;
	place.ip = resolver_function(session_resolver(r->o.lexicon->session),
				     (u32)n->entry->keys[symbol]);
	if (place.ip)
		*key = field->key(field, (struct lexicon *)r->o.lexicon, &place);
	return place.ip;
}

bool hist_rows_key(const struct rows *rows, struct row row, const struct field *field, u64 *key)
{
	const struct hist_rows *r = of(rows);
	const struct hist_node *n = node_at(r, row.entry);
	s32 group = group_of(r->o.columns, field->name);

	if (!entry_has_key(r, n, group))
		return !n->others && derived_key(r, n, field, key);
	*key = n->entry->keys[group];
	return true;
}

bool hist_rows_symbol(const struct rows *rows, struct row row, struct dso **dso,
		      const struct symbol **symbol)
{
	const struct field *field = fields_find("symbol", FIELD_NORMAL, NULL);
	const struct hist_rows *r = of(rows);
	const struct code *code;
	u64 key;

	if (!hist_rows_key(rows, row, field, &key) || !key)
		return false;
	code = resolver_function(session_resolver(r->o.lexicon->session), (u32)key);
	if (!code || !code->symbol || !code->dso)
		return false;
	*dso = code->dso;
	*symbol = code->symbol;
	return true;
}

/* Of an activity tree, whose names stand below each other. */
#define NESTED_INDENT 4

static u32 widest_nested(const struct hist_rows *r, u32 column, u32 width)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const struct column *c = column_at(r, column);

	for (u32 i = 1; i < r->o.tree->nr; i++) {
		const struct hist_node *n = node_at(r, i);
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

static u32 rows_widest(const struct rows *rows, u32 column)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, column);
	g_autoptr(GString) text = NULL;
	u32 width = least_width(r, c);
	u64 last = 0;

	if (c->key < 0 || c->field->fixed)
		return width;
	if (r->rows.nested)
		return widest_nested(r, column, width);
	text = g_string_new(NULL);
	for (u32 i = 1; i < r->o.tree->nr; i++) {
		u64 key = node_at(r, i)->entry->keys[c->key];
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

static void choose_columns(struct hist_rows *r)
{
	for (u32 i = 0; i < r->o.columns->output->len; i++) {
		const struct column *c = columns_output(r->o.columns, i);

		if (!c->field->evsel ||
		    g_ptr_array_find((GPtrArray *)r->o.evsels, c->field->evsel, NULL))
			g_ptr_array_add(r->columns, (void *)c);
	}
}

static enum rows_calls_look look_of(enum chain_mode mode)
{
	return mode == CHAIN_FLAT ? CALLS_FLAT : mode == CHAIN_FOLDED ? CALLS_FOLDED : CALLS_GRAPH;
}

static void forget_chains(struct hist_rows *r)
{
	for (u32 i = 0; i < KEPT_CHAINS; i++) {
		chain_free(r->chains[i].chain);
		r->chains[i].chain = NULL;
		r->chains[i].of = 0;
	}
}

void hist_rows_look(struct rows *rows, u64 chain_total, double least)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);

	forget_chains(r);
	g_hash_table_remove_all(r->shown);
	r->o.chain_total = chain_total;
	r->o.least = r->rows.least = least;
}

static void hist_rows_free(struct rows *rows)
{
	struct hist_rows *r = (struct hist_rows *)of(rows);

	forget_chains(r);
	g_hash_table_unref(r->shown);
	g_ptr_array_unref(r->columns);
	g_free(r);
}

/* All that rows look at is complete and stays as it is; call trees are each one's own. */
static struct rows *rows_twin(const struct rows *rows)
{
	struct rows *twin = hist_rows_new(&of(rows)->o);

	*twin = *rows;
	return twin;
}

static const struct rows_ops ops = {
	.column = rows_column,
	.free = hist_rows_free,
	.first = rows_first,
	.next = rows_next,
	.nr = rows_nr,
	.window = rows_window,
	.foldable = rows_foldable,
	.key = rows_key,
	.cell = rows_cell,
	.text = rows_text,
	.widest = rows_widest,
	.twin = rows_twin,
	.calls = rows_calls,
	.frame = rows_frame,
};

struct rows *hist_rows_new(const struct hist_rows_options *o)
{
	struct hist_rows *r = g_new0(struct hist_rows, 1);

	r->o = *o;
	r->rows.ops = &ops;
	r->columns = g_ptr_array_new();
	r->shown = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	choose_columns(r);
	r->rows.nr_columns = r->columns->len;
	r->rows.nr_levels = o->hierarchy ? o->columns->nr_levels : 1;
	r->rows.least = o->least;
	r->rows.nested = o->columns->tree;
	if (o->chain) {
		r->rows.look = look_of(o->chain->mode);
		r->rows.max_calls = o->chain->print_limit;
		r->rows.callers_first = o->chain->caller;
	}
	return &r->rows;
}
