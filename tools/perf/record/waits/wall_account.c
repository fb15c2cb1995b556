// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How looks at a thread become stretches of its time without gaps (the header has the idea).
 *
 * Each thread has one number, told: its time up to there is reported, or is in its open window. A
 * look at time T divides the time from told to T. The scheduler's sums say how long the thread was
 * on a CPU and how long it waited for one; the rest was sleep. The order within the interval is not
 * known, so it is fixed:
 *
 *	told                                                          T
 *	|-- rest of the sleep before --|-- run queue --|-- CPU --|-- present sleep, if it is asleep
 *	        length from the sums      delay sum      exec sum
 *
 * Example by BPF. A look at 100 ms: asleep, exec 10 ms, delay 1 ms. A look at 150 ms: on a CPU,
 * exec 14, delay 3.
 *
 *	all    = 150 - 100        = 50 ms
 *	on     = 14 - 10          =  4 ms
 *	queued = 3 - 1            =  2 ms
 *	asleep = 50 - 4 - 2       = 44 ms, with the place of the look at 100 ms
 *
 * The present sleep of a thread makes no stretch: told stays at its start, until a look finds the
 * thread elsewhere, or wall_account_flush() asks for it. So a thread that sleeps for an hour costs
 * one entry of the table.
 *
 * An estimate is corrected later, never counted twice: k->exec and k->delay are not the scheduler's
 * sums, but how much of them was reported. By /proc, a running thread's sum lags behind by a tick:
 *
 *	look 1	exec 10, runs since then	stretch of 3 ms on a CPU, as a guess	k->exec = 13
 *	look 2	exec 15				only 15 - 13 = 2 ms are new
 *
 * What is not seen is in three numbers: nr_unseen (threads that no look saw; only /proc),
 * sums.estimated (sleeps of which only the last has a known start), and the bytes "unknown" where
 * the activity was lost.
 *
 * All functions are called by the sampling thread only, so there is no lock.
 */
#include "record/waits/wall_account.h"

#include <glib.h>
#include <string.h>

#include "record/waits/wall_look.h"

/*
 * Maximum lag of the scheduler's sum for a running thread, ns: one tick at 100 Hz, the lowest tick
 * rate. With NO_HZ_FULL a CPU may have fewer ticks; then the rest of the time is put down as time
 * in the run queue (/proc only), and corrected by the next sums.
 */
#define SUM_LAG 10000000

/* A window with running time whose activity no tick has decided yet is open up to this number of window times. */
#define LONGEST_OPEN 4

/*
 * Maximum number of kinds in a window. One more kind ends the window. If no tick has decided yet:
 * the second number. A kind is found by a linear search, so the limit also bounds the cost of a
 * stretch.
 */
#define MOST_KINDS     8
#define MOST_UNDECIDED 64

struct wall_account {
	wall_stretch_fn *fn;
	void *arg;
	u64 window;
	GPtrArray *open;     /* struct known *: threads with an open window, unordered */
	u64 due;	     /* no window is over before; with no window UINT64_MAX */
	u64 first;	     /* no stretch in a window ends before; with no window UINT64_MAX */
	GHashTable *threads; /* tid -> struct known * */
	GHashTable
		*ended; /* set of tids, as pointers: threads that have ended and may be zombies */
	u32 pass;
	u32 places; /* last number given to wall_look.place */
	u64 nr_unseen;
	struct wall_account_sums sums;
	u64 searched; /* when wall_account_flush() last visited all threads */
};

/* The merged stretches of one kind in a thread's window. The look is a deep copy of the first one. */
struct kind {
	struct wall_look look;
	u64 length;
	bool guessed; /* no sleep of the thread was seen yet: name_guesses() may change its state */
};

/* The kernel's stack of a sleep that a pass saw, and the place of the sleep. */
struct stack_seen {
	u64 ip, sp, args[6];
	s32 syscall;
	u8 state;
	u32 nr;
	u64 frames[WALL_MAX_FRAMES];
};

