// SPDX-License-Identifier: GPL-2.0-or-later
/* The critical path of an interval by forged histories: each trap of walk.c, and the sums of many paths. Times in ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>

#include "critical/path_tree.h"
#include "critical/sums.h"
#include "critical/walk.h"
#include "critical/what_if.h"

#define MS   1000000ull
#define MANY 1000000

/* Threads of all histories: numbers 0 to 5, tids 10 to 15. The object of a wait is its number. */
#define NR_THREADS 6

static struct history *new_history(void)
{
	struct history *h = history_new();

	for (u32 i = 0; i < NR_THREADS; i++) {
		struct history_thread t = { .tid = 10 + i, .end = UINT64_MAX };

		assert_int_equal(history_add_thread(h, &t), i);
	}
	return h;
}

static struct stay blocked(u32 thread, u64 from, u64 to, u32 object)
{
	return (struct stay){ .thread = thread,
			      .from = from * MS,
			      .to = to * MS,
			      .object = object,
			      .kind = STAY_BLOCKED,
			      .owner = HISTORY_NOBODY,
			      .waker = HISTORY_NOBODY };
}

static void sleeps(struct history *h, u32 thread, u64 from, u64 to, enum stay_end end)
{
	struct stay stay = blocked(thread, from, to, 1);

	stay.end = (u8)end;
	history_add_stay(h, &stay);
}

static void queued(struct history *h, u32 thread, u64 from, u64 to)
{
	struct stay stay = blocked(thread, from, to, 0);

	stay.kind = STAY_QUEUED;
	history_add_stay(h, &stay);
}

/* Blocked until another thread wakes it. */
static void waits(struct history *h, u32 thread, u64 from, u64 to, u32 waker)
{
	struct stay stay = blocked(thread, from, to, 2);

	stay.end = END_THREAD;
	stay.waker = waker;
	history_add_stay(h, &stay);
}

/* Blocked by a lock that @owner has. */
static void locked(struct history *h, u32 thread, u64 from, u64 to, u32 owner, u32 waker)
{
	struct stay stay = blocked(thread, from, to, 3);

	stay.is_lock = true;
	stay.owned = owner == HISTORY_NOBODY ? WALL_OWNER_CHANGED : WALL_OWNER_KNOWN;
	stay.owner = owner;
	stay.end = waker == HISTORY_NOBODY ? END_UNKNOWN : END_THREAD;
	stay.waker = waker;
	history_add_stay(h, &stay);
}

/* The same, for a CPU that @owner had; HISTORY_NOBODY: it was idle. */
static void queued_behind(struct history *h, u32 thread, u64 from, u64 to, u32 owner)
{
	struct stay stay = blocked(thread, from, to, 4);

	stay.kind = STAY_QUEUED;
	stay.is_lock = true;
	stay.owner = owner;
	stay.owned = owner == HISTORY_NOBODY ? WALL_OWNER_IDLE : WALL_OWNER_KNOWN;
	history_add_stay(h, &stay);
}

/* It is in the recording. */
static void runs(struct history *h, u32 thread, u64 time)
{
	struct tick tick = { .time = time * MS, .thread = thread, .weight = 1 };

	history_add_tick(h, &tick);
}

struct told {
	GString *text;
	u64 sum, to; /* where the next segment must end */
};

static void tell(const struct path_segment *s, void *arg)
{
	static const char *const whys[NR_WHYS] = {
		[WHY_RAN] = "ran",	 [WHY_QUEUED] = "queue",    [WHY_TIMER] = "timer",
		[WHY_DISK] = "disk",	 [WHY_NETWORK] = "net",	    [WHY_INTERRUPT] = "irq",
		[WHY_KILLED] = "killed", [WHY_NOT_SEEN] = "unseen", [WHY_STRANGER] = "stranger",
		[WHY_CYCLE] = "cycle",	 [WHY_DEEP] = "deep",	    [WHY_OUTSIDE] = "outside",
		[WHY_CUT] = "cut",	 [WHY_OPEN] = "open",	    [WHY_WAY] = "way",
		[WHY_APART] = "apart",
	};
	struct told *told = arg;

	assert_int_equal(s->to, told->to);
	told->to = s->from;
	told->sum += s->to - s->from;
	g_string_append_printf(told->text, "[%u %u-%u %s%s", s->thread, (u32)(s->from / MS),
			       (u32)(s->to / MS), whys[s->why], s->depth ? "'" : "");
	if (walk_activity_at(s, s->depth))
		g_string_append_printf(told->text, "%u", walk_activity_at(s, s->depth));
	g_string_append_c(told->text, ']');
}

/* "[1 40-50 ran'][0 10-40 timer]": thread, times, why; ' behind those of other threads' waits. Frees @h. */
static char *path(struct history *h, u32 thread, u64 from, u64 to, u64 steps)
{
	struct told told = { g_string_new(NULL), 0, to * MS };

	history_seal(h);
	walk(h, thread, from * MS, to * MS, steps, tell, &told);
	assert_int_equal(told.sum, (to - from) * MS);
	assert_int_equal(told.to, from * MS);
	history_free(h);
	return g_string_free(told.text, FALSE);
}

