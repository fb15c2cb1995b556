/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expected screens of views, in files of tests/screens. A file consists of blocks:
 *
 *	== WHAT 80x24: Enter Down Tab
 *	the screen after these keys, line by line
 *
 * WHAT names the view for the test. With "inks " before WHAT, the screen also has the names of the colours. Lines before
 * the first block are comments. SCREENS_UPDATE=1 writes the file anew; then read the diff.
 */
#ifndef UNIT_SCREENS_H
#define UNIT_SCREENS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "term/keys.h"
#include "term/memory.h"
#include "view/tui/tui.h"

/* Pushes the view named @what, or runs a whole browser. */
typedef void screens_open_fn(struct tui *tui, const char *what, void *arg);
typedef void screens_run_fn(struct screen *screen, const char *what, void *arg);

static inline void screens_press(struct screen *screen, const char *names)
{
	g_auto(GStrv) list = g_strsplit(names, " ", -1);

	for (u32 i = 0; list[i]; i++) {
		if (!*list[i])
			continue;
		if (!key_find(list[i]))
			fail_msg("no key is called '%s'", list[i]);
		memory_screen_press(screen, key_find(list[i]));
	}
}

struct screens_views {
	screens_open_fn *open;
	void *arg;
};

static inline void screens_run_view(struct screen *screen, const char *what, void *arg)
{
	const struct screens_views *views = arg;
	struct tui *tui = tui_new(screen);

	views->open(tui, what, views->arg);
	tui_run(tui);
	tui_free(tui);
}

/* Runs the keys of a block's first line @line, and returns the screen. */
static inline char *screens_draw(const char *line, screens_run_fn *run, void *arg)
{
	g_autofree char *head = g_strdup(line + strlen("== "));
	char *keys = strchr(head, ':'), *size;
	GString *out = g_string_new(NULL);
	struct screen *screen;
	u32 rows = 0, columns = 0;
	bool inks;

	if (!keys)
		fail_msg("no keys in '%s'", line);
	*keys++ = '\0';
	inks = g_str_has_prefix(head, "inks ");
	size = strrchr(head, ' ');
	if (!size || sscanf(size, " %ux%u", &columns, &rows) != 2)
		fail_msg("no size in '%s'", line);
	*size = '\0';
	screen = memory_screen_new(rows, columns);
	screens_press(screen, keys);
	run(screen, head + (inks ? strlen("inks ") : 0), arg);
	if (inks)
		memory_screen_print_inks(screen, out);
	else
		memory_screen_print(screen, out);
	screen_free(screen);
	return g_string_free(out, FALSE);
}

static inline void screens_check_run(const char *name, screens_run_fn *run, void *arg)
{
	const char *top = getenv("SRC"), *update = getenv("SCREENS_UPDATE");
	g_autofree char *path = g_strdup_printf("%s/tools/perf/tests/screens/%s", top ?: ".", name);
	g_autoptr(GString) got = g_string_new(NULL);
	g_autofree char *expect = NULL;
	g_auto(GStrv) lines = NULL;
	bool begun = false;

	if (!g_file_get_contents(path, &expect, NULL, NULL))
		fail_msg("%s cannot be read", path);
	lines = g_strsplit(expect, "\n", -1);
	for (u32 i = 0; lines[i]; i++) {
		g_autofree char *screen = NULL;

		if (!begun && !g_str_has_prefix(lines[i], "== ")) {
			g_string_append_printf(got, "%s\n", lines[i]);
			continue;
		}
		if (!g_str_has_prefix(lines[i], "== "))
			continue;
		begun = true;
		screen = screens_draw(lines[i], run, arg);
		g_string_append_printf(got, "%s\n%s", lines[i], screen);
	}
	if (update && *update == '1')
		assert_true(g_file_set_contents(path, got->str, -1, NULL));
	else
		assert_string_equal(got->str, expect);
}

/* The first lines of all blocks in the files @names, which are separated by blanks. */
static inline GPtrArray *screens_heads(const char *names)
{
	const char *top = getenv("SRC");
	g_auto(GStrv) files = g_strsplit(names, " ", -1);
	GPtrArray *heads = g_ptr_array_new_with_free_func(g_free);

	for (u32 f = 0; files[f]; f++) {
		g_autofree char *path =
			g_strdup_printf("%s/tools/perf/tests/screens/%s", top ?: ".", files[f]);
		g_autofree char *text = NULL;
		g_auto(GStrv) lines = NULL;

		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		lines = g_strsplit(text, "\n", -1);
		for (u32 i = 0; lines[i]; i++)
			if (g_str_has_prefix(lines[i], "== "))
				g_ptr_array_add(heads, g_strdup(lines[i]));
	}
	return heads;
}

/* True if the block's last key changes the screen: cursor row, colours or texts. */
static inline bool screens_last_key_shows(const char *head, screens_run_fn *run, void *arg)
{
	g_autofree char *inks = g_strdup_printf("== inks %s", head + strlen("== "));
	g_autofree char *before = g_strdup(inks);
	g_autofree char *with = screens_draw(inks, run, arg);
	g_autofree char *without = NULL;
	char *last = strrchr(before, ' ');

	*last = '\0';
	/* It is the only key: nothing is left after the colon. */
	without = screens_draw(before, run, arg);
	return strcmp(with, without) != 0 && !strstr(with, "this key does nothing here");
}

/*
 * Checks that each key of @keys is the last key of some block of @file, and changes the screen there. The block's first
 * line must begin with "== @what".
 */
static inline void screens_check_keys(const char *file, const char *what, const char *keys,
				      screens_run_fn *run, void *arg)
{
	g_autoptr(GPtrArray) heads = screens_heads(file);
	g_auto(GStrv) list = g_strsplit(keys, " ", -1);
	g_autofree char *start = g_strdup_printf("== %s", what);

	for (u32 k = 0; list[k]; k++) {
		bool found = false;

		for (u32 i = 0; i < heads->len && !found; i++) {
			const char *head = heads->pdata[i], *last = strrchr(head, ' ');

			found = g_str_has_prefix(head, start) && !strcmp(last + 1, list[k]) &&
				screens_last_key_shows(head, run, arg);
		}
		if (!found)
			fail_msg("no block of %s for %s shows what %s does", file, what, list[k]);
	}
}

/* Checks that each "WHAT: KEYS" of @views (NULL-terminated) is a block in all three sizes. */
static inline void screens_check_sizes(const char *files, const char *const *views)
{
	static const char *const sizes[] = { "80x24", "200x50", "40x10" };
	g_autoptr(GPtrArray) heads = screens_heads(files);

	for (u32 v = 0; views[v]; v++) {
		const char *colon = strstr(views[v], ": ");

		for (u32 s = 0; s < G_N_ELEMENTS(sizes); s++) {
			g_autofree char *head = g_strdup_printf(
				"== %.*s %s%s", (int)(colon - views[v]), views[v], sizes[s], colon);
			bool found = false;

			g_strchomp(head);
			for (u32 i = 0; i < heads->len; i++)
				found |= !strcmp(heads->pdata[i], head);
			if (!found)
				fail_msg("no block of %s begins with '%s'", files, head);
		}
	}
}

static inline void screens_check(const char *name, screens_open_fn *open, void *arg)
{
	struct screens_views views = { open, arg };

	screens_check_run(name, screens_run_view, &views);
}

#endif