/* State of a thread: its last look, and the stretches of its open window. */
struct known {
	struct wall_look look; /* texts and frames are copies */
	u64 told;	       /* its time up to here is reported, or in the window */
	struct kind *kinds;
	u32 nr_kinds, room; /* used and allocated kinds */
	u32 place;	    /* index in wall_account.open, if nr_kinds */
	u64 begun;	    /* start of the window, if nr_kinds */
	u64 first;	    /* end of its first stretch: no kind ends earlier */
	/*
	 * The part of the scheduler's sums that was reported. Time may be reported as a guess, before a sum contains
	 * it. It is not reported again when the sum contains it.
	 */
	u64 exec, delay;
	struct wall_bytes last_tls; /* copy of the last activity that was read completely */
	u32 pass;		    /* the last pass that reported it */
	struct stack_seen *seen;    /* NULL: none; only of tracked threads */
	u8 slept;		    /* state of the last look that found it asleep; 0: none */
};

static void known_free(void *p)
{
	struct known *k = p;

	wall_look_release(&k->look);
	g_free((u8 *)k->last_tls.data);
	g_free(k->kinds);
	g_free(k->seen);
	g_free(k);
}

struct wall_account *wall_account_new(u64 window, wall_stretch_fn *fn, void *arg)
{
	struct wall_account *a = g_new0(struct wall_account, 1);

	a->window = window;
	a->open = g_ptr_array_new();
	a->due = a->first = UINT64_MAX;
	a->fn = fn;
	a->arg = arg;
	a->threads = g_hash_table_new_full(NULL, NULL, NULL, known_free);
	a->ended = g_hash_table_new(NULL, NULL);
	return a;
}

void wall_account_free(struct wall_account *a)
{
	g_ptr_array_unref(a->open);
	g_hash_table_unref(a->threads);
	g_hash_table_unref(a->ended);
	g_free(a);
}

/*
 * Reports the window: one stretch per kind.
 *
 * The kinds are laid one after the other from the start of the window, in the order in which they
 * first occurred. So the ends are made up, but the sum is the length of the window.
 *
 * The last element takes the place of the removed one, so its index is corrected.
 */
static void close_window(struct wall_account *a, struct known *k)
{
	u64 end = k->begun;

	if (!k->nr_kinds)
		return;
	for (u32 i = 0; i < k->nr_kinds; i++) {
		end += k->kinds[i].length;
		a->fn(&k->kinds[i].look, end, k->kinds[i].length, a->arg);
		wall_look_release(&k->kinds[i].look);
	}
	k->nr_kinds = 0;
	g_ptr_array_remove_index_fast(a->open, k->place);
	if (k->place < a->open->len)
		((struct known *)a->open->pdata[k->place])->place = k->place;
}

static struct kind *find_kind(const struct known *k, const struct wall_look *like)
{
	for (u32 i = 0; i < k->nr_kinds; i++)
		if (wall_look_is_of_kind(&k->kinds[i].look, like))
			return &k->kinds[i];
	return NULL;
}

static bool is_undecided(const struct known *k)
{
	for (u32 i = 0; i < k->nr_kinds; i++)
		if (k->kinds[i].look.undecided)
			return true;
	return false;
}

/* When the window is to be closed. */
static u64 end_of_window(const struct wall_account *a, const struct known *k)
{
	return k->begun + a->window * (is_undecided(k) ? LONGEST_OPEN : 1);
}

static bool is_full(const struct known *k)
{
	return k->nr_kinds >= MOST_KINDS && (k->nr_kinds >= MOST_UNDECIDED || !is_undecided(k));
}

/* Returns a new kind of the window. */
static struct kind *add_kind(struct known *k)
{
	if (k->nr_kinds == k->room) {
		k->room = k->room ? 2 * k->room : MOST_KINDS;
		k->kinds = g_renew(struct kind, k->kinds, k->room);
	}
	return &k->kinds[k->nr_kinds++];
}

/* Keeps the order of the other kinds: the order is what the file says about the window. */
static void remove_kind(struct known *k, struct kind *kind)
{
	struct kind *end = &k->kinds[--k->nr_kinds];

	wall_look_release(&kind->look);
	memmove(kind, kind + 1, (size_t)((u8 *)end - (u8 *)kind));
}

