// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks at threads become stretches of time that leave nothing out and count nothing twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>

#include "fields/waits.h"
#include "perfdata/decoder.h"
#include "perfdata/evsel.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_sample.h"

#define MS 1000000ull

struct told {
	u32 tid;
	enum wall_state state;
	s32 syscall;
	u64 end, length;
	u32 nr;
	char activity; /* the first byte; 0: none */
};

struct teller {
	GArray *told; /* struct told */
	struct wall_account *account;
};

static void note(const struct wall_look *look, u64 end, u64 length, void *arg)
{
	struct told t = { look->tid,
			  look->state,
			  look->syscall,
			  end,
			  length,
			  look->nr,
			  look->tls.size ? (char)*look->tls.data : 0 };

	g_array_append_val((GArray *)arg, t);
}

static int setup(void **state)
{
	struct teller *t = g_new0(struct teller, 1);

	t->told = g_array_new(FALSE, FALSE, sizeof(struct told));
	t->account = wall_account_new(0, note, t->told);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	g_array_unref(t->told);
	g_free(t);
	return 0;
}

/* ms in, of a thread that was there before all. */
static struct wall_look look(enum wall_state state, u64 time, u64 exec, u64 delay, u64 since,
			     s32 syscall)
{
	return (struct wall_look){
		.pid = 7,
		.tid = 7,
		.made = 1,
		.start = 1 * MS,
		.time = time * MS,
		.exec = exec * MS,
		.delay = delay * MS,
		.since = since * MS,
		.state = (u8)state,
		.syscall = syscall,
	};
}

static void take(struct teller *t, struct wall_look l)
{
	wall_account_take(t->account, &l, 100 * MS);
}

static void assert_told(const struct teller *t, u32 i, enum wall_state state, s32 syscall, u64 end,
			u64 length)
{
	const struct told *x = &g_array_index(t->told, struct told, i);

	assert_true(i < t->told->len);
	assert_int_equal(x->state, state);
	assert_int_equal(x->syscall, syscall);
	assert_int_equal(x->end, end * MS);
	assert_int_equal(x->length, length * MS);
}

/* The example of wall_account.h. */
static void test_between_two_looks(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 1, 90, 0));
	assert_int_equal(t->told->len, 0);
	take(t, look(WALL_SLEEP, 150, 14, 3, 130, 202));
	assert_int_equal(t->told->len, 3);
	assert_told(t, 0, WALL_SLEEP, 0, 124, 24);
	assert_told(t, 1, WALL_QUEUED, 202, 126, 2);
	assert_told(t, 2, WALL_RUNNING, 202, 130, 4);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_told(t, 3, WALL_SLEEP, 202, 150, 20);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_int_equal(t->told->len, 4);
}

/* Several sleeps between two looks: the places of all but the present one are not known. */
static void test_estimated_places(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 150, 10, 0, 130, 202);

	take(t, look(WALL_SLEEP, 100, 10, 0, 90, 0));
	l.sleeps = 1; /* the present one */
	take(t, l);
	assert_int_equal(wall_account_sums(t->account).asleep, 30 * MS);
	assert_int_equal(wall_account_sums(t->account).estimated, 0);
	l = look(WALL_SLEEP, 200, 10, 0, 190, 0);
	l.sleeps = 3;
	take(t, l);
	assert_int_equal(wall_account_sums(t->account).asleep, 90 * MS);
	assert_int_equal(wall_account_sums(t->account).estimated, 60 * MS);
}

/* Who sleeps on makes no stretch, until too long a time went by without one. */
static void test_long_sleep(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_DISK, 100, 10, 0, 50, 0));
	wall_account_flush(t->account, 5000 * MS, 60000 * MS);
	assert_int_equal(t->told->len, 0);
	wall_account_flush(t->account, 60100 * MS, 60000 * MS);
	assert_told(t, 0, WALL_DISK, 0, 60100, 60000);
}

/* However often it is asked: once in two thirds of the longest time, all at the same instants. */
static void test_sleeps_are_told_together(void **state)
{
	struct teller *t = *state;
	struct wall_look late = look(WALL_SLEEP, 3060, 0, 0, 3050, 0);

	late.tid = 2;
	late.start = 3050 * MS;
	take(t, look(WALL_SLEEP, 100, 10, 0, 50, 0));
	for (u64 time = 3000; time <= 9000; time += 50) {
		if (time == 3100)
			take(t, late);
		wall_account_flush(t->account, time * MS, 3000 * MS);
	}
	assert_told(t, 0, WALL_SLEEP, 0, 3000, 2900);
	assert_int_equal(t->told->len, 1 + 2 * 3);
	for (u32 i = 1; i < t->told->len; i++) {
		const struct told *x = &g_array_index(t->told, struct told, i);

		assert_int_equal(x->end, (5000 + 2000 * ((i - 1) / 2)) * MS);
		assert_true(x->length <= 3000 * MS);
	}
}

