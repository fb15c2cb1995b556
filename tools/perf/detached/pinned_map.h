/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An array of BPF that is pinned, as memory. For those that know a recording's directory (pinned.h). */
#ifndef DETACHED_PINNED_MAP_H
#define DETACHED_PINNED_MAP_H

#include "base/error.h"
#include "base/types.h"

struct pinned_map {
	void *data; /* shared with the programs */
	u64 size;
};

/*
 * The array @name in the directory @path. False with @error: it is not there, or its elements are of another size
 * than @slot_size, because another version of perf has made it.
 */
bool pinned_map_open(struct pinned_map *map, const char *path, const char *name, u32 slot_size,
		     GError **error);
void pinned_map_close(struct pinned_map *map);

#endif
