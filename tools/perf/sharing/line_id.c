// SPDX-License-Identifier: GPL-2.0-or-later
#include "sharing/line_id.h"

#include <glib.h>
#include <sys/mman.h>

#include "machine/machine.h"

/* The file's key; 0: it is memory of one process, or the kernel's. */
static u32 shared_file(const struct map *map, struct intern *texts, u64 *va)
{
	g_autofree char *name = NULL;

	if ((s64)*va < 0 || !map || !(map->flags & MAP_SHARED) || !map->ino)
		return 0;
	name = g_strdup_printf("file %u:%u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT, map->maj,
			       map->min, map->ino, map->ino_generation);
	*va = map->pgoff + (*va - map->start);
	return intern_id(texts, name);
}

struct line_id line_id_of(const struct place *place, u32 line_size, struct intern *texts, u64 *va)
{
	struct line_id id = { 0 };

	*va = place->addr->va;
	id.file = shared_file(place->addr->map, texts, va);
	id.line = *va / line_size * line_size;
	id.pid = id.file || (s64)*va < 0 ? 0 : (u32)place->thread->pid;
	return id;
}
