// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings are read one after the other, and a row gets its identity when its recording is read. So the first recording decides
 * for each file:
 *
 *	the first one	this one	the line's identity
 *	contents	contents	the contents
 *	contents	numbers		what the first one's line of this number had
 *	numbers		either		the number
 */
#include "compare/lines.h"

#include <string.h>

#include "dso/dso.h"
#include "dso/sources.h"

/* A file, by the last part of its path: builds lie in different folders. */
struct file_lines {
	bool contents;
	GHashTable *identities; /* the first recording's number of a line -> its identity */
};

struct compare_lines {
	struct sources *sources;
	GHashTable *files; /* name -> struct file_lines * */
	u32 nr;		   /* recordings so far */
};

static void file_free(void *arg)
{
	struct file_lines *file = arg;

	g_hash_table_destroy(file->identities);
	g_free(file);
}

struct compare_lines *compare_lines_new(void)
{
	struct compare_lines *lines = g_new0(struct compare_lines, 1);

	lines->files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, file_free);
	return lines;
}

void compare_lines_free(struct compare_lines *lines)
{
	if (!lines)
		return;
	g_clear_pointer(&lines->sources, sources_free);
	g_hash_table_destroy(lines->files);
	g_free(lines);
}

void compare_lines_begin(struct compare_lines *lines, struct packed *packed)
{
	g_clear_pointer(&lines->sources, sources_free);
	lines->sources = sources_new(packed, NULL, 0);
	lines->nr++;
}

static struct file_lines *file_of(struct compare_lines *lines, const char *name, bool contents)
{
	struct file_lines *file = g_hash_table_lookup(lines->files, name);

	if (file)
		return file;
	file = g_new0(struct file_lines, 1);
	file->contents = contents;
	file->identities = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	g_hash_table_insert(lines->files, g_strdup(name), file);
	return file;
}

/* Its contents without blanks around them, and which of the equal lines of the file it is. */
static char *contents_of(struct compare_lines *lines, const char *name,
			 const struct line_place *place)
{
	const char *text = sources_line(lines->sources, place->path, place->line);
	g_autofree char *bare = text ? g_strstrip(g_strdup(text)) : NULL;
	u32 nr = 1;

	if (!bare || !*bare)
		return NULL;
	for (u32 i = 1; i < place->line; i++) {
		g_autofree char *other =
			g_strstrip(g_strdup(sources_line(lines->sources, place->path, i)));

		nr += !strcmp(bare, other);
	}
	return g_strdup_printf("%s #%u of %s", bare, nr, name);
}

char *compare_lines_identity(struct compare_lines *lines, const struct line_place *place)
{
	const char *slash = strrchr(place->path, '/'), *name = slash ? slash + 1 : place->path;
	bool contents = !sources_may_differ(lines->sources, place->path, dso_file(place->dso));
	struct file_lines *file = file_of(lines, name, contents);
	g_autofree char *identity = NULL;
	gpointer number = GUINT_TO_POINTER(place->line);

	if (!file->contents)
		return NULL;
	if (!contents)
		return g_strdup(g_hash_table_lookup(file->identities, number));
	identity = contents_of(lines, name, place);
	if (lines->nr == 1 && identity)
		g_hash_table_insert(file->identities, number, g_strdup(identity));
	return g_steal_pointer(&identity);
}