/* A look takes a CPU from those it looks at: the sums say what ran, not the looks. */
static void test_never_seen_running(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_QUEUED, 100, 10, 0, 0, -1));
	take(t, look(WALL_QUEUED, 150, 50, 10, 0, -1));
	assert_told(t, 0, WALL_QUEUED, -1, 110, 10);
	assert_told(t, 1, WALL_RUNNING, -1, 150, 40);
	assert_int_equal(t->told->len, 2);
}

/* The sum of a running thread lags behind by up to a tick. */
static void test_lag(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_RUNNING, 100, 10, 0, 0, -1));
	take(t, look(WALL_RUNNING, 150, 57, 0, 0, -1));
	assert_told(t, 0, WALL_RUNNING, -1, 147, 47);
	assert_told(t, 1, WALL_RUNNING, -1, 150, 3);
}

/* Seen awake twice, and yet it hardly ran: sleeps that no look has seen. */
static void test_short_sleeps(void **state)
{
	struct teller *t = *state;

	struct wall_look last = look(WALL_RUNNING, 150, 15, 0, 0, -1);

	take(t, look(WALL_RUNNING, 100, 10, 0, 0, -1));
	last.sleeps = 3;
	take(t, last);
	assert_told(t, 0, WALL_RUNNING, -1, 105, 5);
	assert_told(t, 1, WALL_SLEEP, -1, 150, 45);
}

/* It did not give its CPU away, and hardly ran: a hypervisor had the CPU. */
static void test_stolen(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_RUNNING, 100, 10, 0, 0, -1));
	take(t, look(WALL_QUEUED, 150, 15, 5, 0, -1));
	assert_told(t, 0, WALL_QUEUED, -1, 105, 5);
	assert_told(t, 1, WALL_RUNNING, -1, 110, 5);
	assert_told(t, 2, WALL_RUNNING, -1, 150, 40);
}

/* Where nobody says since when a thread sleeps (/proc), the old sleep ends at the look. */
static void test_unknown_since(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 1, 0, 0));
	take(t, look(WALL_SLEEP, 150, 14, 3, 0, 202));
	assert_told(t, 0, WALL_SLEEP, 0, 144, 44);
	assert_told(t, 2, WALL_RUNNING, 202, 150, 4);
}

/* Born while recording: all that its sums have counts. */
static void test_birth(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 150, 6, 4, 140, 35);

	l.start = 120 * MS;
	take(t, l);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_told(t, 0, WALL_QUEUED, 35, 124, 4);
	assert_told(t, 1, WALL_RUNNING, 35, 130, 6);
	assert_told(t, 2, WALL_SLEEP, 35, 150, 20);
	assert_int_equal(t->told->len, 3);
}

/* It was born, slept and ended between two passes: the sums that it has at its end say so. No look saw in which call. */
static void test_life_between_two_passes(void **state)
{
	struct teller *t = *state;
	struct wall_look end = look(WALL_ZOMBIE, 160, 2, 1, 160, 231);

	end.start = 110 * MS;
	end.sleeps = 1;
	take(t, end);
	assert_told(t, 0, WALL_QUEUED, 231, 111, 1);
	assert_told(t, 1, WALL_RUNNING, 231, 113, 2);
	assert_told(t, 2, WALL_SLEEP, -1, 160, 47);
	assert_int_equal(t->told->len, 3);
	wall_account_flush(t->account, 200 * MS, 0);
	assert_int_equal(t->told->len, 3);
}

/* A pass saw it running; then it slept, and ended. */
static void test_sleep_before_the_end(void **state)
{
	struct teller *t = *state;

	struct wall_look end = look(WALL_ZOMBIE, 150, 12, 0, 150, 231);

	end.sleeps = 1;
	take(t, look(WALL_RUNNING, 100, 10, 0, 0, -1));
	take(t, end);
	assert_told(t, 0, WALL_RUNNING, 231, 102, 2);
	assert_told(t, 1, WALL_SLEEP, -1, 150, 48);
	assert_int_equal(t->told->len, 2);
}

/* A pass saw it running; it slept in between, and began its present sleep just now: that one did not last 40 ms. */
static void test_sleeps_before_the_present_one(void **state)
{
	struct teller *t = *state;

	struct wall_look present = look(WALL_SLEEP, 150, 12, 0, 148, 35);

	present.sleeps = 2;
	take(t, look(WALL_RUNNING, 100, 10, 0, 0, -1));
	take(t, present);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_told(t, 0, WALL_RUNNING, 35, 102, 2);
	assert_told(t, 1, WALL_SLEEP, -1, 148, 46);
	assert_told(t, 2, WALL_SLEEP, 35, 150, 2);
	assert_int_equal(t->told->len, 3);
}

