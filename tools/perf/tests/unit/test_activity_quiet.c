// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What libactivity promises of a thread that has used it once: no system call and no allocation. A
 * child that the kernel allows no system call but its exit makes every kind of change.
 */
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "activity/activity.h"
#include "allocated.h"
#include "base/types.h"

static const u8 trace_a[16] = "trace id a......", span_a[8] = "span a..";

static void change_everything(int key)
{
	struct activity_context saved, detached, other = { 0 };
	struct activity_span outer, inner;
	struct activity_ids ids;
	u8 trace[16], span[8];

	activity_new_trace_id(trace);
	activity_new_span_id(span);
	activity_set(trace, span);
	activity_flags(1);
	activity_attribute(key, "/orders", 7);
	activity_new_span_id(span);
	activity_push(&outer, span);
	activity_push(&inner, span_a);
	activity_look(&ids);
	activity_save(&saved);
	activity_pop(&inner);
	activity_restore(&saved);
	activity_pop(&outer);
	activity_detach(&detached);
	activity_attach(&detached);
	activity_swap(&detached, &other);
	activity_swap(&other, &detached);
	activity_get(trace, span);
	activity_clear();
}

static void leave(long status)
{
	syscall(SYS_exit, status); /* exit_group is not among what is allowed */
}

static void test_no_system_call(void **state)
{
	int key = activity_key("route"), status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		change_everything(key);
		if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
			leave(2);
		for (int i = 0; i < 100000; i++)
			change_everything(key);
		leave(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		skip();			/* a kernel without seccomp */
	assert_true(WIFEXITED(status)); /* SIGKILL: it made a system call */
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_no_allocation(void **state)
{
	int key = activity_key("route");
	size_t before;

	activity_set(trace_a, span_a);
	change_everything(key);
	before = allocated_bytes();
	for (int i = 0; i < 1000; i++)
		change_everything(key);
	assert_int_equal(allocated_bytes(), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_system_call),
		cmocka_unit_test(test_no_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
