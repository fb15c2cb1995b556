// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report, drawn into memory: screens/report-* say which options and keys bring which
 * screen, of the recording that comes with the source.
 */
#include "own_programs.h"
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/report/report_screen.h"
#include "tests/forge/forge.h"

static void forge(const char *top, const char *name, const char *path)
{
	g_autofree char *from = g_strdup_printf("%s/tools/perf/tests/cases/%s/in.txt", top, name);
	g_autofree char *text = NULL;
	g_autoptr(GBytes) bytes = NULL;

	assert_true(g_file_get_contents(from, &text, NULL, NULL));
	bytes = forge_text(text, NULL);
	assert_non_null(bytes);
	assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
}

/* The words of the command: of "@NAME WORDS" the recording that cases/NAME forges, else data/orders. */
static char *command_line(const char *top, const char *what)
{
	const char *words = strchr(what, ' ');
	g_autofree char *name = NULL;

	if (!g_str_has_prefix(what, "@"))
		return g_strdup_printf("report -f -i %s/tools/perf/tests/data/orders/orders.data "
				       "--symfs %s/tools/perf/tests/data/orders -d orders "
				       "--no-children %s",
				       top, top, what);
	name = g_strndup(what + 1, (gsize)(words - what - 1));
	forge(top, name, "perf.data");
	return g_strdup_printf("report -f --no-children%s", words);
}

static const char *const left[] = { "perf.data", "other.data", "perf.hist.0" };

/* `perf report` with the words of @what, in a folder where there is another recording. */
static void run(struct screen *screen, const char *what, void *arg)
{
	g_autofree char *before = g_get_current_dir();
	g_autofree char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);
	g_autofree char *top = g_canonicalize_filename(getenv("SRC") ?: ".", NULL);
	g_autofree char *line = NULL;
	g_autofree char **argv = NULL;
	g_auto(GStrv) words = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr;

	assert_int_equal(chdir(folder), 0);
	line = command_line(top, what);
	forge(top, "report-callers", "other.data");
	assert_true(g_shell_parse_argv(line, &nr, &words, NULL));
	/* Parsing moves words about; the list frees all of them. */
	argv = g_memdup2(words, sizeof(*words) * ((gsize)nr + 1));
	assert_int_equal(report_on_screen(screen, config, nr, argv), 0);
	config_free(config);
	for (u32 i = 0; i < G_N_ELEMENTS(left); i++)
		unlink(left[i]);
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

static void rows_and_menus(void **state)
{
	screens_check_run("report-rows", run, NULL);
}

/* Every key that the browser has, but those that leave (live/tui.sh). */
static void each_key_does_something(void **state)
{
	screens_check_run("report-keys", run, NULL);
	screens_check_keys(
		"report-keys", "",
		"Up Down Left Right PgUp PgDn Space Home End Tab Shift-Tab Enter m + e E C a d "
		"t k S F H V P s 0 1 2 3 4 5 6 7 8 9 / h ? F1 z ESC T A W o",
		run, NULL);
}

static void each_browser_and_menu_in_all_sizes(void **state)
{
	static const char *const views[] = { "-s span,type,typeoff,sym: ",
					     "-s span,type,typeoff,sym: Enter",
					     "-s span,type,typeoff,sym: o",
					     "-s span,type,typeoff,sym: o k",
					     "-s span,type,typeoff,sym: ?",
					     "-s span,type,typeoff,sym: /",
					     "-s span,type,typeoff,sym: L",
					     "-s span,type,typeoff,sym: s",
					     "-s span,type,typeoff,sym: H",
					     "-s type,sym -H: E",
					     "-s sym: E",
					     "-s span,type,sym: W",
					     "@report-groups -s comm,dso: ",
					     "-s sym: A",
					     "-s sym: A Enter",
					     "-s sym: A ?",
					     NULL };

	screens_check_sizes("report-rows report-activities", views);
}

static void activities(void **state)
{
	screens_check_run("report-activities", run, NULL);
}

