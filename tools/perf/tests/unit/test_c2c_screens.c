// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf c2c report, drawn into memory: screens/c2c-* say which options and keys bring which screen, of a
 * recording that is forged here: two threads of data/types/bin/walk, and two events. With levels of caches, it is that of cases/c2c-hitm.
 */
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/c2c/c2c_screen.h"
#include "tests/forge/forge.h"

/* Thread 7 writes hits, thread 8 reads an element of table beside it; of the second event, both write hits. */
static void forge(const char *path)
{
	g_autoptr(GString) text = g_string_new("event loads type=raw config=0x1cd precise=2 "
					       "sample_type=IP|TID|TIME|ADDR|PERIOD|IDENTIFIER\n"
					       "event stores type=raw config=0x2cd precise=2 "
					       "sample_type=IP|TID|TIME|ADDR|PERIOD|IDENTIFIER\n"
					       "comm pid=7 text=walk misc=exec time=1\n"
					       "comm pid=7 tid=8 text=helper time=1\n"
					       "mmap2 pid=7 start=0x400000 len=0x2000 pgoff=0 "
					       "prot=5 file=/bin/walk time=2 misc=user\n");
	g_autoptr(GBytes) bytes = NULL;

	for (u32 i = 0; i < 40; i++)
		g_string_append_printf(
			text,
			"sample event=%u pid=7 tid=%u time=%u ip=%s addr=%s period=%u misc=user\n",
			i % 4 / 3, 7 + i % 2, 10 + i, i % 2 && i % 4 < 3 ? "0x40101d" : "0x40105b",
			i % 2 && i % 4 < 3 ? "0x404010" : "0x404028", i % 2 ? 300 : 100);
	for (u32 i = 0; i < 20; i++)
		g_string_append_printf(text,
				       "sample event=1 pid=7 tid=7 time=%u ip=0x40105b "
				       "addr=0x404028 period=50 misc=user\n",
				       12 + i);
	bytes = forge_text(text->str, NULL);
	assert_non_null(bytes);
	assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
}

/* A file of events that state levels of caches. */
static void forge_levels(const char *path)
{
	g_autofree char *source = g_build_filename(getenv("SRC") ?: ".",
						   "tools/perf/tests/cases/c2c-hitm/in.txt", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GBytes) bytes = NULL;

	assert_true(g_file_get_contents(source, &text, NULL, NULL));
	bytes = forge_text(text, NULL);
	assert_non_null(bytes);
	assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
}

typedef void forge_fn(const char *path);

/* "WORDS" of perf c2c report, in a folder with perf.data. */
static void run_on(forge_fn *make, struct screen *screen, const char *what)
{
	g_autofree char *before = g_get_current_dir();
	g_autofree char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);
	g_autofree char *top = g_canonicalize_filename(getenv("SRC") ?: ".", NULL);
	g_autofree char *line =
		g_strdup_printf("report -f --symfs %s/tools/perf/tests/data/types %s", top, what);
	g_autofree char **argv = NULL;
	g_auto(GStrv) words = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr;

	assert_int_equal(chdir(folder), 0);
	make("perf.data");
	assert_true(g_shell_parse_argv(line, &nr, &words, NULL));
	/* Parsing moves words about; the list frees all of them. */
	argv = g_memdup2(words, sizeof(*words) * ((gsize)nr + 1));
	assert_int_equal(c2c_on_screen(screen, config, nr, argv), 0);
	config_free(config);
	unlink("perf.data");
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

static void run(struct screen *screen, const char *what, void *arg)
{
	run_on(forge, screen, what);
}

static void run_levels(struct screen *screen, const char *what, void *arg)
{
	run_on(forge_levels, screen, what);
}

static void from_lines_to_fields_and_code(void **state)
{
	screens_check_run("c2c-rows", run, NULL);
}

static void each_key_does_something(void **state)
{
	screens_check_run("c2c-keys", run, NULL);
	screens_check_keys("c2c-keys", "", "Enter c A Tab Shift-Tab", run, NULL);
}

static void from_hitm_to_the_line_and_code(void **state)
{
	screens_check_run("c2c-hitm", run_levels, NULL);
}

static void each_key_of_hitm_does_something(void **state)
{
	screens_check_run("c2c-hitm-keys", run_levels, NULL);
	screens_check_keys("c2c-hitm-keys", "", "Enter Tab Shift-Tab T c A", run_levels, NULL);
}

/* Whatever is pressed. */
static void press_at_random(screens_run_fn *browser)
{
	static const char *const keys[] = { "Up",  "Down",  "PgDn",	"End", "Home", "Enter",
					    "ESC", "Tab",   "+",	"H",   "A",    "c",
					    "W",   "T",	    "Left",	"m",   "/",    "x",
					    "?",   "Right", "Backspace" };
	struct screen *screen = memory_screen_new(24, 80);

	srand(5);
	for (u32 i = 0; i < 300; i++) {
		if (!(rand() % 40))
			memory_screen_resize(screen, (u32)rand() % 60, (u32)rand() % 200);
		screens_press(screen, keys[(u32)rand() % G_N_ELEMENTS(keys)]);
	}
	browser(screen, "--least=1", NULL);
	screen_free(screen);
}

static void random_keys_do_no_harm(void **state)
{
	press_at_random(run);
	press_at_random(run_levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(from_lines_to_fields_and_code),
		cmocka_unit_test(each_key_does_something),
		cmocka_unit_test(from_hitm_to_the_line_and_code),
		cmocka_unit_test(each_key_of_hitm_does_something),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
