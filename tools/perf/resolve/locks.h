/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the locks that threads wait for. A lock's address alone says little, so its name is, in this order:
 *
 *	"book.lock"				the static variable there and its member, by the debug information
 *	"struct shard.lock in shards[3]"	the same in an array of structures
 *	"queue_lock", "queue_lock+0x28"		the symbol there
 *	"struct shard.lock"			the type that the calling code passes, by type flow: all locks of that
 *						kind have this name
 *	"0x7f2c18000b60"			the address
 *
 * A lock of the kernel has the name of the kernel's function that takes it: "lock of do_unlinkat (kernel rwsem)"; of the
 * process's own address space "mmap_lock (kernel rwsem)". A CPU for which a thread waits in the run queue is "CPU 3".
 *
 * A lock of a file has the file's path as its name, which is known above (fields/objects.h).
 *
 * The kind of lock stands behind it: "book.lock (mutex)". The function on the stack tells it; without one, the recorded
 * words of the lock.
 */
#ifndef RESOLVE_LOCKS_H
#define RESOLVE_LOCKS_H

#include <glib.h>

#include "perfdata/wall.h"
#include "resolve/place.h"

struct data_types;
struct lock_names;
struct machine;

/* Borrows all. One thread at a time. */
struct lock_names *lock_names_new(struct machine *machine, struct data_types *types);
void lock_names_free(struct lock_names *names);

/* Appends the name of @lock, that the thread of @place waits for. The place has its chain with symbols. */
void lock_names_append(struct lock_names *names, const struct place *place,
		       const struct wall_lock *lock, GString *out);

/*
 * What is known of the owner: enum wall_owner, as recorded, unless the stack says that this kind of lock has none.
 */
enum wall_owner lock_owner_of(const struct place *place, const struct wall_lock *lock);

#endif
