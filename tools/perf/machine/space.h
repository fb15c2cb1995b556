/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An address space with its history: the mapping at an address and a time.
 *
 * A space lives from an exec, a fork, or the first record of a process to the next exec or fork. Mappings are added
 * in order of time; a later one cuts those that it overlaps. A fork's space shares the parent's mappings at the fork,
 * and copies what either changes. Unmapping is not recorded, so a mapping stays until another one covers it.
 */
#ifndef MACHINE_SPACE_H
#define MACHINE_SPACE_H

#include <glib.h>

#include "base/types.h"
#include "machine/machine.h"

struct space;

/* The result: valid for these addresses, from this time on, until a mapping is added. */
struct space_hit {
	const struct map *map; /* NULL: nothing is mapped there */
	u64 start, end;
	u64 from;
	bool lasting; /* until the space changes: the fields above are valid only if these match */
};

/*
 * Starts at @time with the mappings of @parent (NULL: none) at that time. Call it in order of time.
 */
struct space *space_new(u64 time, struct space *parent);
void space_free(struct space *space);

u64 space_start(const struct space *space);

/*
 * Maps [start, end) of @map at @time, which must not be before earlier calls. @map NULL: unmaps the range. Returns
 * true if code was mapped or unmapped, not only data.
 */
bool space_add(struct space *space, const struct map *map, u64 start, u64 end, u64 time);

/* Makes look-ups in the past fast. After this and until the next add, the space is const. */
void space_seal(struct space *space);

struct space_hit space_find(const struct space *space, u64 va, u64 time);

void space_each(const struct space *space, u64 time,
		void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg);

#endif
