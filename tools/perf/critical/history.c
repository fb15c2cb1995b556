// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/history.h"

#include <stdlib.h>
#include <string.h>

struct covered {
	u64 from, to;
};

struct history {
	GArray *threads;  /* struct history_thread */
	GArray *stays;	  /* struct stay; after sealing by thread and time */
	GArray *ticks;	  /* struct tick; likewise */
	GArray *wakes;	  /* struct wake; NULL after sealing */
	GArray *arrivals; /* struct arrival; likewise */
	GArray *covered;  /* struct covered, by source */
	/*
	 * By thread, after sealing: the results of the last searches. A walk goes from record to record, so the next result is mostly near.
	 */
	struct nearby *nearby;
	struct history_counts counts;
};

/* Indices, from the first record of the thread up to the one behind its last. */
struct nearby {
	u32 stay, tick;
};

struct history *history_new(void)
{
	struct history *h = g_new0(struct history, 1);

	h->threads = g_array_new(FALSE, FALSE, sizeof(struct history_thread));
	h->stays = g_array_new(FALSE, FALSE, sizeof(struct stay));
	h->ticks = g_array_new(FALSE, FALSE, sizeof(struct tick));
	h->wakes = g_array_new(FALSE, FALSE, sizeof(struct wake));
	h->arrivals = g_array_new(FALSE, FALSE, sizeof(struct arrival));
	h->covered = g_array_new(FALSE, FALSE, sizeof(struct covered));
	return h;
}

void history_free(struct history *h)
{
	if (!h)
		return;
	g_array_unref(h->threads);
	g_array_unref(h->stays);
	g_array_unref(h->ticks);
	g_array_unref(h->covered);
	g_free(h->nearby);
	g_clear_pointer(&h->wakes, g_array_unref);
	g_clear_pointer(&h->arrivals, g_array_unref);
	g_free(h);
}

static struct history_thread *thread_at(const struct history *h, u32 i)
{
	return &g_array_index(h->threads, struct history_thread, i);
}

static struct stay *stay_at(const struct history *h, u32 i)
{
	return &g_array_index(h->stays, struct stay, i);
}

static struct tick *tick_at(const struct history *h, u32 i)
{
	return &g_array_index(h->ticks, struct tick, i);
}

u32 history_add_thread(struct history *h, const struct history_thread *thread)
{
	g_array_append_vals(h->threads, thread, 1);
	return h->threads->len - 1;
}

void history_name_thread(struct history *h, u32 thread, u32 name)
{
	thread_at(h, thread)->name = name;
}

static void cover(struct history *h, u32 thread, u64 from, u64 to)
{
	u32 source = thread_at(h, thread)->source;
	struct covered none = { UINT64_MAX, 0 }, *c;

	while (h->covered->len <= source)
		g_array_append_val(h->covered, none);
	c = &g_array_index(h->covered, struct covered, source);
	c->from = MIN(c->from, from);
	c->to = MAX(c->to, to);
}

void history_add_stay(struct history *h, const struct stay *stay)
{
	if (stay->from >= stay->to)
		return;
	h->counts.stays++;
	thread_at(h, stay->thread)->recorded = true;
	cover(h, stay->thread, stay->from, stay->to);
	if (h->stays->len < HISTORY_MOST)
		g_array_append_vals(h->stays, stay, 1);
	else
		h->counts.dropped++;
}

void history_add_tick(struct history *h, const struct tick *tick)
{
	h->counts.ticks++;
	thread_at(h, tick->thread)->recorded = true;
	cover(h, tick->thread, tick->time, tick->time);
	if (h->ticks->len < HISTORY_MOST)
		g_array_append_vals(h->ticks, tick, 1);
	else
		h->counts.dropped++;
}

void history_add_wake(struct history *h, const struct wake *wake)
{
	if (h->wakes->len < HISTORY_MOST)
		g_array_append_vals(h->wakes, wake, 1);
}

