/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lock that is fair: threads get it in the order in which they asked. For two threads that work on one
 * thing in turns for a long time, where a mutex would be taken again by the thread that has just let go.
 */
#ifndef BASE_TURNS_H
#define BASE_TURNS_H

#include <pthread.h>

#include "base/types.h"

struct turns {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	u64 next, serving; /* tickets: the next to give out, the one whose turn it is */
};

void turns_init(struct turns *t);
void turns_clear(struct turns *t);

void turns_begin(struct turns *t);
void turns_end(struct turns *t);

/* Inside a turn: if others wait, ends it and waits for the next one. */
void turns_yield(struct turns *t);

#endif
