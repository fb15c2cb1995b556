// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/hist_rows.h"

#include <string.h>

#include "base/percent.h"
#include "base/search.h"
#include "base/table.h"
#include "dso/dso.h"
#include "fields/paths.h"
#include "pages/report/hist_rows_private.h"
#include "session/session.h"

static u64 period_of(const struct hist_rows *r, const struct hist_node *n)
{
	return hist_rows_period(&r->o, n);
}

/* In a group of events, the leader's share decides, as for the order. */
static bool is_small(const struct hist_rows *r, const struct hist_node *n)
{
	return percent_of(period_of(r, n), r->o.totals[0]) < r->o.least;
}

static u32 next_shown(const struct hist_rows *r, u32 node)
{
	while (node && is_small(r, hist_rows_node(r, node)))
		node = r->o.by_share ? 0 : hist_rows_node(r, node)->next;
	return node;
}

/* What the next row is made of, which lies anywhere: it is fetched while this one is printed. */
static void prefetch_next(const struct hist_rows *r, u32 node)
{
	const struct hist_node *next = hist_rows_node(r, hist_rows_node(r, node)->next);

	__builtin_prefetch(next->self);
	__builtin_prefetch(next->entry);
	__builtin_prefetch(hist_rows_node(r, next->next));
}

static struct row entry_row(const struct hist_rows *r, u32 node)
{
	node = next_shown(r, node);
	if (!node)
		return (struct row){ ROW_NONE };
	prefetch_next(r, node);
	return (struct row){ ROW_ENTRY, hist_rows_node(r, node)->level, node, 0 };
}

static struct row rows_first(struct rows *rows, struct row parent)
{
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);

	if (parent.kind == ROW_NONE)
		return entry_row(r, hist_rows_node(r, 0)->first);
	if (parent.kind == ROW_ENTRY && hist_rows_node(r, parent.entry)->first)
		return entry_row(r, hist_rows_node(r, parent.entry)->first);
	return hist_calls_first(r->calls, parent);
}

static struct row rows_next(struct rows *rows, struct row row)
{
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);

	return row.kind == ROW_ENTRY ? entry_row(r, hist_rows_node(r, row.entry)->next)
				     : hist_calls_next(r->calls, row);
}

static void rows_calls(struct rows *rows, struct row row, struct rows_calls *out)
{
	hist_calls_get(hist_rows_of(rows)->calls, row, out);
}

static void rows_frame(struct rows *rows, struct row row, u32 i, GString *out)
{
	hist_calls_frame(hist_rows_of(rows)->calls, row, i, out);
}

/* The number of rows in @list that are not small. The list is sorted by share. */
static u32 nr_not_small(const struct hist_rows *r, const u32 *list, u32 nr)
{
	return SEARCH(i, 0, nr, !is_small(r, hist_rows_node(r, list[i])));
}

/* The child nodes of @node that are shown, in order. */
static const u32 *shown_below(struct hist_rows *r, u32 node, u32 *nr)
{
	const struct hist_node *n = hist_rows_node(r, node);
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
		for (u32 i = next_shown(r, n->first); i;
		     i = next_shown(r, hist_rows_node(r, i)->next))
			g_array_append_val(list, i);
		g_hash_table_insert(r->shown, GUINT_TO_POINTER(node), list);
	}
	*nr = list->len;
	return (const u32 *)(const void *)list->data;
}

static bool has_entries(const struct hist_rows *r, struct row parent)
{
	return parent.kind == ROW_NONE ||
	       (parent.kind == ROW_ENTRY && hist_rows_node(r, parent.entry)->first);
}

static u32 rows_nr(struct rows *rows, struct row parent)
{
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);
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
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);
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
	const struct hist_rows *r = hist_rows_of(rows);

	if (row.kind == ROW_ENTRY && hist_rows_node(r, row.entry)->first)
		return next_shown(r, hist_rows_node(r, row.entry)->first);
	return hist_calls_foldable(r->calls, row);
}

/* The key of a row. A span in an activity tree has its path; an entry has its keys down to its level. */
static u64 entry_key(const struct hist_rows *r, u32 node)
{
	const struct hist_node *n = hist_rows_node(r, node);
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
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);
	u64 key = entry_key(r, row.entry);

	return row.kind == ROW_ENTRY ? key : hist_calls_key(r->calls, row, key);
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

/* The row's value for a key that follows from another one: a path gives the span, a symbol gives the dso. */
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
	const struct hist_rows *r = hist_rows_of(rows);
	const struct hist_node *n = hist_rows_node(r, row.entry);
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
	const struct hist_rows *r = hist_rows_of(rows);
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

void hist_rows_look(struct rows *rows, u64 chain_total, double least)
{
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);

	hist_calls_forget(r->calls);
	g_hash_table_remove_all(r->shown);
	r->o.chain_total = chain_total;
	r->o.least = r->rows.least = least;
}

static void hist_rows_free(struct rows *rows)
{
	struct hist_rows *r = (struct hist_rows *)hist_rows_of(rows);

	hist_calls_free(r->calls);
	g_hash_table_unref(r->shown);
	g_ptr_array_unref(r->columns);
	g_free(r);
}

/*
 * A second reader for another thread. All shared data is complete and constant. Each twin has its own cache of call
 * trees.
 */
static struct rows *rows_twin(const struct rows *rows)
{
	struct rows *twin = hist_rows_new(&hist_rows_of(rows)->o);

	*twin = *rows;
	return twin;
}

static const struct rows_ops ops = {
	.column = hist_rows_column,
	.free = hist_rows_free,
	.first = rows_first,
	.next = rows_next,
	.nr = rows_nr,
	.window = rows_window,
	.foldable = rows_foldable,
	.key = rows_key,
	.cell = hist_rows_cell,
	.text = hist_rows_text,
	.widest = hist_rows_widest,
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
	r->calls = hist_calls_new(&r->o);
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
