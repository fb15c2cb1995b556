/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a sleeping thread's activity and stack from its memory, by process_vm_readv(). After reading it checks that the
 * thread did not run meanwhile; else the bytes are dropped.
 */
#ifndef RECORD_WALL_MEMORY_H
#define RECORD_WALL_MEMORY_H

#include "perfevent/paths.h"
#include "record/waits/wall.h"

struct source;
struct wall_account;
struct wall_memory;

/* @tls: source that knows where activities are; NULL: activities are not read. */
struct wall_memory *wall_memory_new(const struct kernel_paths *paths, const struct source *tls);
void wall_memory_free(struct wall_memory *m);

/* Enables reading of stacks, at most @size bytes of each. */
void wall_memory_take_stacks(struct wall_memory *m, u32 size);

/*
 * Adds what was read to @look. The bytes are valid until the next call. @before: the previous look at the thread, for
 * look->same and look->tracked; or NULL.
 */
void wall_memory_read(struct wall_memory *m, struct wall_look *look,
		      const struct wall_look *before);

/*
 * A thread of a new process may go to sleep before the place of its activity is known. As long as it does not run,
 * there is no new look at it. Reads the activities of such threads of @account, if their places are known now.
 */
void wall_memory_read_late(struct wall_memory *m, struct wall_account *account);

#endif
