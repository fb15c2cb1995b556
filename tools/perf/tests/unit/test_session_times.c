// SPDX-License-Identifier: GPL-2.0-or-later
/* --time */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "session/times.h"

static const struct time_span second = { 1000000000, 2000000000 };

static void assert_ranges(const GArray *times, const char *expect)
{
	g_autoptr(GString) have = g_string_new(NULL);

	assert_non_null(times);
	for (u32 i = 0; i < times->len; i++) {
		const struct time_span *t = &g_array_index(times, struct time_span, i);

		g_string_append_printf(have, "%s%" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
				       i ? " " : "", t->from, t->to);
	}
	assert_string_equal(have->str, expect);
}

static void assert_times(const char *text, const char *expect)
{
	g_autoptr(GArray) times = times_parse(text, &second, NULL);

	assert_ranges(times, expect);
}

static void seconds_have_up_to_nine_decimals(void **state)
{
	assert_times("1.5,2", "1500000000-2000000000");
	assert_times("0.000000001,3.1234567891", "1-3123456789");
	assert_times("1.5,1.5", "1500000000-1500000000"); /* the samples of one moment */
}

static void either_end_may_be_left_out(void **state)
{
	assert_times("1.5,", "1500000000-18446744073709551615");
	assert_times(",1.5", "0-1500000000");
}

static void several_ranges_have_blanks_between(void **state)
{
	assert_times("1,2 3,4", "1000000000-2000000000 3000000000-4000000000");
}

static void percentages_are_of_the_recording(void **state)
{
	assert_times("10%-20%", "1100000000-1199999999");
	assert_times("90%-100%", "1900000000-2000000000");
	assert_times("10%/2", "1100000000-1199999999");
	assert_times("10%/10", "1900000000-2000000000");
	assert_times("0%-10%,30%-40%", "1000000000-1099999999 1300000000-1399999999");
	assert_times("50%", "1000000000-1499999999");
}

static void ranges_are_in_order_and_apart(void **state)
{
	assert_times("3,4 1,2", "1000000000-2000000000 3000000000-4000000000");
	assert_times("1,3 2,4 ,1.5", "0-4000000000");
}

static void times_in_both(void **state)
{
	g_autoptr(GArray) a = times_parse("1,2 3,4 5,6", &second, NULL);
	g_autoptr(GArray) b = times_parse("1.5,3.5 5.5,", &second, NULL);
	g_autoptr(GArray) both = times_both(a, b);
	g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(struct time_span));
	g_autoptr(GArray) nothing = times_both(a, none);

	assert_ranges(both, "1500000000-2000000000 3000000000-3500000000 5500000000-6000000000");
	assert_int_equal(nothing->len, 0);
	assert_false(times_have(nothing, 1));
}

static void a_time_is_found_in_its_range(void **state)
{
	g_autoptr(GArray) times = times_parse("1,2 3,4", &second, NULL);

	assert_false(times_have(times, 999999999));
	assert_true(times_have(times, 1000000000));
	assert_true(times_have(times, 2000000000));
	assert_false(times_have(times, 2000000001));
	assert_true(times_have(times, 4000000000));
	assert_false(times_have(times, 4000000001));
	assert_int_equal(times_from(times, 2500000000), 1);
	assert_int_equal(times_from(times, 4000000001), 2);
}

static void what_is_no_range_is_refused(void **state)
{
	static const char *const wrong[] = {
		"",	     "x",	"1",	 "1,2,3", "2,1",  "-1,2",  "1.x,2",
		"110%-120%", "20%-10%", "10%/0", "60%/2", "10%x", "10%-x", "99999999999999999999,1"
	};

	for (u32 i = 0; i < ARRAY_SIZE(wrong); i++) {
		g_autoptr(GError) error = NULL;

		assert_null(times_parse(wrong[i], &second, &error));
		assert_non_null(error);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seconds_have_up_to_nine_decimals),
		cmocka_unit_test(either_end_may_be_left_out),
		cmocka_unit_test(several_ranges_have_blanks_between),
		cmocka_unit_test(percentages_are_of_the_recording),
		cmocka_unit_test(ranges_are_in_order_and_apart),
		cmocka_unit_test(times_in_both),
		cmocka_unit_test(a_time_is_found_in_its_range),
		cmocka_unit_test(what_is_no_range_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
