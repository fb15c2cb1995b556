/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One address space in its history: which mapping counted at this address at that time?
 *
 * A space lives from an exec, a fork or the first that is heard of a process, to the next
 * of these. Mappings are added in order of time; a later one cuts what it overlaps. A
 * fork's space shares what its parent's had at the fork and copies what either changes.
 * Unmapping is not recorded, so what is there stays until something is put over it.
 */
#ifndef MACHINE_SPACE_H
#define MACHINE_SPACE_H

#include <glib.h>

#include "base/types.h"
#include "machine/machine.h"

struct space;

/* What was found: valid for these addresses, from this time on until something is added. */
struct space_hit {
	const struct map *map; /* NULL: nothing is mapped there */
	u64 start, end;
	u64 from;
	bool lasting; /* until the space is changed: only then are the fields above of use */
};

/* Begins at @time with what @parent (NULL: nothing) has then: called in order of time. */
struct space *space_new(u64 time, struct space *parent);
void space_free(struct space *space);

u64 space_start(const struct space *space);

/*
 * Puts [start, end) of @map there at @time, not before those added so far. @map NULL: from
 * now on nothing is there. True: code has come or gone, not only data.
 */
bool space_add(struct space *space, const struct map *map, u64 start, u64 end, u64 time);

/* Makes look-ups in the past fast; after this and until the next add, the space is const. */
void space_seal(struct space *space);

struct space_hit space_find(const struct space *space, u64 va, u64 time);

void space_each(const struct space *space, u64 time,
		void (*fn)(const struct map *map, u64 start, u64 end, void *arg), void *arg);

#endif