#define assert_path(h, expected, ...)                                                              \
	do {                                                                                       \
		g_autofree char *found_ = path(h, __VA_ARGS__, MANY);                              \
		assert_string_equal(found_, expected);                                             \
	} while (0)

static void test_alone(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	sleeps(h, 0, 10, 30, END_TIMER);
	queued(h, 0, 30, 35);
	sleeps(h, 0, 40, 50, END_DISK);
	sleeps(h, 0, 50, 60, END_NETWORK);
	sleeps(h, 0, 60, 70, END_INTERRUPT);
	runs(h, 0, 80);
	assert_path(h,
		    "[0 70-80 ran][0 60-70 irq][0 50-60 net][0 40-50 disk][0 35-40 ran]"
		    "[0 30-35 queue][0 10-30 timer][0 5-10 ran]",
		    0, 5, 80);
}

/* The example of walk.h: the owner ran, slept, ran. */
static void test_owner(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	runs(h, 0, 60);
	locked(h, 0, 10, 50, 1, 1);
	sleeps(h, 1, 20, 40, END_TIMER);
	assert_path(h, "[0 50-60 ran][1 40-50 ran'][1 20-40 timer'][1 10-20 ran'][0 0-10 ran]", 0,
		    0, 60);
}

/* The owner never sleeps: its running time is in the wait. */
static void test_owner_without_sleep(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	runs(h, 1, 20);
	locked(h, 0, 10, 50, 1, 1);
	assert_path(h, "[1 15-45 ran']", 0, 15, 45);
}

/* A child span, seen from 15 to 45 of a wait from 10 to 50; its thread slept for the child, and before that for somebody else. */
static void child(struct history *h, enum stay_end end, u64 begun, u64 ended, bool is_child)
{
	const struct arrival a = { .time = 50 * MS,
				   .begun = begun * MS,
				   .sent = ended * MS,
				   .thread = 0,
				   .from = 1,
				   .activity = 7,
				   .is_child = is_child };

	runs(h, 0, 0);
	runs(h, 0, 60);
	sleeps(h, 0, 10, 50, end);
	sleeps(h, 1, 5, 13, END_NETWORK);
	sleeps(h, 1, 20, 40, END_TIMER);
	runs(h, 1, 60);
	history_add_arrival(h, &a);
}

static void test_child(void **state)
{
	static const char by_child[] =
		"[0 50-60 ran][0 45-50 apart][1 40-45 ran'7][1 20-40 timer'7]"
		"[1 15-20 ran'7][0 10-15 apart][0 0-10 ran]";
	struct history *h = new_history();

	child(h, END_NETWORK, 15, 45, true);
	assert_path(h, by_child, 0, 0, 60);
	h = new_history();
	child(h, END_UNKNOWN, 15, 45, true); /* nobody saw who ended the wait */
	assert_path(h, by_child, 0, 0, 60);
	h = new_history();
	child(h, END_TIMER, 15, 45, true); /* it did not wait for the child */
	assert_path(h, "[0 50-60 ran][0 10-50 timer][0 0-10 ran]", 0, 0, 60);
	h = new_history();
	child(h, END_NETWORK, 5, 55, true); /* clocks are known within a bound only */
	assert_path(h,
		    "[0 50-60 ran][1 40-50 ran'7][1 20-40 timer'7][1 13-20 ran'7][1 10-13 net'7]"
		    "[0 0-10 ran]",
		    0, 0, 60);
}

/* What a message tells is better. */
static void test_child_and_message(void **state)
{
	const struct arrival message = {
		.time = 50 * MS, .sent = 30 * MS, .thread = 0, .from = 2, .activity = 9
	};
	struct history *h = new_history();

	child(h, END_NETWORK, 15, 45, true);
	runs(h, 2, 0);
	runs(h, 2, 60);
	history_add_arrival(h, &message);
	assert_path(h, "[0 50-60 ran][0 30-50 way][2 10-30 ran'9][0 0-10 ran]", 0, 0, 60);
}

/* Woken, but another thread has taken the lock: it sleeps again. Each wait has its owner. */
static void test_barging(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	runs(h, 0, 60);
	runs(h, 1, 1);
	runs(h, 2, 2);
	locked(h, 0, 10, 20, 1, 1);
	queued(h, 0, 20, 22);
	locked(h, 0, 23, 40, 2, 2);
	assert_path(
		h,
		"[0 40-50 ran][2 23-40 ran'][0 22-23 ran][0 20-22 queue][1 10-20 ran'][0 5-10 ran]",
		0, 5, 50);
}

/* Handed on during one wait: a piece for each owner. The last owner was not seen: who gave the lock up is followed. */
static void test_handed_on(void **state)
{
	struct history *h = new_history();

	for (u32 i = 0; i < 4; i++)
		runs(h, i, i);
	locked(h, 0, 10, 20, 1, 3);
	locked(h, 0, 20, 30, 2, 3);
	locked(h, 0, 30, 40, HISTORY_NOBODY, 3);
	sleeps(h, 2, 15, 25, END_TIMER);
	assert_path(h, "[3 30-40 ran'][2 25-30 ran'][2 20-25 timer'][1 10-20 ran']", 0, 10, 40);
}

