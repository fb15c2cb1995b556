// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums by group and time slice. A slice is 2^shift ns long and starts at a multiple of this. Two neighbours become
 * one longer slice by a shift, so the length grows with the recording, whose length need not be known before.
 */
#include "hist/cross_private.h"

void moments_init(struct moments *m)
{
	m->list = g_array_new(FALSE, FALSE, sizeof(struct cross_moment));
	m->slices = g_array_new(FALSE, FALSE, sizeof(u64));
	table_init(&m->index);
	m->shift = 10;
	m->least = UINT64_MAX;
	m->most = 0;
}

void moments_release(struct moments *m)
{
	g_array_unref(m->list);
	g_array_unref(m->slices);
	table_release(&m->index);
}

static void add(struct moments *m, u32 group, u64 slice, const struct cross_sum *more)
{
	u32 hash = table_fold(table_mix(table_mix(0, group), slice)), at = hash;
	struct cross_moment moment = { .group = group, .sum = *more };
	s64 i;

	while ((i = table_next(&m->index, hash, &at)) >= 0) {
		struct cross_moment *there = &g_array_index(m->list, struct cross_moment, i);

		if (there->group == group && g_array_index(m->slices, u64, i) == slice) {
			cross_sum_add(&there->sum, more);
			return;
		}
	}
	table_add(&m->index, hash, m->list->len);
	g_array_append_val(m->list, moment);
	g_array_append_val(m->slices, slice);
	m->least = MIN(m->least, slice);
	m->most = MAX(m->most, slice);
}

/*
 * Rebuilds the table: each sum goes to the group that @to gives, and slices become longer by @shift.
 */
static void add_again(struct moments *m, const u32 *to, u32 shift)
{
	struct moments old = *m;

	moments_init(m);
	m->shift = old.shift + shift;
	for (u32 i = 0; i < old.list->len; i++) {
		const struct cross_moment *moment =
			&g_array_index(old.list, struct cross_moment, i);

		add(m, to ? to[moment->group] : moment->group,
		    g_array_index(old.slices, u64, i) >> shift, &moment->sum);
	}
	moments_release(&old);
}

void moments_widen(struct moments *m)
{
	add_again(m, NULL, 1);
}

void moments_regroup(struct moments *m, const u32 *to)
{
	add_again(m, to, 0);
}

u64 moments_nr_slices(const struct moments *m)
{
	return m->list->len ? m->most - m->least + 1 : 0;
}

/* While it is fed, it may have more moments than at the end, but with a limit. */
#define AHEAD 16

/* Makes slices so long that their number is within the limit with these times, too. */
static void cover(struct moments *m, u64 from, u64 to, const struct cross_limits *limits)
{
	u64 least = MIN(m->least, from >> m->shift), most = MAX(m->most, to >> m->shift);
	u32 shift = 0;

	while ((most >> shift) - (least >> shift) >= limits->slices)
		shift++;
	if (shift)
		add_again(m, NULL, shift);
}

/* What falls into a slice of an interval of @length ns. */
static u64 part_of(u64 period, u64 ns, u64 length)
{
	return (u64)((unsigned __int128)period * ns / length);
}

void moments_add(struct moments *m, u32 group, u64 from, u64 to, const struct cross_sum *more,
		 const struct cross_limits *limits)
{
	struct cross_sum last = *more;
	u64 start = from;

	cover(m, from, to, limits);
	for (u64 slice = from >> m->shift; slice < to >> m->shift; slice++) {
		u64 end = (slice + 1) << m->shift;
		struct cross_sum part = { 0, part_of(more->period, end - start, to - from) };

		add(m, group, slice, &part);
		last.period -= part.period;
		start = end;
	}
	add(m, group, to >> m->shift, &last);
	if (m->list->len > AHEAD * limits->moments && moments_nr_slices(m) > MOMENTS_LEAST_SLICES)
		moments_widen(m);
}
