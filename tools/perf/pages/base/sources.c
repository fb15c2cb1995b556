// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/base/sources.h"

#include <glib.h>
#include <string.h>

#include "base/file.h"
#include "dso/packed.h"

#define MAX_SOURCE (16 << 20) /* limit in bytes of a source file to read */

struct sources {
	GHashTable *files; /* path -> struct source_file */
	struct packed *packed;
	const char *prefix;
	u32 strip;
};

/* If the file cannot be read, it has no lines. */
struct source_file {
	char **lines;
	u32 nr;
};

static void source_free(void *arg)
{
	struct source_file *source = arg;

	g_strfreev(source->lines);
	g_free(source);
}

struct sources *sources_new(struct packed *packed, const char *prefix, u32 strip)
{
	struct sources *s = g_new(struct sources, 1);

	s->packed = packed;
	s->prefix = prefix;
	s->strip = strip;
	s->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, source_free);
	return s;
}

void sources_free(struct sources *s)
{
	g_hash_table_unref(s->files);
	g_free(s);
}

/* Where the file is; to be freed. */
static char *place_of(const struct sources *s, const char *path)
{
	if (!s->prefix || *path != '/')
		return packed_path_of(s->packed, path) ?: g_strdup(path);
	for (u32 i = 0; i < s->strip; i++) {
		const char *next = strchr(path + 1, '/');

		if (!next)
			break;
		path = next;
	}
	return g_build_filename(s->prefix, path, NULL);
}

static const struct source_file *file_of(struct sources *s, const char *path)
{
	struct source_file *source = g_hash_table_lookup(s->files, path);
	g_autofree char *text = NULL, *place = NULL;

	if (source)
		return source;
	place = place_of(s, path);
	if (g_file_test(place, G_FILE_TEST_IS_REGULAR))
		text = file_read(place, MAX_SOURCE, NULL, NULL);
	source = g_new0(struct source_file, 1);
	source->lines = text ? g_strsplit(text, "\n", -1) : NULL;
	source->nr = text ? g_strv_length(source->lines) : 0;
	g_hash_table_insert(s->files, g_strdup(path), source);
	return source;
}

const char *sources_line(struct sources *s, const char *path, u32 nr)
{
	const struct source_file *source = file_of(s, path);

	return nr && nr <= source->nr ? source->lines[nr - 1] : NULL;
}
