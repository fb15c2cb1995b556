// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The source of a dso's symbols, as one letter. The letters are upstream's: perf report -v prints one after each
 * address. The letter depends on the folder in which the file was found.
 */
#include <string.h>

#include "dso/private.h"

static bool is_below(const char *path, const char *dir)
{
	size_t size = dir ? strlen(dir) : 0;

	while (size && dir[size - 1] == '/')
		size--;
	return size && !strncmp(path, dir, size) && path[size] == '/';
}

static char origin_of_debug_file(const struct dso *dso, const char *path)
{
	const struct dso_options *options = &dso->table->options;
	g_autofree char *ids = g_build_filename(options->debug_dir, ".build-id", NULL);
	g_autofree char *same = g_build_filename(options->debug_dir, dso->long_name, NULL);

	/* debuginfod keeps files under that name. */
	if (is_below(path, options->buildid_dir) || g_str_has_suffix(path, "/debuginfo"))
		return 'D';
	if (is_below(path, ids) || strstr(path, ids))
		return 'b';
	return g_str_has_suffix(path, same) ? 'u' : 'l';
}

char origin_of(const struct dso *dso, const struct image *image)
{
	const char *path = image->path;

	if (dso->kind == DSO_KERNEL)
		return 'v';
	if (image != in(dso)->code)
		return origin_of_debug_file(dso, path);
	return is_below(path, dso->table->options.buildid_dir) ? 'B' : 'd';
}

char origin_of_module(const struct dso *dso, const char *path)
{
	if (is_below(path, dso->table->options.buildid_dir))
		return 'B';
	return g_str_has_suffix(path, ".ko") ? 'K' : 'm';
}
