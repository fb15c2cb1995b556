/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbered jobs, done by several threads at once: the caller's and some of the crew's own, which wait in between.
 * Where threads cannot be started, fewer do the work.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include "base/types.h"

struct crew;

/* @nr threads with the caller's; 0: as many as there are CPUs. */
struct crew *crew_new(u32 nr);
void crew_free(struct crew *crew);

/* How many there are, the caller's included: workers are numbered from 0. */
u32 crew_size(const struct crew *crew);

/*
 * Calls @job(arg, worker, i) once for each i below @nr, in any order and several at a time; no two with one @worker
 * at the same time. Returns when all are done.
 */
void crew_run(struct crew *crew, u32 nr, void (*job)(void *arg, u32 worker, u32 i), void *arg);

#endif