/* The owner waits for another lock. */
static void test_nested(void **state)
{
	struct history *h = new_history();

	runs(h, 2, 100);
	locked(h, 0, 10, 50, 1, 1);
	locked(h, 1, 20, 40, 2, 2);
	sleeps(h, 2, 30, 35, END_TIMER);
	assert_path(h, "[1 40-50 ran'][2 35-40 ran'][2 30-35 timer'][2 20-30 ran'][1 10-20 ran']",
		    0, 10, 50);
}

/* A worker without work waits for the producer, whose own wait before that is the network's. */
static void test_pool(void **state)
{
	struct history *h = new_history();

	runs(h, 1, 0);
	waits(h, 0, 5, 60, 1);
	sleeps(h, 1, 20, 50, END_NETWORK);
	runs(h, 0, 70);
	assert_path(h, "[0 60-70 ran][1 50-60 ran'][1 40-50 net']", 0, 40, 70);
}

/* Nobody saw the waker; it is not in the recording; the thread is killed. */
static void test_reasons(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	sleeps(h, 0, 10, 20, END_UNKNOWN);
	waits(h, 0, 20, 30, 5);
	sleeps(h, 0, 30, 40, END_KILLED);
	locked(h, 0, 40, 50, 5, 5);
	sleeps(h, 0, 50, 60, END_OPEN);
	assert_path(h,
		    "[0 50-60 open][0 40-50 stranger][0 30-40 killed][0 20-30 stranger][0 10-20 "
		    "unseen]",
		    0, 10, 60);
}

/* A deadlock ends nowhere. */
static void test_cycle(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	runs(h, 1, 0);
	locked(h, 0, 10, 100, 1, HISTORY_NOBODY);
	locked(h, 1, 20, 100, 0, HISTORY_NOBODY);
	assert_path(h, "[1 20-100 cycle'][1 10-20 ran'][0 5-10 ran]", 0, 5, 100);
}

/* Before its fork, after its exit and outside of the recording, a thread did nothing that is known. */
static void test_outside(void **state)
{
	struct history *h = new_history();
	struct history_thread child = { .tid = 99, .start = 20 * MS, .end = 60 * MS };
	u32 number = history_add_thread(h, &child);

	runs(h, 0, 10);
	runs(h, 0, 90);
	runs(h, number, 30);
	waits(h, 0, 15, 50, number);
	assert_path(h,
		    "[0 90-95 outside][0 50-90 ran][6 20-50 ran'][6 15-20 outside'][0 12-15 ran]",
		    0, 12, 95);
}

/* A thread of another file: that file does not cover the time in between. */
static void test_files(void **state)
{
	struct history *h = new_history();
	struct history_thread other = { .tid = 99, .end = UINT64_MAX, .source = 1 };
	u32 number = history_add_thread(h, &other);

	runs(h, 0, 10);
	runs(h, 0, 20);
	runs(h, number, 50);
	runs(h, number, 60);
	history_seal(h);
	for (u32 i = 0; i < 2; i++) {
		struct told told = { g_string_new(NULL), 0, 60 * MS };

		walk(h, i ? number : 0, 10 * MS, 60 * MS, MANY, tell, &told);
		assert_string_equal(told.text->str, i ? "[6 50-60 ran][6 10-50 outside]"
						      : "[0 20-60 outside][0 10-20 ran]");
		g_string_free(told.text, TRUE);
	}
	history_free(h);
}

/* The exit is recorded before the thread wakes who waits for it. */
static void test_exit(void **state)
{
	struct history *h = new_history();
	struct history_thread child = { .tid = 99, .end = 40 * MS };
	u32 number = history_add_thread(h, &child);

	runs(h, 0, 0);
	runs(h, number, 30);
	waits(h, 0, 10, 50, number);
	assert_path(h, "[6 10-50 ran']", 0, 10, 50);
}

/* A run is divided where its activity changes: by samples, then by the next wait, or by the wake-up. */
static void test_activities(void **state)
{
	struct history *h = new_history();
	struct stay stay = blocked(1, 60, 70, 1);
	struct wake wake = { .time = 50 * MS, .thread = 0, .waker = 1, .activity = 9 };
	struct told told = { g_string_new(NULL), 0, 60 * MS };

	for (u32 i = 0; i < 3; i++) {
		struct tick tick = { .time = (20 + 10 * i) * MS,
				     .thread = 1,
				     .weight = 1,
				     .activity = i < 2 ? 7 : 8 };

		history_add_tick(h, &tick);
	}
	stay.activity = 5;
	history_add_stay(h, &stay);
	waits(h, 0, 10, 50, 1);
	history_add_wake(h, &wake);
	history_seal(h);
	walk(h, 1, 10 * MS, 60 * MS, MANY, tell, &told);
	assert_string_equal(told.text->str, "[1 40-60 ran5][1 30-40 ran8][1 10-30 ran7]");
	g_string_truncate(told.text, 0);
	told = (struct told){ told.text, 0, 50 * MS };
	walk(h, 0, 10 * MS, 50 * MS, MANY, tell, &told);
	assert_string_equal(told.text->str, "[1 40-50 ran'9][1 30-40 ran'8][1 10-30 ran'7]");
	g_string_free(told.text, TRUE);
	history_free(h);
}

