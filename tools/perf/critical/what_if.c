// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The new time of a thread at a moment: when it would have been where it was then. It is found stay by stay, from the request's
 * begin on. What is behind a stay is found once for each request and cause.
 *
 * All causes are asked at once, because they mostly need the same stays: a time is an array, with one element for each cause, and a
 * mask tells which of them are asked for. At a stay for book.lock, the cause "without book.lock" goes on at once; for the others,
 * the thread that has the lock is asked, without that bit. So each cause has the answer that it would have alone.
 *
 * A thread that is created during the request begins earlier, by as much as the request's own thread was earlier then.
 */
#include "critical/what_if.h"

#include <string.h>

#include "critical/walk.h"

#define NOT_KNOWN   UINT64_MAX
#define MOST_BEHIND (16u << 20) /* times behind stays */

/* New times, by cause. */
struct new_times {
	u64 at[WHAT_IF_MOST];
};

/* Of the present causes, those in the mask. */
#define EACH_CAUSE(i, mask)                                                                        \
	for (u32 left_##i = (mask), i; left_##i && (i = lowest(left_##i), true);                   \
	     left_##i &= left_##i - 1)

struct what_if {
	const struct history *h;
	const struct stay *stays;
	const struct what_if_cause *all;
	u32 nr_all, at_once;
	/* By stay: new times at its end, @at_once for each; NOT_KNOWN: being found. Valid for the causes in @found, if @marks has the mark. */
	u64 *behind;
	u32 *marks, *found;
	u32 mark; /* of the present request and causes */
	/* By stay: where the thread that ended it was then, found once for all causes: 2 + history_last_stay(); 0: not yet. */
	u32 *ends;
	/* The present question. */
	const struct what_if_cause *causes;
	u32 locks, functions; /* which of the causes are locks, and functions */
	u32 thread;
	u64 from;
	u64 steps;
};

static u32 lowest(u32 mask)
{
	return (u32)__builtin_ctz(mask);
}

struct what_if *what_if_new(const struct history *h, const struct what_if_cause *causes, u32 nr)
{
	struct what_if *w = g_new0(struct what_if, 1);
	u32 nr_stays;

	w->h = h;
	w->stays = history_stays(h, &nr_stays);
	w->all = causes;
	w->nr_all = MIN(nr, WHAT_IF_MOST);
	w->at_once = CLAMP(MOST_BEHIND / MAX(nr_stays, 1), 1, MAX(w->nr_all, 1));
	w->behind = g_new(u64, (gsize)nr_stays * w->at_once);
	w->marks = g_new0(u32, nr_stays);
	w->found = g_new(u32, nr_stays);
	w->ends = g_new0(u32, nr_stays);
	return w;
}

void what_if_free(struct what_if *w)
{
	if (!w)
		return;
	g_free(w->behind);
	g_free(w->marks);
	g_free(w->found);
	g_free(w->ends);
	g_free(w);
}

static void set_times(struct new_times *t, u32 mask, u64 time)
{
	EACH_CAUSE (i, mask)
		t->at[i] = time;
}

/* The function that the thread ran before its first tick behind @time; without one, at its last tick. UINT32_MAX: it has none. */
static u32 code_behind(const struct what_if *w, u32 thread, u64 time)
{
	const struct tick *tick = history_tick_behind(w->h, thread, time);

	return tick ? tick->code : UINT32_MAX;
}

/* Those of the causes in @mask that are @what. */
static u32 causes_of(const struct what_if *w, u32 mask, u32 what)
{
	u32 found = 0;

	EACH_CAUSE (i, mask)
		if (w->causes[i].what == what)
			found |= 1u << i;
	return found;
}

static void take_off(struct new_times *t, u32 mask, u64 ns)
{
	EACH_CAUSE (i, mask)
		t->at[i] -= ns;
}

/* Adds how long the thread runs between @from and @to, without the function: what is between two ticks is that of the later one. */
static void add_run(struct what_if *w, u32 thread, u64 from, u64 to, u32 mask, struct new_times *t)
{
	const struct tick *ticks;
	u32 nr;

	if (to <= from)
		return;
	EACH_CAUSE (i, mask)
		t->at[i] += to - from;
	mask &= w->functions;
	if (!mask)
		return;
	ticks = history_ticks_in(w->h, thread, from, to, &nr);
	w->steps += nr + 1;
	for (u32 i = 0; i < nr; i++) {
		take_off(t, causes_of(w, mask, ticks[i].code), ticks[i].time - from);
		from = ticks[i].time;
	}
	take_off(t, causes_of(w, mask, code_behind(w, thread, to)), to - from);
}

static void time_at(struct what_if *w, u32 thread, u64 time, u32 mask, u32 depth,
		    struct new_times *out);
static void time_from(struct what_if *w, u32 thread, s64 stay, u64 time, u32 mask, u32 depth,
		      struct new_times *out);

/* When the thread begins, and its new time then. */
static u64 begin_of(struct what_if *w, u32 thread, u32 mask, u32 depth, struct new_times *out)
{
	u64 start = history_thread_at(w->h, thread)->start, begin = MAX(start, w->from);

	if (start <= w->from || thread == w->thread || depth >= WALK_DEPTH) {
		set_times(out, mask, begin);
		return begin;
	}
	time_at(w, w->thread, start, mask, depth + 1, out);
	EACH_CAUSE (i, mask)
		if (out->at[i] == NOT_KNOWN)
			out->at[i] = start;
	return begin;
}

/* The new time at which @other ends the stay. What is on its way takes as long as it took. NOT_KNOWN: it is being found. */
static void time_of_end(struct what_if *w, const struct stay *stay, u32 other, u32 mask, u32 depth,
			struct new_times *out)
{
	u64 at = stay->end == END_MESSAGE ? MIN(stay->sent, stay->to) : stay->to;
	u32 *last = &w->ends[stay - w->stays];

	if (!*last)
		*last = (u32)(history_last_stay(w->h, other, at) + 2);
	time_from(w, other, (s64)*last - 2, at, mask, depth + 1, out);
	EACH_CAUSE (i, mask)
		if (out->at[i] != NOT_KNOWN)
			out->at[i] += stay->to - at;
}

/* Takes off by how much a child span is shorter, which does not begin before the wait for it. */
static void take_off_child(struct what_if *w, const struct stay *stay, u32 other, u64 length,
			   u32 mask, u32 depth, struct new_times *out)
{
	u64 begun = MAX(stay->begun, w->from), sent = MAX(stay->sent, begun);
	struct new_times from, to;

	time_at(w, other, begun, mask, depth + 1, &from);
	time_at(w, other, sent, mask, depth + 1, &to);
	EACH_CAUSE (i, mask) {
		u64 a = from.at[i], b = to.at[i];

		if (a != NOT_KNOWN && b != NOT_KNOWN && b >= a && b - a <= sent - begun)
			out->at[i] -= MIN(sent - begun - (b - a), length);
	}
}

/* Turns the new times at which the stay's thread comes to it into those behind it. */
static void go_through(struct what_if *w, const struct stay *stay, u32 mask, u32 depth,
		       struct new_times *t)
{
	u64 length = stay->to - MAX(stay->from, w->from);
	u32 next = stay->kind == STAY_BLOCKED ? walk_next(stay) : HISTORY_NOBODY;
	struct new_times other;

	if (stay->kind == STAY_BLOCKED && stay->is_lock)
		mask &= ~causes_of(w, mask & w->locks, stay->object);
	if (!mask)
		return;
	if (next == HISTORY_NOBODY || depth >= WALK_DEPTH) {
		EACH_CAUSE (i, mask)
			t->at[i] += length;
		return;
	}
	if (stay->end == END_CHILD) {
		EACH_CAUSE (i, mask)
			t->at[i] += length;
		take_off_child(w, stay, next, length, mask, depth, t);
		return;
	}
	if (history_thread_at(w->h, next)->recorded)
		time_of_end(w, stay, next, mask, depth, &other);
	else
		set_times(&other, mask, NOT_KNOWN);
	EACH_CAUSE (i, mask)
		t->at[i] = other.at[i] == NOT_KNOWN ? t->at[i] + length
						    : MAX(t->at[i], MIN(other.at[i], stay->to));
}

/* The causes in the mask for which the time behind the stay is found, or being found. */
static u32 found_at(const struct what_if *w, u32 stay, u32 mask)
{
	return w->marks[stay] == w->mark ? w->found[stay] & mask : 0;
}

/* Finds the time behind a stay, from that @t at @at before it. */
static void find_behind(struct what_if *w, u32 thread, u32 stay, u64 at, u32 mask, u32 depth,
			struct new_times *t)
{
	const struct stay *s = &w->stays[stay];
	u64 *behind = &w->behind[(gsize)stay * w->at_once];

	if (w->marks[stay] != w->mark)
		w->found[stay] = 0;
	w->marks[stay] = w->mark;
	w->found[stay] |= mask;
	w->steps++;
	EACH_CAUSE (i, mask)
		behind[i] = NOT_KNOWN;
	add_run(w, thread, at, s->from, mask, t);
	go_through(w, s, mask, depth, t);
	EACH_CAUSE (i, mask)
		behind[i] = t->at[i];
}

static void read_behind(const struct what_if *w, u32 stay, u32 mask, struct new_times *out)
{
	EACH_CAUSE (i, mask)
		out->at[i] = w->behind[(gsize)stay * w->at_once + i];
}

/* Those of the causes whose time is not known. */
static u32 not_known(const struct new_times *t, u32 mask)
{
	u32 found = 0;

	EACH_CAUSE (i, mask)
		if (t->at[i] == NOT_KNOWN)
			found |= 1u << i;
	return found;
}

/* The new time behind the stay, and behind all before it. NOT_KNOWN: it is being found, so threads wait for each other. */
static void time_behind(struct what_if *w, u32 thread, u32 stay, u32 mask, u32 depth,
			struct new_times *out)
{
	u32 first = history_thread_at(w->h, thread)->stay, i = stay, found = found_at(w, i, mask);
	u64 at = 0;

	while (i > first && found != mask && w->stays[i - 1].to > w->from)
		found |= found_at(w, --i, mask);
	if (found != mask)
		at = begin_of(w, thread, mask & ~found, depth, out);
	for (; i <= stay && mask; i++) {
		found = found_at(w, i, mask);
		read_behind(w, i, found, out);
		mask &= ~not_known(out, found);
		if (mask & ~found)
			find_behind(w, thread, i, at, mask & ~found, depth, out);
		at = w->stays[i].to;
	}
}

/* @i: the thread's last stay that begins before @time; -1: none. */
static void time_from(struct what_if *w, u32 thread, s64 i, u64 time, u32 mask, u32 depth,
		      struct new_times *out)
{
	const struct stay *stay = i >= 0 ? &w->stays[i] : NULL;
	u64 at;

	if (time <= w->from || (stay && stay->to > time && stay->from <= w->from)) {
		set_times(out, mask, time);
		return;
	}
	/* In a stay: as far into it as it was. */
	if (stay && stay->to > time) {
		time_at(w, thread, stay->from, mask, depth, out);
		EACH_CAUSE (k, mask & ~not_known(out, mask))
			out->at[k] += time - stay->from;
		return;
	}
	if (stay && stay->to > w->from) {
		time_behind(w, thread, (u32)i, mask, depth, out);
		at = stay->to;
	} else {
		at = begin_of(w, thread, mask, depth, out);
	}
	add_run(w, thread, at, time, mask & ~not_known(out, mask), out);
}

static void time_at(struct what_if *w, u32 thread, u64 time, u32 mask, u32 depth,
		    struct new_times *out)
{
	time_from(w, thread, history_last_stay(w->h, thread, time), time, mask, depth, out);
}

/* The causes from @first on, as many as are walked at once. Returns their mask. */
static u32 choose_causes(struct what_if *w, u32 first)
{
	u32 nr = MIN(w->nr_all - first, w->at_once);

	w->causes = w->all + first;
	w->locks = w->functions = 0;
	for (u32 i = 0; i < nr; i++)
		*(w->causes[i].is_lock ? &w->locks : &w->functions) |= 1u << i;
	return w->locks | w->functions;
}

u64 what_if_shorter(struct what_if *w, u32 thread, u64 from, u64 to, u64 *shorter)
{
	w->thread = thread;
	w->from = from;
	w->steps = 0;
	for (u32 first = 0; first < w->nr_all; first += w->at_once) {
		u32 mask = choose_causes(w, first);
		struct new_times new;

		w->mark++;
		w->steps++;
		time_at(w, thread, to, mask, 0, &new);
		EACH_CAUSE (i, mask)
			shorter[first + i] = new.at[i] < to ? to - new.at[i] : 0;
	}
	return w->steps;
}