/*
 * Kinds that have become equal are one kind, at the place of the first of them.
 *
 *	kinds	on a CPU for a (5 ms)	asleep (20 ms)	on a CPU for a (3 ms)
 *	=	on a CPU for a (8 ms)	asleep (20 ms)
 */
static void merge_equal(struct known *k)
{
	for (u32 i = k->nr_kinds; i-- > 1;) {
		struct kind *kind = &k->kinds[i], *first = find_kind(k, &kind->look);

		if (first == kind)
			continue;
		first->look.nr += kind->look.nr;
		first->length += kind->length;
		remove_kind(k, kind);
	}
}

/*
 * A tick samples the activity of a running thread. All its running time since the last tick is this activity's, also
 * that of runs which ended before. Otherwise a request would have no time if it ends, as most do, before the thread waits for
 * the next one. Time that no tick decides before the window ends has the activity with which its run ended.
 */
static void decide(struct known *k, const struct wall_bytes *tls)
{
	bool any = false;

	for (u32 i = 0; i < k->nr_kinds; i++) {
		struct wall_look *look = &k->kinds[i].look;

		if (!look->undecided)
			continue;
		g_free((u8 *)look->tls.data);
		look->tls = wall_bytes_copy(tls);
		look->undecided = false;
		any = true;
	}
	if (any)
		merge_equal(k);
}

/*
 * The first look that finds @k's thread asleep tells the state of its earlier sleeps, too, which no
 * look saw. Example: a thread that reads a disk 1000 times a second waits for a CPU at the first
 * three looks, and for the disk at the fourth.
 *
 * Only kinds that were guessed are renamed. A thread of which a look has already seen a sleep makes
 * no such guess.
 */
static void name_guesses(struct known *k)
{
	for (u32 i = 0; i < k->nr_kinds; i++) {
		struct kind *kind = &k->kinds[i];

		if (kind->guessed)
			kind->look.state = k->slept;
		kind->guessed = false;
	}
}

/* Adds a stretch that ends at @k->told to the window. It counts as @times stretches. */
static void add_to_window(struct wall_account *a, struct known *k, const struct wall_look *like,
			  u64 length, u32 times)
{
	struct kind *kind = find_kind(k, like);

	if (!kind && is_full(k))
		close_window(a, k);
	if (!k->nr_kinds) {
		k->begun = k->told - length;
		k->first = k->told;
		k->place = a->open->len;
		g_ptr_array_add(a->open, k);
		a->due = MIN(a->due, k->begun + a->window);
		a->first = MIN(a->first, k->first);
	}
	if (!kind) {
		kind = add_kind(k);
		wall_look_copy(&kind->look, like);
		kind->look.nr = 0;
		kind->length = 0;
		kind->guessed = !k->slept && like->state == WALL_SLEEP &&
				like->flags & WALL_LAST_CALL;
	}
	kind->look.nr += times;
	kind->look.since = like->since;
	kind->length += length;
	if (k->told >= end_of_window(a, k))
		close_window(a, k);
}

u64 wall_account_nr_unseen(const struct wall_account *a)
{
	return a->nr_unseen;
}

u32 wall_account_nr(const struct wall_account *a)
{
	return g_hash_table_size(a->threads);
}

struct wall_account_sums wall_account_sums(const struct wall_account *a)
{
	return a->sums;
}

/*
 * The last activity that was read completely. A zombie has no memory, and gets this one. Equal
 * bytes are the usual case, and are not copied again.
 */
static void note_tls(struct known *k, const struct wall_bytes *tls)
{
	if (!wall_bytes_are_whole(tls) || wall_bytes_equal(tls, &k->last_tls))
		return;
	g_free((u8 *)k->last_tls.data);
	k->last_tls = wall_bytes_copy(tls);
}

void wall_account_set_tls(struct wall_account *a, u32 tid, const struct wall_bytes *tls)
{
	struct known *k = g_hash_table_lookup(a->threads, GUINT_TO_POINTER(tid));

	if (!k)
		return;
	note_tls(k, tls);
	g_free((u8 *)k->look.tls.data);
	k->look.tls = wall_bytes_copy(tls);
}

/*
 * Makes @look the last look at the thread. The number of the place is never 0: 0 means that there
 * is no number.
 */
