// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/stdio/profile.h"

#include "base/text.h"
#include "perfdata/evsel.h"
#include "view/hist_rows.h"

static const struct evsel *evsel_at(const struct profile_event *e, u32 i)
{
	return g_ptr_array_index(e->evsels, i);
}

static const struct profile_totals *totals_at(const struct profile_event *e, u32 i)
{
	return &g_array_index(e->totals, struct profile_totals, i);
}

/* "cpu-clock", or "anon group { cycles, instructions }". */
static char *name_of(const struct profile_event *e)
{
	const struct evsel *leader = evsel_at(e, 0);
	GString *name;

	if (e->evsels->len == 1)
		return g_strdup(leader->name);
	name = g_string_new(NULL);
	if (leader->group_name && *leader->group_name && *leader->group_name != '{')
		g_string_append(name, leader->group_name);
	else
		g_string_append(name, "anon group");
	g_string_append(name, " { ");
	for (u32 i = 0; i < e->evsels->len; i++)
		g_string_append_printf(name, "%s%s", i ? ", " : "", evsel_at(e, i)->name);
	g_string_append(name, " }");
	return g_string_free(name, FALSE);
}

/* 3472 -> "3K", 978 -> "978 ". */
static char *with_unit(u64 number)
{
	static const char units[] = " KMG";
	u32 unit = 0;

	for (; number >= 1000 && units[unit + 1]; unit++)
		number /= 1000;
	return g_strdup_printf("%" G_GUINT64_FORMAT "%c", number, units[unit]);
}

static void print_heading(const struct profile *p, const struct profile_event *e,
			  const struct stdio_profile_options *o, FILE *out)
{
	g_autofree char *name = name_of(e), *samples_text = NULL;
	u64 samples = 0, period = 0;

	for (u32 i = 0; i < e->evsels->len; i++) {
		const struct profile_totals *t = totals_at(e, i);

		samples += o->relative ? t->shown_samples : t->samples;
		period += o->relative ? t->shown_period : t->period;
	}
	samples_text = with_unit(samples);
	fprintf(out, "# Samples: %s of event%s '%s'", samples_text,
		evsel_at(e, 0)->nr_members > 1 ? "s" : "", name);
	if (o->time)
		fprintf(out, " (time slices: %s)", o->time);
	if (p->options.memory)
		fprintf(out, "\n# Total weight : %" G_GUINT64_FORMAT "\n# Sort order   : %s",
			period, o->order);
	else
		fprintf(out, "\n# Event count (approx.): %" G_GUINT64_FORMAT, period);
	fputs("\n#\n", out);
}

static bool print_event(const struct profile *p, const struct profile_event *e,
			const struct stdio_profile_options *o, FILE *out, GError **error)
{
	struct hist_tree_options tree_options = {
		.columns = p->options.columns,
		.lexicon = p->lexicon,
		.nr_members = e->evsels->len,
		.sort_member = o->sort_member,
		.hierarchy = o->hierarchy,
		.top = o->top,
		.caller_order = p->options.chain.caller,
		.has_chains = e->has_chains && p->options.chains,
	};
	g_autofree u64 *totals = g_new0(u64, e->evsels->len);
	g_autofree u64 *latency = g_new0(u64, e->evsels->len);
	struct hist_tree *tree;
	struct rows *rows;
	bool ok;

	for (u32 i = 0; i < e->evsels->len; i++) {
		const struct profile_totals *t = totals_at(e, i);

		totals[i] = o->relative ? t->shown_period : t->period;
		latency[i] = o->relative ? t->shown_latency : t->latency;
	}
	tree = p->options.columns->tree ? hist_tree_new_paths(e->hist, &tree_options, p->lexicon)
					: hist_tree_new(e->hist, &tree_options);
	rows = hist_rows_new(&(struct hist_rows_options){
		.hist = e->hist,
		.tree = tree,
		.stacks = tree_options.has_chains ? p->stacks : NULL,
		.chain = &p->options.chain,
		.columns = p->options.columns,
		.evsels = e->evsels,
		.lexicon = p->lexicon,
		.nr_members = e->evsels->len,
		.totals = totals,
		.latency_totals = latency,
		.chain_whole = totals_at(e, 0)->period,
		.chain_total = o->relative ? totals_at(e, 0)->shown_chain_period
					   : totals_at(e, 0)->chain_period,
		.children = p->options.children || p->options.columns->tree,
		.hierarchy = o->hierarchy,
		.least = o->least,
	});
	rows->skip_symbol = o->symbol_first;
	ok = stdio_print_rows(rows, &o->stdio, out, error);
	hist_rows_free(rows);
	hist_tree_free(tree);
	return ok;
}

