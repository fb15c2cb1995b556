// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/compare/compare_words.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "fields/identity.h"
#include "pages/compare/compare_sort.h"

const char *compare_verdict_word(const struct compare_row *row, u32 side, bool machine)
{
	if (!row->verdicts[side].certain)
		return machine ? "noise" : "";
	if (!row->sums[0].samples)
		return "new";
	if (!row->sums[side].samples)
		return "gone";
	return row->verdicts[side].difference > 0 ? "more" : "less";
}

void compare_append_offset(const char *text, GString *out)
{
	u32 at, length;

	if (identity_offset(text, &at, &length))
		g_string_append_len(out, text + at, length);
}

void compare_append_value(const struct comparison *c, const struct compare_event *event,
			  double value, GString *out)
{
	static const struct {
		double ns;
		const char *unit;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" } };
	double size = fabs(value);

	if (c->options.per == PER_SHARE) {
		g_string_append_printf(out, "%.2f%%", value);
		return;
	}
	for (u32 i = 0; event->is_time && i < ARRAY_SIZE(units); i++) {
		if (size < units[i].ns)
			continue;
		g_string_append_printf(out, "%.*f %s", size < 100 * units[i].ns ? 2 : 1,
				       value / units[i].ns, units[i].unit);
		return;
	}
	g_string_append_printf(out, "%.*f%s", size < 100 ? 2 : 0, value,
			       event->is_time ? " ns" : "");
}

void compare_append_growth(double old, double now, GString *out)
{
	if (old > 0)
		g_string_append_printf(out, "%+.1f%%", 100 * (now - old) / old);
	else
		g_string_append(out, "new");
}

static void add_files(struct notes *notes, const struct compare_view *view)
{
	g_autoptr(GString) text = g_string_new("Data files:");
	g_autofree char *words = g_strjoinv(", ", view->labels);

	for (u32 i = 0; view->labels[i]; i++)
		g_string_append_printf(text, "\n#  [%u] %s %s", i, view->labels[i],
				       i ? "" : "(Baseline)");
	note_set_text(notes_add_words(notes, "files", words), GAP_BELOW, "%s", text->str);
}

/* Such as a pattern of --split that nothing matches. */
static void add_empty(struct notes *notes, const struct comparison *c,
		      const struct compare_event *event, const struct compare_view *view)
{
	for (u32 s = 0; s < c->options.nr_sides; s++) {
		g_autofree char *name = g_strdup_printf("empty_%u", s);

		if (!event->totals[s].samples)
			note_set_text(notes_add_words(notes, g_intern_string(name),
						      view->labels[s]),
				      GAP_BELOW, "No sample is of %s", view->labels[s]);
	}
}

static const char *per_words(enum compare_per per)
{
	static const char *const words[] = { [PER_SHARE] = "",
					     [PER_TOTAL] = "a recording",
					     [PER_SECOND] = "a second",
					     [PER_REQUEST] = "a request",
					     [PER_CPU_SECOND] = "a second of CPU time" };

	return words[per];
}

/* "18.2 us of CPU a request before, 23.9 us after (+31.3%, certain)" */
static void add_total(struct notes *notes, const struct comparison *c,
		      const struct compare_event *event)
{
	const struct compare_row *row = event->total;

	for (u32 s = 1; row && s < c->options.nr_sides; s++) {
		g_autoptr(GString) old = g_string_new(NULL), now = g_string_new(NULL);
		g_autoptr(GString) growth = g_string_new(NULL);
		g_autofree char *name = g_strdup_printf("total_%u", s);
		const char *verdict = event->cluster != CLUSTER_RUN
					      ? "how much it differs from run to run is not known"
				      : row->verdicts[s].certain ? "certain"
								 : "within noise";

		compare_append_value(c, event, row->values[0], old);
		compare_append_value(c, event, row->values[s], now);
		compare_append_growth(row->values[0], row->values[s], growth);
		note_set_text(notes_add_words(notes, g_intern_string(name), now->str), GAP_BELOW,
			      "%s of %s %s before, %s after (%s, %s)", old->str,
			      event->is_cpu ? "CPU" : event->name, per_words(c->options.per),
			      now->str, growth->str, verdict);
	}
}

/* "Requests of each side: 1200, 1310 (spans that ran while it was recorded)" */
static void add_requests(struct notes *notes, const struct comparison *c)
{
	g_autofree double *sums = g_new0(double, c->options.nr_sides);
	g_autoptr(GString) text = g_string_new(NULL);

	if (c->options.per != PER_REQUEST || c->options.requests)
		return;
	for (u32 i = 0; i < c->runs->len; i++) {
		const struct compare_run *run = g_ptr_array_index(c->runs, i);

		sums[run->side] += run->is.requests;
	}
	for (u32 s = 0; s < c->options.nr_sides; s++)
		g_string_append_printf(text, s ? ", %.0f" : "%.0f", sums[s]);
	note_set_text(notes_add_words(notes, "requests", text->str), GAP_BELOW,
		      "Requests of each side: %s (spans that ran while it was recorded)",
		      text->str);
}

static const char *cluster_words(const struct compare_event *event)
{
	if (event->is_wait && event->cluster != CLUSTER_RUN)
		return "of counting waits; their lengths vary more than one recording tells, so "
		       "nothing is "
		       "certain: give several recordings of each side";
	switch (event->cluster) {
	case CLUSTER_RUN:
		return "between recordings (each is one cluster)";
	case CLUSTER_NONE:
		return "of counting samples (each is taken as independent)";
	case CLUSTER_REQUEST:
		return "of counting samples and between requests (the samples of a trace are one "
		       "cluster, those of no trace that of their thread); not between recordings: "
		       "give several of each side";
	default:
		return "of counting samples and between threads of one name (each is one cluster); "
		       "not "
		       "between recordings: give several of each side";
	}
}

static const struct compare_row *largest(const struct compare_event *event, u32 nr_sides, u32 *side)
{
	const struct compare_row *best = NULL;
	double least = 2;

	for (u32 i = 0; i < event->rows->len; i++)
		for (u32 s = 1; s < nr_sides; s++) {
			const struct compare_row *row = compare_row_at(event, i);

			const struct compare_sum *sums = row->sums;
			/* As the judgement weighs it: large rows need less. */
			double p = row->verdicts[s].single_p /
				   (double)MAX(1, sums[0].samples + sums[s].samples);

			if (p >= least)
				continue;
			least = p;
			best = row;
			*side = s;
		}
	return best;
}

static char *keys_text(const struct comparison *c, const struct compare_row *row)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < c->nr_keys; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "",
				       intern_text(c->texts, row->texts[i]));
	return g_string_free(text, FALSE);
}

