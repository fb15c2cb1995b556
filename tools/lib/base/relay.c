// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/relay.h"

#include <glib.h>
#include <pthread.h>

struct relay_worker {
	struct relay *relay;
	GThread *thread; /* NULL: the caller's, or it could not be started */
	u32 number;
};

struct relay {
	struct relay_ops ops;
	void *arg;
	char *slots;
	size_t slot_size;
	u32 nr_slots;
	bool *made; /* by slot */

	pthread_mutex_t lock; /* all below; it is held during next() */
	pthread_cond_t changed;
	u64 taken, claimed, filled; /* numbers of pieces */
	bool ended;		    /* next() has no more */
	bool stop;

	struct relay_worker *workers;
	u32 nr_workers;
};

static void *slot_of(const struct relay *r, u64 number)
{
	return r->slots + number % r->nr_slots * r->slot_size;
}

/* With the lock: the number of a piece to make; false: none for now. */
static bool claim(struct relay *r, u64 *number)
{
	if (r->claimed == r->filled && r->ops.next && !r->ended &&
	    r->filled < r->taken + r->nr_slots) {
		if (r->ops.next(r->arg, slot_of(r, r->filled)))
			r->filled++;
		else
			r->ended = true;
		pthread_cond_broadcast(&r->changed);
	}
	if (r->claimed == r->filled)
		return false;
	*number = r->claimed++;
	return true;
}

/* Called with the lock, and releases it meanwhile. */
static void make(struct relay *r, u32 worker, u64 number)
{
	pthread_mutex_unlock(&r->lock);
	r->ops.make(r->arg, worker, slot_of(r, number));
	pthread_mutex_lock(&r->lock);
	r->made[number % r->nr_slots] = true;
	pthread_cond_broadcast(&r->changed);
}

static gpointer worker_main(gpointer arg)
{
	struct relay_worker *worker = arg;
	struct relay *r = worker->relay;
	u64 number;

	pthread_mutex_lock(&r->lock);
	while (!r->stop && !r->ended)
		if (claim(r, &number))
			make(r, worker->number, number);
		else if (!r->ended)
			pthread_cond_wait(&r->changed, &r->lock);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

struct relay *relay_new(const struct relay_ops *ops, void *arg, void *slots, size_t slot_size,
			u32 nr_slots, u32 nr_workers)
{
	struct relay *r = g_new0(struct relay, 1);

	r->ops = *ops;
	r->arg = arg;
	r->slots = slots;
	r->slot_size = slot_size;
	r->nr_slots = nr_slots;
	r->made = g_new0(bool, nr_slots);
	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->changed, NULL);
	r->nr_workers = nr_workers;
	r->workers = g_new0(struct relay_worker, nr_workers);
	for (u32 i = 1; i < nr_workers; i++) {
		r->workers[i] = (struct relay_worker){ .relay = r, .number = i };
		r->workers[i].thread = g_thread_try_new("relay", worker_main, &r->workers[i], NULL);
	}
	return r;
}

void relay_free(struct relay *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
	for (u32 i = 1; i < r->nr_workers; i++)
		if (r->workers[i].thread)
			g_thread_join(r->workers[i].thread);
	pthread_mutex_destroy(&r->lock);
	pthread_cond_destroy(&r->changed);
	g_free(r->workers);
	g_free(r->made);
	g_free(r);
}

void *relay_slot(const struct relay *r)
{
	return slot_of(r, r->filled);
}

void relay_put(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->filled++;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}

u64 relay_pending(struct relay *r)
{
	u64 nr;

	pthread_mutex_lock(&r->lock);
	nr = r->filled - r->taken;
	pthread_mutex_unlock(&r->lock);
	return nr;
}

/* With the lock: no piece is left, and none will come. */
static bool is_empty(const struct relay *r)
{
	return r->taken == r->filled && (r->ended || !r->ops.next);
}

void *relay_take(struct relay *r, bool wait)
{
	void *slot = NULL;
	u64 number;

	pthread_mutex_lock(&r->lock);
	for (;;) {
		if (r->taken < r->filled && r->made[r->taken % r->nr_slots])
			slot = slot_of(r, r->taken);
		if (slot || !wait || is_empty(r))
			break;
		if (claim(r, &number))
			make(r, 0, number);
		else if (!is_empty(r))
			pthread_cond_wait(&r->changed, &r->lock);
	}
	pthread_mutex_unlock(&r->lock);
	return slot;
}

void relay_release(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->made[r->taken % r->nr_slots] = false;
	r->taken++;
	pthread_cond_broadcast(&r->changed);
	pthread_mutex_unlock(&r->lock);
}
