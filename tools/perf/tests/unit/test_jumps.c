// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of jumps beside a listing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/tui/jumps.h"

/* The lines beside each instruction, then with @above those between it and the one before. */
static char *draw(const s32 *targets, u32 nr, u32 most, bool above)
{
	struct jumps *jumps = jumps_new(targets, nr);
	GString *out = g_string_new(NULL);

	for (u32 i = 0; i < nr; i++) {
		jumps_append(jumps, i, above, most, out);
		g_string_append_c(out, '\n');
	}
	jumps_free(jumps);
	return g_string_free(out, FALSE);
}

#define DRAWS(targets, most, above, expect)                                                        \
	do {                                                                                       \
		g_autofree char *got = draw(targets, G_N_ELEMENTS(targets), most, above);          \
		assert_string_equal(got, expect);                                                  \
	} while (0)

static void one_jump(void **state)
{
	static const s32 back[] = { -1, -1, 0, -1 }, ahead[] = { 2, -1, -1, -1 };

	DRAWS(back, 9, false, "┌─>\n│  \n└──\n   \n");
	DRAWS(ahead, 9, false, "┌──\n│  \n└─>\n   \n");
	/* Source lines stand between the ends. */
	DRAWS(back, 9, true, "   \n│  \n│  \n   \n");
}

/* What goes to one place shares a line. */
static void shared_target(void **state)
{
	static const s32 targets[] = { -1, 3, 3, -1, 3 };

	DRAWS(targets, 9, false, "   \n┌──\n├──\n├─>\n└──\n");
}

/* The short one stands next to the code. */
static void nested_and_crossing(void **state)
{
	static const s32 nested[] = { 4, -1, -1, 1, -1 };
	static const s32 crossing[] = { 2, 3, -1, -1 };

	DRAWS(nested, 9, false, "┌───\n│┌─>\n││  \n│└──\n└──>\n");
	DRAWS(crossing, 9, false, " ┌──\n┌┼──\n│└─>\n└──>\n");
}

static void lines_that_have_no_room(void **state)
{
	static const s32 nested[] = { 4, -1, -1, 1, -1 };

	DRAWS(nested, 1, false, "   \n┌─>\n│  \n└──\n   \n");
	DRAWS(nested, 0, false, "\n\n\n\n\n");
}

static void no_jump(void **state)
{
	static const s32 none[] = { -1, -1, 2 };
	struct jumps *jumps = jumps_new(none, 3);

	assert_int_equal(jumps_width(jumps, 9), 0);
	assert_int_equal(jumps_sources(jumps, 0), 0);
	assert_int_equal(jumps_sources(jumps, 2), 1); /* to itself */
	jumps_free(jumps);
}

/* More than there are lanes, ends far apart: nothing is drawn wrongly, and it takes no time. */
static void many(void **state)
{
	enum { NR = 200000 };
	g_autofree s32 *targets = g_new(s32, NR);
	struct jumps *jumps;
	g_autoptr(GString) out = g_string_new(NULL);

	for (s32 i = 0; i < NR; i++)
		targets[i] = (i * 7919) % NR;
	jumps = jumps_new(targets, NR);
	jumps_append(jumps, NR / 2, false, 9, out);
	assert_int_equal(g_utf8_strlen(out->str, -1), jumps_width(jumps, 9));
	jumps_free(jumps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_jump),
		cmocka_unit_test(shared_target),
		cmocka_unit_test(nested_and_crossing),
		cmocka_unit_test(lines_that_have_no_room),
		cmocka_unit_test(no_jump),
		cmocka_unit_test(many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