/* Who is seen at its end only by its record (/proc): nothing is known of its time, but that it is missing. */
static void test_unseen_threads_are_counted(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 0, 100, 0));
	wall_account_exit(t->account, 7, 130 * MS);
	assert_int_equal(wall_account_nr_unseen(t->account), 0);
	wall_account_exit(t->account, 8, 140 * MS);
	assert_int_equal(wall_account_nr_unseen(t->account), 1);
}

/* A thread that ends is a zombie as long as passes see it, and then nothing. */
static void test_end(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 0, 100, 0));
	wall_account_passed(t->account, 0);
	wall_account_exit(t->account, 7, 130 * MS);
	assert_told(t, 0, WALL_SLEEP, 0, 130, 30);
	take(t, look(WALL_ZOMBIE, 150, 10, 0, 0, -1));
	wall_account_passed(t->account, 0);
	assert_told(t, 1, WALL_ZOMBIE, -1, 150, 20);
	take(t, look(WALL_ZOMBIE, 200, 10, 0, 0, -1));
	wall_account_passed(t->account, 0);
	assert_told(t, 2, WALL_ZOMBIE, -1, 200, 50);
	wall_account_passed(t->account, 0);
	assert_int_equal(wall_account_nr(t->account), 0);
	wall_account_flush(t->account, 300 * MS, 0);
	assert_int_equal(t->told->len, 3);
}

/* Who sleeps again where it slept is told in short: the call, and what else belongs to the place, is that of the look before. */
static void test_same_place(void **state)
{
	struct teller *t = *state;
	struct wall_look again = look(WALL_SLEEP, 150, 15, 0, 145, -1);

	take(t, look(WALL_SLEEP, 100, 10, 0, 90, 35));
	again.same = true;
	take(t, again);
	assert_int_equal(wall_account_look(t->account, 7)->syscall, 35);
	assert_int_equal(wall_account_look(t->account, 7)->time, 150 * MS);
	wall_account_flush(t->account, 200 * MS, 0);
	assert_told(t, 0, WALL_SLEEP, 35, 140, 40);
	assert_told(t, 1, WALL_RUNNING, 35, 145, 5);
	assert_told(t, 2, WALL_SLEEP, 35, 200, 55);
	assert_int_equal(t->told->len, 3);
}

/* A zombie has no memory: it has what was read last. */
static void test_activity_of_a_zombie(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 100, 10, 0, 90, 35);
	const u8 bytes[] = { 1, 2, 3 };

	take(t, l);
	wall_account_set_tls(t->account, 7, &(struct wall_bytes){ bytes, 3, 3 });
	take(t, look(WALL_RUNNING, 150, 20, 0, 0, 35));
	take(t, look(WALL_ZOMBIE, 200, 30, 0, 0, -1));
	assert_int_equal(wall_account_look(t->account, 7)->tls.size, 3);
	assert_memory_equal(wall_account_look(t->account, 7)->tls.data, bytes, 3);
}

#define ACTIVITY(text) ((struct wall_bytes){ (const u8 *)(text), 1, 1 })

/* A look by the thread's own CPU: it runs since @arrived, where it had run for @then. */
static struct wall_look moment(enum wall_moment moment, struct wall_look l, const char *activity,
			       u64 arrived, u64 then)
{
	l.moment = (u8)moment;
	l.tracked = true;
	l.tls = ACTIVITY(activity);
	l.unknown = ACTIVITY("?");
	l.arrived = arrived * MS;
	l.exec_then = then * MS;
	return l;
}

static void assert_activity(const struct teller *t, u32 i, enum wall_state state, u64 end,
			    u64 length, char activity)
{
	const struct told *x = &g_array_index(t->told, struct told, i);

	assert_told(t, i, state, x->syscall, end, length);
	assert_int_equal(x->activity, activity);
}

/*
 * It slept for a, worked for b, and sleeps for b: whatever happened before its last run was for a. The run is b's, as
 * that is the activity at its end.
 */
static void test_followed_activity(void **state)
{
	struct teller *t = *state;

	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 10, 0, 100, 0), "a", 90, 0));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 25, 5, 150, 1), "b", 140, 15));
	wall_account_flush(t->account, 160 * MS, 0);
	assert_activity(t, 0, WALL_SLEEP, 130, 30, 'a');
	assert_activity(t, 1, WALL_QUEUED, 135, 5, 'a');
	assert_activity(t, 2, WALL_RUNNING, 140, 5, 'a');
	assert_activity(t, 3, WALL_RUNNING, 150, 10, 'b');
	assert_activity(t, 4, WALL_SLEEP, 160, 10, 'b');
}

