// SPDX-License-Identifier: GPL-2.0-or-later
/* Which layout counts for a sample: by process and time, whatever the order of the records. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "perfdata/event.h"
#include "resolve/activity.h"

static void apply(struct activities *a, u32 pid, u64 time, s64 tpoff, u32 layout_state)
{
	struct event event = { .type = PERFDATA_EVENT_TYPE };

	event.ext.kind = PERFDATA_EXT_TLS_LAYOUT;
	event.ext.tls_layout = (struct event_tls_layout){
		.pid = pid,
		.time = time,
		.tp_offset = tpoff,
		.size = 8,
		.kind = ACTIVITY_U64,
		.state = layout_state,
		.layout = "",
		.symbol = "",
		.object = "",
	};
	activities_apply(a, &event);
}

/* The text of a sample whose window holds 1 at -8, 2 at -16, ... */
static void check(const struct activities *a, u32 pid, u64 time, const char *expected)
{
	u64 window[8];
	struct sample sample = { .tls = { sizeof(window), window, sizeof(window) } };
	char text[ACTIVITY_TEXT_MAX];
	struct activity activity;

	for (u32 i = 0; i < 8; i++)
		window[i] = 8 - i;
	activities_find(a, &sample, pid, time, &activity);
	assert_string_equal(activity_print(&activity, text), expected);
}

static void test_versions(void **state)
{
	struct activities *a = activities_new();

	assert_false(activities_any(a));
	check(a, 1, 100, "(none)");
	apply(a, 1, 300, 0, ACTIVITY_GONE);
	apply(a, 1, 100, -8, ACTIVITY_PLACED);
	apply(a, 1, 200, -16, ACTIVITY_PLACED);
	apply(a, 2, 0, -24, ACTIVITY_PLACED);
	apply(a, 2, 50, -128, ACTIVITY_PLACED);
	assert_true(activities_any(a));
	check(a, 1, 99, "(none)");
	check(a, 1, 100, "1");
	check(a, 1, 199, "1");
	check(a, 1, 200, "2");
	check(a, 1, 300, "(none)");
	check(a, 2, 0, "3");
	check(a, 2, 50, "(truncated)");
	check(a, 3, 50, "(none)");
	activities_free(a);
}

/* At one time, the record that comes later in the file counts. */
static void test_same_time(void **state)
{
	struct activities *a = activities_new();

	apply(a, 1, 100, -8, ACTIVITY_PLACED);
	apply(a, 1, 100, -16, ACTIVITY_PLACED);
	check(a, 1, 100, "2");
	activities_free(a);
}

static void test_nonsense_is_no_layout(void **state)
{
	struct activities *a = activities_new();
	struct event other = { .type = PERF_RECORD_COMM };

	activities_apply(a, &other);
	assert_false(activities_any(a));
	apply(a, 1, 0, 8, ACTIVITY_PLACED);
	apply(a, 2, 0, INT64_MIN, ACTIVITY_PLACED);
	apply(a, 3, 0, -4, ACTIVITY_PLACED);
	apply(a, 4, 0, -8, 77);
	for (u32 pid = 1; pid <= 4; pid++)
		check(a, pid, 0, "(none)");
	activities_free(a);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_same_time),
		cmocka_unit_test(test_nonsense_is_no_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
