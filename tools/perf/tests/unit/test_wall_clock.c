// SPDX-License-Identifier: GPL-2.0-or-later
/* perf's clock, asked by a thread: it is compared, and the thread keeps its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "open_files.h"
#include "record/waits/wall_clock.h"

static void test_the_thread_keeps_its_name(void **state)
{
	static const struct record_options options = { .clockid = CLOCK_MONOTONIC };
	struct wall_clock clock = { .from_kernel = -1, .from_monotonic = -1 };
	struct wall_clock_keeper *keeper;
	char name[16], before[16];

	pthread_getname_np(pthread_self(), before, sizeof(before));
	assert_int_equal(pthread_setname_np(pthread_self(), "perf-drainer"), 0);
	keeper = wall_clock_new(&options, kernel_paths_host(), NULL);
	if (!keeper) {
		print_message("events are not permitted\n");
		skip();
	}
	wall_clock_keep(keeper, &clock);
	wall_clock_free(keeper);
	pthread_getname_np(pthread_self(), name, sizeof(name));
	pthread_setname_np(pthread_self(), before);
	assert_string_equal(name, "perf-drainer");
	assert_int_not_equal(clock.from_monotonic, -1);
}

static void test_the_event_is_closed(void **state)
{
	static const struct record_options options = { .clockid = CLOCK_MONOTONIC };
	u32 before = nr_open_files();
	struct wall_clock_keeper *keeper = wall_clock_new(&options, kernel_paths_host(), NULL);

	if (!keeper) {
		print_message("events are not permitted\n");
		skip();
	}
	assert_true(nr_open_files() > before);
	wall_clock_free(keeper);
	assert_int_equal(nr_open_files(), before);
}

/* With a given clock, that one is compared, too. perf's own is as far from it as it is from CLOCK_MONOTONIC. */
static void test_the_given_clock(void **state)
{
	static const struct record_options options = { .clockid = CLOCK_MONOTONIC,
						       .clock_given = true };
	struct wall_clock clock = { 0 };
	struct wall_clock_keeper *keeper = wall_clock_new(&options, kernel_paths_host(), NULL);

	assert_non_null(keeper);
	wall_clock_keep(keeper, &clock);
	wall_clock_free(keeper);
	assert_true(clock.from_monotonic > -1000000000 && clock.from_monotonic < 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_thread_keeps_its_name),
		cmocka_unit_test(test_the_event_is_closed),
		cmocka_unit_test(test_the_given_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
