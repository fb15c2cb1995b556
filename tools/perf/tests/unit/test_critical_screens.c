// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report --critical, drawn into memory: screens/critical-* say which options and keys bring which screen, of the
 * recording that the case report-critical forges.
 */
#include "own_programs.h"
#include "screens.h"

#include <sys/wait.h>
#include <unistd.h>

#include "cli/config.h"
#include "cmd/report/report_screen.h"

/* Runs the case up to its first report. */
static void forge(const char *top)
{
	g_autofree char *line = g_strdup_printf(
		"perf() { exit 0; }; . '%s/tools/perf/tests/cases/report-critical/cmd'", top);
	char *argv[] = { "bash", "-c", line, NULL };
	int status = -1;

	assert_non_null(getenv("FORGE"));
	assert_true(g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL,
				 &status, NULL));
	assert_true(WIFEXITED(status) && !WEXITSTATUS(status));
}

static int set_up(void **state)
{
	g_autofree char *before = g_get_current_dir();
	g_autofree char *top = g_canonicalize_filename(getenv("SRC") ?: ".", NULL);

	*state = g_dir_make_tmp("screens-XXXXXX", NULL);
	assert_int_equal(chdir(*state), 0);
	forge(top);
	return chdir(before);
}

static int tear_down(void **state)
{
	static const char *const files[] = { "in.txt", "shop.data", "spans.json" };

	for (u32 i = 0; i < G_N_ELEMENTS(files); i++) {
		g_autofree char *path = g_build_filename(*state, files[i], NULL);

		unlink(path);
	}
	rmdir(*state);
	g_free(*state);
	return 0;
}

/* "WORDS" of perf report, in the folder @arg with shop.data and spans.json. */
static void run(struct screen *screen, const char *what, void *arg)
{
	g_autofree char *before = g_get_current_dir();
	g_autofree char *line = g_strdup_printf("report -f -i shop.data %s", what);
	g_autofree char **argv = NULL;
	g_auto(GStrv) words = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr;

	assert_int_equal(chdir(arg), 0);
	assert_true(g_shell_parse_argv(line, &nr, &words, NULL));
	/* Parsing moves words about; the list frees all of them. */
	argv = g_memdup2(words, sizeof(*words) * ((gsize)nr + 1));
	assert_int_equal(report_on_screen(screen, config, nr, argv), 0);
	config_free(config);
	assert_int_equal(chdir(before), 0);
}

static void from_the_sentence_to_the_owner(void **state)
{
	screens_check_run("critical-rows", run, *state);
}

/* Whatever is pressed. */
static void random_keys_do_no_harm(void **state)
{
	static const char *const keys[] = { "Up",  "Down", "PgDn", "End", "Home", "Enter", "ESC",
					    "Tab", "+",	   "H",	   "c",	  "s",	  "e",	   "Left",
					    "m",   "/",	   "x",	   "?",	  "E",	  "Right" };
	struct screen *screen = memory_screen_new(24, 80);

	srand(7);
	for (u32 i = 0; i < 300; i++) {
		if (!(rand() % 40))
			memory_screen_resize(screen, (u32)rand() % 60, (u32)rand() % 200);
		screens_press(screen, keys[(u32)rand() % G_N_ELEMENTS(keys)]);
	}
	run(screen, "--spans=spans.json --critical=checkout --slowest=5", *state);
	screen_free(screen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_the_sentence_to_the_owner),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