static void keep(struct wall_account *a, struct known *k, const struct wall_look *look)
{
	struct wall_look before = k->look;

	note_tls(k, &look->tls);
	if (look->state == WALL_SLEEP || look->state == WALL_DISK) {
		k->slept = look->state;
		name_guesses(k);
	}
	if (look->same) {
		k->look = *look;
		return;
	}
	wall_look_copy(&k->look, look); /* copies first: @look may point to texts of @before */
	wall_look_release(&before);
	k->look.place = ++a->places ?: ++a->places;
}

const struct wall_look *wall_account_look(const struct wall_account *a, u32 tid)
{
	const struct known *k = g_hash_table_lookup(a->threads, GUINT_TO_POINTER(tid));

	return k ? &k->look : NULL;
}

void wall_account_set_lock(struct wall_account *a, u32 tid, const struct wall_lock *lock)
{
	struct known *k = g_hash_table_lookup(a->threads, GUINT_TO_POINTER(tid));

	if (!k)
		return;
	k->look.lock = *lock;
	k->look.place = ++a->places ?: ++a->places;
}

/* Reports the next stretch of @k's thread. @like: its state and place. */
static void tell_times(struct wall_account *a, struct known *k, const struct wall_look *like,
		       u64 length, u32 times)
{
	if (!length)
		return;
	k->told += length;
	if (like->state == WALL_RUNNING)
		k->exec += length;
	if (like->state == WALL_QUEUED)
		k->delay += length;
	if (wall_look_is_asleep(like))
		a->sums.asleep += length;
	add_to_window(a, k, like, length, times);
}

static void tell(struct wall_account *a, struct known *k, const struct wall_look *like, u64 length)
{
	tell_times(a, k, like, length, 1);
}

/* Activities of the time between two looks. Points to the looks' bytes. */
struct between {
	struct wall_bytes slept, waited, ran;
	bool undecided; /* ran: a tick may find another one */
};

/*
 * True if the thread may have slept between the looks, besides @k's sleep and the one of @now,
 * whose start is known. No look has seen the activity of such a sleep.
 *
 * Example. The look before found the thread awake, with 7 voluntary switches. Now it is asleep, since
 * 20 ms, with 8: its one sleep is the present one. With 9 there was one more, of which neither
 * start nor place is known. Where the start of the present sleep is not known either (since 0), it
 * cannot be told from a hidden one.
 */
static bool has_hidden_sleeps(const struct known *k, const struct wall_look *now)
{
	u64 seen = wall_look_is_asleep(now) && now->state != WALL_ZOMBIE && now->since ? 1 : 0;

	return now->sleeps > k->look.sleeps + seen;
}

/*
 * Where activities are not followed, the one between two sleeps is known only if both sleeps have the same one. It may
 * have changed in between for a short time. Looks from outside cannot see that.
 */
static struct between guess_activities(const struct known *k, const struct wall_look *now)
{
	const struct wall_bytes *x = &now->tls, *y = &k->look.tls;
	bool same = wall_bytes_are_whole(x) && wall_bytes_are_whole(y) && wall_bytes_equal(x, y);
	const struct wall_bytes *other = same ? x : &now->unknown;

	return (struct between){ has_hidden_sleeps(k, now) ? *other : *y, *other, *other, false };
}

/*
 * Where they are followed, all waits since @k's look had its activity. The thread's own CPU has read the one at the end
 * of its last run, unless it is still the same.
 */
static struct between follow_activities(const struct known *k, const struct wall_look *now)
{
	bool moment = now->moment != WALL_AT_PASS, born = !k->look.made;
	const struct wall_bytes *before = k->look.tls.size ? &k->look.tls : &now->unknown;

	if (now->missed)
		return (struct between){ now->unknown, now->unknown, now->unknown, false };
	if (born)
		before = &now->tls;
	return (struct between){ *before, *before, moment ? now->tls : *before,
				 now->moment != WALL_AT_TICK };
}

/*
 * Example for follow_activities(): A and B are activities, and each line is a look by the thread's
 * own CPU.
 *
 *	switch at 10 ms, activity A	the thread sleeps from now on
 *	switch at 50 ms, activity B	it got the CPU at 40 ms
 *
 * Up to 40 ms the thread slept, or waited for the CPU, with A. A switch in between that changed
 * nothing has no record. The run from 40 to 50 ms ended with B. That is undecided: a tick may find
 * another activity in the run.
 */