/* No look in between: it had the same activity whenever it left a CPU. A pass does not read it again. */
static void test_followed_by_a_pass(void **state)
{
	struct teller *t = *state;
	struct wall_look pass =
		moment(WALL_AT_PASS, look(WALL_SLEEP, 150, 25, 5, 145, 1), "a", 135, 15);

	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 10, 0, 100, 0), "a", 90, 0));
	take(t, pass);
	assert_activity(t, 0, WALL_SLEEP, 125, 25, 'a');
	assert_activity(t, 1, WALL_QUEUED, 130, 5, 'a');
	assert_activity(t, 2, WALL_RUNNING, 145, 15, 'a');
	assert_int_equal(t->told->len, 3);
}

/* A pass finds it on a CPU: the activity of this run is not known yet, and its end will tell. */
static void test_followed_while_it_runs(void **state)
{
	struct teller *t = *state;

	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 10, 0, 100, 0), "a", 90, 0));
	take(t, moment(WALL_AT_PASS, look(WALL_RUNNING, 150, 20, 0, 0, -1), "a", 140, 10));
	assert_activity(t, 0, WALL_SLEEP, 140, 40, 'a');
	assert_int_equal(t->told->len, 1);
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 160, 30, 0, 160, 1), "b", 140, 10));
	assert_activity(t, 1, WALL_RUNNING, 160, 20, 'b');
}

/* A switch has no stack of the kernel. Where a pass saw the thread sleep, it has that one's; elsewhere it has none. */
static void test_stack_of_a_switch(void **state)
{
	struct teller *t = *state;
	const u64 frames[] = { 0xffffffff81000000, 0xffffffff81000100 };
	struct wall_look seen =
		moment(WALL_AT_PASS, look(WALL_SLEEP, 110, 10, 0, 100, 35), "a", 90, 0);
	struct wall_look again =
		moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 11, 0, 150, 35), "b", 149, 10);
	struct wall_look other =
		moment(WALL_AT_SWITCH, look(WALL_SLEEP, 160, 12, 0, 160, 35), "b", 159, 11);
	struct wall_look asks =
		moment(WALL_AT_SWITCH, look(WALL_SLEEP, 170, 13, 0, 170, 35), "b", 169, 12);

	seen.frames = frames;
	seen.nr_frames = 2;
	seen.args[0] = again.args[0] = other.args[0] = 0x7ffc1000;
	take(t, seen);
	take(t, again);
	assert_int_equal(wall_account_look(t->account, 7)->nr_frames, 2);
	assert_memory_equal(wall_account_look(t->account, 7)->frames, frames, sizeof(frames));
	other.ip = 0x1000;
	take(t, other);
	assert_int_equal(wall_account_look(t->account, 7)->nr_frames, 0);
	asks.args[0] = 0x7ffc2000; /* the same call for something else */
	take(t, asks);
	assert_int_equal(wall_account_look(t->account, 7)->nr_frames, 0);
}

/* A record was lost: nothing is known of the activities since the one before. */
static void test_missed_activity(void **state)
{
	struct teller *t = *state;
	struct wall_look after =
		moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 20, 0, 150, 1), "b", 140, 10);

	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 10, 0, 100, 0), "a", 90, 0));
	after.missed = true;
	take(t, after);
	wall_account_flush(t->account, 160 * MS, 0);
	assert_activity(t, 0, WALL_SLEEP, 140, 40, '?');
	assert_activity(t, 1, WALL_RUNNING, 150, 10, '?');
	assert_activity(t, 2, WALL_SLEEP, 160, 10, 'b');
}

/* A request ends before the thread waits for the next one: ticks find it, and decide all running time since the last tick. */
static void test_tick_decides(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(100 * MS, note, t->told);
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 0, 0, 100, 0), "-", 100, 0));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 10, 0, 150, 0), "-", 140, 0));
	take(t, moment(WALL_AT_TICK, look(WALL_RUNNING, 195, 15, 0, 0, 0), "a", 190, 10));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 200, 20, 0, 200, 0), "-", 190, 10));
	/* The last 5 ms are not decided: the window waits for them. */
	assert_int_equal(t->told->len, 0);
	take(t, moment(WALL_AT_TICK, look(WALL_RUNNING, 250, 25, 0, 0, 0), "b", 245, 20));
	wall_account_flush(t->account, 250 * MS, 0);
	assert_activity(t, 0, WALL_SLEEP, 225, 125, '-');
	assert_activity(t, 1, WALL_RUNNING, 240, 15, 'a');
	assert_activity(t, 2, WALL_RUNNING, 250, 10, 'b');
	assert_int_equal(t->told->len, 3);
}

