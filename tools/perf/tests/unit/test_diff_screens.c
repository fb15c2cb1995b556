// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The browser of perf diff, drawn into memory: screens/diff-* say which options and keys bring which screen, of two
 * recordings that are forged here.
 */
#include "own_programs.h"
#include "screens.h"

#include <unistd.h>

#include "cli/config.h"
#include "cmd/diff/diff_screen.h"
#include "cmd/report/report_screen.h"
#include "tests/forge/forge.h"

/* A place with its samples before and after. Functions of the kernel have names, and others by which they go afterwards. */
struct forged {
	u64 ip;
	u32 old, now;
	const char *name, *renamed;
};

/* Code of data/types/bin/walk: see cases/annotate-types. */
static const struct forged user[] = {
	{ 0x401049, 300, 520 }, /* struct node, key */
	{ 0x40104c, 120, 125 }, /* struct node, l.next */
	{ 0x401038, 110, 45 },	/* struct node, pairs.y */
	{ 0x40101d, 70, 66 },	/* struct pair */
	{ 0x401014, 2, 3 },	{ 0x401064, 3, 1 }, { 0x401008, 1, 2 },
};

static const struct forged kernel[] = {
	{ 0xffffffff81000000, 200, 290, "settle.isra.0", "settle.constprop.0" },
	{ 0xffffffff81001000, 150, 149, "scan", "scan" },
	{ 0xffffffff81002000, 60, 0, "old_way", "old_way" },
	{ 0xffffffff81003000, 0, 80, "new_way", "new_way" },
	{ 0xffffffff81004000, 2, 3, "tick", "tick" },
	{ 0xffffffff81005000, 3, 2, "tock", "tock" },
};

/* All functions of the kernel are called by scan(). */
static void add_samples(GString *text, const struct forged *f, bool is_new, const char *mode)
{
	for (u32 i = 0; i < (is_new ? f->now : f->old); i++)
		g_string_append_printf(
			text,
			"sample pid=7 time=%" G_GSIZE_FORMAT " ip=%#" G_GINT64_MODIFIER
			"x period=1000000 misc=%s chain=%s,%#" G_GINT64_MODIFIER "x%s\n",
			1000 + text->len, f->ip, mode, mode, f->ip,
			f->name ? ",0xffffffff81001008" : "");
}

static void forge(const char *path, bool is_new)
{
	g_autoptr(GString) text = g_string_new(
		"event cpu-clock type=software config=0 freq=1000 "
		"sample_type=IP|TID|TIME|CALLCHAIN|PERIOD\n"
		"comm pid=7 text=walk misc=exec time=1\n"
		"mmap2 pid=7 start=0x400000 len=0x2000 pgoff=0 prot=5 file=/bin/walk time=2 "
		"misc=user\n");
	g_autoptr(GBytes) bytes = NULL;

	for (u32 i = 0; i < G_N_ELEMENTS(kernel); i++)
		g_string_append_printf(text,
				       "ksymbol addr=%#" G_GINT64_MODIFIER
				       "x len=64 type=1 name=%s\n",
				       kernel[i].ip, is_new ? kernel[i].renamed : kernel[i].name);
	for (u32 i = 0; i < G_N_ELEMENTS(user); i++)
		add_samples(text, &user[i], is_new, "user");
	for (u32 i = 0; i < G_N_ELEMENTS(kernel); i++)
		add_samples(text, &kernel[i], is_new, "kernel");
	bytes = forge_text(text->str, NULL);
	assert_non_null(bytes);
	assert_true(g_file_set_contents(path, g_bytes_get_data(bytes, NULL),
					(gssize)g_bytes_get_size(bytes), NULL));
}

static const char *const left[] = { "old.data", "new.data", "perf.hist.0" };

