// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Traps, and what is done about them:
 *
 *	a woken thread finds the lock taken and sleeps again	two stays in a row; each has its owner
 *	a lock is handed on while a thread waits		one stay for each owner (record/waits/owners.h)
 *	an owner took the lock without a sleep			its owner is not known; the waker gave the lock up, so its
 *								time is followed, and the piece says "changed unseen"
 *	the owner never sleeps					its running time is between its stays
 *	an interrupt on a stranger's thread ends the wait	no waker; the kind of interrupt. Over the loopback it is no
 *								stranger: the recorder finds the sender (bpf/peers.h)
 *	what another host sent ends the wait			the time behind its sending is the network's, what is before
 *								is the sender's (messages.h)
 *	nobody knows who sent it, but a child span was done there	what is seen of the child is its thread's (children.h)
 *	an idle thread is woken in vain, waits again, and then	behind it, both are one wait (history.c)
 *	hands a wake-up on
 *	a waker that was not recorded, such as the recorder	WHY_STRANGER
 *	threads wait for each other				WHY_CYCLE: a thread may be on the way only once
 */
#include "critical/walk.h"

struct walk {
	const struct history *h;
	walk_fn *fn;
	void *arg;
	u64 steps, most;
	const struct stay *through[WALK_DEPTH];
	u32 threads[WALK_DEPTH + 1]; /* on the way: the interval's, then the next ones */
	u32 depth;
	u32 activity; /* of the run that is emitted next */
	const struct stay
		*behind; /* the present thread's stay behind that run; NULL: there is none */
};

static bool has_waker(const struct stay *stay)
{
	return stay->end == END_THREAD || stay->end == END_MESSAGE || stay->end == END_CHILD;
}

static bool is_on_way(const struct stay *stay)
{
	return stay->end == END_MESSAGE || stay->end == END_CHILD;
}

u32 walk_next(const struct stay *stay)
{
	if (stay->is_lock && stay->owned == WALL_OWNER_KNOWN)
		return stay->owner;
	return has_waker(stay) ? stay->waker : HISTORY_NOBODY;
}

u32 walk_next_activity(const struct stay *stay)
{
	bool is_owner = stay->is_lock && stay->owned == WALL_OWNER_KNOWN;

	if (!is_owner)
		return has_waker(stay) ? stay->waker_activity : 0;
	return stay->owner_activity ?: stay->waker == stay->owner ? stay->waker_activity : 0;
}

u32 walk_activity_at(const struct path_segment *s, u32 depth)
{
	u32 activity = depth < s->depth ? s->through[depth]->activity : s->activity;

	return activity || !depth ? activity : walk_next_activity(s->through[depth - 1]);
}

static void emit(struct walk *w, const struct stay *stay, enum segment_why why, u64 from, u64 to)
{
	const struct path_segment segment = { .from = from,
					      .to = to,
					      .thread = w->threads[w->depth],
					      .why = (u8)why,
					      .activity = stay ? stay->activity : w->activity,
					      .stay = stay,
					      .through = w->through,
					      .depth = w->depth };

	if (from >= to)
		return;
	w->steps++;
	w->fn(&segment, w->arg);
}

/* The activity with which the thread leaves its CPU at @time, or wakes the thread that waits for it. */
static u32 activity_at_end(const struct walk *w, u64 time)
{
	const struct stay *through = w->depth ? w->through[w->depth - 1] : NULL;

	if (w->behind && w->behind->from == time)
		return w->behind->activity;
	if (!through)
		return 0;
	return time == (is_on_way(through) ? through->sent : through->to)
		       ? walk_next_activity(through)
		       : 0;
}

static void emit_parts(struct walk *w, u64 from, u64 to)
{
	u32 nr;
	const struct tick *ticks = history_ticks_in(w->h, w->threads[w->depth], from, to, &nr);

	if (from >= to)
		return;
	w->activity = activity_at_end(w, to);
	/* Where that is not known, the last sample's lasts. */
	if (!w->activity && nr)
		w->activity = ticks[nr - 1].activity;
	while (nr--) {
		if (ticks[nr].activity == w->activity)
			continue;
		emit(w, NULL, WHY_RAN, ticks[nr].time, to);
		to = ticks[nr].time;
		w->activity = ticks[nr].activity;
	}
	emit(w, NULL, WHY_RAN, from, to);
	w->activity = 0;
}

/* Time of the thread without a stay: it ran, if it existed and is in the recording. */
static void emit_run(struct walk *w, u64 from, u64 to)
{
	const struct history_thread *t = history_thread_at(w->h, w->threads[w->depth]);
	u64 first, last;

	history_covered(w->h, w->threads[w->depth], &first, &last);
	first = CLAMP(MAX(t->start, first), from, to);
	last = CLAMP(MIN(t->end, last), first, to);
	emit(w, NULL, WHY_OUTSIDE, last, to);
	emit_parts(w, first, last);
	emit(w, NULL, WHY_OUTSIDE, from, first);
}

