// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/points.h"

struct points *points_new(void)
{
	struct points *p = g_new0(struct points, 1);

	p->list = g_array_new(FALSE, FALSE, sizeof(struct critical_point));
	p->steps = g_array_new(FALSE, FALSE, sizeof(struct critical_step));
	return p;
}

void points_free(struct points *p)
{
	if (!p)
		return;
	g_array_unref(p->list);
	g_array_unref(p->steps);
	g_free(p);
}

struct point_walk {
	struct points *points;
	const struct history *history;
	u32 first;
};

static void take(const struct path_segment *segment, void *arg)
{
	struct point_walk *w = arg;

	/* One more than allowed tells that the path is too long. */
	if (w->points->steps->len - w->first <= POINTS_STEPS_OF_ONE)
		steps_add(w->points->steps, w->history, segment);
}

static void add_path(struct points *p, const struct history *h, struct critical_point *point)
{
	struct point_walk w = { p, h, p->steps->len };

	walk(h, point->thread, point->from, point->to, POINTS_STEPS_OF_ONE + 1, take, &w);
	if (p->steps->len - w.first > POINTS_STEPS_OF_ONE) {
		g_array_set_size(p->steps, w.first);
		point->path = POINT_TOO_LONG;
		return;
	}
	steps_reverse(p->steps, w.first);
	point->path = POINT_HAS_PATH;
	point->first = w.first;
	point->nr = p->steps->len - w.first;
	p->nr_paths++;
}

static void add_point(struct points *p, const struct doings *d, const GArray *order, u32 rank,
		      bool slow)
{
	u32 i = g_array_index(order, u32, rank);
	const struct critical_instance *instance =
		&g_array_index(doings_instances(d), struct critical_instance, i);
	struct critical_point point = {
		.from = instance->from,
		.to = instance->to,
		.instance = i,
		.thread = instance->thread,
		.slow = slow,
		.path = POINT_NOT_CHOSEN,
	};

	g_array_append_val(p->list, point);
}

/* @most of the ranks [@from, @to), evenly. */
static void add_points(struct points *p, const struct doings *d, const GArray *order, u32 from,
		       u32 to, u32 most, bool slow)
{
	u32 nr = MIN(to - from, most);

	for (u32 i = 0; i < nr; i++)
		add_point(p, d, order, from + (u32)((u64)i * (to - from) / nr), slow);
}

static struct critical_point *at(const struct points *p, u32 i)
{
	return &g_array_index(p->list, struct critical_point, i);
}

/* The paths of the points [@from, @to): @most of them, evenly, until there are @steps steps. */
static void add_paths(struct points *p, const struct history *h, u32 from, u32 to, u32 most,
		      u32 steps)
{
	u32 nr = MIN(to - from, most);

	for (u32 i = 0; i < nr && p->steps->len < steps; i++)
		add_path(p, h, at(p, from + (u32)((u64)i * (to - from) / nr)));
}

void points_choose(struct points *p, const struct history *h, const struct doings *d,
		   const GArray *order, u32 nr_slow)
{
	u32 slow;

	add_points(p, d, order, 0, nr_slow, POINTS_MOST / 2, true);
	slow = p->list->len;
	add_points(p, d, order, nr_slow, order->len, POINTS_MOST - slow, false);
	add_paths(p, h, 0, slow, POINTS_MOST_PATHS / 2, POINTS_MOST_STEPS / 2);
	add_paths(p, h, slow, p->list->len, POINTS_MOST_PATHS - p->nr_paths, POINTS_MOST_STEPS);
}

void points_take_thread(struct points *p, const struct history *h, u32 thread, u64 from, u64 to)
{
	struct critical_point point = {
		.from = from,
		.to = to,
		.instance = UINT32_MAX,
		.thread = thread,
		.slow = true,
		.path = POINT_NOT_CHOSEN,
	};

	g_array_append_val(p->list, point);
	add_path(p, h, at(p, 0));
}
