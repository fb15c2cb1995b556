// SPDX-License-Identifier: GPL-2.0-or-later
/* The frame and rows under a cursor, by a view of toy rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "pages/base/list_rows.h"
#include "term/memory.h"
#include "view/tui/rows_view.h"

static const struct rows_column columns[] = {
	{ .name = "percent", .title = "Percent", .kind = CELL_SHARE, .nr_parts = 1, .value = true },
	{ .name = "name", .title = "Name", .nr_parts = 1 },
	{ .name = "note", .title = "Note", .nr_parts = 1 },
};

static u32 nr_texts;
static u32 nr_same; /* so many rows have the same note */

static void toy_cell(const void *arg, u32 line, u32 column, u32 part, struct cell *out)
{
	*out = (struct cell){ CELL_TEXT };
	if (!column)
		*out = (struct cell){ CELL_SHARE, .number = line, .real = 20.0 / (line + 1) };
}

static void toy_text(const void *arg, u32 line, u32 column, u32 part, GString *out)
{
	nr_texts++;
	if (column == 1)
		g_string_append_printf(out, "a name of some length, %u", line);
	else if (line < nr_same)
		g_string_append(out, "a note");
	else
		g_string_append_printf(out, "note %u", line);
}

static u64 toy_key(const void *arg, u32 line)
{
	return line + 1;
}

static const struct list_ops toy_list = { toy_cell, toy_text, toy_key };

static struct page *toy_page(u32 nr, bool nested)
{
	struct page *page = page_new(g_strdup("toys"));

	page->rows = list_rows_new(columns, G_N_ELEMENTS(columns), &toy_list, NULL);
	for (u32 i = 0; i < nr; i++)
		list_rows_add(page->rows, nested && i % 3 ? i - i % 3 : LIST_TOP);
	return page;
}

static void toy_title(const struct tui_view *view, GString *out)
{
	g_string_append(out, "toys");
}

static void toy_status(const struct tui_view *view, GString *out)
{
	g_string_append(out, "all of them");
}

static void toy_free(struct tui_view *view)
{
	struct rows_view *v = container_of(view, struct rows_view, view);

	rows_view_release(v);
	g_free(v);
}

static void choose(struct tui_view *view, struct tui *tui, u32 key)
{
	static const struct tui_choice choices[] = { { "First of them", "f" },
						     { "Second" },
						     { "Third" } };

	tui_say(tui, "chose %d", tui_choose(tui, "Which?", choices, 3, 0));
}

static void ask(struct tui_view *view, struct tui *tui, u32 key)
{
	g_autofree char *text = tui_ask(tui, "Name:", "x");

	tui_say(tui, "said %s", text ?: "nothing");
}

static void push(struct tui_view *view, struct tui *tui, u32 key);
static void work(struct tui_view *view, struct tui *tui, u32 key)
{
	u64 i = 0;

	while (i < 10 && tui_busy(tui, "Working", i, 10))
		i++;
	tui_say(tui, "worked %u", (u32)i);
}

static const struct tui_key toy_keys[] = {
	{ 'c', 0, "choose", "choose one", choose },
	{ 'a', 0, "ask", "ask for a name", ask },
	{ 'p', 0, NULL, "push a view", push },
	{ 'w', 0, NULL, "work", work },
	{ 0 },
};

static const struct tui_key *const keys[] = { toy_keys, rows_view_keys, NULL };
static const struct tui_view_ops toy_ops = {
	.name = "toys",
	.keys = keys,
	.title = toy_title,
	.status = toy_status,
	.draw = rows_view_draw,
	.free = toy_free,
};
static const struct rows_view_ops toy_rows_ops;

static struct tui_view *toy_view_new(u32 nr, bool nested)
{
	struct rows_view *v = g_new0(struct rows_view, 1);

	rows_view_init(v, &toy_ops, &toy_rows_ops, toy_page(nr, nested));
	v->sorted = 0;
	return &v->view;
}

static void push(struct tui_view *view, struct tui *tui, u32 key)
{
	tui_push(tui, toy_view_new(3, false));
}