/* Nothing is certain: says so, and how much more would be needed. */
static void add_nothing(struct notes *notes, const struct comparison *c,
			const struct compare_event *event)
{
	u32 side = 1;
	const struct compare_row *row = largest(event, c->options.nr_sides, &side);
	g_autofree char *keys = row ? keys_text(c, row) : NULL;
	double needed = row ? comparison_needed(event, row, side) : INFINITY;
	struct note *note = notes_add_number(notes, "certain", CELL_COUNT, 0);

	if (!row)
		note_set_text(note, GAP_BELOW, "No difference is certain: there are no samples");
	else if (needed > 1000)
		note_set_text(note, GAP_BELOW, "No difference is certain, and none is near to it");
	else
		note_set_text(
			note, GAP_BELOW,
			"No difference is certain. The clearest, of %s, would be with about %.0f "
			"times as many recordings like these, if it stays",
			keys, ceil(MAX(needed, 1.01)));
}

/* More sentences would hide the rows. */
#define MAX_MOVED 20

#define LINE 64 /* bytes of a cache line */

/* 0x88 of "struct order +0x88 (flags)". */
static u64 offset_of(const char *text)
{
	u32 at, length;

	return identity_offset(text, &at, &length) ? g_ascii_strtoull(text + at + 1, NULL, 0) : 0;
}

