// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters of tracepoints: what is wrong with one that the kernel refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <glib.h>
#include <string.h>

#include "base/types.h"
#include "perfevent/filter.h"

static const char format[] = "name: sched_switch\nID: 372\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			     "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			     "\tfield:__data_loc char[] path;\toffset:28;\tsize:4;\tsigned:0;\n"
			     "\nprint fmt: \"prev_pid=%d\", REC->prev_pid\n";

static void joined_filters_must_both_be_true(void **state)
{
	g_autofree char *both = filter_and(filter_and(NULL, "a > 1 || b"), "c");

	assert_string_equal(both, "(a > 1 || b) && (c)");
}

static void good_filters_have_no_problem(void **state)
{
	static const char *const good[] = {
		"prev_pid>0",
		" ! ( prev_pid == -1 ) && ( prev_comm ~ \"ba*\" || common_pid & 0x10 )",
		"prev_comm == 'a && b' || CPU < 4",
		"COMM != \"x\" && CPU & CPUS{0-3}",
		"prev_pid.later == \"unknown here\"",
		"path == \"/tmp\"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		assert_null(filter_problem(good[i], format));
}

static void the_first_problem_is_named(void **state)
{
	static const struct {
		const char *filter, *problem;
	} bad[] = {
		{ "", "expected a field at its end" },
		{ "pid > 0",
		  "the event has no field 'pid' (its fields: prev_comm, prev_pid, path)" },
		{ "prev_pid", "expected an operator (== != < <= > >= & ~) at its end" },
		{ "prev_pid = 3", "expected an operator (== != < <= > >= & ~) at '= 3'" },
		{ "prev_pid && 1", "expected an operator (== != < <= > >= & ~) at '&& 1'" },
		{ "prev_pid > x", "expected a number at 'x'" },
		{ "prev_pid > ", "expected a number at its end" },
		{ "prev_comm == bash", "expected a text in quotation marks at 'bash'" },
		{ "prev_comm == \"bash", "expected a closing quotation mark at '\"bash'" },
		{ "prev_comm == 3",
		  "the field prev_comm is a text: it is compared with a text in quotation marks" },
		{ "prev_pid == '3'", "the field prev_pid is no text" },
		{ "(prev_pid > 3", "expected a closing parenthesis at its end" },
		{ "prev_pid > 3)", "expected && or || at ')'" },
		{ "prev_pid > 3 and 1", "expected && or || at 'and 1'" },
		{ "prev_pid > 3 ||", "expected a field at its end" },
		{ "CPU & CPUS{0-3", "expected a closing brace at '{0-3'" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		g_autofree char *problem = filter_problem(bad[i].filter, format);

		assert_non_null(problem);
		assert_string_equal(problem, bad[i].problem);
	}
}

static void any_bytes_end(void **state)
{
	static const char letters[] = "()!&|=<>~\"'{}. \tprev_pid0-9CPUS\xff";
	g_autoptr(GRand) rand = g_rand_new_with_seed(7);

	for (int n = 0; n < 20000; n++) {
		char text[24] = "";

		for (size_t i = 0; i < sizeof(text) - 1; i++)
			text[i] = letters[g_rand_int_range(rand, 0, sizeof(letters))];
		g_free(filter_problem(text, n % 2 ? format : text));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(joined_filters_must_both_be_true),
		cmocka_unit_test(good_filters_have_no_problem),
		cmocka_unit_test(the_first_problem_is_named),
		cmocka_unit_test(any_bytes_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
