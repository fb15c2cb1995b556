// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Computes how many threads were on a CPU at a time. Each switch record says that one thread starts or stops running.
 * The number is the sum of all these changes before the time:
 *
 *	time	record		running
 *	0			1	the recorder
 *	10	A switches in	2
 *	20	B switches in	3
 *	30	A exits		2
 *
 * As in upstream, one thread (the recorder) runs at the start. A thread that exits leaves its CPU without a switch
 * record.
 */
#include "base/search.h"
#include "machine/private.h"

static struct running *running_at(const GArray *list, u32 i)
{
	return &g_array_index(list, struct running, i);
}

void machine_note_switch(struct machine *m, u64 time, s32 change)
{
	struct running r = { .time = time, .change = change };

	g_array_append_val(m->running, r);
}

static int by_time(const void *a, const void *b)
{
	u64 x = ((const struct running *)a)->time, y = ((const struct running *)b)->time;

	return x < y ? -1 : x > y;
}

void machine_seal_running(struct machine *m)
{
	GArray *list = m->running;
	u32 from = m->nr_running_sealed;

	if (from == list->len)
		return;
	for (u32 i = MAX(from, 1); i < list->len; i++) {
		if (running_at(list, i)->time >= running_at(list, i - 1)->time)
			continue;
		g_array_sort(list, by_time);
		from = 0;
		break;
	}
	for (u32 i = from; i < list->len; i++)
		running_at(list, i)->level =
			(i ? running_at(list, i - 1)->level : 1) + running_at(list, i)->change;
	m->nr_running_sealed = list->len;
}

s64 machine_running(const struct machine *m, u64 time)
{
	u32 later = SEARCH(i, 0, m->nr_running_sealed, running_at(m->running, i)->time <= time);

	return later ? running_at(m->running, later - 1)->level : 1;
}