/* The recorder dates some ends forward: the later stay loses what the earlier one has. */
static void test_overlap(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 50);
	sleeps(h, 0, 10, 30, END_TIMER);
	sleeps(h, 0, 20, 35, END_DISK);
	sleeps(h, 0, 22, 28, END_NETWORK);
	assert_path(h, "[0 35-40 ran][0 30-35 disk][0 28-30 timer][0 22-28 net]", 0, 22, 40);
}

/* A chain of more waits than are followed ends with a reason, and so does a path of too many segments. */
static void test_limits(void **state)
{
	struct history *h = history_new();
	g_autofree char *found = NULL;

	for (u32 i = 0; i < WALK_DEPTH + 10; i++) {
		struct history_thread t = { .tid = i + 1, .end = UINT64_MAX };

		history_add_thread(h, &t);
	}
	for (u32 i = 0; i < WALK_DEPTH + 9; i++)
		waits(h, i, 0, 100, i + 1);
	runs(h, WALK_DEPTH + 9, 1);
	assert_path(h, "[24 0-100 deep']", 0, 0, 100);
	h = new_history();
	for (u32 i = 0; i < 10; i++)
		sleeps(h, 0, i * 10, i * 10 + 5, END_TIMER);
	found = path(h, 0, 0, 95, 3);
	assert_string_equal(found, "[0 90-95 timer][0 85-90 ran][0 80-85 timer][0 0-80 cut]");
}

/* The waker's activity belongs to all pieces of the wait that it ended. */
static void test_wakes(void **state)
{
	struct history *h = new_history();
	struct wake wake = { .time = 40 * MS, .thread = 0, .waker = 2, .activity = 7 };
	const struct stay *stays;
	u32 nr;

	locked(h, 0, 10, 20, 1, 2);
	locked(h, 0, 20, 40, HISTORY_NOBODY, 2);
	waits(h, 0, 50, 60, 2);
	history_add_wake(h, &wake);
	history_seal(h);
	stays = history_stays(h, &nr);
	assert_int_equal(nr, 3);
	assert_int_equal(stays[0].waker_activity, 7);
	assert_int_equal(stays[1].waker_activity, 7);
	assert_int_equal(stays[2].waker_activity, 0);
	history_free(h);
}

/* In a condition variable; @waker HISTORY_NOBODY: until a timeout. */
/* What @from sent at @sent arrived at @time, and ended a wait. */
static void arrives(struct history *h, u32 thread, u64 time, u32 from, u64 sent)
{
	const struct arrival a = {
		.time = time * MS, .sent = sent * MS, .thread = thread, .from = from, .activity = 7
	};

	history_add_arrival(h, &a);
}

/* A request to another host: sent at 10, there at 15; the answer is sent at 40, and here at 45. */
static struct history *new_request(void)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	sleeps(h, 0, 11, 45, END_NETWORK);
	arrives(h, 0, 45, 1, 40);
	runs(h, 0, 60);
	runs(h, 1, 0);
	sleeps(h, 1, 5, 15, END_INTERRUPT);
	arrives(h, 1, 15, 0, 10);
	sleeps(h, 1, 20, 30, END_TIMER);
	sleeps(h, 1, 41, 70, END_NETWORK);
	return h;
}

/* On its way is what was sent: the answer, and before that the request, whose sender is the path's own thread. */
static void test_other_host(void **state)
{
	struct history *h = new_request();

	assert_path(h,
		    "[0 45-60 ran][0 40-45 way][1 30-40 ran'7][1 20-30 timer'7][1 15-20 ran'7]"
		    "[1 11-15 way'7][0 0-11 ran]",
		    0, 0, 60);
}

/* The clocks of two hosts are compared with an error. */
static void test_clocks_that_differ(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	sleeps(h, 0, 10, 20, END_NETWORK);
	arrives(h, 0, 20, 1, 23); /* sent behind its arrival */
	sleeps(h, 0, 20, 30, END_NETWORK);
	arrives(h, 0, 30, 1, 8); /* sent before the wait */
	runs(h, 0, 40);
	runs(h, 1, 0);
	runs(h, 1, 40);
	assert_path(h, "[0 30-40 ran][0 20-30 way][1 10-20 ran'7][0 0-10 ran]", 0, 0, 40);
}

/* A thread of the own recording counts before what arrived; one that is not recorded does not. Other waits have no messages. */
static void test_arrivals_that_do_not_count(void **state)
{
	struct history *h = new_history();

	runs(h, 0, 0);
	runs(h, 1, 0);
	runs(h, 1, 60);
	runs(h, 2, 0);
	runs(h, 2, 60);
	waits(h, 0, 10, 20, 2);
	arrives(h, 0, 20, 1, 15);
	waits(h, 0, 30, 40, 3); /* 3 is not recorded */
	arrives(h, 0, 40, 1, 35);
	sleeps(h, 0, 50, 60, END_DISK);
	arrives(h, 0, 60, 1, 55);
	arrives(h, 0, 59, 1, 55); /* no wait ends then */
	assert_path(h,
		    "[0 50-60 disk][0 40-50 ran][0 35-40 way][1 30-35 ran'7][0 20-30 ran]"
		    "[2 10-20 ran'][0 0-10 ran]",
		    0, 0, 60);
}