/* What the screen shows after these keys, by their names. */
static char *screen_after(u32 rows, u32 width, u32 nr, bool nested, const char *names)
{
	struct screen *screen = memory_screen_new(rows, width);
	struct tui *tui = tui_new(screen);
	g_auto(GStrv) list = g_strsplit(names, " ", -1);
	GString *out = g_string_new(NULL);

	for (u32 i = 0; list[i] && *list[i]; i++) {
		if (!strcmp(list[i], "INT"))
			memory_screen_interrupt(screen);
		else if (!strcmp(list[i], "small"))
			memory_screen_resize(screen, 5, 20);
		else
			memory_screen_press(screen, key_find(list[i]));
	}
	tui_push(tui, toy_view_new(nr, nested));
	tui_run(tui);
	memory_screen_print(screen, out);
	tui_free(tui);
	screen_free(screen);
	return g_string_free(out, FALSE);
}

#define SHOWS(rows, width, nr, nested, names, expect)                                              \
	do {                                                                                       \
		g_autofree char *got = screen_after(rows, width, nr, nested, names);               \
		assert_string_equal(got, expect);                                                  \
	} while (0)

static void rows_stand_under_titles(void **state)
{
	SHOWS(6, 60, 10, false, "",
	      " toys                                           all of them\n"
	      "  Percent▼  Name                      Note\n"
	      "    20.00%  a name of some length, 0  note 0\n"
	      "    10.00%  a name of some length, 1  note 1\n"
	      "     6.67%  a name of some length, 2  note 2\n"
	      " c choose  a ask  ? all keys\n");
}

static void keys_are_cut_in_the_middle_and_columns_left_out(void **state)
{
	SHOWS(4, 40, 10, false, "",
	      " toys                       all of them\n"
	      "  Percent▼  Name                  Note\n"
	      "    20.00%  a name of… length, 0  note 0\n"
	      " c choose  a ask  ? all keys\n");
	/* The last cell of the screen stays free. */
	SHOWS(4, 28, 10, false, "",
	      " toys           all of them\n"
	      "  Percent▼  Name\n"
	      "    20.00%  a name …ength, 0\n"
	      " c choose  ? all keys\n");
	SHOWS(4, 28, 10, false, "Right",
	      " toys           all of them\n"
	      "  Percent▼  Note\n"
	      "    20.00%  note 0\n"
	      " c choose  ? all keys\n");
}

static void the_cursor_stays_on_the_screen(void **state)
{
	SHOWS(5, 40, 100, false, "End",
	      " toys                       all of them\n"
	      "  Percent▼  Name                 Note\n"
	      "     0.20%  a name of…ength, 98  note 98\n"
	      "     0.20%  a name of…ength, 99  note 99\n"
	      " c choose  a ask  ? all keys\n");
	SHOWS(5, 40, 100, false, "End Home PgDn Down Up",
	      " toys                       all of them\n"
	      "  Percent▼  Name                 Note\n"
	      "    10.00%  a name of…length, 1  note 1\n"
	      "     6.67%  a name of…length, 2  note 2\n"
	      " c choose  a ask  ? all keys\n");
}

static void rows_below_are_unfolded(void **state)
{
	SHOWS(6, 50, 4, true, "+ Down Down",
	      " toys                                 all of them\n"
	      "  Percent▼  Name                      Note\n"
	      "▾   20.00%  a name of some length, 0  note 0\n"
	      "    10.00%  a name of some length, 1  note 1\n"
	      "     6.67%  a name of some length, 2  note 2\n"
	      " c choose  a ask  ? all keys\n");
	SHOWS(6, 50, 9, true, "E End C",
	      " toys                                 all of them\n"
	      "  Percent▼  Name                      Note\n"
	      "▸   20.00%  a name of some length, 0  note 0\n"
	      "▸    5.00%  a name of some length, 3  note 3\n"
	      "▸    2.86%  a name of some length, 6  note 6\n"
	      " c choose  a ask  ? all keys\n");
}

static void a_menu_is_picked_from_by_letters_and_arrows(void **state)
{
	SHOWS(9, 40, 2, false, "c",
	      " toys                       all of them\n"
	      "  Percent▼  Name                  Note\n"
	      "    20.00┌─ Which? ──────────┐ 0  note 0\n"
	      "    10.00│ First of them   f │ 1  note 1\n"
	      "         │ Second            │\n"
	      "         │ Third             │\n"
	      "         └───────────────────┘\n"
	      "\n"
	      " c choose  a ask  ? all keys\n");
	SHOWS(3, 40, 1, false, "c Down Enter",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " chose 1\n");
	SHOWS(3, 40, 1, false, "c t Enter",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " chose 2\n");
	SHOWS(3, 40, 1, false, "c ESC",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " chose -1\n");
}

