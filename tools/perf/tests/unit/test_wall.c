// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks at threads become stretches of time that leave nothing out and count nothing twice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <glib.h>

#include "record/wall_account.h"

#define MS 1000000ull

struct told {
	u32 tid;
	enum wall_state state;
	s32 syscall;
	u64 end, length;
};

struct teller {
	GArray *told; /* struct told */
	struct wall_account *account;
};

static void note(const struct wall_look *look, u64 end, u64 length, void *arg)
{
	struct told t = { look->tid, look->state, look->syscall, end, length };

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

/* One number, two threads, one after the other. */
static void test_reused_tid(void **state)
{
	struct teller *t = *state;
	struct wall_look l = look(WALL_SLEEP, 150, 1, 0, 141, 0);

	take(t, look(WALL_SLEEP, 100, 1000, 0, 100, 0));
	l.made = 2;
	l.start = 140 * MS;
	take(t, l);
	wall_account_flush(t->account, 150 * MS, 0);
	assert_told(t, 0, WALL_RUNNING, 0, 141, 1);
	assert_told(t, 1, WALL_SLEEP, 0, 150, 9);
}

/* Whatever the sums claim, no more time goes by than did, and none is lost. */
static void test_adds_up(void **state)
{
	struct teller *t = *state;
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_between_two_looks),
		TEST(test_long_sleep),
		TEST(test_never_seen_running),
		TEST(test_lag),
		TEST(test_short_sleeps),
		TEST(test_stolen),
		TEST(test_unknown_since),
		TEST(test_birth),
		TEST(test_end),
		TEST(test_reused_tid),
		TEST(test_adds_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
