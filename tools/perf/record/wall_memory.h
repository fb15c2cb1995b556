/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the memory of a thread that stands still says: what it works for, and its stack. It is read by process_vm_readv(), and
 * whether the thread stood still all the while is asked afterwards.
 */
#ifndef RECORD_WALL_MEMORY_H
#define RECORD_WALL_MEMORY_H

#include "perfevent/paths.h"
#include "record/wall.h"

struct source;
struct wall_account;
struct wall_memory;

/* @tls: who knows where activities are; NULL: they are not read. */
struct wall_memory *wall_memory_new(const struct kernel_paths *paths, const struct source *tls);
void wall_memory_free(struct wall_memory *m);

/* From now on stacks are read, too, up to @size bytes of each. */
void wall_memory_take_stacks(struct wall_memory *m, u32 size);

/*
 * Completes @look by what is read, until the next call. @before: the look before at the same thread, which look->same refers to;
 * or NULL.
 */
void wall_memory_read(struct wall_memory *m, struct wall_look *look,
		      const struct wall_look *before);

/*
 * A process that has just begun may sleep before its records have told where its activities are, and a thread that has not run
 * since is not looked at again. Reads what such threads of @account work for, if that is known by now.
 */
void wall_memory_read_late(struct wall_memory *m, struct wall_account *account);

#endif