static void waits(void **state)
{
	screens_check_run("report-waits", run, NULL);
}

/* From the slowest span to the field and the source line. */
static void from_span_to_source_line(void **state)
{
	screens_check_run("report-demo", run, NULL);
}

static char *screen_of_size(const char *what, const char *keys, u32 rows, u32 columns)
{
	struct screen *screen = memory_screen_new(rows, columns);
	GString *out = g_string_new(NULL);

	screens_press(screen, keys);
	run(screen, what, NULL);
	memory_screen_print(screen, out);
	screen_free(screen);
	return g_string_free(out, FALSE);
}

static char *screen_of(const char *what, const char *keys)
{
	return screen_of_size(what, keys, 24, 80);
}

/* The texts of the last column, whose title begins with @title: one for each row. */
static char **last_column(const char *screen, const char *title)
{
	g_auto(GStrv) lines = g_strsplit(screen, "\n", -1);
	GPtrArray *texts = g_ptr_array_new();
	const char *at = strstr(lines[1], title);
	glong column;

	assert_non_null(at);
	column = g_utf8_strlen(lines[1], at - lines[1]);
	for (u32 i = 2;
	     lines[i] && g_utf8_strlen(lines[i], -1) > column && !strstr(lines[i], "? all keys");
	     i++)
		g_ptr_array_add(texts, g_strdup(g_utf8_offset_to_pointer(lines[i], column)));
	g_ptr_array_add(texts, NULL);
	return (char **)g_ptr_array_free(texts, FALSE);
}

/* At any width, names that differ have different forms, also if they are not neighbours. */
static void elided_names_differ(void **state)
{
	g_autofree char *wide = screen_of_size("-s typeoff", "Home", 40, 200);
	g_auto(GStrv) whole = last_column(wide, "Data Type");
	u32 cut = 0;

	assert_true(g_strv_length(whole) > 20);
	for (u32 columns = 34; columns < 60; columns += 5) {
		g_autofree char *narrow = screen_of_size("-s typeoff", "Home", 40, columns);
		g_auto(GStrv) forms = last_column(narrow, "Data Ty");

		assert_int_equal(g_strv_length(forms), g_strv_length(whole));
		for (u32 i = 0; forms[i]; i++) {
			cut += strcmp(forms[i], whole[i]) != 0;
			for (u32 k = 0; k < i; k++)
				assert_true(strcmp(whole[i], whole[k]) == 0 ||
					    strcmp(forms[i], forms[k]) != 0);
		}
	}
	assert_true(cut > 20);
}

/* A column that is the same in all rows yields before a symbol is cut; the titles still say it. */
static void constant_columns_yield(void **state)
{
	g_autofree char *wide = screen_of_size("-s comm,dso,sym", "Home", 24, 200);
	g_auto(GStrv) whole = last_column(wide, "Symbol");

	assert_true(g_strv_length(whole) > 5);
	for (u32 columns = 32; columns < 80; columns += 4) {
		g_autofree char *narrow = screen_of_size("-s comm,dso,sym", "Home", 24, columns);
		g_auto(GStrv) forms = last_column(narrow, "Symbol");

		for (u32 i = 0; whole[i]; i++)
			assert_true(g_str_has_prefix(forms[i], whole[i]));
	}
}

/* Where the columns begin, at any place of the list, in any order and with a filter. */
static void columns_do_not_jump(void **state)
{
	static const char *const keys[] = { "PgDn", "End", "o Down Enter", "o Down Down Enter",
					    "/ p l a c e Enter" };
	static const u32 widths[] = { 60, 80, 120 };

	for (u32 w = 0; w < G_N_ELEMENTS(widths); w++) {
		g_autofree char *first =
			screen_of_size("-s span,type,typeoff,sym", "Home", 10, widths[w]);
		g_autoptr(GString) before = g_string_new(first);

		g_string_replace(before, "▼", " ", 0);
		for (u32 i = 0; i < G_N_ELEMENTS(keys); i++) {
			g_autofree char *moved =
				screen_of_size("-s span,type,typeoff,sym", keys[i], 10, widths[w]);
			g_auto(GStrv) old = g_strsplit(before->str, "\n", 3);
			g_autoptr(GString) after = g_string_new(moved);
			g_auto(GStrv) now = NULL;

			g_string_replace(after, "▼", " ", 0);
			now = g_strsplit(after->str, "\n", 3);
			/* The titles behind the first column, where the mark is. */
			assert_string_equal(g_strchomp(now[1]) + 12, g_strchomp(old[1]) + 12);
		}
	}
}

