// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/report/hist_calls.h"

#include <string.h>

#include "base/percent.h"
#include "base/table.h"
#include "dso/dso.h"
#include "session/session.h"

#define KEPT_CHAINS 16

struct hist_calls {
	const struct hist_rows_options *o;
	/* Cache of the last call trees. Other call trees are made again at each request. */
	struct {
		struct chain *chain;
		u32 of; /* tree node; 0: free */
	} chains[KEPT_CHAINS];
};

struct hist_calls *hist_calls_new(const struct hist_rows_options *options)
{
	struct hist_calls *t = g_new0(struct hist_calls, 1);

	t->o = options;
	return t;
}

void hist_calls_forget(struct hist_calls *t)
{
	for (u32 i = 0; i < KEPT_CHAINS; i++) {
		chain_free(t->chains[i].chain);
		t->chains[i].chain = NULL;
		t->chains[i].of = 0;
	}
}

void hist_calls_free(struct hist_calls *t)
{
	hist_calls_forget(t);
	g_free(t);
}

static const struct hist_node *node_at(const struct hist_calls *t, u32 i)
{
	return &t->o->tree->nodes[i];
}

static u64 period_of(const struct hist_calls *t, const struct hist_node *n)
{
	return hist_rows_period(t->o, n);
}

/* Is it known, without making the chains, that the row has no call tree to show? */
static bool without_calls(const struct hist_calls *t, u32 entry)
{
	const struct hist_node *n = node_at(t, entry);

	if (!t->o->stacks || n->first || n->others || t->o->chain->mode == CHAIN_NONE)
		return true;
	/* If the whole is below the threshold, each branch is, too. */
	return t->o->chain->mode != CHAIN_FRACTAL &&
	       period_of(t, n) < (u64)(t->o->chain_total * t->o->chain->threshold / 100.0);
}

/* The row's call tree; NULL: it is known to be empty. */
static const struct chain *chain_of(struct hist_calls *t, u32 entry)
{
	u32 at = entry % KEPT_CHAINS;

	if (t->chains[at].of == entry)
		return t->chains[at].chain;
	chain_free(t->chains[at].chain);
	t->chains[at].chain = NULL;
	t->chains[at].of = entry;
	if (!without_calls(t, entry))
		t->chains[at].chain = chain_new(t->o->hist, t->o->stacks, node_at(t, entry)->entry,
						t->o->chain, t->o->chain_total);
	return t->chains[at].chain;
}

/*
 * With CHAIN_FRACTAL, 100% is the sum below @above. There are two exceptions, as in upstream: at the first fork, and
 * below a trunk that all samples of the entry have in common, 100% is the whole entry.
 */
static bool is_trunk(const struct hist_calls *t, const struct chain *c, u32 entry, u32 above)
{
	const struct chain_node *n = &c->nodes[above];

	return !above || (!n->parent && c->nodes[0].first == above && !n->next &&
			  n->period == period_of(t, node_at(t, entry)));
}

static u64 whole_below(const struct hist_calls *t, const struct chain *c, u32 entry, u32 above)
{
	if (is_trunk(t, c, entry, above))
		return period_of(t, node_at(t, entry));
	return c->nodes[above].period - c->nodes[above].self_period;
}

/* The part below @above that no shown branch contains. */
static void rest_below(const struct hist_calls *t, const struct chain *c, u32 entry, u32 above,
		       u64 *period, u64 *samples)
{
	*period = whole_below(t, c, entry, above);
	*samples = c->nodes[above].samples;
	for (u32 child = c->nodes[above].first; child; child = c->nodes[child].next) {
		*period -= MIN(*period, c->nodes[child].period);
		*samples -= MIN(*samples, c->nodes[child].samples);
	}
}

static struct row calls_row(struct hist_calls *t, struct row parent, u32 node)
{
	const struct chain *c = chain_of(t, parent.entry);
	u32 above = parent.kind == ROW_CALLS ? parent.node : 0;
	u64 period, samples;

	if (c && node)
		return (struct row){ ROW_CALLS, parent.level, parent.entry, node };
	if (!c || t->o->chain->mode != CHAIN_FRACTAL || !c->nodes[above].first)
		return (struct row){ ROW_NONE };
	rest_below(t, c, parent.entry, above, &period, &samples);
	if (!period)
		return (struct row){ ROW_NONE };
	return (struct row){ ROW_REST, parent.level, parent.entry, above };
}