static void in_condition(struct history *h, u64 from, u64 to, u32 object, u32 waker)
{
	struct stay stay = blocked(0, from, to, object);

	stay.is_lock = true;
	stay.owned = WALL_OWNER_NONE;
	stay.end = waker == HISTORY_NOBODY ? END_TIMER : END_THREAD;
	stay.waker = waker;
	history_add_stay(h, &stay);
}

/* Python's way to wait for a lock: 5 ms, and again, until the holder gives it up. */
static void test_retries(void **state)
{
	struct history *h = new_history();

	runs(h, 1, 0);
	runs(h, 1, 90);
	in_condition(h, 10, 20, 5, HISTORY_NOBODY);
	queued(h, 0, 20, 25);
	in_condition(h, 26, 30, 5, HISTORY_NOBODY);
	in_condition(h, 30, 40, 5, 1);
	assert_path(h,
		    "[0 40-50 ran][1 30-40 ran'][1 26-30 ran'][0 25-26 ran][0 20-25 queue][1 10-20 "
		    "ran'][0 0-10 ran]",
		    0, 0, 50);
}

/* Another object, work in between, and nobody who ends the last one. */
static void test_no_retries(void **state)
{
	struct history *h = new_history();

	runs(h, 1, 0);
	runs(h, 1, 90);
	in_condition(h, 10, 20, 6, HISTORY_NOBODY);
	in_condition(h, 20, 30, 5, 1);
	in_condition(h, 40, 50, 5, HISTORY_NOBODY);
	in_condition(h, 52, 60, 5, 1);
	in_condition(h, 70, 80, 5, HISTORY_NOBODY);
	assert_path(h,
		    "[0 70-80 timer][0 60-70 ran][1 52-60 ran'][0 50-52 ran][0 40-50 timer][0 "
		    "30-40 ran]"
		    "[1 20-30 ran'][0 10-20 timer]",
		    0, 10, 80);
}

/* Waits on a futex without an owner, as idle threads of a pool do. */
static void parked(struct history *h, u32 thread, u64 from, u64 to, u32 activity, u32 waker)
{
	struct stay stay = blocked(thread, from, to, 7);

	stay.is_lock = true;
	stay.owned = WALL_OWNER_NONE;
	stay.activity = activity;
	stay.end = END_THREAD;
	stay.waker = waker;
	history_add_stay(h, &stay);
}

/* Thread 2 hands the wake-up of 1 on to 0. Before, 3 has woken it, and it found nothing to do: it napped, and waited again. */
static struct history *handed_on(u32 activity, const struct wake *between)
{
	struct history *h = new_history();

	runs(h, 1, 0);
	runs(h, 1, 90);
	runs(h, 3, 0);
	waits(h, 0, 10, 50, 2);
	parked(h, 2, 5, 20, activity, 3);
	queued(h, 2, 20, 25);
	sleeps(h, 2, 25, 26, END_TIMER);
	parked(h, 2, 26, 48, activity, 1);
	if (between)
		history_add_wake(h, between);
	return h;
}

static void test_woken_in_vain(void **state)
{
	const struct wake between = { .time = 24 * MS, .thread = 4, .waker = 2 },
			  before = { .time = 19 * MS, .thread = 4, .waker = 2 },
			  behind = { .time = 50 * MS, .thread = 0, .waker = 2 },
			  others = { .time = 24 * MS, .thread = 4, .waker = 3 };
	static const char one_by_one[] =
		"[0 50-60 ran][2 48-50 ran'][1 26-48 ran'][2 25-26 timer'][2 20-25 queue']"
		"[3 10-20 ran'][0 0-10 ran]";
	static const char as_one[] = "[0 50-60 ran][2 48-50 ran'][1 10-48 ran'][0 0-10 ran]";

	assert_path(handed_on(0, NULL), as_one, 0, 0, 60);
	assert_path(handed_on(0, &before), as_one, 0, 0, 60);
	assert_path(handed_on(0, &behind), as_one, 0, 0, 60);
	assert_path(handed_on(0, &others), as_one, 0, 0, 60);
	/* It did something for another thread. */
	assert_path(handed_on(0, &between), one_by_one, 0, 0, 60);
	/* The thread's own time. */
	assert_path(handed_on(0, NULL),
		    "[2 48-50 ran][1 26-48 ran'][2 25-26 timer][2 20-25 queue][3 5-20 ran']", 2, 5,
		    50);
}

/* It works for a request: each wait is for a part of that. */
static void test_not_in_vain(void **state)
{
	assert_path(handed_on(8, NULL),
		    "[0 50-60 ran][2 48-50 ran'][1 26-48 ran'][2 25-26 timer'][2 20-25 queue'][3 "
		    "10-20 ran']"
		    "[0 0-10 ran]",
		    0, 0, 60);
}

