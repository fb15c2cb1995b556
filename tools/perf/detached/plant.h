/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Maps memory into a program at its start, so that the kernel writes this memory into the program's
 * core dump. By default a core has shared mappings of unnamed files (memfd), but never a perf ring.
 *
 * The child is traced from before exec() to its first instruction:
 *
 *	exec()			the child stops at the program's first instruction
 *	save the registers
 *	mmap(fd), close(fd)	executed by the child; fd is inherited
 *	restore the registers	the child runs
 *
 * The program needs no library for this; static programs work, too. A program that it starts by
 * exec() later does not have the mapping; a forked child has it.
 */
#ifndef DETACHED_PLANT_H
#define DETACHED_PLANT_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"

/*
 * To be called before the child's exec(). False with @error: the child cannot be traced, and runs
 * without the mapping.
 */
bool plant_begin(pid_t child, GError **error);
/*
 * To be called when the child may run: waits for its exec(). @fd: inherited by the child; the child
 * maps @size bytes of it, read-only.
 */
bool plant_finish(pid_t child, int fd, u64 size, GError **error);

#endif