static struct between activities(const struct known *k, const struct wall_look *now)
{
	return now->tracked ? follow_activities(k, now) : guess_activities(k, now);
}

/*
 * The thread is awake, and the sums of time on CPUs and in run queues are shorter than the time since the last look.
 * Returns the state for the rest. Reasons for a rest:
 *
 *  - the thread slept in between;
 *  - /proc: the sums lag behind. The scheduler updates the time on a CPU at each tick, or when it is read. It updates
 *    the time in the run queue only when the wait ends;
 *  - BPF: both sums are up to date. The rest is time on the CPU that interrupts and the hypervisor took.
 */
static enum wall_state state_of_rest(const struct known *k, const struct wall_look *now, u64 rest)
{
	/*
	 * It slept, in an unknown state: take the state of the last known sleep. If the sums lag behind, the missing
	 * part is reported when they contain it.
	 */
	if (now->sleeps != k->look.sleeps)
		return k->slept ? k->slept : WALL_SLEEP;
	if (rest <= SUM_LAG && now->state == WALL_RUNNING && k->exec <= now->exec)
		return WALL_RUNNING;
	return now->flags & WALL_FROM_PROC ? WALL_QUEUED : WALL_RUNNING;
}

static void tell_rest(struct wall_account *a, struct known *k, const struct wall_look *now)
{
	u64 rest = now->time - k->told;
	struct wall_look like = wall_look_without_wait(now, state_of_rest(k, now, rest));
	struct between b = activities(k, now);

	like.tls = like.state == WALL_RUNNING ? b.ran : b.waited;
	like.undecided = like.state == WALL_RUNNING && b.undecided;
	tell(a, k, &like, rest);
}

/*
 * A look found @look's thread in a call or request that is counted, but the sums of the time since then leave nothing
 * for this sleep, and its end is looked up by its number. So the sleep gets 1 ns of the time in the run queue or on the
 * CPU. Returns the time of the sleep.
 */
static u64 least_of_counted(const struct wall_look *look, u64 asleep, u64 *queued, u64 *on)
{
	u64 *from = *queued ? queued : on;

	if (asleep || !look->sequence || !*from)
		return asleep;
	--*from;
	return 1;
}

/*
 * The part of @asleep, the time that the thread slept since @k's look, that belongs to the sleep of
 * @now.
 *
 * Example: the thread was asleep for 30 ms since the look before, and is asleep now.
 *
 *	before	now	sleeps		start		the present sleep has
 *	awake	asleep	one		any		30 ms
 *	awake	asleep	several		10 ms ago	10 ms; the other 20 had an unknown place
 *	awake	asleep	several		not known	30 ms
 *	asleep	asleep			10 ms ago	10 ms; the other 20 are put down at the earlier place
 *	asleep	asleep			not known	0: all 30 are put down at the earlier place
 *	any	awake					0
 */
static u64 length_of_present(const struct known *k, const struct wall_look *now, u64 asleep)
{
	bool slept = wall_look_is_asleep(&k->look),
	     has_start = now->since && now->since <= now->time;

	if (!wall_look_is_asleep(now))
		return 0;
	if (!slept && !has_hidden_sleeps(k, now))
		return asleep;
	if (has_start)
		return MIN(now->time - now->since, asleep);
	return slept ? 0 : asleep;
}

/* Sleeps that no look saw. Their state is guessed, and their place is not known. */
static void tell_hidden(struct wall_account *a, struct known *k, const struct wall_look *now,
			u64 length)
{
	struct wall_look like = wall_look_without_wait(now, k->slept ?: WALL_SLEEP);

	like.syscall = -1;
	like.ip = like.sp = 0;
	like.tls = activities(k, now).waited;
	tell(a, k, &like, length);
}

/*
 * Reports the time from @k->told to the look @now: the rest of the previous sleep, the run queue,
 * the CPU. The sleep of @now itself is not reported yet.
 *
 * A sleep that nobody saw (hidden) comes last, after the run: the thread was awake at the look
 * before, so it ran first.
 *
 * Subtractions are limited (MIN), because sums and times are read one after the other: a sum may be
 * ahead of the time by the moment between both reads.
 */
