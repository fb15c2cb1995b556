/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lock that a sleeping thread waits for, and who has it, for perf record --wall: read from the thread's memory by
 * process_vm_readv(). The rules are those of bpf/find_lock.h, which --off-cpu has; here only threads that sleep are read. Locks of files
 * are in /proc/locks (wall_file_locks.h).
 */
#ifndef RECORD_WALL_LOCKS_H
#define RECORD_WALL_LOCKS_H

#include "perfevent/paths.h"
#include "record/waits/wall.h"

struct wall_account;
struct wall_locks;

/* Borrows both. */
struct wall_locks *wall_locks_new(const struct kernel_paths *paths, struct wall_account *account);
void wall_locks_free(struct wall_locks *l);

/*
 * Sets look->lock of a thread that sleeps in futex(), or for a lock of a file. Of threads in another pid namespace, it learns their numbers there.
 * @before: the look before, for look->same; or NULL.
 */
void wall_locks_read(struct wall_locks *l, struct wall_look *look, const struct wall_look *before);

/*
 * Before a sample is made of @look: sets the owner's name and activity. If the thread still sleeps there, and the lock has
 * another owner now, the owner of this interval is WALL_OWNER_CHANGED, and that of the next one is the new one.
 */
void wall_locks_complete(struct wall_locks *l, struct wall_look *look);

#endif
