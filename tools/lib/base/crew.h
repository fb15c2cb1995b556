/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread pool for numbered jobs. The caller's thread works too. The pool's threads sleep between two calls of
 * crew_run(). If some threads cannot be started, the others do all the work.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include "base/types.h"

struct crew;

/* @nr: number of threads, including the caller's; 0: as many as there are CPUs. */
struct crew *crew_new(u32 nr);
void crew_free(struct crew *crew);

/* The number of workers, including the caller. Workers are numbered from 0. */
u32 crew_size(const struct crew *crew);

/*
 * Calls @job(arg, worker, i) once for each i below @nr, in any order and in parallel. A @worker runs one job at a time.
 * Returns when all jobs are done.
 */
void crew_run(struct crew *crew, u32 nr, void (*job)(void *arg, u32 worker, u32 i), void *arg);

#endif
