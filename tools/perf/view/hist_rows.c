// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/hist_rows.h"

#include <string.h>

#include "base/text.h"
#include "dso/dso.h"
#include "session/session.h"

struct hist_rows {
	struct rows rows;
	struct hist_rows_options o;
	GPtrArray *columns; /* const struct column *: those that these events have */
	GArray *widths;	    /* u32 per column */
	/* The call tree looked at last; a view that keeps several open asks again. */
	struct chain *chain;
	u32 chain_of; /* tree node, 0: none */
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

static double percent_of(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static void rows_column(const struct rows *rows, u32 i, struct rows_column *out)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, i);
	bool value = c->key < 0 && !field_is_of_branches(c->field);

	*out = (struct rows_column){
		.title = columns_title(r->o.columns, c),
		.width = g_array_index(r->widths, u32, i),
		.nr_parts = value ? r->o.nr_members : 1,
		.level = c->level,
		.value = value,
		.right = c->field->right,
		.right_title = c->field->evsel,
		.loose = c->field->loose,
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
		node = node_at(r, node)->next;
	return node;
}

/* "|   |-- name": for each span around whether more follows in it, then the node's own line. */
static void nested_name(const struct hist_rows *r, const struct column *c, u32 node, GString *out)
{
	const struct hist_node *n = node_at(r, node);
	g_autoptr(GString) lines = g_string_new(NULL);

	for (u32 at = node; node_at(r, at)->level; at = node_at(r, at)->parent) {
		bool last = !next_shown(r, node_at(r, at)->next);

		g_string_prepend(lines,
				 at == node ? (last ? "`-- " : "|-- ") : (last ? "    " : "|   "));
	}
	g_string_append_len(out, lines->str, (gssize)lines->len);
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

static void print_branches(enum field_value value, struct hist_branches b, GString *out)
{
	if (value == VALUE_PREDICTED)
		g_string_append_printf(out, "%.1f%%", percent_of(b.predicted, b.nr));
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT,
				       value == VALUE_ABORTS ? b.aborts
				       : b.nr		     ? b.cycles / b.nr
							     : 0);
}

static u32 first_key(const struct hist_rows *r)
{
	u32 i = 0;

	while (i < r->columns->len && column_at(r, i)->key < 0)
		i++;
	return i;
}

static double rows_cell(const struct rows *rows, struct row row, u32 i, u32 part, GString *out)
{
	const struct hist_rows *r = of(rows);
	const struct column *c = column_at(r, i);
	const struct hist_node *n = node_at(r, row.entry);
	double percent;
	u64 value;

	if (n->others && c->key >= 0) {
		if (i == first_key(r))
			g_string_append_printf(out, "(%u others)", n->others);
		return -1;
	}
	if (r->rows.nested && c->key == 0) {
		nested_name(r, c, row.entry, out);
		return -1;
	}
	if (r->rows.nested && c->key > 0 && !n->leaf)
		return -1;
	if (c->key >= 0) {
		field_print(c->field, r->o.lexicon, n->entry->keys[c->key], out);
		return -1;
	}
	if (field_is_of_branches(c->field)) {
		print_branches(c->field->value, branches_of(r, row.entry), out);
		return -1;
	}
	if (is_weight(c->field->value)) {
		g_string_append_printf(out, "%.1f", hist_node_weight(n, c->field->value, part));
		return -1;
	}
	value = hist_node_value(n, c->field->value, part);
	if (!is_percent(c->field->value)) {
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
		return -1;
	}
	percent = percent_of(value, totals_for(r, c->field->value)[part]);
	g_string_append_printf(out, "%.2f%%", percent);
	return percent;
}

static struct row entry_row(const struct hist_rows *r, u32 node)
{
	node = next_shown(r, node);
	if (!node)
		return (struct row){ ROW_NONE };
	return (struct row){ ROW_ENTRY, node_at(r, node)->level, node, 0 };
}

/* The row's call tree, or NULL where it is known to have nothing to show. */
static const struct chain *chain_of(struct hist_rows *r, u32 entry)
{
	const struct hist_node *n = node_at(r, entry);

	if (r->chain_of == entry)
		return r->chain;
	chain_free(r->chain);
	r->chain = NULL;
	r->chain_of = entry;
	if (!r->o.stacks || n->first || n->others || r->o.chain->mode == CHAIN_NONE)
		return NULL;
	/* No branch can be above the threshold when the whole is below it. */
	if (r->o.chain->mode != CHAIN_FRACTAL &&
	    period_of(r, n) < (u64)(r->o.chain_total * r->o.chain->threshold / 100.0))
		return NULL;
	r->chain = chain_new(r->o.hist, r->o.stacks, n->entry, r->o.chain, r->o.chain_total);
	return r->chain;
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

static const struct rows_ops ops = {
	.column = rows_column,
	.first = rows_first,
	.next = rows_next,
	.cell = rows_cell,
	.calls = rows_calls,
	.frame = rows_frame,
};

static void measure_column(struct hist_rows *r, const struct column *c, u32 *width)
{
	g_autoptr(GString) text = g_string_new(NULL);
	u64 last = 0;
	bool any = false;

	*width = MAX(*width, c->field->width);
	if (r->o.lexicon->ns)
		*width = MAX(*width, c->field->width_ns);
	if (r->o.lexicon->unresolved)
		*width = MAX(*width, c->field->width_unresolved);
	*width = MAX(*width, (u32)strlen(columns_title(r->o.columns, c)));
	if (c->key < 0 || c->field->fixed)
		return;
	for (u32 i = 1; i < r->o.tree->nr; i++) {
		const struct hist_entry *e = node_at(r, i)->entry;

		if (r->rows.nested && (c->key == 0 || !node_at(r, i)->leaf)) {
			g_string_truncate(text, 0);
			if (c->key == 0)
				nested_name(r, c, i, text);
			*width = MAX(*width, text_columns(text->str, text->len));
			continue;
		}
		if (any && e->keys[c->key] == last)
			continue;
		any = true;
		last = e->keys[c->key];
		g_string_truncate(text, 0);
		field_print(c->field, r->o.lexicon, last, text);
		*width = MAX(*width, text_columns(text->str, text->len));
	}
}

static void measure(struct hist_rows *r)
{
	g_array_set_size(r->widths, r->rows.nr_columns);
	for (u32 i = 0; i < r->rows.nr_columns; i++)
		measure_column(r, column_at(r, i), &g_array_index(r->widths, u32, i));
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

struct rows *hist_rows_new(const struct hist_rows_options *o)
{
	struct hist_rows *r = g_new0(struct hist_rows, 1);

	r->o = *o;
	r->rows.ops = &ops;
	r->columns = g_ptr_array_new();
	choose_columns(r);
	r->rows.nr_columns = r->columns->len;
	r->rows.nr_levels = o->hierarchy ? o->columns->nr_levels : 1;
	r->rows.least = o->least;
	r->rows.nested = o->columns->tree;
	if (o->chain) {
		r->rows.look = look_of(o->chain->mode);
		r->rows.max_calls = o->chain->print_limit;
	}
	r->widths = g_array_new(FALSE, TRUE, sizeof(u32));
	measure(r);
	return &r->rows;
}

void hist_rows_free(struct rows *rows)
{
	struct hist_rows *r = rows ? (struct hist_rows *)of(rows) : NULL;

	if (!r)
		return;
	chain_free(r->chain);
	g_array_unref(r->widths);
	g_ptr_array_unref(r->columns);
	g_free(r);
}
