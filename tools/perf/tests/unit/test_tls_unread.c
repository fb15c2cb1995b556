// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines about processes whose activities nobody read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "perfevent_tree.h"
#include "record/tls/unread.h"

static bool is_even(u32 pid, void *arg)
{
	return pid % 2 == 0;
}

/* 24 processes, of which every second was sampled, and two of these were read after all: eight have lines, and two more are counted. */
static void many_processes_have_some_lines(void **state)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	struct tls_unread *u;
	struct tree t;

	tree_init(&t);
	tree_put(&t, "proc/100/comm", "old shop\n");
	u = tls_unread_new(&t.paths);
	for (u32 pid = 100; pid < 124; pid++)
		tls_unread_foreign(u, pid);
	tls_unread_found(u, 102);
	tls_unread_found(u, 120);
	tls_unread_say(u, is_even, NULL, lines);
	assert_int_equal(lines->len, 9);
	assert_string_equal(lines->pdata[0],
			    "process 100 (old shop) publishes activities, which are not read: "
			    "it is a 32-bit program; run a 64-bit build of it");
	assert_true(g_str_has_prefix(lines->pdata[1], "process 104 (?) "));
	assert_true(g_str_has_prefix(lines->pdata[7], "process 116 (?) "));
	assert_string_equal(lines->pdata[8],
			    "2 more processes publish activities that are not read");
	tls_unread_free(u);
	tree_release(&t);
}

/* As many as have lines: nothing is counted beside them. */
static void few_processes_have_all(void **state)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	struct tls_unread *u;
	struct tree t;

	tree_init(&t);
	u = tls_unread_new(&t.paths);
	for (u32 pid = 100; pid < 116; pid++)
		tls_unread_foreign(u, pid);
	tls_unread_say(u, is_even, NULL, lines);
	assert_int_equal(lines->len, 8);
	assert_true(g_str_has_prefix(lines->pdata[7], "process 114 (?) "));
	tls_unread_free(u);
	tree_release(&t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_processes_have_some_lines),
		cmocka_unit_test(few_processes_have_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