void history_add_arrival(struct history *h, const struct arrival *arrival)
{
	if (h->arrivals->len < HISTORY_MOST)
		g_array_append_vals(h->arrivals, arrival, 1);
}

void history_add_short(struct history *h, u64 ns)
{
	h->counts.short_ns += ns;
}

static int compare(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

static int by_end(const void *pa, const void *pb)
{
	const struct stay *a = pa, *b = pb;

	return compare(a->to, b->to) ?: compare(a->from, b->from);
}

static int ticks_by_time(const void *pa, const void *pb)
{
	const struct tick *a = pa, *b = pb;

	return compare(a->time, b->time);
}

static int wakes_by_time(const void *pa, const void *pb)
{
	const struct wake *a = pa, *b = pb;

	return compare(a->time, b->time);
}

static int arrivals_by_time(const void *pa, const void *pb)
{
	const struct arrival *a = pa, *b = pb;

	return compare(a->time, b->time) ?: a->is_child - b->is_child;
}

static u32 thread_of(const GArray *list, u32 size, u32 i, size_t at)
{
	return *(const u32 *)(const void *)(list->data + (size_t)i * size + at);
}

static bool is_sorted(const char *part, u32 nr, u32 size, GCompareFunc order)
{
	for (u32 i = 1; i < nr; i++)
		if (order(part + (size_t)(i - 1) * size, part + (size_t)i * size) > 0)
			return false;
	return true;
}

/*
 * Sorts records of @size bytes by thread, which is at @at in them, and then by @order. The records of a thread are mostly in
 * order already, so they are only brought together, in linear time. @starts gets the first index of each thread.
 */
static GArray *sort_by_thread(GArray *list, u32 size, size_t at, GCompareFunc order, u32 nr_threads,
			      u32 *starts)
{
	GArray *sorted = g_array_sized_new(FALSE, FALSE, size, list->len);
	g_autofree u32 *next = g_new(u32, nr_threads + 1);

	memset(starts, 0, (nr_threads + 1) * sizeof(*starts));
	for (u32 i = 0; i < list->len; i++)
		starts[thread_of(list, size, i, at) + 1]++;
	for (u32 t = 0; t < nr_threads; t++)
		starts[t + 1] += starts[t];
	memcpy(next, starts, (nr_threads + 1) * sizeof(*next));
	g_array_set_size(sorted, list->len);
	for (u32 i = 0; i < list->len; i++)
		memcpy(sorted->data + (size_t)next[thread_of(list, size, i, at)]++ * size,
		       list->data + (size_t)i * size, size);
	g_array_unref(list);
	for (u32 t = 0; t < nr_threads && sorted->len; t++) {
		char *part = sorted->data + (size_t)starts[t] * size;
		u32 nr = starts[t + 1] - starts[t];

		if (!is_sorted(part, nr, size, order))
			qsort(part, nr, size, order);
	}
	return sorted;
}

#define SORT(list, type, order, h, starts)                                                         \
	sort_by_thread(list, sizeof(type), G_STRUCT_OFFSET(type, thread), order,                   \
		       (h)->threads->len, starts)

/*
 * The recorder may date the end of a wait forward, with its length unchanged (record/waits/offcpu.c). Then it begins
 * before the end of the stay before it, and loses that part.
 */
static void part_stays(struct history *h)
{
	u32 kept = 0;

	for (u32 i = 0; i < h->stays->len; i++) {
		struct stay stay = *stay_at(h, i), *before = kept ? stay_at(h, kept - 1) : NULL;

		if (before && before->thread == stay.thread)
			stay.from = MAX(stay.from, before->to);
		if (stay.from < stay.to)
			*stay_at(h, kept++) = stay;
	}
	g_array_set_size(h->stays, kept);
}

/* A wake-up has the time at which the woken thread's stay ends. */
static void join_wakes(struct history *h)
{
	u32 k = 0;

	for (u32 i = 0; i < h->stays->len; i++) {
		struct stay *stay = stay_at(h, i);
		const struct wake *wake = NULL;

		if (stay->kind != STAY_BLOCKED)
			continue;
		for (; k < h->wakes->len; k++) {
			wake = &g_array_index(h->wakes, struct wake, k);
			if (wake->thread > stay->thread ||
			    (wake->thread == stay->thread && wake->time >= stay->to))
				break;
		}
		if (k < h->wakes->len && wake->thread == stay->thread && wake->time == stay->to &&
		    stay->end == END_THREAD)
			stay->waker_activity = wake->activity;
	}
}

/* Did no thread end the wait, as far as its own recording tells? */
static bool ends_elsewhere(const struct history *h, const struct stay *stay,
			   const struct arrival *a)
{
	return (stay->end == END_UNKNOWN && a->is_child) || stay->end == END_NETWORK ||
	       stay->end == END_INTERRUPT ||
	       (stay->end == END_THREAD && stay->waker != HISTORY_NOBODY &&
		!thread_at(h, stay->waker)->recorded);
}

/* What arrived has the time at which the wait ended. */
static void join_arrivals(struct history *h)
{
	u32 k = 0;

	for (u32 i = 0; i < h->stays->len; i++) {
		struct stay *stay = stay_at(h, i);
		const struct arrival *a = NULL;

		for (; k < h->arrivals->len; k++) {
			a = &g_array_index(h->arrivals, struct arrival, k);
			if (a->thread > stay->thread ||
			    (a->thread == stay->thread && a->time >= stay->to))
				break;
		}
		if (k == h->arrivals->len || a->thread != stay->thread || a->time != stay->to ||
		    stay->kind != STAY_BLOCKED || stay->is_lock || !ends_elsewhere(h, stay, a))
			continue;
		stay->end = a->is_child ? END_CHILD : END_MESSAGE;
		stay->begun = a->begun;
		stay->waker = a->from;
		stay->waker_activity = a->activity;
		stay->sent = a->sent;
	}
}

/* The pieces of one wait, each with another owner, end with one wake-up. */
static void spread_wakes(struct history *h)
{
	for (u32 i = h->stays->len; i-- > 1;) {
		struct stay *piece = stay_at(h, i - 1), *next = stay_at(h, i);

		if (piece->thread == next->thread && piece->kind == STAY_BLOCKED &&
		    next->kind == STAY_BLOCKED && piece->to == next->from &&
		    piece->object == next->object && piece->waker == next->waker &&
		    !piece->waker_activity)
			piece->waker_activity = next->waker_activity;
	}
}

#define RETRY_NS 1000000u /* a thread that waits again runs for less in between */

/* Does the thread wait for the same again, soon after? @ran: ns that it ran in between. */
static bool waits_again(const struct stay *first, const struct stay *next, u64 ran)
{
	return first->thread == next->thread && first->is_lock && next->is_lock &&
	       first->owned == WALL_OWNER_NONE && first->end == END_TIMER &&
	       first->object == next->object && next->end == END_THREAD && ran <= RETRY_NS;
}

/*
 * A wait with a timeout that is made again and again is one wait: who ends the last one of them is who the thread waited for
 * all the time. Example: Python's threads wait 5 ms for the interpreter's lock, ask its holder to give it up, and wait again.
 */
static void join_retries(struct history *h)
{
	const struct stay *next =
		NULL; /* the blocked one behind, and the time in which the thread ran before it */
	u64 at = 0, ran = 0;

	for (u32 i = h->stays->len; i--;) {
		struct stay *stay = stay_at(h, i);

		ran += next && next->thread == stay->thread ? at - stay->to : 0;
		at = stay->from;
		if (stay->kind != STAY_BLOCKED)
			continue;
		if (next && waits_again(stay, next, ran)) {
			stay->end = END_THREAD;
			stay->waker = next->waker;
			stay->waker_activity = next->waker_activity;
			stay->retried = true;
		}
		next = stay;
		ran = 0;
	}
}

/* Wake-ups by thread that wakes, and time. */
static gint by_waker(gconstpointer pa, gconstpointer pb)
{
	const struct wake *a = pa, *b = pb;

	return compare(a->waker, b->waker) ?: compare(a->time, b->time);
}

struct looking_again {
	struct history *h;
	GArray *wakes;	   /* struct wake, by_waker; NULL: not needed yet */
	struct stay *next; /* the thread's next wait for a thread; NULL: none */
	u64 at, awake; /* since when it is awake before that, as far as was looked; how long it did not wait for a CPU */
};

static bool wakes_any(struct looking_again *l, u32 waker, u64 from, u64 to)
{
	u32 low = 0, high;

	if (!l->wakes) {
		l->wakes = g_array_copy(l->h->wakes);
		g_array_sort(l->wakes, by_waker);
	}
	high = l->wakes->len;
	while (low < high) {
		u32 middle = low + (high - low) / 2;
		const struct wake *w = &g_array_index(l->wakes, struct wake, middle);

		if (w->waker < waker || (w->waker == waker && w->time < from))
			low = middle + 1;
		else
			high = middle;
	}
	return low < l->wakes->len && g_array_index(l->wakes, struct wake, low).waker == waker &&
	       g_array_index(l->wakes, struct wake, low).time <= to;
}

static bool waits_for_thread(const struct stay *stay)
{
	return stay->is_lock && stay->owned == WALL_OWNER_NONE && !stay->activity;
}

/* Was the thread woken in vain, so that it waits for the same again? */
static bool was_in_vain(struct looking_again *l, const struct stay *stay)
{
	return l->next && l->next->thread == stay->thread && l->awake <= RETRY_NS &&
	       stay->object == l->next->object && l->next->end == END_THREAD &&
	       (stay->end == END_THREAD || stay->end == END_TIMER) &&
	       !wakes_any(l, stay->thread, stay->to, l->next->from);
}

static void look_again(struct looking_again *l, struct stay *stay)
{
	bool same = l->next && l->next->thread == stay->thread;

	l->awake += same ? l->at - stay->to : 0;
	l->at = stay->from;
	if (stay->kind != STAY_BLOCKED)
		return;
	if (waits_for_thread(stay)) {
		if (was_in_vain(l, stay))
			l->next->again = true;
		l->next = stay;
		l->awake = 0;
	} else if (same) { /* a nap, or something else that is not what it waits for */
		l->awake += stay->to - stay->from;
	}
}

/*
 * Threads of a pool, and of runtimes such as Go's, are woken in vain: they find no work, wake nobody, and wait for the same again. A thread that
 * works for a request is none of them: each of its waits is for something of its own.
 */
static void find_in_vain(struct history *h)
{
	struct looking_again l = { .h = h };

	for (u32 i = h->stays->len; i--;)
		look_again(&l, stay_at(h, i));
	g_clear_pointer(&l.wakes, g_array_unref);
}

/* A thread that exits is there until it has woken those that wait for its end; its exit is recorded before. */
static void extend_ends(struct history *h)
{
	for (u32 i = 0; i < h->stays->len; i++) {
		const struct stay *stay = stay_at(h, i);
		struct history_thread *t;

		if (stay->end != END_THREAD || stay->waker == HISTORY_NOBODY)
			continue;
		t = thread_at(h, stay->waker);
		t->end = MAX(t->end, stay->to);
	}
}

/* Tells the threads which part of the sorted arrays is theirs. */
static void give_parts(struct history *h)
{
	for (u32 i = h->stays->len; i--;) {
		struct history_thread *t = thread_at(h, stay_at(h, i)->thread);

		t->stay = i;
		t->nr_stays++;
	}
	for (u32 i = h->ticks->len; i--;) {
		struct history_thread *t = thread_at(h, tick_at(h, i)->thread);

		t->tick = i;
		t->nr_ticks++;
	}
	h->nearby = g_new0(struct nearby, h->threads->len);
}

void history_seal(struct history *h)
{
	g_autofree u32 *starts = g_new(u32, h->threads->len + 1);

	h->stays = SORT(h->stays, struct stay, by_end, h, starts);
	h->ticks = SORT(h->ticks, struct tick, ticks_by_time, h, starts);
	h->wakes = SORT(h->wakes, struct wake, wakes_by_time, h, starts);
	h->arrivals = SORT(h->arrivals, struct arrival, arrivals_by_time, h, starts);
	part_stays(h);
	join_wakes(h);
	join_arrivals(h);
	spread_wakes(h);
	join_retries(h);
	find_in_vain(h);
	extend_ends(h);
	g_clear_pointer(&h->wakes, g_array_unref);
	g_clear_pointer(&h->arrivals, g_array_unref);
	give_parts(h);
}

u32 history_nr_threads(const struct history *h)
{
	return h->threads->len;
}

const struct history_thread *history_thread_at(const struct history *h, u32 thread)
{
	return thread_at(h, thread);
}

const struct stay *history_stays(const struct history *h, u32 *nr)
{
	*nr = h->stays->len;
	return (const struct stay *)h->stays->data;
}

const struct tick *history_ticks(const struct history *h, u32 *nr)
{
	*nr = h->ticks->len;
	return (const struct tick *)h->ticks->data;
}

static bool stay_is_before(const struct history *h, u32 i, u64 time)
{
	return stay_at(h, i)->from < time;
}

static bool tick_is_before(const struct history *h, u32 i, u64 time)
{
	return tick_at(h, i)->time <= time;
}

/*
 * The first index in [@low, @high) whose record is not before the time; @high: all are. The result is mostly close to @near: from there, the
 * steps are doubled until the result is between two of them.
 */
static inline u32 search(const struct history *h, u32 low, u32 high, u32 near, u64 time,
			 bool (*is_before)(const struct history *h, u32 i, u64 time))
{
	u32 step = 1;

	near = CLAMP(near, low, high);
	if (near < high && is_before(h, near, time)) {
		low = near + 1;
		for (; low + step < high && is_before(h, low + step, time); step *= 2)
			low += step + 1;
		high = MIN(high, low + step);
	} else {
		high = near;
		for (; high - low > step && !is_before(h, high - step, time); step *= 2)
			high -= step;
		low = high - low > step ? high - step + 1 : low;
	}
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (is_before(h, middle, time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

s64 history_last_stay(const struct history *h, u32 thread, u64 time)
{
	const struct history_thread *t = thread_at(h, thread);
	u32 *near = &h->nearby[thread].stay;

	*near = search(h, t->stay, t->stay + t->nr_stays, *near, time, stay_is_before);
	return *near > t->stay ? (s64)*near - 1 : -1;
}

/* The thread's first tick after @time. */
static u32 first_tick(const struct history *h, u32 thread, u64 time)
{
	const struct history_thread *t = thread_at(h, thread);
	u32 *near = &h->nearby[thread].tick;

	*near = search(h, t->tick, t->tick + t->nr_ticks, *near, time, tick_is_before);
	return *near;
}

const struct tick *history_ticks_in(const struct history *h, u32 thread, u64 from, u64 to, u32 *nr)
{
	u32 first = first_tick(h, thread, from);

	*nr = first_tick(h, thread, to) - first;
	return *nr ? tick_at(h, first) : NULL;
}

const struct tick *history_tick_behind(const struct history *h, u32 thread, u64 time)
{
	const struct history_thread *t = thread_at(h, thread);

	return t->nr_ticks ? tick_at(h, MIN(first_tick(h, thread, time), t->tick + t->nr_ticks - 1))
			   : NULL;
}

void history_covered(const struct history *h, u32 thread, u64 *from, u64 *to)
{
	u32 source = thread_at(h, thread)->source;

	*from = *to = 0;
	if (source >= h->covered->len)
		return;
	*from = g_array_index(h->covered, struct covered, source).from;
	*to = MAX(*from, g_array_index(h->covered, struct covered, source).to);
}

const struct history_counts *history_counts(const struct history *h)
{
	return &h->counts;
}
