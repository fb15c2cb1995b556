// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf report over many rows: what keys cost, and that all work before the first screen, and behind a
 * key, can be left with ^C.
 */
#include "sanitized.h"
#include "own_programs.h"
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/report/report_screen.h"
#include "forged.h"

/* Rows. Documentation/design/views.md has figures of a million. */
#define NR (SANITIZED ? 20000 : 60000)

static char *many_rows(void)
{
	GString *text = g_string_new(
		"event cycles type=hardware config=0 sample_type=IP|TID|TIME|PERIOD|CALLCHAIN\n"
		"comm pid=7 text=srv time=1\ncomm pid=8 text=cli time=1\n");
	char *path;

	for (u32 i = 0; i < NR; i++)
		g_string_append_printf(text,
				       "sample pid=%u ip=0x%x time=%u period=3 misc=user "
				       "chain=user,0x%x,0x%x\n",
				       7 + i % 2, 0x1000 + i * 16, i + 2, 0x1000 + i * 16,
				       i % 50 * 16 + 8);
	path = forged_file(text->str);
	g_string_free(text, TRUE);
	return path;
}

static int set_up(void **state)
{
	*state = many_rows();
	return 0;
}

/* `perf report` with @words; its exit status. */
static int run(struct screen *screen, const char *path, const char *words)
{
	g_autofree char *line = g_strdup_printf("report -f -i %s --no-children %s", path, words);
	g_autofree char **argv = NULL;
	g_auto(GStrv) list = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr, status;

	assert_true(g_shell_parse_argv(line, &nr, &list, NULL));
	argv = g_memdup2(list, sizeof(*list) * ((gsize)nr + 1));
	status = report_on_screen(screen, config, nr, argv);
	config_free(config);
	return status;
}

/* All that move, unfold one, or change how rows look; E adds 100,000 rows and shows how far it is. */
static void keys_that_sort_nothing_answer_at_once(void **state)
{
	static const char keys[] = "End Home PgDn Down PgUp Up Space Right Left + e C F V H H "
				   "Enter ESC m ESC ? ESC i ESC "
				   "L 0 . 0 1 Enter End Home L 0 Enter E C";
	g_auto(GStrv) names = g_strsplit(keys, " ", -1);
	struct screen *screen = memory_screen_new(50, 200);
	const GArray *costs;

	screens_press(screen, keys);
	assert_int_equal(run(screen, *state, "-s addr,tid"), 0);
	costs = memory_screen_costs(screen);
	assert_true(costs->len > g_strv_length(names));
	for (u32 i = 0; names[i]; i++) {
		double ms = (double)g_array_index(costs, u64, i + 1) / 1e6;

		if (ms >= 50 && *names[i] != 'E')
			fail_msg("key %u, %s, costs %.1f ms", i, names[i], ms);
	}
	screen_free(screen);
}

static char *shown(const struct screen *screen)
{
	GString *text = g_string_new(NULL);

	memory_screen_print(screen, text);
	return g_string_free(text, FALSE);
}

/*
 * ^C at the first, second, ... time that the work asks for it, which it does some times a second: at last it was left in
 * each of @stages, which are words of its progress.
 */
static void assert_can_be_left(const char *path, const char *keys, const char *const *stages)
{
	g_autoptr(GString) seen = g_string_new(NULL);
	u32 nr_seen = 0;

	/* How often it asks depends on how fast the machine is just then. */
	for (u32 round = 0; round < 100 && stages[nr_seen]; round++) {
		struct screen *screen = memory_screen_new(24, 80);
		g_autofree char *text = NULL;

		memory_screen_interrupt_later(screen, round % 8);
		screens_press(screen, keys);
		run(screen, path, "-s addr,tid");
		text = shown(screen);
		if (strstr(text, "^C: stop"))
			g_string_append(seen, text);
		screen_free(screen);
		for (nr_seen = 0; stages[nr_seen] && strstr(seen->str, stages[nr_seen]); nr_seen++)
			;
	}
	if (stages[nr_seen])
		fail_msg("'%s' was not left: %s", stages[nr_seen], seen->str);
}

static void all_before_the_first_screen_can_be_left(void **state)
{
	static const char *const stages[] = { "Processing samples", "Adding up", "Sorting", NULL };

	assert_can_be_left(*state, "", stages);
}

/* s: the threads and maps of another file. */
static void opening_another_file_can_be_left(void **state)
{
	static const char *const stages[] = { "Reading threads and maps", NULL };
	g_autofree char *before = g_get_current_dir();
	g_autofree char *folder = g_dir_make_tmp("keys-XXXXXX", NULL);

	assert_int_equal(chdir(folder), 0);
	assert_int_equal(symlink(*state, "other.data"), 0);
	assert_can_be_left(*state, "s Enter", stages);
	unlink("other.data");
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_that_sort_nothing_answer_at_once),
		cmocka_unit_test(all_before_the_first_screen_can_be_left),
		cmocka_unit_test(opening_another_file_can_be_left),
	};

	return cmocka_run_group_tests(tests, set_up, forged_remove);
}
