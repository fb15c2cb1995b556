// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/ends.h"

#include <glib.h>

#include "base/percent.h"

static u32 size_class(u64 needed)
{
	u32 i = 0;

	while (i < CHAIN_ENDS_SIZES - 1 && needed > 1ull << (i + CHAIN_ENDS_SHIFT))
		i++;
	return i;
}

void chain_ends_add(struct chain_ends *ends, const struct unwound_chain *chain)
{
	if (!chain->unwound)
		return;
	ends->stacks++;
	ends->frames += chain->nr_user;
	ends->by_why[chain->end.why]++;
	if (chain->end.why == UNWIND_CUT)
		ends->cut_by_size[size_class(chain->needed)]++;
}

void chain_ends_merge(struct chain_ends *into, const struct chain_ends *from)
{
	into->stacks += from->stacks;
	into->frames += from->frames;
	for (u32 i = 0; i < UNWIND_NR_WHYS; i++)
		into->by_why[i] += from->by_why[i];
	for (u32 i = 0; i < CHAIN_ENDS_SIZES; i++)
		into->cut_by_size[i] += from->cut_by_size[i];
}

static void add_line(GString *out, const char *prefix, u64 part, u64 whole, const char *what)
{
	g_string_append_printf(out, "%s%12" G_GUINT64_FORMAT "  %6.2f%%  %s\n", prefix, part,
			       percent_of(part, whole), what);
}

static void add_sizes(GString *out, const char *prefix, const struct chain_ends *ends)
{
	for (u32 i = 0; i < CHAIN_ENDS_SIZES; i++) {
		bool last = i == CHAIN_ENDS_SIZES - 1;
		g_autofree char *what = g_strdup_printf(
			"    the next caller was %s %u bytes of stack", last ? "above" : "within",
			1u << (i + CHAIN_ENDS_SHIFT - last));

		if (ends->cut_by_size[i])
			add_line(out, prefix, ends->cut_by_size[i], ends->stacks, what);
	}
}

char *chain_ends_text(const struct chain_ends *ends, const char *prefix)
{
	GString *out = g_string_new(NULL);

	if (ends->stacks)
		g_string_append_printf(out,
				       "%sStacks unwound: %" G_GUINT64_FORMAT
				       ", frames: %" G_GUINT64_FORMAT ", they ended at:\n",
				       prefix, ends->stacks, ends->frames);
	for (u32 why = 0; why < UNWIND_NR_WHYS; why++) {
		if (ends->by_why[why])
			add_line(out, prefix, ends->by_why[why], ends->stacks,
				 unwind_why_text(why));
		if (why == UNWIND_CUT)
			add_sizes(out, prefix, ends);
	}
	return g_string_free(out, FALSE);
}