/* The command of @what, "diff WORDS" or "report WORDS", in a folder with old.data and new.data. */
static void run_command(struct screen *screen, const char *what)
{
	bool report = g_str_has_prefix(what, "report ");
	g_autofree char *before = g_get_current_dir();
	g_autofree char *folder = g_dir_make_tmp("screens-XXXXXX", NULL);
	g_autofree char *top = g_canonicalize_filename(getenv("SRC") ?: ".", NULL);
	g_autofree char *line =
		g_strdup_printf("%.*s -f --skid=sampled --symfs %s/tools/perf/tests/data/types%s",
				(int)strcspn(what, " "), what, top, strchr(what, ' '));
	g_autofree char **argv = NULL;
	g_auto(GStrv) words = NULL;
	struct config *config = config_load(CONFIG_ALL);
	int nr;

	assert_int_equal(chdir(folder), 0);
	forge("old.data", false);
	forge("new.data", true);
	assert_true(g_shell_parse_argv(line, &nr, &words, NULL));
	/* Parsing moves words about; the list frees all of them. */
	argv = g_memdup2(words, sizeof(*words) * ((gsize)nr + 1));
	assert_int_equal(report ? report_on_screen(screen, config, nr, argv)
				: diff_on_screen(screen, config, nr, argv),
			 0);
	config_free(config);
	for (u32 i = 0; i < G_N_ELEMENTS(left); i++)
		unlink(left[i]);
	assert_int_equal(chdir(before), 0);
	rmdir(folder);
}

static void run(struct screen *screen, const char *what, void *arg)
{
	g_autofree char *command = g_strdup_printf("diff %s", what);

	run_command(screen, command);
}

static char *screen_of(const char *command, const char *keys)
{
	struct screen *screen = memory_screen_new(24, 80);
	GString *out = g_string_new(NULL);

	screens_press(screen, keys);
	run_command(screen, command);
	memory_screen_print(screen, out);
	screen_free(screen);
	return g_string_free(out, FALSE);
}

/* perf report --baseline is the same browser. */
static void a_baseline_is_a_comparison(void **state)
{
	static const char *const keys[] = { "Home", "z", "Enter", "o Up Up Enter", "a", "b", NULL };

	for (u32 i = 0; keys[i]; i++) {
		g_autofree char *diff = screen_of("diff -s typeoff old.data new.data", keys[i]);
		g_autofree char *report =
			screen_of("report -s typeoff -i new.data --baseline=old.data", keys[i]);

		assert_string_equal(report, diff);
	}
}

static void rows_and_menus(void **state)
{
	screens_check_run("diff-rows", run, NULL);
}

/* What the keys of the report's browser do where it shows a comparison. */
static void each_key_does_something(void **state)
{
	screens_check_run("diff-keys", run, NULL);
	screens_check_keys("diff-keys", "", "Enter + a T W A b z d k F L V o / P s", run, NULL);
}

static void in_all_sizes(void **state)
{
	static const char *const views[] = {
		"-s sym old.data new.data: ", "-s sym old.data new.data: Enter",
		"-s sym old.data new.data: o", "-s typeoff old.data new.data: ", NULL
	};

	screens_check_sizes("diff-rows", views);
}

/* Whatever is pressed. */
static void random_keys_do_no_harm(void **state)
{
	static const char *const keys[] = {
		"Up", "Down", "PgDn", "End",   "Home", "Enter",	    "Enter", "ESC", "Tab", "+",
		"e",  "E",    "C",    "F",     "L",    "H",	    "V",     "T",   "A",   "W",
		"o",  "a",    "d",    "t",     "k",    "S",	    "m",     "0",   "/",   "x",
		"i",  "?",    "Left", "Right", "s",    "Backspace", "b",     ">",   "<",   "b",
	};

	srand(5);
	for (u32 round = 0; round < 2; round++) {
		struct screen *screen = memory_screen_new(24, 80);

		for (u32 i = 0; i < 300; i++) {
			if (!(rand() % 40))
				memory_screen_resize(screen, (u32)rand() % 60, (u32)rand() % 200);
			screens_press(screen, keys[(u32)rand() % G_N_ELEMENTS(keys)]);
		}
		run(screen, round ? "-s typeoff,sym old.data new.data" : "old.data new.data", NULL);
		screen_free(screen);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_and_menus),
		cmocka_unit_test(each_key_does_something),
		cmocka_unit_test(in_all_sizes),
		cmocka_unit_test(a_baseline_is_a_comparison),
		cmocka_unit_test(random_keys_do_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
