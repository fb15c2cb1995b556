// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as text are what printf() makes of them. */
#include <inttypes.h>
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

			SAME(digits_dec(out, n, (u32)width), "%*" PRIu64, width, n);
			SAME(digits_signed(out, (s64)n, (u32)width), "%*" PRId64, width, (s64)n);
			SAME(digits_left(out, (s64)n, (u32)width), "%-*" PRId64, width, (s64)n);
			SAME(digits_zeros(out, n, (u32)width), "%0*" PRIu64, width, n);
			SAME(digits_hex(out, n, (u32)width), "%*" PRIx64, width, n);
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
		cmocka_unit_test(text_is_padded_on_its_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
