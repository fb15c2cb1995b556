// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The new time of a thread at a moment: when it would have been where it was then. It is found stay by stay, from the request's
 * begin on. What is behind a stay is found once for each request and cause.
 *
 * A thread that is created during the request begins earlier, by as much as the request's own thread was earlier then.
 */
#include "critical/what_if.h"

#include <string.h>

#include "critical/walk.h"

#define NOT_KNOWN UINT64_MAX

struct what_if {
	const struct history *h;
	const struct stay *stays;
	u64 *behind; /* new time at the end of a stay, if @marks has the mark; NOT_KNOWN: being found */
	u32 *marks;
	u32 mark; /* of the present request and cause */
	/* By stay: where the thread that ended it was then, found once for all causes: 2 + history_last_stay(); 0: not yet. */
	u32 *ends;
	/* The present question. */
	const struct what_if_cause *cause;
	u32 thread;
	u64 from;
	u64 steps;
};

struct what_if *what_if_new(const struct history *h)
{
	struct what_if *w = g_new0(struct what_if, 1);
	u32 nr;

	w->h = h;
	w->stays = history_stays(h, &nr);
	w->behind = g_new(u64, nr);
	w->marks = g_new0(u32, nr);
	w->ends = g_new0(u32, nr);
	return w;
}

void what_if_free(struct what_if *w)
{
	if (!w)
		return;
	g_free(w->behind);
	g_free(w->marks);
	g_free(w->ends);
	g_free(w);
}

/* The function that the thread ran before its first tick behind @time; without one, at its last tick. UINT32_MAX: it has none. */
static u32 code_behind(const struct what_if *w, u32 thread, u64 time)
{
	const struct tick *tick = history_tick_behind(w->h, thread, time);

	return tick ? tick->code : UINT32_MAX;
}

/* How long the thread runs between @from and @to, without the function: what is between two ticks is that of the later one. */
static u64 run_length(struct what_if *w, u32 thread, u64 from, u64 to)
{
	u64 length = to > from ? to - from : 0, at = from;
	const struct tick *ticks;
	u32 nr;

	if (w->cause->is_lock || !length)
		return length;
	ticks = history_ticks_in(w->h, thread, from, to, &nr);
	w->steps += nr + 1;
	for (u32 i = 0; i < nr; i++) {
		if (ticks[i].code == w->cause->what)
			length -= ticks[i].time - at;
		at = ticks[i].time;
	}
	return code_behind(w, thread, to) == w->cause->what ? length - (to - at) : length;
}

static u64 time_at(struct what_if *w, u32 thread, u64 time, u32 depth);
static u64 time_from(struct what_if *w, u32 thread, s64 stay, u64 time, u32 depth);

/* When the thread begins, and its new time then. */
static u64 begin_of(struct what_if *w, u32 thread, u32 depth, u64 *begin)
{
	u64 start = history_thread_at(w->h, thread)->start, new;

	*begin = MAX(start, w->from);
	if (start <= w->from || thread == w->thread || depth >= WALK_DEPTH)
		return *begin;
	new = time_at(w, w->thread, start, depth + 1);
	return new == NOT_KNOWN ? start : new;
}

/* The new time at which @other ends the stay. What is on its way takes as long as it took. NOT_KNOWN: it is being found. */
static u64 time_of_end(struct what_if *w, const struct stay *stay, u32 other, u32 depth)
{
	u64 at = stay->end == END_MESSAGE ? MIN(stay->sent, stay->to) : stay->to, new;
	u32 *last = &w->ends[stay - w->stays];

	if (!*last)
		*last = (u32)(history_last_stay(w->h, other, at) + 2);
	new = time_from(w, other, (s64)*last - 2, at, depth + 1);
	return new == NOT_KNOWN ? new : new + (stay->to - at);
}

