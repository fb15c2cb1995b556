// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/diff/diff_verdict.h"

#include <stdio.h>

#include "pages/compare/compare_pages.h"

/* The names of a row: "prog, [.] work"; NULL: that of the total. */
static char *name_of(const struct comparison *c, const struct compare_row *row)
{
	GString *text = g_string_new(row->texts ? NULL : "the total");

	for (u32 i = 0; row->texts && i < c->nr_keys; i++)
		g_string_append_printf(text, "%s%s", i ? ", " : "",
				       intern_text(c->texts, row->texts[i]));
	return g_string_free(text, FALSE);
}

/* A function is named with or without the mark of its mode, "[.] ". */
static bool matches(const char *pattern, const char *text)
{
	return g_pattern_match_simple(pattern, text) ||
	       (*text == '[' && text[1] && text[2] == ']' && text[3] == ' ' &&
		g_pattern_match_simple(pattern, text + 4));
}

/* The pattern "parse" means all functions of that name, "parse (json.c)" one of them. */
static bool is_meant(const struct diff_options *o, const struct comparison *c,
		     const struct compare_row *row)
{
	bool fits = !o->fail_key;

	for (u32 i = 0; row->texts && !fits && i < c->nr_keys; i++)
		fits = matches(o->fail_key, intern_text(c->texts, row->texts[i])) ||
		       matches(o->fail_key, comparison_plain_text(c, row->texts[i]));
	return fits;
}

/* What is new is measured by all of the old side: 5 % are 5 % of what that took. */
static double growth_of(const struct comparison *c, const struct compare_event *event,
			const struct compare_row *row, u32 side)
{
	double base = row->values[0];

	if (!row->sums[0].samples)
		base = c->options.per == PER_SHARE ? 1 : event->total->values[0];
	return base > 0 ? 100 * row->verdicts[side].difference / base : 0;
}

static bool fails(const struct diff_options *o, const struct comparison *c,
		  const struct compare_event *event, const struct compare_row *row)
{
	bool failed = false;

	for (u32 s = 1; is_meant(o, c, row) && s < c->options.nr_sides; s++) {
		double growth = growth_of(c, event, row, s);
		double scale = c->options.per == PER_SHARE ? 100 : 1;
		g_autoptr(GString) old = g_string_new(NULL), now = g_string_new(NULL);
		g_autofree char *name = NULL;

		if (!row->verdicts[s].certain || growth <= o->fail_above)
			continue;
		name = name_of(c, row);
		compare_append_value(c, event, scale * row->values[0], old);
		compare_append_value(c, event, scale * row->values[s], now);
		fprintf(stderr, "perf diff: %s: %s grew from %s to %s, by %.1f%%%s: above %g%%\n",
			event->name, name, old->str, now->str, growth,
			row->sums[0].samples ? "" : " of the old total", o->fail_above);
		failed = true;
	}
	return failed;
}

bool diff_verdict(const struct diff_options *o, const struct comparison *c)
{
	bool failed = false;

	for (u32 i = 0; o->fail_above >= 0 && i < c->events->len; i++) {
		const struct compare_event *event = g_ptr_array_index(c->events, i);

		for (u32 k = 0; k < event->rows->len; k++)
			failed |= fails(o, c, event, compare_row_at(event, k));
		if (event->total && !o->fail_key)
			failed |= fails(o, c, event, event->total);
	}
	return failed;
}
