// SPDX-License-Identifier: GPL-2.0-or-later
/* Names that are cut to a column, and still differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "view/tui/elided.h"

static void assert_forms(u32 columns, const char *const (*rows)[2])
{
	struct elided *e = elided_new(columns);

	/* Twice: a name keeps its form. */
	for (u32 round = 0; round < 2; round++)
		for (u32 i = 0; rows[i][0]; i++)
			assert_string_equal(elided_text(e, rows[i][0]), rows[i][1]);
	elided_free(e);
}

static void names_differ_where_their_ends_are_equal(void **state)
{
	static const char *const rows[][2] = {
		{ "level_get (inlined)", "level_…lined)" },
		{ "level_find (inlined)", "level_find (…" },
		{ "level_best (inlined)", "level_best (…" },
		{ NULL },
	};

	assert_forms(13, rows);
}

static void names_differ_where_only_their_middle_differs(void **state)
{
	static const char *const rows[][2] = {
		{ "std::vector<order>::push_back", "std::v…h_back" },
		{ "std::vector<level>::push_back", "st…level>::p…" },
		{ "std::vector<trade>::push_back", "st…trade>::p…" },
		{ NULL },
	};

	assert_forms(13, rows);
}

static void narrow_columns_show_the_start(void **state)
{
	static const char *const rows[][2] = { { "orders", "ord…" },
					       { "orders-worker", "or…r" },
					       { "日本語日本語", "日…" },
					       { NULL } };

	assert_forms(4, rows);
}

/* What cannot differ has some form, in time and without end. */
static void forms_are_never_wider(void **state)
{
	for (u32 columns = 1; columns < 30; columns++) {
		struct elided *e = elided_new(columns);
		g_autoptr(GHashTable)
			seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		u32 nr = 0, same = 0;

		for (u32 i = 0; i < 100; i++) {
			g_autofree char *text = g_strdup_printf(
				"a_common_long_start_%u_and_a_common_long_end_of_it", i);
			const char *form = elided_text(e, text);

			assert_true(text_columns(form, strlen(form)) <= columns);
			assert_true(g_utf8_validate(form, -1, NULL));
			same += !g_hash_table_add(seen, g_strdup(form));
			nr++;
		}
		if (columns >= 10)
			assert_int_equal(same, 0);
		assert_int_equal(nr, 100);
		elided_free(e);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_differ_where_their_ends_are_equal),
		cmocka_unit_test(names_differ_where_only_their_middle_differs),
		cmocka_unit_test(narrow_columns_show_the_start),
		cmocka_unit_test(forms_are_never_wider),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
