// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report, drawn into memory: screens/report-* say which options and keys bring which
 * screen, of the recording that comes with the source.
 */
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/report_screen.h"
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

/* From the slowest span to the field and the source line. */
static void from_span_to_source_line(void **state)
{
	screens_check_run("report-demo", run, NULL);
}

static char *screen_of(const char *what, const char *keys)
{
	struct screen *screen = memory_screen_new(24, 80);
	GString *out = g_string_new(NULL);

	screens_press(screen, keys);
	run(screen, what, NULL);
	memory_screen_print(screen, out);
	screen_free(screen);
	return g_string_free(out, FALSE);
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
		cmocka_unit_test(from_span_to_source_line),
		cmocka_unit_test(asking_again_is_as_reading_anew),
		cmocka_unit_test(work_that_was_stopped_leaves_all_as_it_was),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