struct row hist_calls_first(struct hist_calls *t, struct row parent)
{
	const struct chain *c = parent.kind == ROW_REST ? NULL : chain_of(t, parent.entry);
	bool calls = parent.kind == ROW_CALLS;
	struct row row;

	if (!c)
		return (struct row){ ROW_NONE };
	row = calls_row(t, parent, c->nodes[calls ? parent.node : 0].first);
	row.level = calls ? parent.level + 1 : 0;
	return row;
}

struct row hist_calls_next(struct hist_calls *t, struct row row)
{
	const struct chain *c = row.kind == ROW_CALLS ? chain_of(t, row.entry) : NULL;
	struct row parent = row;

	if (!c)
		return (struct row){ ROW_NONE };
	parent.node = c->nodes[row.node].parent;
	parent.kind = parent.node ? ROW_CALLS : ROW_ENTRY;
	return calls_row(t, parent, c->nodes[row.node].next);
}

bool hist_calls_foldable(struct hist_calls *t, struct row row)
{
	const struct chain *c;

	if (row.kind == ROW_ENTRY)
		return !without_calls(t, row.entry) &&
		       chain_has_any(t->o->hist, t->o->stacks, node_at(t, row.entry)->entry,
				     t->o->chain, t->o->chain_total);
	c = row.kind == ROW_CALLS ? chain_of(t, row.entry) : NULL;
	return c && c->nodes[row.node].first;
}

void hist_calls_get(struct hist_calls *t, struct row row, struct rows_calls *out)
{
	const struct chain *c = chain_of(t, row.entry);
	const struct chain_node *n = &c->nodes[row.node];
	u32 above = row.kind == ROW_REST ? row.node : n->parent;
	u64 samples = n->samples, whole = t->o->chain_whole;

	*out = (struct rows_calls){ .nr_frames = n->nr_frames, .period = n->period };
	out->all = row.kind == ROW_CALLS && is_trunk(t, c, row.entry, row.node);
	if (row.kind == ROW_REST) {
		out->nr_frames = 1;
		rest_below(t, c, row.entry, above, &out->period, &samples);
	}
	/* A folded chain has its own count only. A flat chain's count includes the chains that continue it. */
	if (t->o->chain->mode == CHAIN_FOLDED) {
		out->period = n->self_period;
		samples = n->self_samples;
	}
	if (t->o->chain->mode == CHAIN_FRACTAL)
		whole = whole_below(t, c, row.entry, above);
	out->samples = samples;
	out->percent = -1;
	if (t->o->chain->value == CHAIN_COUNT) {
		g_snprintf(out->value, sizeof(out->value), "%" G_GUINT64_FORMAT, samples);
	} else if (t->o->chain->value == CHAIN_PERIOD) {
		g_snprintf(out->value, sizeof(out->value), "%" G_GUINT64_FORMAT, out->period);
	} else {
		out->percent = percent_of(out->period, whole);
		g_snprintf(out->value, sizeof(out->value), "%.2f%%", out->percent);
	}
}

void hist_calls_frame(struct hist_calls *t, struct row row, u32 i, GString *out)
{
	const struct code *code;
	const char *name, *file, *slash;
	u32 line;

	if (row.kind == ROW_REST) {
		g_string_append(out, "[...]");
		return;
	}
	code = chain_of(t, row.entry)->nodes[row.node].frames[i]->code;
	name = code_name(code);
	if (!name) {
		g_string_append_printf(out, "%#" G_GINT64_MODIFIER "x", code->va);
		return;
	}
	g_string_append(out, name);
	if (t->o->chain->key != CHAIN_BY_FUNCTION && code_line(code, &file, &line)) {
		slash = strrchr(file, '/');
		g_string_append_printf(out, " %s:%u", slash ? slash + 1 : file, line);
	} else if (t->o->chain->key == CHAIN_BY_ADDRESS && code->symbol) {
		g_string_append_printf(out, " +%" G_GUINT64_FORMAT,
				       code->vaddr - code->symbol->start);
	}
	if (code->inlined)
		g_string_append(out, " (inlined)");
}

u64 hist_calls_key(struct hist_calls *t, struct row row, u64 entry)
{
	const struct chain *c = chain_of(t, row.entry);
	u64 mixed = table_mix(entry, row.kind);

	/* Equal frames on the path to the root give equal keys. */
	for (u32 node = row.node; node; node = c->nodes[node].parent)
		for (u32 i = c->nodes[node].nr_frames; i--;)
			mixed = table_mix(mixed, c->nodes[node].frames[i]->same);
	return mixed;
}
