// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/steps.h"

/* The code that most of the samples are of. Returns of how many. */
static u32 most_sampled(const struct tick *ticks, u32 nr, u32 *code)
{
	g_autoptr(GHashTable) counts = NULL;
	u32 best = 0;

	if (nr < 2) { /* most steps: without a table */
		*code = nr ? ticks[0].code : 0;
		return nr;
	}
	counts = g_hash_table_new(g_direct_hash, g_direct_equal);
	for (u32 i = 0; i < nr; i++) {
		gpointer key = GUINT_TO_POINTER(ticks[i].code);
		u32 count = GPOINTER_TO_UINT(g_hash_table_lookup(counts, key)) + 1;

		g_hash_table_insert(counts, key, GUINT_TO_POINTER(count));
		if (count > best) {
			best = count;
			*code = ticks[i].code;
		}
	}
	return best;
}

/* The code, and the member, that most samples of the step are of. */
static void name_step(const struct history *h, struct critical_step *step)
{
	u32 nr;
	const struct tick *ticks = history_ticks_in(h, step->thread, step->from, step->to, &nr);

	step->samples = nr;
	step->of_code = most_sampled(ticks, nr, &step->code);
	for (u32 i = 0; i < nr && !step->data; i++)
		if (ticks[i].code == step->code)
			step->data = ticks[i].data;
}

void steps_add(GArray *steps, const struct history *h, const struct path_segment *s)
{
	struct critical_step step = {
		.from = s->from,
		.to = s->to,
		.thread = s->thread,
		.depth = s->depth,
		.activity = walk_activity_at(s, s->depth),
		.why = s->why,
		.stay = s->stay,
		.through = s->depth ? s->through[s->depth - 1] : NULL,
	};

	if (s->why == WHY_RAN)
		name_step(h, &step);
	g_array_append_val(steps, step);
}

void steps_reverse(GArray *steps, u32 first)
{
	for (u32 i = first, k = steps->len; i + 1 < k; i++) {
		struct critical_step *a = &g_array_index(steps, struct critical_step, i),
				     *b = &g_array_index(steps, struct critical_step, --k),
				     keep = *a;

		*a = *b;
		*b = keep;
	}
}
