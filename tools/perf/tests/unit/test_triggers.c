// SPDX-License-Identifier: GPL-2.0-or-later
/* How many copies of a detached recording triggers save. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "detached/triggers.h"

#define ASKED  1000u
#define SECOND 1000000000ull /* ns */

/* How many of so many triggers in a row save a copy; *@lasted: ns that they took. */
static u32 copies(const char *limit, u64 *lasted)
{
	struct triggers *t = triggers_new(NULL, limit, false, NULL);
	u64 begin = clock_ns(CLOCK_MONOTONIC);
	u32 nr = 0;

	assert_non_null(t);
	for (u32 i = 0; i < ASKED; i++)
		nr += triggers_limit(t, "event") != NULL;
	*lasted = clock_ns(CLOCK_MONOTONIC) - begin;
	triggers_free(t);
	return nr;
}

/* Without --trigger-limit, two copies are at least one second apart. */
static void copies_are_a_second_apart_by_default(void **state)
{
	u64 lasted;
	u32 nr = copies(NULL, &lasted);

	assert_in_range(nr, 1, 1 + lasted / SECOND);
}

/* And there are 64, also where only the time is given. */
static void copies_are_64_by_default(void **state)
{
	u64 lasted;

	assert_int_equal(copies("1ns", &lasted), 64);
}

static void a_limit_is_a_number_a_time_or_both(void **state)
{
	u64 lasted;

	assert_int_equal(copies("3,1ns", &lasted), 3);
	assert_in_range(copies("3", &lasted), 1, 1 + lasted / SECOND);
}

/* The reason of a copy says how many triggers were passed over since the copy before. */
static void a_copy_says_what_was_passed_over(void **state)
{
	struct triggers *t = triggers_new(NULL, "20ms", false, NULL);
	const char *reason;
	u64 passed = 0;
	g_autofree char *expected = NULL;

	assert_string_equal(triggers_limit(t, "event"), "event");
	while (!(reason = triggers_limit(t, "event")))
		passed++;
	expected = passed ? g_strdup_printf("event, %" G_GUINT64_FORMAT " more since the last copy",
					    passed)
			  : g_strdup("event");
	assert_string_equal(reason, expected);
	triggers_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_are_a_second_apart_by_default),
		cmocka_unit_test(copies_are_64_by_default),
		cmocka_unit_test(a_limit_is_a_number_a_time_or_both),
		cmocka_unit_test(a_copy_says_what_was_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