/* Two runs ended with different activities. A tick finds a third one, so both were of that: they are one stretch. */
static void test_tick_decides_several(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(100 * MS, note, t->told);
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 0, 0, 100, 0), "-", 100, 0));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 10, 0, 150, 0), "b", 140, 0));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 200, 20, 0, 200, 0), "c", 190, 10));
	take(t, moment(WALL_AT_TICK, look(WALL_RUNNING, 250, 25, 0, 0, 0), "a", 245, 20));
	wall_account_flush(t->account, 250 * MS, 0);
	assert_activity(t, 0, WALL_SLEEP, 140, 40, '-');
	assert_activity(t, 1, WALL_RUNNING, 165, 25, 'a');
	assert_int_equal(g_array_index(t->told, struct told, 1).nr, 3);
	assert_activity(t, 2, WALL_SLEEP, 205, 40, 'b');
	assert_activity(t, 3, WALL_SLEEP, 250, 45, 'c');
	assert_int_equal(t->told->len, 4);
}

/* No tick came: the activity at the end of a run is the best that is known of it. The window does not wait for ever. */
static void test_no_tick_decides(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(100 * MS, note, t->told);
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 100, 0, 0, 100, 0), "a", 100, 0));
	take(t, moment(WALL_AT_SWITCH, look(WALL_SLEEP, 150, 10, 0, 150, 0), "b", 140, 0));
	wall_account_passed(t->account, 450 * MS);
	assert_int_equal(t->told->len, 0);
	wall_account_passed(t->account, 500 * MS);
	assert_activity(t, 0, WALL_SLEEP, 140, 40, 'a');
	assert_activity(t, 1, WALL_RUNNING, 150, 10, 'b');
	assert_int_equal(t->told->len, 2);
}

/* Looks from outside do not see the sleeps in between, which may be of other activities. */
static void test_merged_sleeps_of_unknown_activities(void **state)
{
	struct teller *t = *state;
	struct wall_look first = look(WALL_SLEEP, 100, 0, 0, 0, 0),
			 then = look(WALL_SLEEP, 150, 1, 0, 0, 0);

	first.tls = ACTIVITY("a");
	then.unknown = ACTIVITY("?");
	then.tls = ACTIVITY("b");
	then.sleeps = 3;
	take(t, first);
	take(t, then);
	assert_activity(t, 0, WALL_SLEEP, 149, 49, '?');
	assert_activity(t, 1, WALL_RUNNING, 150, 1, '?');
	then = look(WALL_SLEEP, 200, 2, 0, 0, 0);
	then.tls = ACTIVITY("b");
	then.sleeps = 6;
	take(t, then);
	assert_activity(t, 2, WALL_SLEEP, 199, 49, 'b');
}

/* One number, two threads, one after the other: nobody has told when the first one ended, so it was there until the second one was. */
static void test_reused_tid(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 150, 1, 0, 141, 0);

	take(t, look(WALL_SLEEP, 100, 1000, 0, 100, 0));
	l.made = 2;
	l.start = 140 * MS;
	take(t, l);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_told(t, 0, WALL_SLEEP, 0, 140, 40);
	assert_told(t, 1, WALL_RUNNING, 0, 141, 1);
	assert_told(t, 2, WALL_SLEEP, 0, 150, 9);
}

/* 40 ms asleep, 5 ms in the queue, 5 ms on a CPU: @n times, from 100 ms on. Returns the time. */
static u64 tick_along(struct teller *t, u32 n, s32 syscall)
{
	u64 time = 100;

	take(t, look(WALL_SLEEP, time, 0, 0, 90, syscall));
	for (u32 i = 1; i <= n; i++) {
		time += 50;
		take(t, look(WALL_SLEEP, time, i * 5, i * 5, time, syscall));
	}
	return time;
}

/* The example of wall_account.h: what is done again and again is one stretch per kind, and without gaps. */
static void test_window(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(250 * MS, note, t->told);
	assert_int_equal(tick_along(t, 4, 0), 300);
	assert_int_equal(t->told->len, 0);
	/* The first stretch ended at 140 ms: nothing that is told later will end before. */
	assert_int_equal(wall_account_passed(t->account, 300 * MS), 140 * MS);
	take(t, look(WALL_SLEEP, 350, 25, 25, 350, 0));
	assert_int_equal(t->told->len, 3);
	assert_told(t, 0, WALL_SLEEP, 0, 300, 200);
	assert_told(t, 1, WALL_QUEUED, 0, 325, 25);
	assert_told(t, 2, WALL_RUNNING, 0, 350, 25);
	assert_int_equal(g_array_index(t->told, struct told, 0).nr, 5);
	assert_int_equal(wall_account_passed(t->account, 351 * MS), 351 * MS);
}

