/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fake kernel for tests: files in a temporary folder replace /proc, /sys and tracefs. */
#ifndef TESTS_PERFEVENT_TREE_H
#define TESTS_PERFEVENT_TREE_H

#include <glib.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

#include "perfevent/paths.h"

struct tree {
	char *root;
	char *proc, *sys, *tracing, *modules;
	struct kernel_paths paths;
};

static inline void tree_init(struct tree *t)
{
	t->root = g_dir_make_tmp("perf-tree.XXXXXX", NULL);
	g_assert(t->root && !g_chmod(t->root, 0755)); /* some tests read it as user nobody */
	t->proc = g_build_filename(t->root, "proc", NULL);
	t->sys = g_build_filename(t->root, "sys", NULL);
	t->tracing = g_build_filename(t->root, "tracing", NULL);
	t->modules = g_build_filename(t->root, "modules", NULL);
	t->paths = (struct kernel_paths){ t->proc, t->sys, t->tracing, t->modules };
}

/* Writes @size bytes to file @name below the root. Makes its folders, too. */
static inline void tree_bytes(struct tree *t, const char *name, const void *data, size_t size)
{
	g_autofree char *path = g_build_filename(t->root, name, NULL);
	g_autofree char *dir = g_path_get_dirname(path);

	g_assert(!g_mkdir_with_parents(dir, 0755));
	g_assert(g_file_set_contents(path, data, size, NULL));
}

static inline void tree_put(struct tree *t, const char *name, const char *text)
{
	tree_bytes(t, name, text, strlen(text));
}

static inline void tree_remove(const char *path)
{
	GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *sub = g_build_filename(path, name, NULL);

		tree_remove(sub);
	}
	if (dir)
		g_dir_close(dir);
	g_remove(path);
}

static inline void tree_release(struct tree *t)
{
	tree_remove(t->root);
	g_free(t->root);
	g_free(t->proc);
	g_free(t->sys);
	g_free(t->tracing);
	g_free(t->modules);
}

#endif
