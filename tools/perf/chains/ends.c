// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/ends.h"

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

static void add_line(GArray *lines, struct chain_end_line line)
{
	if (line.stacks)
		g_array_append_val(lines, line);
}

GArray *chain_ends_lines(const struct chain_ends *ends)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(struct chain_end_line));

	for (u32 why = 0; why < UNWIND_NR_WHYS; why++) {
		add_line(lines, (struct chain_end_line){ why, 0, false, ends->by_why[why] });
		for (u32 i = 0; why == UNWIND_CUT && i < CHAIN_ENDS_SIZES; i++) {
			bool above = i == CHAIN_ENDS_SIZES - 1;

			add_line(lines,
				 (struct chain_end_line){ why, 1u << (i + CHAIN_ENDS_SHIFT - above),
							  above, ends->cut_by_size[i] });
		}
	}
	return lines;
}

void chain_end_line_text(const struct chain_end_line *line, GString *out)
{
	if (line->size)
		g_string_append_printf(out, "  the next caller is %s %u bytes",
				       line->above ? "above" : "within", line->size);
	else
		g_string_append(out, unwind_why_text(line->why));
}

char *chain_ends_text(const struct chain_ends *ends, const char *prefix)
{
	g_autoptr(GArray) lines = chain_ends_lines(ends);
	GString *out = g_string_new(NULL);

	if (ends->stacks)
		g_string_append_printf(out,
				       "%sStacks unwound: %" G_GUINT64_FORMAT
				       ", frames: %" G_GUINT64_FORMAT ", they ended at:\n",
				       prefix, ends->stacks, ends->frames);
	for (u32 i = 0; i < lines->len; i++) {
		const struct chain_end_line *line = &g_array_index(lines, struct chain_end_line, i);

		g_string_append_printf(out, "%s%12" G_GUINT64_FORMAT "  %6.2f%%  ", prefix,
				       line->stacks, percent_of(line->stacks, ends->stacks));
		chain_end_line_text(line, out);
		g_string_append_c(out, '\n');
	}
	return g_string_free(out, FALSE);
}