static enum segment_why why_of(const struct stay *stay)
{
	static const u8 whys[NR_STAY_ENDS] = {
		[END_UNKNOWN] = WHY_NOT_SEEN, [END_THREAD] = WHY_NOT_SEEN,
		[END_TIMER] = WHY_TIMER,      [END_DISK] = WHY_DISK,
		[END_NETWORK] = WHY_NETWORK,  [END_INTERRUPT] = WHY_INTERRUPT,
		[END_KILLED] = WHY_KILLED,    [END_OPEN] = WHY_OPEN,
		[END_MESSAGE] = WHY_WAY,      [END_CHILD] = WHY_APART,
	};

	return whys[stay->end];
}

/* Why the walk cannot go on through @stay; WHY_RAN: it can. */
static enum segment_why obstacle(const struct walk *w, const struct stay *stay)
{
	u32 next = walk_next(stay);

	if (stay->kind == STAY_QUEUED)
		return WHY_QUEUED;
	if (next == HISTORY_NOBODY)
		return why_of(stay);
	if (!history_thread_at(w->h, next)->recorded)
		return WHY_STRANGER;
	for (u32 i = 0; i <= w->depth; i++)
		if (w->threads[i] == next)
			return WHY_CYCLE;
	return w->depth == WALK_DEPTH ? WHY_DEEP : WHY_RAN;
}

static void follow(struct walk *w, u64 from, u64 to);

/*
 * What ended the wait was sent at stay->sent: from then on it was on its way. Returns the time until which the sender is
 * followed. A sender that itself waits for what was sent before, from here, is not: all is the network's.
 */
static u64 take_way(struct walk *w, const struct stay *stay, u64 from, u64 to,
		    enum segment_why *why)
{
	u64 sent = CLAMP(stay->sent, from, to);

	if (*why == WHY_CYCLE)
		*why = why_of(stay);
	if (*why != WHY_RAN)
		return to;
	emit(w, stay, why_of(stay), sent, to);
	return sent;
}

static void take_stay(struct walk *w, const struct stay *stay, u64 from, u64 to)
{
	enum segment_why why = obstacle(w, stay);
	u64 begun;

	if (is_on_way(stay))
		to = take_way(w, stay, from, to, &why);
	if (why != WHY_RAN) {
		emit(w, stay, why, from, to);
		return;
	}
	w->through[w->depth++] = stay;
	w->threads[w->depth] = walk_next(stay);
	begun = stay->end == END_CHILD ? CLAMP(stay->begun, from, to) : from;
	follow(w, begun, to);
	w->depth--;
	if (from < begun)
		emit(w, stay, WHY_APART, from, begun);
}

/*
 * Where the wait begins that ends with stay @i. A thread that only hands a wake-up on may have been woken in vain before: what it waited for
 * in between does not matter to those that wait for it. The present thread's own waits are told one by one. Moves @i to the first stay.
 */
static u64 begin_of_wait(const struct walk *w, const struct stay *stays, s64 *i)
{
	s64 at = *i;

	while (w->depth && stays[at].again)
		do
			at--;
		while (stays[at].kind != STAY_BLOCKED || stays[at].object != stays[*i].object);
	*i = at;
	return stays[at].from;
}

/* Walks back over [@from, @to) of the present thread. */
static void follow(struct walk *w, u64 from, u64 to)
{
	u32 thread = w->threads[w->depth], nr;
	const struct stay *stays = history_stays(w->h, &nr);
	s64 i = history_last_stay(w->h, thread, to);
	const struct history_thread *t = history_thread_at(w->h, thread);
	s64 first = t->stay, last = first + t->nr_stays - 1;

	while (from < to && w->steps < w->most) {
		const struct stay *stay = i >= first ? &stays[i] : NULL;
		u64 end = stay && stay->to > from ? MIN(stay->to, to) : from;

		if (i < 0) /* all are behind */
			i = first - 1;
		w->behind = i < last ? &stays[i + 1] : NULL;
		emit_run(w, end, to);
		to = end;
		if (to <= from)
			return;
		end = MAX(begin_of_wait(w, stays, &i), from);
		take_stay(w, stay, end, to);
		to = end;
		i--;
	}
	emit(w, NULL, WHY_CUT, from, to);
}

u64 walk(const struct history *h, u32 thread, u64 from, u64 to, u64 steps, walk_fn *fn, void *arg)
{
	struct walk w = { .h = h, .fn = fn, .arg = arg, .most = steps, .threads = { thread } };

	follow(&w, from, to);
	return w.steps;
}