/* ", from line 0 to line 2 of 64 bytes" */
static void append_lines(const char *old, const char *now, GString *out)
{
	u64 from = offset_of(old) / LINE, to = offset_of(now) / LINE;

	if (from != to)
		g_string_append_printf(out,
				       ", from line %" G_GUINT64_FORMAT
				       " to line %" G_GUINT64_FORMAT " of %u bytes",
				       from, to, LINE);
}

static void append_cost(const struct comparison *c, const struct compare_row *row, GString *out)
{
	const struct compare_verdict *v = &row->verdicts[1];
	const char *before = " in ";

	if (v->certain)
		g_string_append_printf(out, ", and costs %.1f%% %s",
				       fabs(v->difference / row->values[0]) * 100,
				       v->difference > 0 ? "more" : "less");
	else
		g_string_append(out, ", and costs the same within noise");
	for (u32 i = 0; i < c->nr_keys; i++) {
		if (i == row->moved_key)
			continue;
		g_string_append_printf(out, "%s%s", before, intern_text(c->texts, row->texts[i]));
		before = ", ";
	}
}

/* "flags moved from +0x8 to +0x88, from line 0 to line 2 of 64 bytes, and costs 30.5% more in checkout" */
static void append_moved(const struct comparison *c, const struct compare_row *row, GString *out)
{
	const char *now = intern_text(c->texts, row->texts[row->moved_key]);
	const char *old = intern_text(c->texts, row->old_text), *name = strrchr(now, '(') + 1;

	g_string_append_len(out, name, (gssize)strlen(name) - 1);
	g_string_append(out, " moved from ");
	compare_append_offset(old, out);
	g_string_append(out, " to ");
	compare_append_offset(now, out);
	append_lines(old, now, out);
	append_cost(c, row, out);
}

/* Members that moved and had a share worth a sentence. */
static void add_moved(struct notes *notes, const struct comparison *c,
		      const struct compare_event *event, const struct compare_view *view)
{
	u32 nr = 0;

	for (u32 i = 0; i < event->rows->len && nr < MAX_MOVED; i++) {
		const struct compare_row *row = compare_row_at(event, i);
		g_autofree char *fact = NULL;
		g_autoptr(GString) text = NULL;

		if (!row->old_text || row->moved != MOVED_MEMBER ||
		    compare_share(event, row, 0) < view->least)
			continue;
		fact = g_strdup_printf("moved_%u", nr++);
		text = g_string_new(NULL);
		append_moved(c, row, text);
		note_set_text(notes_add_words(notes, g_intern_string(fact),
					      intern_text(c->texts, row->texts[row->moved_key])),
			      GAP_BELOW, "%s", text->str);
	}
}

static u32 nr_certain(const struct comparison *c, const struct compare_event *event)
{
	u32 nr = 0;

	for (u32 i = 0; i < event->rows->len; i++)
		for (u32 s = 1; s < c->options.nr_sides; s++)
			nr += compare_row_at(event, i)->verdicts[s].certain;
	return nr;
}

void compare_add_notes(struct notes *notes, const struct comparison *c,
		       const struct compare_event *event, const struct compare_view *view)
{
	u32 nr = nr_certain(c, event);

	note_set_text(notes_add_words(notes, "event", event->name), GAP_BELOW, "Event '%s'",
		      event->name);
	if (c->options.nr_sides > 2 || view->machine)
		add_files(notes, view);
	if (view->plain)
		return;
	add_empty(notes, c, event, view);
	add_total(notes, c, event);
	add_requests(notes, c);
	note_set_text(notes_add_words(notes, "noise", cluster_words(event)), GAP_BELOW,
		      "+-95%%: noise %s", cluster_words(event));
	if (nr)
		notes_add_number(notes, "certain", CELL_COUNT, nr);
	else
		add_nothing(notes, c, event);
	add_moved(notes, c, event, view);
}
