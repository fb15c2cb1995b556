// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/sources.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

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
	bool is_packed;
	s64 changed_ns; /* when; of a file that is not packed */
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
static char *place_of(const struct sources *s, const char *path, bool *is_packed)
{
	char *packed = !s->prefix || *path != '/' ? packed_path_of(s->packed, path) : NULL;

	*is_packed = packed;
	if (packed)
		return packed;
	if (!s->prefix || *path != '/')
		return g_strdup(path);
	for (u32 i = 0; i < s->strip; i++) {
		const char *next = strchr(path + 1, '/');

		if (!next)
			break;
		path = next;
	}
	return g_build_filename(s->prefix, path, NULL);
}

/* When the file was changed, in ns of the day; 0: it is not there. */
static s64 changed_ns(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : (s64)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
}

static const struct source_file *file_of(struct sources *s, const char *path)
{
	struct source_file *source = g_hash_table_lookup(s->files, path);
	g_autofree char *text = NULL, *place = NULL;
	bool is_packed;

	if (source)
		return source;
	place = place_of(s, path, &is_packed);
	if (g_file_test(place, G_FILE_TEST_IS_REGULAR))
		text = file_read(place, MAX_SOURCE, NULL, NULL);
	source = g_new0(struct source_file, 1);
	source->lines = text ? g_strsplit(text, "\n", -1) : NULL;
	source->nr = text ? g_strv_length(source->lines) : 0;
	source->is_packed = is_packed;
	source->changed_ns = changed_ns(place);
	g_hash_table_insert(s->files, g_strdup(path), source);
	return source;
}

const char *sources_line(struct sources *s, const char *path, u32 nr)
{
	const struct source_file *source = file_of(s, path);

	return nr && nr <= source->nr ? source->lines[nr - 1] : NULL;
}

bool sources_may_differ(struct sources *s, const char *path, const char *program)
{
	const struct source_file *source = file_of(s, path);

	if (!source->nr || source->is_packed)
		return !source->nr;
	return !program || source->changed_ns > changed_ns(program);
}