static void tell_between(struct wall_account *a, struct known *k, const struct wall_look *now)
{
	u64 all = now->time > k->told ? now->time - k->told : 0;
	u64 on = MIN(now->exec - MIN(now->exec, k->exec), all);
	u64 queued = MIN(now->delay - MIN(now->delay, k->delay), all - on);
	u64 asleep = all - on - queued, last, hidden = 0;
	u32 times = now->merged + 1;
	struct wall_look ran = wall_look_without_wait(now, WALL_RUNNING);
	struct wall_look waited = wall_look_without_wait(now, WALL_QUEUED);
	struct wall_look slept = k->look;
	struct between b = activities(k, now);

	slept.tls = b.slept;
	waited.tls = b.waited;
	ran.tls = b.ran;
	ran.undecided = b.undecided;
	last = length_of_present(k, now, asleep);
	if (wall_look_is_asleep(&k->look) && has_hidden_sleeps(k, now))
		a->sums.estimated += asleep - last;
	if (wall_look_is_asleep(&k->look))
		tell_times(a, k, &slept, least_of_counted(&k->look, asleep - last, &queued, &on),
			   times);
	else
		hidden = wall_look_is_asleep(now) ? asleep - last : 0;
	tell_times(a, k, &waited, queued, times);
	tell_times(a, k, &ran, on, times);
	tell_hidden(a, k, now, hidden);
	if (!wall_look_is_asleep(now) && now->time > k->told)
		tell_rest(a, k, now);
	/*
	 * By /proc the sums lag behind, and time was reported as a guess. Later stretches correct the guess. So @k's
	 * sums keep what was reported, and are not set to the scheduler's.
	 */
	if (!(now->flags & WALL_FROM_PROC)) {
		k->exec = now->exec;
		k->delay = now->delay;
	}
}

/*
 * The first look at a thread. If it was created during the recording, its sums are those of its
 * whole life, and its time begins at its creation. A thread that lived for 3 ms between two passes
 * is complete by that: the look at its end has its exec and delay, and the rest was sleep.
 *
 * If it is older, its sums contain time before the recording, so they only set the zero point.
 * Between @begin and this look, its state is taken to be the one found now.
 */
static void take_first(struct wall_account *a, struct known *k, const struct wall_look *look,
		       u64 begin)
{
	if (look->start >= begin) { /* created after @begin: its sums contain no earlier time */
		k->told = MIN(look->start, look->time);
		k->look = (struct wall_look){ .state = WALL_UNKNOWN };
		tell_between(a, k, look);
		return;
	}
	k->told = MIN(begin, look->time);
	k->exec = look->exec;
	k->delay = look->delay;
	if (!wall_look_is_asleep(look)) {
		struct wall_look like = wall_look_without_wait(look, look->state);
		struct between b = activities(k, look);

		like.tls = look->state == WALL_RUNNING ? b.ran : b.waited;
		tell(a, k, &like, look->time - k->told);
	}
}

static struct known *find(const struct wall_account *a, u32 tid)
{
	return g_hash_table_lookup(a->threads, GUINT_TO_POINTER(tid));
}

static void forget(struct wall_account *a, u32 tid)
{
	close_window(a, find(a, tid));
	g_hash_table_remove(a->ended, GUINT_TO_POINTER(tid));
	g_hash_table_remove(a->threads, GUINT_TO_POINTER(tid));
}

static struct known *add(struct wall_account *a, u32 tid)
{
	struct known *k = g_new0(struct known, 1);

	g_hash_table_insert(a->threads, GUINT_TO_POINTER(tid), k);
	return k;
}

/* The thread goes on with another id. */
static void leave(struct wall_account *a, struct known *k, const struct wall_look *look)
{
	if (k->look.state != WALL_ZOMBIE)
		tell_between(a, k, look);
	forget(a, look->tid);
}

/*
 * @k's thread has ended. Another one has its id and its creation time now, by executing a program; or it is a zombie
 * still.
 */