struct adding {
	struct path_tree *tree;
	enum path_class class;
};

static void add_to_tree(const struct path_segment *s, void *arg)
{
	struct adding *a = arg;

	path_tree_add(a->tree, s, UINT32_MAX, a->class);
}

/* The kinds below @node with their times: "lock 40/0 (thread 40/0 (run 20/0 (f1 15/0, f2 5/0)))". */
static void tell_tree(const struct path_tree *t, u32 node, GString *out)
{
	static const char *const kinds[] = {
		[NODE_RUNNING] = "run",	 [NODE_CODE] = "f",	     [NODE_DATA] = "d",
		[NODE_QUEUED] = "queue", [NODE_MEANWHILE] = "other", [NODE_WAIT] = "wait",
		[NODE_OWNER] = "by",	 [NODE_REASON] = "reason",   [NODE_CPU] = "cpu",
	};
	const char *before = " (";

	for (u32 i = path_tree_at(t, node)->first; i != PATH_NO_NODE;
	     i = path_tree_at(t, i)->next) {
		const struct path_tree_node *n = path_tree_at(t, i);

		g_string_append_printf(out, "%s%s", before, kinds[n->kind]);
		if (n->kind == NODE_CODE || n->kind == NODE_DATA || n->kind == NODE_WAIT)
			g_string_append_printf(out, "%u", n->text);
		g_string_append_printf(out, " %u/%u", (u32)(n->ns[CLASS_SLOW] / MS),
				       (u32)(n->ns[CLASS_REST] / MS));
		tell_tree(t, i, out);
		before = ", ";
	}
	if (*before == ',')
		g_string_append_c(out, ')');
}

static void test_tree(void **state)
{
	struct history *h = new_history();
	struct doings *doings = doings_new(NULL, "none");
	struct adding adding = { .tree = path_tree_new(h, doings) };
	static const u64 whole[NR_CLASSES] = { 60 * MS, 20 * MS };
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GArray) causes = NULL, lost = NULL;
	const struct path_sum *sum;

	/* The slow one, from 0 to 60, waits for the lock of thread 1; the other one, from 80 to 100, sleeps. */
	locked(h, 0, 10, 50, 1, 1);
	queued(h, 0, 50, 55);
	sleeps(h, 0, 85, 90, END_TIMER);
	sleeps(h, 1, 20, 40, END_TIMER);
	for (u32 i = 0; i < 4; i++) {
		struct tick tick = { .time = (41 + i) * MS,
				     .thread = 1,
				     .code = i ? 7 : 8,
				     .data = i == 1 ? 9 : 0,
				     .weight = 5 };

		history_add_tick(h, &tick);
	}
	runs(h, 0, 0);
	runs(h, 2, 52);
	runs(h, 2, 100);
	history_seal(h);
	walk(h, 0, 0, 60 * MS, MANY, add_to_tree, &adding);
	adding.class = CLASS_REST;
	walk(h, 0, 80 * MS, 100 * MS, MANY, add_to_tree, &adding);
	path_tree_settle(adding.tree, whole);
	for (u32 k = 0; k < NR_CLASSES; k++)
		assert_int_equal(path_tree_at(adding.tree, 0)->ns[k], whole[k]);
	tell_tree(adding.tree, 0, text);
	assert_string_equal(
		text->str,
		" (wait3 40/0 (by 40/0 (run 20/0 (f7 15/0 (d9 5/0), f8 5/0), wait1 20/0)), "
		"queue 5/0 (other 5/0), wait1 0/5, run 15/15)");
	causes = path_sums_causes(adding.tree);
	assert_int_equal(causes->len, 3);
	sum = &g_array_index(causes, struct path_sum, 0);
	assert_int_equal(sum->what, 3);
	assert_int_equal(sum->ns[CLASS_SLOW], 40 * MS);
	lost = path_sums_lost(adding.tree);
	assert_int_equal(lost->len, 0); /* nobody has a span */
	path_tree_free(adding.tree);
	doings_free(doings);
	history_free(h);
}

/* The recording tells who had the CPU: samples of other threads in that time do not count. */
static void test_cpu(void **state)
{
	struct history *h = new_history();
	struct doings *doings = doings_new(NULL, "none");
	struct adding adding = { .tree = path_tree_new(h, doings) };
	static const u64 whole[NR_CLASSES] = { 60 * MS, 0 };
	g_autoptr(GString) text = g_string_new(NULL);

	queued_behind(h, 0, 10, 30, 1);
	queued_behind(h, 0, 30, 32, HISTORY_NOBODY);
	queued_behind(h, 0, 32, 35, 1);
	queued_behind(h, 0, 40, 42, 2);
	runs(h, 0, 0);
	runs(h, 2, 20);
	runs(h, 0, 60);
	history_name_thread(h, 2, 5);
	history_seal(h);
	walk(h, 0, 0, 60 * MS, MANY, add_to_tree, &adding);
	path_tree_settle(adding.tree, whole);
	tell_tree(adding.tree, 0, text);
	assert_string_equal(text->str,
			    " (run 33/0 (f0 33/0), queue 27/0 (cpu 23/0, cpu 2/0, cpu 2/0))");
	path_tree_free(adding.tree);
	doings_free(doings);
	history_free(h);
}

