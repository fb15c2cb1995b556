// SPDX-License-Identifier: GPL-2.0-or-later
/* Which layout counts for a sample: by process and time, whatever the order of the records. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "activity/identity.h"
#include "perfdata/event.h"
#include "resolve/activity.h"

static void apply_publisher(struct activities *a, u32 pid, u32 publisher, u32 kind, u64 time,
			    s64 tpoff, u32 layout_state)
{
	struct event event = { .type = PERFDATA_EVENT_TYPE };

	event.ext.kind = PERFDATA_EXT_TLS_LAYOUT;
	event.ext.tls_layout = (struct event_tls_layout){
		.pid = pid,
		.time = time,
		.tp_offset = tpoff,
		.size = 8,
		.kind = kind,
		.publisher = publisher,
		.state = layout_state,
		.layout = "",
		.symbol = "",
		.object = "",
	};
	activities_apply(a, &event);
}

static void apply(struct activities *a, u32 pid, u64 time, s64 tpoff, u32 layout_state)
{
	apply_publisher(a, pid, 0, ACTIVITY_U64, time, tpoff, layout_state);
}

/* The text of a sample whose window holds 1 at -8, 2 at -16, ... */
static void check(const struct activities *a, u32 pid, u64 time, const char *expected)
{
	u64 window[8];
	struct sample sample = { .type = PERF_SAMPLE_TLS_USER,
				 .tls = { sizeof(window), window, sizeof(window) } };
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

/*
 * Publisher 0 is a number and has always something to say; 1 is a pointer, which is asked first.
 * Records come in any order, and each changes its publisher from its time on.
 */
static void test_several_publishers(void **state)
{
	struct activities *a = activities_new();

	apply_publisher(a, 1, 0, ACTIVITY_U64, 300, -24, ACTIVITY_PLACED);
	apply_publisher(a, 1, 1, ACTIVITY_OTEP, 200, -8, ACTIVITY_PLACED);
	apply_publisher(a, 1, 0, ACTIVITY_U64, 100, -16, ACTIVITY_PLACED);
	apply_publisher(a, 1, 1, ACTIVITY_OTEP, 400, 0, ACTIVITY_NOWHERE);
	apply(a, 1, 500, 0, ACTIVITY_GONE);
	check(a, 1, 99, "(none)");
	check(a, 1, 100, "2");
	check(a, 1, 200, "(inexact)"); /* the window has the pointer only */
	check(a, 1, 300, "(inexact)");
	check(a, 1, 400, "3");
	check(a, 1, 500, "(none)");
	activities_free(a);
}

/* A layout of all processes is asked where a process's own have nothing to say. */
static void test_every_process(void **state)
{
	struct activities *a = activities_new();

	apply(a, ACTIVITY_EVERY_PROCESS, 0, -40, ACTIVITY_PLACED);
	apply(a, 1, 100, -8, ACTIVITY_PLACED);
	check(a, 1, 50, "5");
	check(a, 1, 100, "1");
	check(a, 2, 100, "5");
	activities_free(a);
}

static void apply_facts(struct activities *a, u32 pid, u64 time, u32 form, const char *service)
{
	struct event event = { .type = PERFDATA_EVENT_TYPE };
	u8 bytes[64] = { 1 };
	u32 size = service ? (u32)strlen(service) : 0;

	memcpy(bytes + 2, &size, sizeof(size));
	memcpy(bytes + 6, service ? service : "", size);
	event.ext.kind = PERFDATA_EXT_PROCESS;
	event.ext.process = (struct event_process_facts){
		.pid = pid, .form = form, .time = time, .size = 6 + size + 8, .data = bytes
	};
	activities_apply(a, &event);
}

static void check_service(const struct activities *a, u32 pid, u64 time, const char *expected)
{
	const struct activity_process *p = activities_process(a, pid, time);

	if (expected)
		assert_string_equal(p->service, expected);
	else
		assert_null(p);
}

static void test_processes(void **state)
{
	struct activities *a = activities_new();
	struct sample sample = { 0 };
	struct activity activity;

	apply_facts(a, 1, 200, ACTIVITY_PROCESS_ELASTIC, "later");
	apply_facts(a, 1, 100, ACTIVITY_PROCESS_ELASTIC, "shop");
	apply_facts(a, 1, 300, ACTIVITY_PROCESS_GONE, NULL);
	apply_facts(a, 2, 100, 77, "a form to come");
	check_service(a, 1, 99, NULL);
	check_service(a, 1, 100, "shop");
	check_service(a, 1, 250, "later");
	check_service(a, 1, 300, NULL);
	check_service(a, 2, 100, NULL);
	check_service(a, 3, 100, NULL);
	/* Known of a sample that has no activity, too. */
	activities_find(a, &sample, 1, 150, &activity);
	assert_int_equal(activity.state, ACTIVITY_NONE);
	assert_string_equal(activity.process->service, "shop");
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
		cmocka_unit_test(test_several_publishers),
		cmocka_unit_test(test_every_process),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_nonsense_is_no_layout),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
