// SPDX-License-Identifier: GPL-2.0-or-later
/* A cache of answers may forget, and must never answer for another process, mode, time or machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "resolve/code_cache.h"

static u32 find(const struct code_cache *c, u32 pid, u32 mode, u64 va, u64 time)
{
	const struct code_window *window = NULL;
	u32 code = code_cache_find(c, pid, mode, va, time, &window);

	assert_true(!code || (window->pid == pid && window->from <= time && time < window->to));
	return code;
}

#define ONE_WINDOW(pid, mode) (&(struct code_window){ 0, UINT64_MAX, pid, mode })

static void an_answer_holds_for_its_window(void **state)
{
	struct code_cache *c = code_cache_new();

	code_cache_store(c, &(struct code_window){ 10, 20, 1, 2 }, 0x1000, 7);
	assert_int_equal(find(c, 1, 2, 0x1000, 10), 7);
	assert_int_equal(find(c, 1, 2, 0x1000, 19), 7);
	assert_int_equal(find(c, 1, 2, 0x1000, 9), 0);
	assert_int_equal(find(c, 1, 2, 0x1000, 20), 0);
	assert_int_equal(find(c, 2, 2, 0x1000, 10), 0);
	assert_int_equal(find(c, 1, 1, 0x1000, 10), 0);
	assert_int_equal(find(c, 1, 2, 0x1001, 10), 0);
	code_cache_free(c);
}

static void an_address_has_an_answer_for_each_time(void **state)
{
	struct code_cache *c = code_cache_new();

	code_cache_store(c, &(struct code_window){ 0, 20, 1, 2 }, 0x1000, 7);
	code_cache_store(c, &(struct code_window){ 20, UINT64_MAX, 1, 2 }, 0x1000, 8);
	assert_int_equal(find(c, 1, 2, 0x1000, 19), 7);
	assert_int_equal(find(c, 1, 2, 0x1000, 20), 8);
	/* The machine may name code later. */
	code_cache_store(c, &(struct code_window){ 0, 20, 1, 2 }, 0x1000, 9);
	assert_int_equal(find(c, 1, 2, 0x1000, 19), 9);
	code_cache_free(c);
}

static void nothing_outlives_the_machine(void **state)
{
	struct code_cache *c = code_cache_new();

	for (u32 generation = 1; generation < 1000; generation++) {
		for (u32 i = 0; i < 10; i++)
			code_cache_store(c, ONE_WINDOW(i, 2), 0x1000, generation);
		for (u32 i = 0; i < 10; i++)
			assert_int_equal(find(c, i, 2, 0x1000, 5), generation);
		code_cache_forget(c);
		for (u32 i = 0; i < 10; i++) {
			assert_int_equal(find(c, i, 2, 0x1000, 5), 0);
			assert_int_equal(code_cache_guess(c, i, 0x1000), 0);
		}
	}
	code_cache_free(c);
}

/* Of 200,000 addresses most are still known, and what is known is right. */
static void it_grows_with_what_it_is_told(void **state)
{
	const u32 nr = 200000;
	struct code_cache *c = code_cache_new();
	u32 known = 0;

	for (u32 turn = 0; turn < 2; turn++)
		for (u32 i = 0; i < nr; i++)
			code_cache_store(c, ONE_WINDOW(i % 3, 2), 0x1000 + i * 3ull, i + 1);
	for (u32 i = 0; i < nr; i++) {
		u32 got = find(c, i % 3, 2, 0x1000 + i * 3ull, 1);

		assert_true(!got || got == i + 1);
		known += got != 0;
	}
	assert_true(known > nr * 9 / 10);
	code_cache_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_holds_for_its_window),
		cmocka_unit_test(an_address_has_an_answer_for_each_time),
		cmocka_unit_test(nothing_outlives_the_machine),
		cmocka_unit_test(it_grows_with_what_it_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
