// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/turns.h"

void turns_init(struct turns *t)
{
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->changed, NULL);
	t->next = t->serving = 0;
}

void turns_clear(struct turns *t)
{
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->changed);
}

static void wait_for_turn(struct turns *t)
{
	u64 ticket = t->next++;

	while (t->serving != ticket)
		pthread_cond_wait(&t->changed, &t->lock);
}

static void pass_on(struct turns *t)
{
	t->serving++;
	pthread_cond_broadcast(&t->changed);
}

void turns_begin(struct turns *t)
{
	pthread_mutex_lock(&t->lock);
	wait_for_turn(t);
	pthread_mutex_unlock(&t->lock);
}

void turns_end(struct turns *t)
{
	pthread_mutex_lock(&t->lock);
	pass_on(t);
	pthread_mutex_unlock(&t->lock);
}

void turns_yield(struct turns *t)
{
	pthread_mutex_lock(&t->lock);
	if (t->next - t->serving > 1) {
		pass_on(t);
		wait_for_turn(t);
	}
	pthread_mutex_unlock(&t->lock);
}