/* Runs that were put off by who looks: the sums have them, and they count as so many stretches. */
static void test_merged_runs(void **state)
{
	struct teller *t = *state;
	struct wall_look l;

	wall_account_free(t->account);
	t->account = wall_account_new(250 * MS, note, t->told);
	take(t, look(WALL_SLEEP, 100, 10, 0, 100, 1));
	l = look(WALL_SLEEP, 350, 14, 8, 350, 1);
	l.merged = 3;
	take(t, l);
	assert_int_equal(t->told->len, 3);
	assert_told(t, 0, WALL_SLEEP, 1, 338, 238);
	assert_told(t, 1, WALL_QUEUED, 1, 346, 8);
	assert_told(t, 2, WALL_RUNNING, 1, 350, 4);
	for (u32 i = 0; i < 3; i++)
		assert_int_equal(g_array_index(t->told, struct told, i).nr, 4);
}

/* A call that a look found has a stretch with its number, however little time the sums leave for it. */
static void test_counted_sleep(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_DISK, 100, 10, 1, 100, 17);
	const struct told *x;

	l.sequence = 5;
	take(t, l);
	take(t, look(WALL_QUEUED, 102, 11, 2, 0, 17));
	x = &g_array_index(t->told, struct told, 0);
	assert_int_equal(x->state, WALL_DISK);
	assert_int_equal(x->length, 1);
	x = &g_array_index(t->told, struct told, t->told->len - 1);
	assert_int_equal(x->end, 102 * MS);
}

/* What a thread does for another user is another kind. */
static void test_window_of_two_users(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 100, 0, 0, 90, 0);

	wall_account_free(t->account);
	t->account = wall_account_new(250 * MS, note, t->told);
	l.user = 1;
	take(t, l);
	l = look(WALL_SLEEP, 150, 0, 0, 150, 0);
	l.user = 1001;
	take(t, l);
	wall_account_flush(t->account, 170 * MS, 0);
	assert_told(t, 0, WALL_SLEEP, 0, 150, 50);
	assert_told(t, 1, WALL_SLEEP, 0, 170, 20);
}

/* The wait that the sample of @l has. */
static void assert_wait(const struct wall_look *l, const char *event, u32 user, const char *result)
{
	struct evsel *e = evsel_new();
	struct perfdata_decoder *d;
	g_autoptr(GByteArray) record = g_byte_array_new();
	struct event ev = { 0 };
	struct wait w;

	e->name = g_strdup(event);
	e->ids = g_new0(u64, 1);
	e->nr_ids = 1;
	e->attr.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
	d = perfdata_decoder_new(&e, 1, NULL);
	wall_sample_make(l, 200 * MS, 50 * MS, e, record);
	assert_true(perfdata_decoder_decode(d, (const void *)record->data, &ev));
	assert_true(wait_of(e, &ev.sample, &w));
	assert_int_equal(w.raw.syscall, l->syscall);
	assert_string_equal(w.waker, l->waker ?: "");
	assert_int_equal(w.raw.user, user);
	assert_string_equal(w.result, result);
	assert_string_equal(w.owner, l->owner ?: "");
	assert_int_equal(w.raw.lock.va, l->lock.va);
	assert_int_equal(w.raw.lock.activity_size, l->owner_tls.filled);
	if (l->owner_tls.filled)
		assert_memory_equal(w.owner_tls, l->owner_tls.data, l->owner_tls.filled);
	perfdata_decoder_free(d);
	evsel_free(e);
}

/*
 * The user and the result of a call stand where older recordings have zeros, or the end of the record. Texts of each length: zeros up to a
 * multiple of 8 bytes are no result.
 */
static void test_samples(void **state)
{
	struct wall_look l = look(WALL_SLEEP, 200, 0, 0, 150, 7);
	char waker[10] = "";

	for (u32 i = 0; i + 1 < sizeof(waker); i++) {
		waker[i] = 'w';
		l.waker = waker;
		l.user = i;
		l.result = NULL;
		assert_wait(&l, WALL_EVENT, i, "");
		l.result = "-110";
		assert_wait(&l, LATENCY_SYSCALL_EVENT, i, "-110");
	}
}