/* By how much a child span is shorter, which does not begin before the wait for it. */
static u64 shorter_child(struct what_if *w, const struct stay *stay, u32 other, u64 length,
			 u32 depth)
{
	u64 begun = MAX(stay->begun, w->from), sent = MAX(stay->sent, begun), from, to;

	from = time_at(w, other, begun, depth + 1);
	to = time_at(w, other, sent, depth + 1);
	if (from == NOT_KNOWN || to == NOT_KNOWN || to < from || to - from > sent - begun)
		return 0;
	return MIN(sent - begun - (to - from), length);
}

/* The new time behind a stay, if its thread comes to it at @before. */
static u64 go_through(struct what_if *w, const struct stay *stay, u64 before, u32 depth)
{
	u64 length = stay->to - MAX(stay->from, w->from), other = NOT_KNOWN;
	u32 next = stay->kind == STAY_BLOCKED ? walk_next(stay) : HISTORY_NOBODY;

	if (stay->kind == STAY_BLOCKED && w->cause->is_lock && stay->is_lock &&
	    stay->object == w->cause->what)
		return before;
	if (stay->end == END_CHILD && next != HISTORY_NOBODY && depth < WALK_DEPTH)
		return before + length - shorter_child(w, stay, next, length, depth);
	if (next != HISTORY_NOBODY && depth < WALK_DEPTH && history_thread_at(w->h, next)->recorded)
		other = time_of_end(w, stay, next, depth);
	return other == NOT_KNOWN ? before + length : MAX(before, MIN(other, stay->to));
}

static bool is_found(const struct what_if *w, u32 stay)
{
	return w->marks[stay] == w->mark;
}

/* The new time behind the stay, and behind all before it. NOT_KNOWN: it is being found, so threads wait for each other. */
static u64 time_behind(struct what_if *w, u32 thread, u32 stay, u32 depth)
{
	u32 first = history_thread_at(w->h, thread)->stay, i = stay;
	u64 at, new;

	while (i > first && !is_found(w, i) && w->stays[i - 1].to > w->from)
		i--;
	if (is_found(w, i)) {
		new = w->behind[i];
		at = w->stays[i].to;
		i++;
	} else {
		new = begin_of(w, thread, depth, &at);
	}
	for (; i <= stay && new != NOT_KNOWN; i++) {
		const struct stay *s = &w->stays[i];

		w->steps++;
		w->marks[i] = w->mark;
		w->behind[i] = NOT_KNOWN;
		new = go_through(w, s, new + run_length(w, thread, at, s->from), depth);
		w->behind[i] = new;
		at = s->to;
	}
	return new;
}

/* @i: the thread's last stay that begins before @time; -1: none. */
static u64 time_from(struct what_if *w, u32 thread, s64 i, u64 time, u32 depth)
{
	u64 at, new;

	if (time <= w->from)
		return time;
	/* In a stay: as far into it as it was. */
	if (i >= 0 && w->stays[i].to > time && w->stays[i].from > w->from) {
		new = time_at(w, thread, w->stays[i].from, depth);
		return new == NOT_KNOWN ? new : new + (time - w->stays[i].from);
	}
	if (i >= 0 && w->stays[i].to > time)
		return time;
	if (i >= 0 && w->stays[i].to > w->from) {
		new = time_behind(w, thread, (u32)i, depth);
		at = w->stays[i].to;
	} else {
		new = begin_of(w, thread, depth, &at);
	}
	return new == NOT_KNOWN ? new : new + run_length(w, thread, at, time);
}

static u64 time_at(struct what_if *w, u32 thread, u64 time, u32 depth)
{
	return time_from(w, thread, history_last_stay(w->h, thread, time), time, depth);
}

u64 what_if_shorter(struct what_if *w, const struct what_if_cause *cause, u32 thread, u64 from,
		    u64 to, u64 *steps)
{
	u64 new;

	w->mark++;
	w->cause = cause;
	w->thread = thread;
	w->from = from;
	w->steps = 0;
	new = time_at(w, thread, to, 0);
	*steps += w->steps + 1;
	return new < to ? to - new : 0;
}
