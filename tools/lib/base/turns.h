/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fair lock (ticket lock): threads get it in the order in which they asked. It is for two threads that use one object
 * alternately for a long time. With a mutex, the thread that has just unlocked it would often get it again.
 */
#ifndef BASE_TURNS_H
#define BASE_TURNS_H

#include <pthread.h>

#include "base/types.h"

struct turns {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	u64 next, serving; /* tickets: the next one to give out; the one that has the lock */
};

void turns_init(struct turns *t);
void turns_clear(struct turns *t);

void turns_begin(struct turns *t);
void turns_end(struct turns *t);

/* For the holder: if other threads wait, releases the lock and waits for it again. */
void turns_yield(struct turns *t);

#endif
