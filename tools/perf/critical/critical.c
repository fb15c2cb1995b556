// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/critical.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "critical/collect.h"
#include "critical/instances.h"
#include "critical/sums.h"
#include "critical/what_if.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

#define MOST_SEGMENTS_OF_ONE 1000000u
/* Nodes on the ways of all segments: some half a second. The slow ones count, but are not cut. */
#define MOST_NODES  3000000u
#define MOST_CAUSES 20 /* of what could be saved: those with most time on paths */
/* Stays and ticks that are looked at for that: some 0.3 seconds. */
#define MOST_WHAT_IF_STEPS 5000000u

/* A path that was walked. */
struct walked {
	u64 from, to;
	u32 thread;
	enum path_class class;
};

struct critical {
	struct critical_options options;
	struct history *history;
	struct doings *doings;
	struct path_tree *tree;
	GArray *steps;
	struct points *points;		 /* NULL: not wanted */
	GArray *order;			 /* u32: instances, the longest first */
	GArray *walked;			 /* struct walked */
	struct critical_savings savings; /* without sums: not found yet */
	GArray *clocks;			 /* struct collected_clock */
	struct critical_answer answer;
	u64 nr_nodes;
};

void critical_free(struct critical *c)
{
	if (!c)
		return;
	path_tree_free(c->tree);
	points_free(c->points);
	doings_free(c->doings);
	history_free(c->history);
	g_clear_pointer(&c->steps, g_array_unref);
	g_clear_pointer(&c->order, g_array_unref);
	g_clear_pointer(&c->walked, g_array_unref);
	g_clear_pointer(&c->savings.sums, g_array_unref);
	g_clear_pointer(&c->clocks, g_array_unref);
	g_free(c);
}

const struct critical_answer *critical_answer(const struct critical *c)
{
	return &c->answer;
}

static const struct critical_instance *instance_at(const struct critical *c, u32 i)
{
	return &g_array_index(doings_instances(c->doings), struct critical_instance, i);
}

static u64 length_of(const struct critical *c, u32 instance)
{
	return instance_length(instance_at(c, instance));
}

/* The recorded thread with that number; of several, the one with most records. HISTORY_NOBODY: none. */
static u32 find_thread(const struct critical *c)
{
	u64 tid, most = 0;
	u32 found = HISTORY_NOBODY;

	if (!g_ascii_string_to_unsigned(c->options.what, 10, 0, UINT32_MAX, &tid, NULL))
		return found;
	for (u32 i = 0; i < history_nr_threads(c->history); i++) {
		const struct history_thread *t = history_thread_at(c->history, i);
		u64 nr = (u64)t->nr_stays + t->nr_ticks;

		if (t->tid == tid && nr > most) {
			most = nr;
			found = i;
		}
	}
	return found;
}

/* The length that this share of the instances does not exceed. */
static u64 quantile(const struct critical *c, double share)
{
	u32 nr = c->order->len, rank = (u32)ceil(share * nr);

	return length_of(c, g_array_index(c->order, u32, nr - CLAMP(rank, 1, nr)));
}

static void measure(struct critical *c)
{
	struct critical_answer *a = &c->answer;
	u32 slow = instances_nr_slow(c->order->len, c->options.slowest);

	a->nr = c->order->len;
	a->p50 = quantile(c, 0.5);
	a->p90 = quantile(c, 0.9);
	a->p99 = quantile(c, 0.99);
	a->max = quantile(c, 1);
	a->least_slow = length_of(c, g_array_index(c->order, u32, slow - 1));
	a->classes[CLASS_SLOW].nr = slow;
	a->classes[CLASS_REST].nr = a->nr - slow;
	a->beyond = doings_beyond(c->doings);
	for (u32 i = 0; i < c->order->len; i++)
		a->nr_stated += instance_at(c, g_array_index(c->order, u32, i))->stated;
}

struct walking {
	struct critical *c;
	u32 instance; /* UINT32_MAX: a thread */
	enum path_class class;
};

