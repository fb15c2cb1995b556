// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as text are what printf() makes of them. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/digits.h"

#define SAME(call, ...)                                                                            \
	do {                                                                                       \
		g_autoptr(GString) out = g_string_new("x");                                        \
		g_autofree char *expect = g_strdup_printf("x" __VA_ARGS__);                        \
                                                                                                   \
		call;                                                                              \
		assert_string_equal(out->str, expect);                                             \
		assert_int_equal(out->len, strlen(expect));                                        \
	} while (0)

static void numbers_read_as_printf_has_them(void **state)
{
	static const u64 numbers[] = { 0,	   1,	      9,
				       10,	   99,	      100,
				       12345678,   INT64_MAX, (u64)INT64_MIN,
				       UINT64_MAX, (u64)-1,   (u64)-12345 };

	for (u32 i = 0; i < G_N_ELEMENTS(numbers); i++)
		for (int width = 0; width < 40; width += 3) {
			u64 n = numbers[i];

			SAME(digits_address(out, n), "%#.16" PRIx64, n);
			SAME(digits_dec(out, n, (u32)width), "%*" PRIu64, width, n);
			SAME(digits_signed(out, (s64)n, (u32)width), "%*" PRId64, width, (s64)n);
			SAME(digits_left(out, (s64)n, (u32)width), "%-*" PRId64, width, (s64)n);
			SAME(digits_zeros(out, n, (u32)width), "%0*" PRIu64, width, n);
			SAME(digits_hex(out, n, (u32)width), "%*" PRIx64, width, n);
		}
}

/* Shares and times as reports have them, and what lies between two results. */
static void decimals_are_rounded_as_printf_rounds(void **state)
{
	static const double odd[] = { 0,     -0.0,  0.005, 0.015,  0.025,     1.005,	 2.675,
				      0.25,  0.05,  0.35,  0.5,	   1.5,	      2.5,	 9.95,
				      9.995, 99.5,  99.95, 99.995, 99.994999, 100,	 1e9,
				      1e11,  1e300, -1.25, -0.5,   0.999,     0.1 + 0.2, NAN };
	u64 state_of = 88172645463325252ull;

	for (u32 i = 0; i < G_N_ELEMENTS(odd); i++)
		for (u32 k = 0; k < 3; k++)
			SAME(digits_fixed(out, odd[i], k), "%.*f", k, odd[i]);
	for (u32 i = 0; i < 300000; i++) {
		double share;

		state_of ^= state_of << 13;
		state_of ^= state_of >> 7;
		state_of ^= state_of << 17;
		share = 100.0 * (double)(state_of % 20001) / (double)(1 + (state_of >> 32) % 20000);
		SAME(digits_fixed(out, share, i % 3), "%.*f", i % 3, share);
	}
}

static void text_is_padded_on_its_left(void **state)
{
	static const char *const texts[] = { "", "a", "sixteen letters.",
					     "more than sixteen letters" };

	for (u32 i = 0; i < G_N_ELEMENTS(texts); i++)
		SAME(digits_text(out, texts[i], 16), "%16s", texts[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_read_as_printf_has_them),
		cmocka_unit_test(decimals_are_rounded_as_printf_rounds),
		cmocka_unit_test(text_is_padded_on_its_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
