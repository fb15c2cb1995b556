/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes memory appear in a program that is being started, so that the kernel writes it into the program's core
 * dump. A shared mapping of a file without a name (memfd) is in the core by default; a perf ring never is.
 *
 * The child is traced from before its exec() until its first instruction. There, with its registers saved, it
 * executes mmap() and close() of the inherited descriptor, and is let go. This needs no library in the
 * program, and works for static ones. What it executes later by exec() does not have the mapping; what it
 * forks has.
 */
#ifndef DETACHED_PLANT_H
#define DETACHED_PLANT_H

#include <sys/types.h>

#include "base/error.h"
#include "base/types.h"

/* Before the child's exec(). False with @error: it cannot be traced, and runs without. */
bool plant_begin(pid_t child, GError **error);
/* After the child was let go: waits for its exec(). @fd: inherited by it; @size bytes of it are mapped to be read. */
bool plant_finish(pid_t child, int fd, u64 size, GError **error);

#endif
