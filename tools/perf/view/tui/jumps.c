// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/tui/jumps.h"

#include "base/search.h"

#define MAX_LANES  5
#define MAX_LENGTH 2000 /* instructions; both ends of a longer jump are never on one screen */

/* All jumps with the same target. */
struct bracket {
	u32 from, to; /* first and last instruction */
	u32 target;
};

struct jumps {
	s32 *targets;
	u32 *sources; /* by instruction */
	u32 nr;
	GArray *lanes[MAX_LANES]; /* struct bracket, in order; the first lane is next to the code */
	u32 nr_lanes;
};

static int by_length(const void *pa, const void *pb)
{
	const struct bracket *a = pa, *b = pb;

	if (a->to - a->from != b->to - b->from)
		return a->to - a->from < b->to - b->from ? -1 : 1;
	return a->from < b->from ? -1 : 1;
}

static int by_place(const void *pa, const void *pb)
{
	const struct bracket *a = pa, *b = pb;

	return a->from < b->from ? -1 : 1;
}

/* Makes one bracket per target. */
static GArray *brackets_of(struct jumps *j)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct bracket));
	g_autofree struct bracket *at = g_new(struct bracket, j->nr + 1);

	for (u32 i = 0; i < j->nr; i++)
		at[i] = (struct bracket){ i, i, i };
	for (u32 i = 0; i < j->nr; i++) {
		struct bracket *b;

		if (j->targets[i] < 0)
			continue;
		b = &at[j->targets[i]];
		b->from = MIN(b->from, i);
		b->to = MAX(b->to, i);
		j->sources[j->targets[i]]++;
	}
	for (u32 i = 0; i < j->nr; i++)
		if (at[i].from < at[i].to && at[i].to - at[i].from <= MAX_LENGTH)
			g_array_append_val(all, at[i]);
	return all;
}

static bool is_free(const u8 *taken, const struct bracket *b)
{
	for (u32 i = b->from; i <= b->to; i++)
		if (taken[i])
			return false;
	return true;
}

static void place(struct jumps *j, u8 *const taken[MAX_LANES], const struct bracket *b)
{
	for (u32 lane = 0; lane < MAX_LANES; lane++) {
		if (!is_free(taken[lane], b))
			continue;
		for (u32 i = b->from; i <= b->to; i++)
			taken[lane][i] = 1;
		g_array_append_vals(j->lanes[lane], b, 1);
		j->nr_lanes = MAX(j->nr_lanes, lane + 1);
		break;
	}
}

struct jumps *jumps_new(const s32 *targets, u32 nr)
{
	struct jumps *j = g_new0(struct jumps, 1);
	g_autoptr(GArray) all = NULL;
	u8 *taken[MAX_LANES];

	j->nr = nr;
	j->targets = g_memdup2(targets, nr * sizeof(*targets));
	j->sources = g_new0(u32, nr + 1);
	all = brackets_of(j);
	g_array_sort(all, by_length);
	for (u32 lane = 0; lane < MAX_LANES; lane++) {
		j->lanes[lane] = g_array_new(FALSE, FALSE, sizeof(struct bracket));
		taken[lane] = g_malloc0(nr + 1);
	}
	for (u32 i = 0; i < all->len; i++)
		place(j, taken, &g_array_index(all, struct bracket, i));
	for (u32 lane = 0; lane < MAX_LANES; lane++) {
		g_array_sort(j->lanes[lane], by_place);
		g_free(taken[lane]);
	}
	return j;
}

void jumps_free(struct jumps *j)
{
	if (!j)
		return;
	for (u32 lane = 0; lane < MAX_LANES; lane++)
		g_array_unref(j->lanes[lane]);
	g_free(j->targets);
	g_free(j->sources);
	g_free(j);
}

u32 jumps_width(const struct jumps *j, u32 most)
{
	return j->nr_lanes && most ? MIN(j->nr_lanes, most) + 2 : 0;
}

u32 jumps_sources(const struct jumps *j, u32 insn)
{
	return j->sources[insn];
}

/* The lane's bracket around the instruction; NULL: it has none. */
static const struct bracket *bracket_at(const struct jumps *j, u32 lane, u32 insn)
{
	const GArray *list = j->lanes[lane];
	u32 next = SEARCH(i, 0, list->len, g_array_index(list, struct bracket, i).from <= insn);
	const struct bracket *b;

	if (!next)
		return NULL;
	b = &g_array_index(list, struct bracket, next - 1);
	return b->to >= insn ? b : NULL;
}

/* The lane's character at an instruction, if no line comes from the left. */
static const char *end_of(const struct bracket *b, u32 insn)
{
	return insn == b->from ? "┌" : insn == b->to ? "└" : "├";
}

void jumps_append(const struct jumps *j, u32 insn, bool above, u32 most, GString *out)
{
	bool through = false, target = false; /* a line goes on to the right, to its target */

	for (u32 lane = MIN(j->nr_lanes, most); lane-- > 0;) {
		const struct bracket *b = bracket_at(j, lane, insn);
		bool ends = b && !above &&
			    (b->target == insn || j->targets[insn] == (s32)b->target);

		if (!b || (above && b->from == insn))
			g_string_append(out, through ? "─" : " ");
		else if (!ends)
			g_string_append(out, through ? "┼" : "│");
		else if (through)
			g_string_append(out, insn == b->from ? "┬" : insn == b->to ? "┴" : "┼");
		else
			g_string_append(out, end_of(b, insn));
		through |= ends;
		target |= ends && b->target == insn;
	}
	if (j->nr_lanes && most)
		g_string_append(out, target ? "─>" : through ? "──" : "  ");
}