static void a_prompt_takes_a_line(void **state)
{
	SHOWS(3, 40, 1, false, "a y é",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " Name: xyé\n");
	SHOWS(3, 40, 1, false, "a é Backspace z Enter",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " said xz\n");
	SHOWS(3, 40, 1, false, "a ESC",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " said nothing\n");
}

static void views_are_a_stack(void **state)
{
	SHOWS(3, 50, 1, false, "p p",
	      " toys › toys › toys                   all of them\n"
	      "    20.00%  a name of some length, 0  note 0\n"
	      " c choose  a ask  ESC back  ? all keys\n");
	SHOWS(3, 50, 1, false, "p p ESC",
	      " toys › toys                          all of them\n"
	      "    20.00%  a name of some length, 0  note 0\n"
	      " c choose  a ask  ESC back  ? all keys\n");
	/* What is below counts less than where one is. */
	SHOWS(3, 12, 1, false, "p p",
	      "… › toys\n"
	      "    20.00%\n"
	      " ? all keys\n");
}

static void a_key_with_one_text_yields_in_long_lists_too(void **state)
{
	nr_same = 1000;
	SHOWS(4, 40, 1000, false, "",
	      " toys                       all of them\n"
	      "  Percent▼  Name            Note: a note\n"
	      "    20.00%  a name of some length, 0\n"
	      " c choose  a ask  ? all keys\n");
	nr_same = 999;
	SHOWS(4, 40, 1000, false, "",
	      " toys                       all of them\n"
	      "  Percent▼  Name                    Note\n"
	      "    20.00%  a name of …e length, 0  a n…\n"
	      " c choose  a ask  ? all keys\n");
	nr_same = 0;
}

static void long_work_can_be_stopped(void **state)
{
	SHOWS(3, 40, 1, false, "w",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " worked 10\n");
	SHOWS(3, 40, 1, false, "w INT",
	      " toys                       all of them\n"
	      "    20.00%  a name of some length, 0\n"
	      " worked 0\n");
}

static void a_new_size_is_drawn_at_once(void **state)
{
	SHOWS(20, 80, 9, false, "End small",
	      " toys\n"
	      "  Percent▼  Name\n"
	      "     2.50%  a n…h, 7\n"
	      "     2.22%  a n…h, 8\n"
	      " a ask  ? all keys\n");
}

static void the_help_lists_all_keys(void **state)
{
	g_autofree char *got = screen_after(60, 80, 1, false, "?");

	for (u32 t = 0; keys[t]; t++)
		for (const struct tui_key *k = keys[t]; k->act; k++)
			assert_non_null(strstr(got, k->help ?: ""));
	assert_non_null(strstr(got, "│ Up, Down           a row up or down"));
	assert_non_null(strstr(got, "│ q, ^C              leave"));
}

static double ms_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A key costs what is on the screen, not what there is: under 50 ms of a million rows. */
static void a_million_rows_answer_at_once(void **state)
{
	static const char *const names[] = {
		"End", "Home", "PgDn", "Down", "PgUp", "Up", "+", "e"
	};
	struct screen *screen = memory_screen_new(50, 200);
	struct tui *tui = tui_new(screen);
	struct tui_view *view = toy_view_new(1000000, true);
	u32 all = 0;

	tui_push(tui, view);
	tui_run(tui); /* the first screen */
	for (u32 i = 0; i < G_N_ELEMENTS(names); i++) {
		const struct tui_key *k = tui_find_key(view, key_find(names[i]));
		double before = ms_now();

		nr_texts = 0;
		k->act(view, tui, key_find(names[i]));
		view->ops->draw(view, screen, 1, 49);
		screen_show(screen);
		assert_true(ms_now() - before < 50);
		all = MAX(all, nr_texts);
	}
	assert_true(all < 50 * 3 * 4); /* measured and drawn */
	tui_free(tui);
	screen_free(screen);
}