static void take_after_end(struct wall_account *a, struct known *k, const struct wall_look *look)
{
	if (look->time > k->told)
		tell(a, k, look, look->time - k->told);
	if (look->state == WALL_ZOMBIE)
		return;
	g_hash_table_remove(a->ended, GUINT_TO_POINTER(look->tid));
	k->exec = look->exec;
	k->delay = look->delay;
}

/*
 * A tracked thread ran until @look, or runs: up to the time when it got the CPU, it had the activity of @k's look. Takes
 * a look at that time. Then a tick decides the running time since the last one. Returns false if nothing else is known: a
 * pass found it running, and the activity of this run is read later.
 */
static bool take_arrival(struct wall_account *a, struct known *k, const struct wall_look *look)
{
	bool pass = look->moment == WALL_AT_PASS;
	struct wall_look at = wall_look_without_wait(look, WALL_RUNNING);

	if (k->look.state == WALL_ZOMBIE || (pass && look->state != WALL_RUNNING))
		return true;
	if (look->arrived > k->told && look->arrived < look->time) {
		at.time = look->arrived;
		at.exec = look->exec_then;
		at.moment = WALL_AT_PASS;
		at.tls = k->look.tls;
		at.unknown = look->unknown;
		tell_between(a, k, &at);
		keep(a, k, &at);
	}
	if (look->moment == WALL_AT_TICK)
		decide(k, &look->tls);
	return !pass;
}

/* Remembers the stack of a sleep that a pass has seen. */
static void note_stack(struct known *k, const struct wall_look *look)
{
	if (!look->tracked || !look->nr_frames || !wall_look_is_asleep(look))
		return;
	if (!k->seen)
		k->seen = g_new(struct stack_seen, 1);
	k->seen->ip = look->ip;
	k->seen->sp = look->sp;
	memcpy(k->seen->args, look->args, sizeof(look->args));
	k->seen->syscall = look->syscall;
	k->seen->state = look->state;
	k->seen->nr = MIN(look->nr_frames, (u32)WALL_MAX_FRAMES);
	memcpy(k->seen->frames, look->frames, k->seen->nr * sizeof(u64));
}

/* A switch has no stack. If the thread leaves at the place of a sleep that a pass saw, it has that one's. */
static void find_stack(const struct known *k, struct wall_look *look)
{
	const struct stack_seen *s = k->seen;

	if (!s || look->moment != WALL_AT_SWITCH || look->state != s->state ||
	    look->syscall != s->syscall || look->ip != s->ip || look->sp != s->sp ||
	    memcmp(look->args, s->args, sizeof(s->args)) != 0)
		return;
	look->frames = s->frames;
	look->nr_frames = s->nr;
}

/*
 * Four cases, by what is known of the thread id:
 *
 *	another thread had it (made differs)	its last state lasted until the new one's creation. Then as if unknown
 *	unknown					take_first()
 *	known as ended				take_after_end(): a zombie still, or a thread that executed a program
 *						has taken the id
 *	known					tell_between()
 *
 * A look may be older than the one before: a pass that began to look at the thread is overtaken by
 * the record of the thread's end, which its own CPU writes. The older look says nothing new, and is
 * only noted, so that the zombie is not taken for gone.
 */
void wall_account_take(struct wall_account *a, const struct wall_look *look, u64 begin)
{
	struct known *k = find(a, look->tid);
	struct wall_look whole = *look;

	if (look->left) {
		if (k)
			leave(a, k, look);
		return;
	}
	/* It ended while it was looked at, and its end was reported before that look. */
	if (k && k->look.made == look->made && look->time < k->look.time) {
		k->pass = a->pass;
		return;
	}
	if (k && look->same)
		wall_look_complete(&whole, &k->look);
	else
		whole.same = false;
	/* A zombie has no memory: keep its last activity. */
	if (k && look->state == WALL_ZOMBIE && !(look->moment == WALL_AT_END && look->tls.size))
		whole.tls = k->last_tls;
	look = &whole;
	if (k && k->look.made && k->look.made != look->made) { /* a new thread has the same tid */
		if (k->look.state != WALL_ZOMBIE && look->start > k->told)
			tell(a, k, &k->look, look->start - k->told);
		forget(a, look->tid);
		k = NULL;
	}
	if (k && look->tracked && !take_arrival(a, k, look)) {
		k->pass = a->pass;
		return;
	}
	if (!k) {
		k = add(a, look->tid);
		take_first(a, k, look, begin);
	} else if (k->look.state == WALL_ZOMBIE) {
		take_after_end(a, k, look);
	} else {
		tell_between(a, k, look);
	}
	k->pass = a->pass;
	find_stack(k, &whole);
	note_stack(k, &whole);
	keep(a, k, &whole);
	if (look->state == WALL_ZOMBIE)
		g_hash_table_add(a->ended, GUINT_TO_POINTER(look->tid));
}