static void take(const struct path_segment *s, void *arg)
{
	struct walking *w = arg;

	path_tree_add(w->c->tree, s, w->instance, w->class);
	w->c->nr_nodes += 1 + 2 * s->depth;
	if (w->c->steps)
		steps_add(w->c->steps, w->c->history, s);
}

static void walk_one(struct critical *c, u32 thread, u64 from, u64 to, u32 instance,
		     enum path_class class)
{
	struct walking w = { c, instance, class };
	const struct walked path = { from, to, thread, class };

	g_array_append_val(c->walked, path);
	walk(c->history, thread, from, to, MOST_SEGMENTS_OF_ONE, take, &w);
	c->answer.classes[class].walked++;
	c->answer.classes[class].ns += to - from;
}

static void walk_at(struct critical *c, u32 rank, enum path_class class)
{
	u32 i = g_array_index(c->order, u32, rank);
	const struct critical_instance *instance = instance_at(c, i);

	if (class == CLASS_SLOW || c->nr_nodes < MOST_NODES)
		walk_one(c, instance->thread, instance->from, instance->to, i, class);
}

static u32 greatest_divisor(u32 a, u32 b)
{
	return b ? greatest_divisor(b, a % b) : a;
}

/* The slow ones first; of the rest one here and one there, in case they are too many. */
static void walk_all(struct critical *c)
{
	u32 slow = c->answer.classes[CLASS_SLOW].nr, rest = c->answer.classes[CLASS_REST].nr;
	u32 step = MAX((u32)(0.618 * rest), 1);

	for (u32 i = 0; i < slow; i++)
		walk_at(c, i, CLASS_SLOW);
	while (rest && greatest_divisor(step, rest) != 1)
		step++;
	for (u32 i = 0; i < rest; i++)
		walk_at(c, slow + (u32)((u64)i * step % rest), CLASS_REST);
}

/* A thread's time in the recording. */
static void walk_thread(struct critical *c, u32 thread)
{
	const struct history_thread *t = history_thread_at(c->history, thread);
	struct critical_answer *a = &c->answer;
	u64 from, to;

	history_covered(c->history, thread, &from, &to);
	from = MAX(t->start, from);
	to = MAX(MIN(t->end, to), from);
	c->steps = g_array_new(FALSE, FALSE, sizeof(struct critical_step));
	a->nr = a->classes[CLASS_SLOW].nr = 1;
	a->p50 = a->p90 = a->p99 = a->max = a->least_slow = to - from;
	a->from = from;
	a->is_thread = true;
	walk_one(c, thread, from, to, UINT32_MAX, CLASS_SLOW);
	if (c->points)
		points_take_thread(c->points, c->history, thread, from, to);
}

static void walk_instances(struct critical *c)
{
	measure(c);
	if (c->order->len == 1) {
		c->steps = g_array_new(FALSE, FALSE, sizeof(struct critical_step));
		c->answer.from = instance_at(c, g_array_index(c->order, u32, 0))->from;
	}
	walk_all(c);
	if (c->points)
		points_choose(c->points, c->history, c->doings, c->order,
			      instances_nr_slow(c->order->len, c->options.slowest));
}

static gint most_saved_first(gconstpointer pa, gconstpointer pb)
{
	const struct path_sum *a = pa, *b = pb;

	for (u32 k = 0; k < NR_CLASSES; k++)
		if (a->ns[k] != b->ns[k])
			return a->ns[k] > b->ns[k] ? -1 : 1;
	return a->what < b->what ? -1 : a->what > b->what;
}

/* What could be saved of one path, by each cause. Returns the steps. */
static u64 save_of(struct critical *c, struct what_if *what_if, const struct walked *path)
{
	struct critical_class *class = &c->savings.classes[path->class];
	u64 shorter[MOST_CAUSES], steps;

	steps = what_if_shorter(what_if, path->thread, path->from, path->to, shorter);
	for (u32 i = 0; i < c->savings.sums->len; i++)
		g_array_index(c->savings.sums, struct path_sum, i).ns[path->class] += shorter[i];
	class->walked++;
	class->ns += path->to - path->from;
	return steps;
}

