// SPDX-License-Identifier: GPL-2.0-or-later
/* What is the same thing in two recordings, and the arithmetic of chance behind perf diff. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <glib.h>
#include <math.h>

#include "fields/identity.h"
#include "compare/noise.h"

static void check_same(const char *key, const char *text, const char *identity)
{
	const struct field *field = fields_find(key, FIELD_NORMAL | FIELD_MEMORY, NULL);
	g_autofree char *is = identity_new(field, text);

	assert_string_equal(is, identity);
}

static void test_names_of_functions(void **state)
{
	check_same("symbol", "[k] finish_task_switch.isra.0", "[k] finish_task_switch");
	check_same("symbol", "[.] f.constprop.1.isra.12", "[.] f");
	check_same("symbol", "[.] f.part.0.cold", "[.] f");
	check_same("symbol", "[.] f.llvm.1234567890123456789", "[.] f");
	/* As libiberty demangles it. */
	check_same("symbol", "[.] S::run(int) [clone .isra.0]", "[.] S::run(int)");
	check_same("symbol", "[.] S::run(int) [clone .part.0] [clone .cold]", "[.] S::run(int)");
	check_same("symbol", "[.] S::run(int) [clone .resume]", "[.] S::run(int) [clone .resume]");
	check_same("symbol", "[.] shop::pay::h0123456789abcdef", "[.] shop::pay");
	/* Names that only look like it. */
	check_same("symbol", "[.] f.isranow", "[.] f.isranow");
	check_same("symbol", "[.] f.partial", "[.] f.partial");
	check_same("symbol", "[.] shop::h0123456789abcde", "[.] shop::h0123456789abcde");
	check_same("symbol", "[.] shop::h0123456789abcdefg", "[.] shop::h0123456789abcdefg");
	check_same("symbol", "", "");
	check_same("dso", "libshop.isra.0", "libshop.isra.0");
}

static void test_names_of_members(void **state)
{
	check_same("typeoff", "struct order +0x18 (flags)", "struct order (flags)");
	check_same("typeoff", "struct order +0x18 (head.next)", "struct order (head.next)");
	check_same("typeoff", "struct order +0 (id)", "struct order (id)");
	/* What is no member is told apart by its offset. */
	check_same("typeoff", "struct order +0x18 (no field)", "struct order +0x18 (no field)");
	check_same("typeoff", "(unknown)", "(unknown)");
	check_same("typeoff", "a + b", "a + b");
	check_same("type", "struct order +0x18 (flags)", "struct order +0x18 (flags)");
}

static void test_offset(void **state)
{
	const char *text = "struct order +0x18 (flags)";
	u32 at, length;

	assert_true(identity_offset(text, &at, &length));
	assert_int_equal(at, strlen("struct order "));
	assert_int_equal(length, strlen("+0x18"));
	assert_false(identity_offset("struct order", &at, &length));
	assert_false(identity_offset(" +0x", &at, &length));
	assert_false(identity_offset("", &at, &length));
}

static void check_near(double is, double expected)
{
	assert_true(fabs(is - expected) <= 1e-6 * fabs(expected) + 1e-12);
}

/* By hand: of n samples in two halves, x or fewer in one: 2 sum C(n, i) / 2^n. */
static void test_counts(void **state)
{
	check_near(noise_counts_p(0, 1, 5, 1), 2.0 / 32);
	check_near(noise_counts_p(5, 1, 0, 1), 2.0 / 32);
	check_near(noise_counts_p(2, 1, 8, 1), 2.0 * (1 + 10 + 45) / 1024);
	check_near(noise_counts_p(8, 1, 2, 1), 2.0 * (1 + 10 + 45) / 1024);
	check_near(noise_counts_p(5, 1, 5, 1), 1);
	/* The second side is three times as long: each sample falls there with 3/4. */
	check_near(noise_counts_p(4, 1, 0, 3), 2.0 / 256);
	check_near(noise_counts_p(0, 1, 0, 1), 1);
	check_near(noise_counts_p(5, 0, 5, 1), 1);
	assert_true(noise_counts_p(1000, 1, 2000, 1) < 1e-70);
	assert_true(noise_counts_p(1e9, 1, 1e9 + 1, 1) > 0.9);
}

/* From tables of the distributions. */
static void test_quantiles(void **state)
{
	assert_true(fabs(noise_t_of(0.05, NOISE_MANY) - 1.959964) < 1e-5);
	assert_true(fabs(noise_t_of(0.05, 1) - 12.7062) < 1e-3);
	assert_true(fabs(noise_t_of(0.05, 10) - 2.228139) < 1e-5);
	assert_true(fabs(noise_t_p(2.228139, 10) - 0.05) < 1e-6);
	check_near(noise_t_p(0, 3), 1);
	assert_true(noise_t_p(1e6, 3) >= 0);
}

/* The example of Benjamini and Hochberg's rule: p n / rank, and not more than that of a larger one. */
static void test_adjust(void **state)
{
	double p[] = { 0.04, 0.01, 0.03, 0.5 };

	noise_adjust(p, 4);
	check_near(p[1], 0.04);
	check_near(p[2], 0.16 / 3);
	check_near(p[0], 0.16 / 3);
	check_near(p[3], 0.5);
	noise_adjust(p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_of_functions),
		cmocka_unit_test(test_names_of_members),
		cmocka_unit_test(test_offset),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_adjust),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
