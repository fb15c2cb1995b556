/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Maps a pinned BPF array into memory. For modules that know a recording's directory (pinned.h). */
#ifndef DETACHED_PINNED_MAP_H
#define DETACHED_PINNED_MAP_H

#include "base/error.h"
#include "base/types.h"

struct pinned_map {
	void *data; /* shared with the programs */
	u64 size;
};

/*
 * Opens the array @name in directory @path. False with @error: it does not exist, or its elements
 * have another size than @slot_size because another version of perf created it.
 */
bool pinned_map_open(struct pinned_map *map, const char *path, const char *name, u32 slot_size,
		     GError **error);
void pinned_map_close(struct pinned_map *map);

#endif