/* The slow ones were walked first. If there are too many, the rest is what was walked first, here and there. */
static void find_savings(struct critical *c)
{
	struct what_if_cause causes[MOST_CAUSES];
	GArray *sums = path_sums_causes(c->tree);
	struct what_if *what_if;
	u64 steps = 0;

	g_array_set_size(sums, MIN(sums->len, MOST_CAUSES));
	for (u32 i = 0; i < sums->len; i++) {
		struct path_sum *sum = &g_array_index(sums, struct path_sum, i);

		causes[i] = (struct what_if_cause){ sum->kind == SUM_WAIT, sum->what };
		memset(sum->ns, 0, sizeof(sum->ns));
	}
	c->savings.sums = sums;
	for (u32 k = 0; k < NR_CLASSES; k++)
		c->savings.classes[k].nr = c->answer.classes[k].nr;
	what_if = what_if_new(c->history, causes, sums->len);
	for (u32 i = 0; i < c->walked->len && steps < MOST_WHAT_IF_STEPS; i++)
		steps += save_of(c, what_if, &g_array_index(c->walked, struct walked, i));
	g_array_sort(sums, most_saved_first);
	what_if_free(what_if);
}

const struct critical_savings *critical_savings(const struct critical_answer *answer)
{
	struct critical *c =
		container_of((struct critical_answer *)answer, struct critical, answer);

	if (!c->savings.sums)
		find_savings(c);
	return &c->savings;
}

static bool tell_absent(const struct critical *c, const struct collect_result *found,
			GError **error)
{
	const char *path = perfdata_path(session_perfdata(c->options.lexicon->session));

	if (!found->has_waits)
		return error_set(error, PERF_ERROR_ABSENT,
				 "%s has no waits: --critical needs perf record --off-cpu", path);
	if (!found->has_activities)
		return error_set(error, PERF_ERROR_ABSENT,
				 "%s has no activities, and no thread %s: use perf record "
				 "--off-cpu --sample-tls, or give a thread's number",
				 path, c->options.what);
	return error_set(error, PERF_ERROR_ABSENT,
			 "%s has no span, trace or thread '%s'. Names of spans come from --spans; "
			 "without it, '*' stands for all spans",
			 path, c->options.what);
}

static bool make(struct critical *c, GError **error)
{
	struct critical_answer *a = &c->answer;
	struct collect_result found;
	u64 whole[NR_CLASSES];
	u32 thread;

	if (!collect(c->options.lexicon, COLLECT_ALL, false, c->history, c->doings, &found, error))
		return false;
	a->clocks = c->clocks = found.clocks;
	thread = find_thread(c);
	c->order = instances_order(c->doings);
	if (!found.has_waits || (thread == HISTORY_NOBODY && !c->order->len))
		return tell_absent(c, &found, error);
	c->tree = path_tree_new(c->history, c->doings);
	if (thread != HISTORY_NOBODY)
		walk_thread(c, thread);
	else
		walk_instances(c);
	for (u32 k = 0; k < NR_CLASSES; k++)
		whole[k] = a->classes[k].ns;
	path_tree_settle(c->tree, whole);
	if (c->steps)
		steps_reverse(c->steps, 0);
	a->history = c->history;
	a->doings = c->doings;
	a->tree = c->tree;
	a->steps = c->steps;
	a->points = c->points;
	a->has_ticks = found.has_ticks;
	a->title = c->options.what;
	a->lexicon = c->options.lexicon;
	return true;
}

struct critical *critical_new(const struct critical_options *options, GError **error)
{
	struct critical *c = g_new0(struct critical, 1);

	c->options = *options;
	c->history = history_new();
	c->walked = g_array_new(FALSE, FALSE, sizeof(struct walked));
	c->doings = doings_new(options->lexicon, options->what);
	c->points = options->points ? points_new() : NULL;
	if (!make(c, error)) {
		critical_free(c);
		return NULL;
	}
	return c;
}
