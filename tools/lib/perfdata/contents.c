// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/contents.h"

#include <inttypes.h>
#include <string.h>

char *contents_file(const struct event_mmap *map)
{
	return g_strdup_printf("%s %x:%x %" PRIx64 " %" PRIx64, map->filename, map->maj, map->min,
			       map->ino, map->ino_generation);
}

char *contents_note(const char *sha1, const char *file)
{
	return g_strconcat(sha1, " ", file, NULL);
}

bool contents_parse(const char *note, char **sha1, const char **file)
{
	const char *blank = strchr(note, ' ');

	if (!blank || !blank[1])
		return false;
	*sha1 = g_strndup(note, (gsize)(blank - note));
	*file = blank + 1;
	return true;
}