/* Whatever is pressed, in whatever size. */
static void random_keys_do_no_harm(void **state)
{
	static const u32 others[] = { KEY_UP,	   KEY_DOWN,	  KEY_PAGE_UP, KEY_PAGE_DOWN,
				      KEY_HOME,	   KEY_END,	  KEY_LEFT,    KEY_RIGHT,
				      KEY_ENTER,   KEY_TAB,	  KEY_ESC,     KEY_F1,
				      KEY_UNKNOWN, KEY_BACKSPACE, 0xe9,	       0x65e5 };

	srand(2);
	for (u32 round = 0; round < 20; round++) {
		struct screen *screen = memory_screen_new(24, 80);
		struct tui *tui = tui_new(screen);

		for (u32 i = 0; i < 1000; i++) {
			u32 c = (u32)rand() % 100;

			if (c < 3)
				memory_screen_resize(screen, (u32)rand() % 30, (u32)rand() % 90);
			else if (c < 40)
				memory_screen_press(screen,
						    others[(u32)rand() % G_N_ELEMENTS(others)]);
			else
				memory_screen_press(screen, "+eECHcapw?sft0/"[rand() % 15]);
		}
		for (u32 i = 0; i < 100; i++)
			tui_push(tui, toy_view_new((u32)rand() % 50, rand() % 2));
		tui_run(tui);
		tui_free(tui);
		screen_free(screen);
	}
}

/* A clock that is due at each tick. */
struct toy_clock {
	u32 nr_ticks, nr_due;
	bool waits;
};

static void toy_wait(void *arg, bool begins)
{
	struct toy_clock *c = arg;

	assert_true(c->waits != begins);
	c->waits = begins;
}

static bool toy_due(void *arg)
{
	struct toy_clock *c = arg;

	assert_false(c->waits);
	c->nr_due++;
	return true;
}

static bool toy_ended(void *arg)
{
	return ++((struct toy_clock *)arg)->nr_ticks > 20;
}

static u32 nr_refreshed;

static void toy_refresh(struct tui_view *view, struct tui *tui)
{
	struct rows_view *v = container_of(view, struct rows_view, view);

	rows_view_replace(v, toy_page(++nr_refreshed, false));
}

static u32 refreshed_after(const char *names, u32 *nr_due)
{
	static const struct tui_view_ops ops = { .name = "toys",
						 .keys = keys,
						 .title = toy_title,
						 .draw = rows_view_draw,
						 .free = toy_free,
						 .refresh = toy_refresh };
	struct toy_clock clock = { 0 };
	const struct tui_clock tui_clock = { toy_wait, toy_due, toy_ended, &clock };
	struct screen *screen = memory_screen_new(10, 60);
	struct tui *tui = tui_new(screen);
	struct rows_view *v = g_new0(struct rows_view, 1);
	g_auto(GStrv) words = g_strsplit(names, " ", -1);

	nr_refreshed = 0;
	rows_view_init(v, &ops, &toy_rows_ops, toy_page(3, false));
	for (u32 i = 0; words[i] && *words[i]; i++)
		memory_screen_press(screen, key_find(words[i]));
	tui_set_clock(tui, &tui_clock);
	tui_push(tui, &v->view);
	tui_push(tui, toy_view_new(3, false));
	tui_run(tui);
	tui_free(tui);
	screen_free(screen);
	assert_int_equal(clock.nr_ticks, 21);
	*nr_due = clock.nr_due;
	return nr_refreshed;
}

/* Also those that lie below another view; not while a question is open, which is about what is there. */
static void views_are_refreshed_by_a_clock(void **state)
{
	u32 nr_due;

	assert_int_equal(refreshed_after("", &nr_due), 20);
	assert_int_equal(nr_due, 20);
	assert_int_equal(refreshed_after("c", &nr_due), 1);
	assert_int_equal(nr_due, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_stand_under_titles),
		cmocka_unit_test(keys_are_cut_in_the_middle_and_columns_left_out),
		cmocka_unit_test(the_cursor_stays_on_the_screen),
		cmocka_unit_test(rows_below_are_unfolded),
		cmocka_unit_test(a_menu_is_picked_from_by_letters_and_arrows),
		cmocka_unit_test(a_prompt_takes_a_line),
		cmocka_unit_test(views_are_a_stack),
		cmocka_unit_test(a_key_with_one_text_yields_in_long_lists_too),
		cmocka_unit_test(long_work_can_be_stopped),
		cmocka_unit_test(a_new_size_is_drawn_at_once),
		cmocka_unit_test(the_help_lists_all_keys),
		cmocka_unit_test(a_million_rows_answer_at_once),
		cmocka_unit_test(random_keys_do_no_harm),
		cmocka_unit_test(views_are_refreshed_by_a_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
