// SPDX-License-Identifier: GPL-2.0-or-later
/* The size of a thread's copies: up at once where one was cut, down when a window of stacks did not need it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "live/sizes.h"

static u32 take(struct stack_sizes *s, u32 tid, u32 copied, u64 bytes, bool cut)
{
	return stack_sizes_take(s, tid, &(struct stack_need){ copied, bytes, cut });
}

/* A whole window of stacks that need so many bytes; what the last one says. */
static u32 pass_window(struct stack_sizes *s, u32 tid, u32 copied, u64 bytes)
{
	for (u32 i = 0; i < SIZES_WINDOW - 1; i++)
		assert_int_equal(take(s, tid, copied, bytes, false), 0);
	return take(s, tid, copied, bytes, false);
}

static void test_shrinks(void **state)
{
	struct stack_sizes *s = stack_sizes_new(512, 8192);

	for (u32 i = 0; i < SIZES_WINDOW - 1; i++)
		assert_int_equal(take(s, 1, 8192, i == 5 ? 1000 : 100, false), 0);
	assert_int_equal(take(s, 1, 8192, 100, false), 2048); /* with a quarter to spare */
	assert_int_equal(pass_window(s, 1, 2048, 100), 512);
	assert_int_equal(pass_window(s, 1, 512, 0), 0);
	/* Of another thread nothing is known. */
	assert_int_equal(pass_window(s, 2, 8192, 3000), 4096);
	stack_sizes_free(s);
}

static void test_grows(void **state)
{
	struct stack_sizes *s = stack_sizes_new(512, 65528);

	assert_int_equal(pass_window(s, 1, 65528, 5000), 8192);
	assert_int_equal(take(s, 1, 8192, 8200, true), 16384);
	/* Made before it grew. */
	assert_int_equal(take(s, 1, 8192, 8200, true), 0);
	/* The mapping ended there. */
	assert_int_equal(take(s, 1, 4096, 4100, true), 0);
	/* At once to what is needed. */
	assert_int_equal(take(s, 1, 16384, 40000, true), 65528);
	assert_int_equal(take(s, 1, 65528, 65536, true), 0);
	/* Not down before a window has passed in which nothing like that was seen. */
	assert_int_equal(pass_window(s, 1, 65528, 100), 0);
	assert_int_equal(pass_window(s, 1, 65528, 100), 512);
	stack_sizes_free(s);
}

/* Never more than was asked for, nor less than the least. */
static void test_bounds(void **state)
{
	struct stack_sizes *s = stack_sizes_new(512, 3000);

	assert_int_equal(take(s, 1, 3000, 3008, true), 0);
	assert_int_equal(pass_window(s, 2, 3000, 0), 512);
	assert_int_equal(take(s, 2, 512, 520, true), 1024);
	assert_int_equal(take(s, 2, 1024, 1032, true), 2048);
	assert_int_equal(take(s, 2, 2048, 2056, true), 3000);
	stack_sizes_free(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shrinks),
		cmocka_unit_test(test_grows),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