/*
 * Only with /proc: BPF looks at each thread when it ends. Nothing tells the sums at the time of an
 * EXIT record, so the last state goes on until then. The thread stays in the table as a zombie
 * until a pass no longer finds it.
 *
 * A thread that no look saw is entered as a zombie, too: so a late look at the zombie is not taken
 * for a new thread. Its time is not known, and the closing line counts it.
 */
void wall_account_exit(struct wall_account *a, u32 tid, u64 time)
{
	struct known *k = find(a, tid);
	struct wall_look zombie;

	/* A later look saw it alive: it was the end of the thread that had the id before. */
	if (k && k->look.state != WALL_ZOMBIE && k->look.time > time)
		return;
	if (k && time > k->told)
		tell(a, k, &k->look, time - k->told);
	if (!k) {
		k = add(a, tid);
		a->nr_unseen++;
	}
	/* Its parent may not have collected the status yet. The next pass tells whether it is still there. */
	if (k->told < time) {
		close_window(a, k);
		k->told = time;
	}
	zombie = wall_look_without_wait(&k->look, WALL_ZOMBIE);
	zombie.tls = k->last_tls;
	keep(a, k, &zombie);
	k->pass = a->pass;
	g_hash_table_add(a->ended, GUINT_TO_POINTER(tid));
}

/*
 * Passes look at each zombie again, because no event tells that its parent has collected the
 * status. So a zombie that the pass did not report is gone.
 */
static gboolean is_gone(gpointer tid, gpointer value, gpointer arg)
{
	struct wall_account *a = arg;
	struct known *k = find(a, GPOINTER_TO_UINT(tid));

	if (k && k->pass == a->pass)
		return FALSE;
	if (k)
		close_window(a, k);
	g_hash_table_remove(a->threads, tid);
	return TRUE;
}

/*
 * due and first make this cheap: as long as no window is over, nothing is visited. Both are lower
 * bounds. They are exact only after the loop; a window that was closed in between leaves them too
 * early, which costs a loop and no more.
 */
u64 wall_account_passed(struct wall_account *a, u64 time)
{
	g_hash_table_foreach_remove(a->ended, is_gone, a);
	a->pass++;
	if (time < a->due)
		return MIN(a->first, time);
	a->due = a->first = UINT64_MAX;
	for (u32 i = a->open->len;
	     i-- > 0;) { /* backward: a removed element is replaced by the last one */
		struct known *k = a->open->pdata[i];

		if (end_of_window(a, k) <= time) {
			close_window(a, k);
			continue;
		}
		a->due = MIN(a->due, end_of_window(a, k));
		a->first = MIN(a->first, k->first);
	}
	return MIN(a->first, time);
}

/*
 * Threads that sleep cost nothing between two searches. A search visits all threads. It runs every two thirds of
 * @longest, and reports threads that have slept for at least one third. So no stretch is longer than @longest.
 */
void wall_account_flush(struct wall_account *a, u64 time, u64 longest)
{
	u64 interval = longest / 3 * 2, least = longest / 3;
	GHashTableIter iter;
	void *p;

	if (longest && time < a->searched + interval)
		return;
	a->searched = time;
	g_hash_table_iter_init(&iter, a->threads);
	while (g_hash_table_iter_next(&iter, NULL, &p)) {
		struct known *k = p;

		if (k->look.state != WALL_ZOMBIE && time > k->told && time - k->told >= least)
			tell(a, k, &k->look, time - k->told);
		if (!longest)
			close_window(a, k);
	}
}
