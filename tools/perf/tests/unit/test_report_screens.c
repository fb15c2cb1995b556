// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report, drawn into memory: screens/report-* say which options and keys bring which
 * screen, of the recording that comes with the source.
 */
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/report_screen.h"

/* `perf report` with the words of @what. */
static void run(struct screen *screen, const char *what, void *arg)
{
	g_autofree char *data =
		g_strdup_printf("%s/tools/perf/tests/data/orders", getenv("SRC") ?: ".");
	g_autofree char *line =
		g_strdup_printf("report -f -i %s/orders.data --symfs %s -d orders --no-children %s",
				data, data, what);
	g_autofree char **argv = NULL;
	g_auto(GStrv) words = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr;

	assert_true(g_shell_parse_argv(line, &nr, &words, NULL));
	/* Parsing moves words about; the list frees all of them. */
	argv = g_memdup2(words, sizeof(*words) * ((gsize)nr + 1));
	assert_int_equal(report_on_screen(screen, config, nr, argv), 0);
	config_free(config);
}

static void rows_and_menus(void **state)
{
	screens_check_run("report-rows", run, NULL);
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
	for (u32 round = 0; round < 6; round++) {
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
		cmocka_unit_test(activities),
		cmocka_unit_test(from_span_to_source_line),
		cmocka_unit_test(asking_again_is_as_reading_anew),
		cmocka_unit_test(work_that_was_stopped_leaves_all_as_it_was),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
