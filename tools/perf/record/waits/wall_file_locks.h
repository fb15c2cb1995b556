/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has the lock of a file that a thread sleeps for, in flock() or fcntl(): by /proc/locks, for perf record --wall. With
 * --off-cpu, bpf/file_lock.h tells it.
 *
 * The file names processes, not threads. So the owner is known if its process has one thread.
 */
#ifndef RECORD_WALL_FILE_LOCKS_H
#define RECORD_WALL_FILE_LOCKS_H

#include "perfevent/paths.h"
#include "record/waits/wall.h"

struct wall_file_locks;

/* Borrows @paths. */
struct wall_file_locks *wall_file_locks_new(const struct kernel_paths *paths);
void wall_file_locks_free(struct wall_file_locks *locks);

/* Does the thread sleep in a call that waits for a lock of a file? */
bool wall_file_locks_waits(const struct wall_look *look);

/* The lock, as it was up to 10 ms ago. WALL_LOCK_NONE: the process had no such request then. */
struct wall_lock wall_file_locks_read(struct wall_file_locks *locks, const struct wall_look *look);

#endif