/* A wait for a lock: its owner and the owner's activity are behind the texts, whatever their lengths. */
static void test_lock_samples(void **state)
{
	static const u8 activity[] = "0123456789";
	struct wall_look l = look(WALL_SLEEP, 200, 0, 0, 150, 7);

	l.lock = (struct wall_lock){ 0x5000, 12, WALL_LOCK_MUTEX, WALL_OWNER_KNOWN, 0 };
	for (u32 i = 0; i < sizeof(activity); i++) {
		l.owner = i % 2 ? "owner" : "boss";
		l.owner_tls = (struct wall_bytes){ activity, i, i };
		assert_wait(&l, WALL_EVENT, 0, "");
		l.waker = i % 3 ? "waker" : NULL;
	}
	l.owner = NULL;
	l.owner_tls = (struct wall_bytes){ 0 };
	assert_wait(&l, WALL_EVENT, 0, "");
}

/* Nobody looks at the thread any more, as it sleeps: its window ends all the same. */
static void test_window_ends(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(250 * MS, note, t->told);
	tick_along(t, 1, 0);
	wall_account_passed(t->account, 349 * MS);
	assert_int_equal(t->told->len, 0);
	wall_account_passed(t->account, 350 * MS);
	assert_int_equal(t->told->len, 3);
}

/* Other calls are other kinds; with too many of them the window ends early. */
static void test_window_of_many_kinds(void **state)
{
	struct teller *t = *state;
	u64 sum = 0;

	wall_account_free(t->account);
	t->account = wall_account_new(60000 * MS, note, t->told);
	take(t, look(WALL_SLEEP, 100, 0, 0, 90, 0));
	for (u32 i = 1; i <= 9; i++)
		take(t, look(WALL_SLEEP, 100 + i * 10, 0, 0, 100 + i * 10, (s32)i));
	assert_int_equal(t->told->len, 8);
	wall_account_flush(t->account, 190 * MS, 0);
	for (u32 i = 0; i < t->told->len; i++) {
		sum += 10;
		assert_told(t, i, WALL_SLEEP, (s32)i, 100 + sum, 10);
	}
	assert_int_equal(t->told->len, 9);
}

/* Nobody saw the short waits of a thread that reads from a disk: they are taken for what was seen last. */
static void test_unseen_waits(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_RUNNING, 200, 20, 0, 195, 17);

	take(t, look(WALL_DISK, 100, 10, 0, 90, 17));
	take(t, look(WALL_RUNNING, 150, 15, 0, 145, 17));
	l.sleeps = 9;
	take(t, l);
	assert_told(t, t->told->len - 1, WALL_DISK, 17, 200, 45);
}

/* Unseen waits before the first one that is seen: they are taken for that one, while their window is open. */
static void test_unseen_waits_before(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_RUNNING, 200, 20, 0, 195, 17);

	wall_account_free(t->account);
	t->account = wall_account_new(60000 * MS, note, t->told);
	take(t, look(WALL_RUNNING, 100, 10, 0, 100, 17));
	l.sleeps = 9;
	take(t, l);
	take(t, look(WALL_DISK, 210, 20, 0, 200, 17));
	wall_account_flush(t->account, 250 * MS, 0);
	assert_told(t, 0, WALL_RUNNING, 17, 110, 10);
	assert_told(t, 1, WALL_DISK, 17, 200, 90);
	assert_told(t, 2, WALL_DISK, 17, 250, 50);
	assert_int_equal(t->told->len, 3);
}

/* Whatever the sums claim, no more time goes by than did, and none is lost. */
static void adds_up(struct teller *t)
{
	GRand *rand = g_rand_new_with_seed(1);
	u64 time = 100, exec = 5, delay = 5, sum = 0, end = 100 * MS;

	for (u32 i = 0; i < 10000; i++) {
		enum wall_state s =
			(enum wall_state)g_rand_int_range(rand, WALL_RUNNING, WALL_ZOMBIE);

		take(t, look(s, time, exec, delay, time - (u64)g_rand_int_range(rand, 0, 80),
			     (s32)(i % 300)));
		wall_account_passed(t->account, 0);
		time += (u64)g_rand_int_range(rand, 1, 60);
		exec += (u64)g_rand_int_range(rand, 0, 70);
		delay += (u64)g_rand_int_range(rand, 0, 70);
	}
	wall_account_flush(t->account, time * MS, 0);
	for (u32 i = 0; i < t->told->len; i++) {
		const struct told *x = &g_array_index(t->told, struct told, i);

		sum += x->length;
		end += x->length;
		assert_int_equal(x->end, end);
	}
	assert_int_equal(sum, (time - 100) * MS);
	g_rand_free(rand);
}

static void test_adds_up(void **state)
{
	adds_up(*state);
}

static void test_windows_add_up(void **state)
{
	struct teller *t = *state;

	wall_account_free(t->account);
	t->account = wall_account_new(250 * MS, note, t->told);
	adds_up(t);
}

