// SPDX-License-Identifier: GPL-2.0-or-later
/* Which recordings need no process: what is refused is named, and nothing else is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "detached/pinned.h"
#include "record/base/options.h"
#include "record/base/pid_namespace.h"

static void assert_refused(const struct detached_options *detached,
			   const struct record_options *opts, const char *option)
{
	g_autofree char *end = g_strdup_printf(": %s needs --carrier=keeper", option);
	g_autoptr(GError) error = NULL;

	assert_false(pinned_can_carry(detached, opts, &error));
	if (!g_str_has_suffix(error->message, end))
		fail_msg("'%s' does not end in '%s'", error->message, end);
}

/* The events of "-e FIRST -e SECOND". */
static void with_events(struct record_options *opts, const char *first, const char *second)
{
	opts->events = g_ptr_array_new();
	g_ptr_array_add(opts->events, (void *)first);
	if (second)
		g_ptr_array_add(opts->events, (void *)second);
}

static void test_carried(void **state)
{
	const struct detached_options detached = { 0 };
	struct record_options opts = { 0 };

	if (pid_namespace_own()) {
		print_message("skipped: in a pid namespace nothing is carried\n");
		skip();
	}
	assert_true(pinned_can_carry(&detached, &opts, NULL));
	opts.callgraph.mode = CALLGRAPH_FP;
	with_events(&opts, "cpu-clock", NULL);
	assert_true(pinned_can_carry(&detached, &opts, NULL));
	g_ptr_array_unref(opts.events);
}

static void test_refused(void **state)
{
	const struct detached_options plain = { 0 };
	struct record_options opts = { 0 };

	assert_refused(&(struct detached_options){ .on_crash = true }, &opts, "--on-crash");
	opts.callgraph.mode = CALLGRAPH_FP + 1;
	assert_refused(&plain, &opts, "other --call-graph");
	opts.callgraph.mode = CALLGRAPH_FP;
	if (pid_namespace_own())
		return;
	with_events(&opts, "cpu-clock", "task-clock");
	assert_refused(&plain, &opts, "more than one event");
	g_ptr_array_unref(opts.events);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_carried),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