/* What other keys show by asking again is what a new report of these keys shows. */
static void asking_again_is_as_reading_anew(void **state)
{
	static const char *const keys[] = { "sym", "type", "comm,tid", "tid,type", "typeoff" };

	for (u32 i = 0; i < G_N_ELEMENTS(keys); i++) {
		g_autofree char *what = g_strdup_printf("-s %s", keys[i]);
		g_autofree char *anew = screen_of(what, "H H");
		g_autoptr(GString) typed = g_string_new("H H o k ^U");
		g_autofree char *again = NULL;

		for (const char *c = keys[i]; *c; c++)
			g_string_append_printf(typed, " %c", *c);
		g_string_append(typed, " Enter H H");
		again = screen_of("-s span,dso", typed->str);
		/* The status says more where more was asked. */
		assert_string_equal(strchr(again, '\n'), strchr(anew, '\n'));
	}
}

static void work_that_was_stopped_leaves_all_as_it_was(void **state)
{
	struct screen *screen = memory_screen_new(24, 80);
	g_autoptr(GString) out = g_string_new(NULL);

	screens_press(screen, "o k ^U t y p e Enter");
	memory_screen_interrupt(screen);
	run(screen, "-s dso", NULL);
	memory_screen_print(screen, out);
	assert_non_null(strstr(out->str, "stopped"));
	assert_non_null(strstr(out->str, "Overhead▼  Shared Object\n"));
	assert_non_null(strstr(out->str, "94.62%  orders\n"));
	screen_free(screen);
}

/* Whatever is pressed. */
static void random_keys_do_no_harm(void **state)
{
	static const char *const keys[] = {
		"Up",  "Down",	    "PgDn", "End",   "Home", "Enter", "Enter",	   "ESC",
		"Tab", "Shift-Tab", "+",    "e",     "E",    "C",     "F",	   "L",
		"H",   "V",	    "T",    "A",     "W",    "o",     "a",	   "d",
		"t",   "k",	    "S",    "m",     "0",    "1",     "/",	   "x",
		"i",   "?",	    "Left", "Right", "n",    "s",     "Backspace",
	};
	g_autofree char *before = g_get_current_dir();
	g_autofree char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);

	srand(3);
	assert_int_equal(chdir(folder), 0);
	for (u32 round = 0; round < 2; round++) {
		struct screen *screen = memory_screen_new(24, 80);

		for (u32 i = 0; i < 400; i++) {
			if (!(rand() % 40))
				memory_screen_resize(screen, (u32)rand() % 60, (u32)rand() % 200);
			screens_press(screen, keys[(u32)rand() % G_N_ELEMENTS(keys)]);
		}
		run(screen, round % 2 ? "-s span,type,sym" : "-s dso,sym -H", NULL);
		screen_free(screen);
	}
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_menus),
		cmocka_unit_test(each_key_does_something),
		cmocka_unit_test(each_browser_and_menu_in_all_sizes),
		cmocka_unit_test(activities),
		cmocka_unit_test(waits),
		cmocka_unit_test(from_span_to_source_line),
		cmocka_unit_test(elided_names_differ),
		cmocka_unit_test(constant_columns_yield),
		cmocka_unit_test(columns_do_not_jump),
		cmocka_unit_test(asking_again_is_as_reading_anew),
		cmocka_unit_test(work_that_was_stopped_leaves_all_as_it_was),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