/* How much shorter [@from, @to) of thread 0 is without a lock, or a function; frees @h. */
static u32 shorter(struct history *h, bool is_lock, u32 what, u64 from, u64 to)
{
	/* What is found for one cause does not count for another one. */
	const struct what_if_cause causes[] = { { is_lock, what }, { !is_lock, what + 1 } };
	struct what_if *w;
	u64 found[2], again[2];

	history_seal(h);
	w = what_if_new(h, causes, 2);
	assert_in_range(what_if_shorter(w, 0, from * MS, to * MS, found), 1, 1000);
	what_if_shorter(w, 0, from * MS, to * MS, again);
	assert_memory_equal(again, found, sizeof(found));
	assert_int_equal(found[1], 0);
	what_if_free(w);
	history_free(h);
	assert_int_equal(found[0] % MS, 0);
	return (u32)(found[0] / MS);
}

/* Runs @code in the 5 ms before. */
static void runs_code(struct history *h, u32 thread, u64 time, u32 code)
{
	struct tick tick = { .time = time * MS, .thread = thread, .code = code, .weight = 5 };

	history_add_tick(h, &tick);
}

/* The example of what_if.h: thread 0 waits for thread 1's lock, which runs f (7), then g (8). */
static struct history *holds_and_runs(void)
{
	struct history *h = new_history();

	locked(h, 0, 10, 50, 1, 1);
	for (u32 i = 1; i <= 10; i++)
		runs_code(h, 1, 5 * i, i <= 7 ? 7 : 8);
	runs(h, 0, 0);
	runs(h, 0, 60);
	runs(h, 1, 60);
	return h;
}

static void test_without_a_lock(void **state)
{
	assert_int_equal(shorter(holds_and_runs(), true, 3, 0, 60), 40);
	assert_int_equal(shorter(holds_and_runs(), true, 99, 0, 60), 0);
	/* Only what is in the request counts. */
	assert_int_equal(shorter(holds_and_runs(), true, 3, 30, 60), 20);
}

static void test_without_a_function(void **state)
{
	assert_int_equal(shorter(holds_and_runs(), false, 7, 0, 60), 35);
	assert_int_equal(shorter(holds_and_runs(), false, 8, 0, 60), 15);
	assert_int_equal(shorter(holds_and_runs(), false, 7, 20, 60), 15); /* f 20-35 */
}

/* Behind the lock, the thread waits for another one, which does not come earlier. */
static void test_the_next_path(void **state)
{
	struct history *h = new_history();

	locked(h, 0, 10, 50, 1, 1);
	waits(h, 0, 50, 55, 2);
	sleeps(h, 2, 0, 54, END_TIMER);
	runs(h, 0, 0);
	runs(h, 1, 60);
	runs(h, 2, 60);
	assert_int_equal(shorter(h, true, 3, 0, 60), 0);

	/* The other one waits for the same lock, and comes earlier without it. */
	h = new_history();
	locked(h, 0, 10, 50, 1, 1);
	waits(h, 0, 50, 55, 2);
	locked(h, 2, 20, 52, 1, 1);
	runs(h, 0, 0);
	runs(h, 1, 60);
	runs(h, 2, 60);
	assert_int_equal(shorter(h, true, 3, 0, 60), 55 - 23);
}

/* What cannot be followed keeps its length; a chain of locks is followed. */
static void test_what_keeps_its_length(void **state)
{
	struct history *h = new_history();

	locked(h, 0, 10, 50, 1, 1);
	sleeps(h, 1, 5, 20, END_TIMER);
	waits(h, 1, 20, 40, 2);
	queued(h, 1, 40, 43);
	sleeps(h, 2, 0, 20, END_DISK);
	for (u32 i = 5; i <= 8; i++)
		runs_code(h, 2, 5 * i, i <= 6 ? 7 : 8);
	runs(h, 0, 0);
	runs(h, 0, 60);
	/* 2 wakes 1 at 30 instead of 40. */
	assert_int_equal(shorter(h, false, 7, 0, 60), 10);
}

static void test_created_on_the_way(void **state)
{
	struct history *h = new_history();
	struct history_thread child = { .tid = 99, .start = 20 * MS, .end = UINT64_MAX };
	u32 number = history_add_thread(h, &child);

	/* Thread 0 runs f until it creates the child, and waits for its end. */
	for (u32 i = 1; i <= 4; i++)
		runs_code(h, 0, 5 * i, 7);
	waits(h, 0, 21, 50, number);
	runs(h, number, 50);
	runs(h, 0, 60);
	/* 21 - 0 until the wait are all f; the child is 20 earlier. */
	assert_int_equal(shorter(h, false, 7, 0, 60), 20);
}

