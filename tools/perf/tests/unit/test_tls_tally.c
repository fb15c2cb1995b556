// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The closing line of a recording: samples and layout records in the order in which a recorder gets
 * them, against what all records together say of all samples.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>
#include <glib.h>

#include "record/tls/tally.h"

#define PID 7

/* Of 64 bytes below the thread pointer, a variable of 8 at -16 with @value. */
static void sample(struct tls_tally *t, u32 pid, u64 time, u64 value)
{
	u64 window[8] = { [6] = value };
	const struct tls_joined joined = { pid, time, (const u8 *)window, sizeof(window),
					   sizeof(window) };

	tls_tally_sample(t, &joined);
}

static void change(struct tls_tally *t, u32 pid, u32 state, u64 time)
{
	tls_tally_change(t,
			 &(struct activity_change){
				 .pid = pid,
				 .state = state,
				 .time = time,
				 .layout = { .format = ACTIVITY_HEX, .tpoff = -16, .size = 8 } });
}

static void check(struct tls_tally *t, u64 ok, u64 none, u64 not_yet)
{
	struct tls_tally_counts counts = tls_tally_counts(t);

	assert_int_equal(counts.states[ACTIVITY_OK], ok);
	assert_int_equal(counts.states[ACTIVITY_NONE], none);
	assert_int_equal(counts.states[ACTIVITY_NOT_YET], not_yet);
}

/* What is found late holds for samples that have passed: those since its time, of its process. */
static void test_late(void **state)
{
	struct tls_tally *t = tls_tally_new(0);

	for (u64 time = 1; time <= 10; time++) {
		sample(t, PID, time, 1);
		sample(t, PID + 1, time, 1);
	}
	check(t, 0, 20, 0);
	change(t, PID, ACTIVITY_SOUGHT, 5);
	check(t, 0, 14, 6);
	change(t, PID, ACTIVITY_PLACED, 5);
	check(t, 6, 14, 0);
	sample(t, PID, 11, 1);
	sample(t, PID, 12, 0);
	check(t, 7, 15, 0);
	change(t, PID, ACTIVITY_GONE, 8);
	check(t, 3, 19, 0);
	assert_false(tls_tally_counts(t).uncertain);
	tls_tally_free(t);
}

static void test_never_found(void **state)
{
	struct tls_tally *t = tls_tally_new(0);

	change(t, PID, ACTIVITY_SOUGHT, 2);
	sample(t, PID, 1, 1);
	sample(t, PID, 2, 1);
	check(t, 0, 1, 1);
	change(t, PID, ACTIVITY_NOWHERE, 3);
	sample(t, PID, 3, 1);
	check(t, 0, 2, 1);
	tls_tally_free(t);
}

/* Only so many samples are kept; that a change comes too late for others is known. */
static void test_small_log(void **state)
{
	struct tls_tally *t = tls_tally_new(1024);

	for (u64 time = 1; time <= 100; time++)
		sample(t, PID + time % 3, time, 1);
	check(t, 0, 100, 0);
	change(t, PID, ACTIVITY_PLACED, 97);
	check(t, 1, 99, 0);
	assert_true(tls_tally_counts(t).uncertain);
	tls_tally_free(t);

	/* What is older than any disorder is not asked for. */
	t = tls_tally_new(1024);
	for (u64 time = 1; time <= 100; time++)
		sample(t, PID, time * 1000000000ull, 1);
	change(t, PID, ACTIVITY_PLACED, 98 * 1000000000ull);
	check(t, 3, 97, 0);
	assert_false(tls_tally_counts(t).uncertain);
	tls_tally_free(t);
}

/* Any order of records ends in the counts that the order of time has. */
static void test_any_order(void **state)
{
	static const u32 states[] = { ACTIVITY_SOUGHT, ACTIVITY_PLACED, ACTIVITY_NOWHERE,
				      ACTIVITY_PLACED, ACTIVITY_GONE };
	g_autoptr(GRand) rand = g_rand_new_with_seed(4711);

	for (u32 round = 0; round < 200; round++) {
		struct tls_tally *t = tls_tally_new(0), *all = tls_tally_new(0);
		struct tls_tally_counts a, b;
		u32 order[ARRAY_SIZE(states)];

		for (u32 i = 0; i < ARRAY_SIZE(states); i++) {
			u32 with = (u32)g_rand_int_range(rand, 0, (gint32)i + 1);

			order[i] = order[with];
			order[with] = i;
			change(all, PID, states[i], 10 * i);
		}
		for (u32 i = 0; i < 60; i++) {
			u64 time = (u64)g_rand_int_range(rand, 0, 60), value = i % 3;

			sample(all, PID, time, value);
			if (i % 12 == 0)
				change(t, PID, states[order[i / 12]], 10 * order[i / 12]);
			sample(t, PID, time, value);
		}
		a = tls_tally_counts(t);
		b = tls_tally_counts(all);
		assert_memory_equal(&a, &b, sizeof(a));
		tls_tally_free(t);
		tls_tally_free(all);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_never_found),
		cmocka_unit_test(test_small_log),
		cmocka_unit_test(test_any_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