/* A look that began before the thread ended, and was reported after its end: the end stays the end. */
static void test_ends_while_looked_at(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 1, 90, 0));
	take(t, look(WALL_ZOMBIE, 150, 12, 1, 0, -1));
	take(t, look(WALL_SLEEP, 149, 12, 1, 130, 0));
	wall_account_flush(t->account, 200 * MS, 0);
	assert_int_equal(t->told->len, 2);
	assert_told(t, 0, WALL_SLEEP, 0, 148, 48);
	assert_told(t, 1, WALL_RUNNING, -1, 150, 2);
	wall_account_passed(t->account, 150 * MS);
	wall_account_passed(t->account, 200 * MS);
	assert_int_equal(wall_account_nr(t->account), 0);
}

/* Thread 8 executes a program: it goes on as 7, whose thread has ended. The creation time is that of the old 7. */
static void test_takes_first_id(void **state)
{
	struct teller *t = *state;
	struct wall_look other = look(WALL_SLEEP, 100, 50, 5, 90, 35);

	take(t, look(WALL_SLEEP, 100, 10, 1, 90, 34));
	other.tid = 8;
	take(t, other);
	take(t, look(WALL_ZOMBIE, 140, 10, 1, 0, -1));
	other = look(WALL_RUNNING, 142, 52, 5, 0, -1);
	other.tid = 8;
	other.left = true;
	take(t, other);
	take(t, look(WALL_RUNNING, 142, 52, 5, 0, -1));
	assert_int_equal(wall_account_nr(t->account), 1);
	wall_account_passed(t->account, 150 * MS);
	take(t, look(WALL_SLEEP, 200, 60, 5, 150, 230));
	wall_account_passed(t->account, 200 * MS);
	wall_account_passed(t->account, 250 * MS);
	wall_account_flush(t->account, 300 * MS, 0); /* it sleeps on, and is not forgotten */
	assert_int_equal(wall_account_nr(t->account), 1);
	assert_told(t, t->told->len - 2, WALL_RUNNING, 230, 150, 8);
	assert_told(t, t->told->len - 1, WALL_SLEEP, 230, 300, 150);
	for (u32 i = 0; i < t->told->len; i++)
		if (g_array_index(t->told, struct told, i).tid == 8)
			assert_true(g_array_index(t->told, struct told, i).end <= 142 * MS);
}

/* By /proc: the EXIT record of the thread that had the id before comes after a look at the one that has it now. */
static void test_end_of_one_before(void **state)
{
	struct teller *t = *state;

	take(t, look(WALL_SLEEP, 100, 10, 1, 90, 34));
	take(t, look(WALL_SLEEP, 150, 3, 0, 140, 230));
	wall_account_exit(t->account, 7, 138 * MS);
	wall_account_passed(t->account, 150 * MS);
	wall_account_passed(t->account, 200 * MS);
	assert_int_equal(wall_account_nr(t->account), 1);
	assert_int_equal(wall_account_look(t->account, 7)->state, WALL_SLEEP);
	wall_account_exit(t->account, 7, 160 * MS);
	assert_int_equal(wall_account_look(t->account, 7)->state, WALL_ZOMBIE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_between_two_looks),
		TEST(test_estimated_places),
		TEST(test_long_sleep),
		TEST(test_sleeps_are_told_together),
		TEST(test_never_seen_running),
		TEST(test_lag),
		TEST(test_short_sleeps),
		TEST(test_stolen),
		TEST(test_unknown_since),
		TEST(test_birth),
		TEST(test_end),
		TEST(test_life_between_two_passes),
		TEST(test_sleep_before_the_end),
		TEST(test_sleeps_before_the_present_one),
		TEST(test_unseen_threads_are_counted),
		TEST(test_ends_while_looked_at),
		TEST(test_takes_first_id),
		TEST(test_end_of_one_before),
		TEST(test_reused_tid),
		TEST(test_same_place),
		TEST(test_activity_of_a_zombie),
		TEST(test_window),
		TEST(test_merged_runs),
		TEST(test_followed_activity),
		TEST(test_followed_by_a_pass),
		TEST(test_followed_while_it_runs),
		TEST(test_missed_activity),
		TEST(test_stack_of_a_switch),
		TEST(test_tick_decides),
		TEST(test_tick_decides_several),
		TEST(test_no_tick_decides),
		TEST(test_merged_sleeps_of_unknown_activities),
		TEST(test_counted_sleep),
		TEST(test_window_of_two_users),
		TEST(test_samples),
		TEST(test_lock_samples),
		TEST(test_window_ends),
		TEST(test_window_of_many_kinds),
		TEST(test_unseen_waits),
		TEST(test_unseen_waits_before),
		TEST(test_adds_up),
		TEST(test_windows_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