static u64 draw(u64 *state, u64 below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

static struct history *any_history(u64 *seed)
{
	struct history *h = new_history();

	for (u32 i = 0; i < 60; i++) {
		struct stay stay = blocked((u32)draw(seed, NR_THREADS), draw(seed, 100), 0,
					   (u32)draw(seed, 3));

		stay.to = stay.from + draw(seed, 30) * MS;
		stay.kind = (u8)draw(seed, 2);
		stay.end = (u8)draw(seed, NR_STAY_ENDS);
		stay.waker = (u32)draw(seed, NR_THREADS);
		stay.owner = (u32)draw(seed, NR_THREADS);
		stay.is_lock = draw(seed, 2);
		stay.owned = (u8)draw(seed, WALL_NR_OWNERS);
		if (stay.end != END_THREAD)
			stay.waker = HISTORY_NOBODY;
		history_add_stay(h, &stay);
	}
	return h;
}

/* Whatever the history is: no gap, no overlap, and the walk ends. path() checks it. */
static void test_any(void **state)
{
	u64 seed = 88172645463325252ull;

	for (u32 round = 0; round < 200; round++) {
		struct history *h = any_history(&seed);

		g_free(path(h, 0, draw(&seed, 50), 50 + draw(&seed, 90), 1 + draw(&seed, 500)));
	}
}

#define NR_CAUSES 7

/*
 * ... nothing becomes longer, nor shorter without a cause, and the second walk ends. Each cause has the answer that it has
 * alone, also where others pass a lock at which it does not wait.
 */
static void test_any_without(void **state)
{
	u64 seed = 88172645463325252ull;
	struct what_if_cause causes[NR_CAUSES] = { [NR_CAUSES - 1] = { true, 77 } };

	for (u32 i = 0; i < NR_CAUSES - 1; i++)
		causes[i] = (struct what_if_cause){ i % 2, i / 2 };
	for (u32 round = 0; round < 200; round++) {
		struct history *h = any_history(&seed);
		u64 from = draw(&seed, 50) * MS, to = (50 + draw(&seed, 90)) * MS, all[NR_CAUSES];
		struct what_if *w;

		for (u32 i = 0; i < 20; i++)
			runs_code(h, (u32)draw(&seed, NR_THREADS), draw(&seed, 130),
				  (u32)draw(&seed, 3));
		history_seal(h);
		w = what_if_new(h, causes, NR_CAUSES);
		what_if_shorter(w, 0, from, to, all);
		what_if_free(w);
		assert_int_equal(all[NR_CAUSES - 1], 0);
		for (u32 i = 0; i < NR_CAUSES; i++) {
			u64 alone;

			w = what_if_new(h, &causes[i], 1);
			what_if_shorter(w, 0, from, to, &alone);
			what_if_free(w);
			assert_in_range(alone, 0, to - from);
			assert_int_equal(all[i], alone);
		}
		history_free(h);
	}
}

/* Without what the other host ran, the answer comes earlier, and takes as long on its way. */
static void test_shorter_on_another_host(void **state)
{
	struct history *h = new_request();
	struct tick tick = { .time = 40 * MS, .thread = 1, .code = 9, .weight = 1 };
	struct what_if_cause cause = { .is_lock = false, .what = 9 };
	struct what_if *w;
	u64 shorter;

	history_add_tick(h, &tick);
	history_seal(h);
	w = what_if_new(h, &cause, 1);
	what_if_shorter(w, 0, 0, 60 * MS, &shorter);
	assert_int_equal(shorter, 15 * MS);
	what_if_free(w);
	history_free(h);
}

/* Without what a child span ran there, from 15 to 20 and from 40 to 44: what it ran before, for others, saves nothing. */
static void test_shorter_child(void **state)
{
	struct history *h = new_history();
	struct tick tick = { .time = 44 * MS, .thread = 1, .code = 9, .weight = 1 };
	struct what_if_cause cause = { .is_lock = false, .what = 9 };
	struct what_if *w;
	u64 shorter;

	child(h, END_NETWORK, 15, 45, true);
	history_add_tick(h, &tick);
	history_seal(h);
	w = what_if_new(h, &cause, 1);
	what_if_shorter(w, 0, 0, 60 * MS, &shorter);
	assert_int_equal(shorter, 9 * MS);
	what_if_free(w);
	history_free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_owner),
		cmocka_unit_test(test_owner_without_sleep),
		cmocka_unit_test(test_child),
		cmocka_unit_test(test_child_and_message),
		cmocka_unit_test(test_shorter_child),
		cmocka_unit_test(test_barging),
		cmocka_unit_test(test_handed_on),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_pool),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_wakes),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_retries),
		cmocka_unit_test(test_no_retries),
		cmocka_unit_test(test_woken_in_vain),
		cmocka_unit_test(test_not_in_vain),
		cmocka_unit_test(test_other_host),
		cmocka_unit_test(test_clocks_that_differ),
		cmocka_unit_test(test_arrivals_that_do_not_count),
		cmocka_unit_test(test_shorter_on_another_host),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_activities),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_without_a_lock),
		cmocka_unit_test(test_without_a_function),
		cmocka_unit_test(test_the_next_path),
		cmocka_unit_test(test_what_keeps_its_length),
		cmocka_unit_test(test_created_on_the_way),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_any_without),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
