// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/turns.h"

void turns_init(struct turns *t)
{
	g_mutex_init(&t->lock);
	g_cond_init(&t->changed);
	t->next = t->serving = 0;
}

void turns_clear(struct turns *t)
{
	g_mutex_clear(&t->lock);
	g_cond_clear(&t->changed);
}

static void wait_for_turn(struct turns *t)
{
	u64 ticket = t->next++;

	while (t->serving != ticket)
		g_cond_wait(&t->changed, &t->lock);
}

static void pass_on(struct turns *t)
{
	t->serving++;
	g_cond_broadcast(&t->changed);
}

void turns_begin(struct turns *t)
{
	g_mutex_lock(&t->lock);
	wait_for_turn(t);
	g_mutex_unlock(&t->lock);
}

void turns_end(struct turns *t)
{
	g_mutex_lock(&t->lock);
	pass_on(t);
	g_mutex_unlock(&t->lock);
}

void turns_yield(struct turns *t)
{
	g_mutex_lock(&t->lock);
	if (t->next - t->serving > 1) {
		pass_on(t);
		wait_for_turn(t);
	}
	g_mutex_unlock(&t->lock);
}