/* How many samples said what they were done for: upstream has no such line. */
static void print_activity_states(const struct profile *p, FILE *out)
{
	const u64 *n = p->activity_states;

	if (!(p->options.columns->needs & NEED_ACTIVITY))
		return;
	fputs("# Activity of samples:", out);
	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++) {
		u32 state = i < 2 ? !i : i; /* those that have one come first */

		if ((state == ACTIVITY_NOT_YET || state == ACTIVITY_INTERRUPT) && !n[state])
			continue;
		fprintf(out, "%s %s %" G_GUINT64_FORMAT, i ? "," : "", activity_state_name(state),
			n[state]);
	}
	fputs("\n#\n", out);
}

/* What the limit of --max-ids did: every row is exact, what has none is one row together. */
static void print_folded_ids(const struct profile *p, FILE *out)
{
	bool beyond;
	u32 nr = lexicon_nr_ids(p->lexicon, &beyond);

	if (!p->folded_samples)
		return;
	fprintf(out,
		"# Ids: %s%u, of which %u with the most time have rows (--max-ids); "
		"%" G_GUINT64_FORMAT " sample%s of the rest %s in (others)\n#\n",
		beyond ? "more than " : "", nr, MIN(nr, p->lexicon->max_ids), p->folded_samples,
		text_plural(p->folded_samples), p->folded_samples == 1 ? "is" : "are");
}

static const char *const tips[] = {
	"Name the columns yourself: perf report -F overhead,dso,sym",
	"See who calls a function: perf report --no-children -g caller",
	"Group by the structure that was touched: perf report -s type,typeoff",
	"Ask which request the time went to: perf report -s activity,sym",
	"Name the spans: perf report --spans=traces.json -s service,span",
	"Leave out what hardly counts: perf report --percent-limit 1",
	"Look at a part of the recording: perf report --time 10%-20%",
	"Fold keys into a tree: perf report --hierarchy -s comm,dso,sym",
	"Print one record after the other: perf script",
	"Feed another program: perf report -t, -F overhead,comm,sym",
};

/* The same for the same recording, so that two reports of it do not differ. */
static const char *tip_for(u64 samples)
{
	return tips[samples % ARRAY_SIZE(tips)];
}

bool stdio_print_profile(const struct profile *p, const struct stdio_profile_options *o, FILE *out,
			 GError **error)
{
	u64 all = 0, lost = 0;

	for (u32 i = 0; i < session_nr_files(p->session); i++)
		lost += session_counts(session_file(p->session, i))->lost_samples;
	if (!o->stdio.quiet)
		fprintf(out, "#\n# Total Lost Samples: %" G_GUINT64_FORMAT "\n#\n", lost);
	if (!o->stdio.quiet)
		print_activity_states(p, out);
	if (!o->stdio.quiet)
		print_folded_ids(p, out);
	for (u32 i = 0; i < p->events->len; i++) {
		const struct profile_event *e = g_ptr_array_index(p->events, i);
		u64 samples = 0;

		for (u32 m = 0; m < e->totals->len; m++)
			samples += totals_at(e, m)->samples;
		all += samples;
		if (!samples && !o->all_events)
			continue;
		if (!o->stdio.quiet)
			print_heading(p, e, o, out);
		if (!print_event(p, e, o, out, error))
			return false;
		fputs("\n\n", out);
	}
	if (!o->stdio.quiet)
		fprintf(out, "#\n# (Tip: %s)\n#\n", tip_for(all));
	return true;
}
