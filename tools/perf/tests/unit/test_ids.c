// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers for ids: equal ones are one, and of too many the heaviest stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "activity/layout.h"
#include "fields/ids.h"

static u32 get(struct ids *ids, const char *text, u64 weight)
{
	u32 id = ids_get(ids, ID_TEXT, text, (u32)strlen(text));

	ids_weigh(ids, id, weight);
	return id;
}

static void assert_prints(const struct ids *ids, u32 id, const char *expected)
{
	g_autoptr(GString) text = g_string_new(NULL);

	ids_print(ids, id, text);
	assert_string_equal(text->str, expected);
}

static void test_equal(void **state)
{
	static const u8 bytes[24] = { 0xab, 1 };
	struct ids *ids = ids_new(true);
	u8 updating = ACTIVITY_UPDATING;
	u32 a = get(ids, "a", 1), hex, state_id, span;
	bool beyond;

	assert_int_equal(get(ids, "a", 1), a);
	assert_int_not_equal(get(ids, "b", 1), a);
	assert_int_not_equal(ids_get(ids, ID_HEX, "a", 1), a);
	assert_int_not_equal(a, ID_OTHERS);
	hex = ids_get(ids, ID_HEX, bytes, 8);
	state_id = ids_get(ids, ID_STATE, &updating, 1);
	span = ids_get(ids, ID_SPAN, bytes, 24);
	assert_prints(ids, hex, "ab01000000000000");
	assert_prints(ids, ids_get(ids, ID_PAIR, bytes, 24),
		      "ab010000000000000000000000000000:0000000000000000");
	assert_prints(ids, span, "0000000000000000");
	assert_prints(ids, state_id, "(being updated)");
	assert_prints(ids, ID_OTHERS, "(others)");
	assert_true(ids_order(ids, hex, a) < 0);
	assert_true(ids_order(ids, a, get(ids, "ab", 1)) < 0);
	assert_true(ids_order(ids, a, state_id) < 0);
	/* a, b, 61, ab01.., the pair, the span, ab; not the state. */
	assert_int_equal(ids_nr(ids, &beyond), 7);
	assert_false(beyond);
	ids_free(ids);
}

static void test_heaviest(void **state)
{
	struct ids *ids = ids_new(true);
	u8 none = ACTIVITY_NONE;
	bool beyond;

	get(ids, "early", 1);
	get(ids, "heavy", 3);
	get(ids, "tie one", 2);
	get(ids, "tie two", 2);
	ids_get(ids, ID_STATE, &none, 1);
	get(ids, "late", 1);
	get(ids, "late", 4);
	ids_keep_heaviest(ids, 3);
	assert_prints(ids, get(ids, "late", 1), "late");
	assert_prints(ids, get(ids, "heavy", 1), "heavy");
	assert_prints(ids, get(ids, "tie one", 1), "tie one");
	assert_int_equal(get(ids, "tie two", 1), ID_OTHERS);
	assert_int_equal(get(ids, "early", 1), ID_OTHERS);
	assert_int_equal(get(ids, "never seen", 1), ID_OTHERS);
	assert_prints(ids, ids_get(ids, ID_STATE, &none, 1), "(none)");
	/* What is only to be shown has a number all the same. */
	assert_prints(ids, ids_name(ids, ID_TEXT, "early", 5), "early");
	assert_int_equal(ids_nr(ids, &beyond), 5);
	ids_free(ids);
}

static void test_many(void **state)
{
	struct ids *limited = ids_new(true), *all = ids_new(false);
	bool beyond;
	u32 last = 0;

	for (u32 i = 1; i <= 3000000; i++) {
		ids_get(limited, ID_HEX, &i, sizeof(i));
		last = ids_get(all, ID_HEX, &i, sizeof(i));
	}
	assert_int_equal(last, 3000000);
	assert_int_equal(ids_nr(all, &beyond), 3000000);
	assert_false(beyond);
	assert_true(ids_nr(limited, &beyond) < 3000000);
	assert_true(beyond);
	ids_free(limited);
	ids_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_heaviest),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
