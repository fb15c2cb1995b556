// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/crew.h"

#include <glib.h>
#include <pthread.h>

struct crew_member {
	struct crew *crew;
	GThread *thread;
	u32 worker;
};

struct crew {
	GPtrArray *members; /* struct crew_member *, without the caller */
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	u64 round;	/* incremented by each crew_run() */
	u32 nr_at_work; /* members that have not finished the round */
	bool over;

	void (*job)(void *arg, u32 worker, u32 i);
	void *arg;
	u32 nr;
	int next; /* atomic */
};

static void do_jobs(struct crew *crew, u32 worker)
{
	u32 i;

	while ((i = (u32)g_atomic_int_add(&crew->next, 1)) < crew->nr)
		crew->job(crew->arg, worker, i);
}

static gpointer member_main(gpointer arg)
{
	struct crew_member *m = arg;
	struct crew *crew = m->crew;
	u64 round = 0;

	pthread_mutex_lock(&crew->lock);
	for (;;) {
		while (crew->round == round && !crew->over)
			pthread_cond_wait(&crew->work, &crew->lock);
		if (crew->over)
			break;
		round = crew->round;
		pthread_mutex_unlock(&crew->lock);
		do_jobs(crew, m->worker);
		pthread_mutex_lock(&crew->lock);
		if (!--crew->nr_at_work)
			pthread_cond_signal(&crew->done);
	}
	pthread_mutex_unlock(&crew->lock);
	return NULL;
}

static bool add_member(struct crew *crew)
{
	struct crew_member *m = g_new0(struct crew_member, 1);

	m->crew = crew;
	m->worker = crew->members->len + 1;
	m->thread = g_thread_try_new("crew", member_main, m, NULL);
	if (!m->thread) {
		g_free(m);
		return false;
	}
	g_ptr_array_add(crew->members, m);
	return true;
}

struct crew *crew_new(u32 nr)
{
	struct crew *crew = g_new0(struct crew, 1);

	pthread_mutex_init(&crew->lock, NULL);
	pthread_cond_init(&crew->work, NULL);
	pthread_cond_init(&crew->done, NULL);
	crew->members = g_ptr_array_new_with_free_func(g_free);
	if (!nr)
		nr = g_get_num_processors();
	for (u32 i = 1; i < nr && add_member(crew); i++)
		;
	return crew;
}

void crew_free(struct crew *crew)
{
	if (!crew)
		return;
	pthread_mutex_lock(&crew->lock);
	crew->over = true;
	pthread_cond_broadcast(&crew->work);
	pthread_mutex_unlock(&crew->lock);
	for (u32 i = 0; i < crew->members->len; i++)
		g_thread_join(((struct crew_member *)crew->members->pdata[i])->thread);
	g_ptr_array_unref(crew->members);
	pthread_mutex_destroy(&crew->lock);
	pthread_cond_destroy(&crew->work);
	pthread_cond_destroy(&crew->done);
	g_free(crew);
}

u32 crew_size(const struct crew *crew)
{
	return crew->members->len + 1;
}

void crew_run(struct crew *crew, u32 nr, void (*job)(void *arg, u32 worker, u32 i), void *arg)
{
	pthread_mutex_lock(&crew->lock);
	crew->job = job;
	crew->arg = arg;
	crew->nr = nr;
	g_atomic_int_set(&crew->next, 0);
	crew->nr_at_work = crew->members->len;
	crew->round++;
	pthread_cond_broadcast(&crew->work);
	pthread_mutex_unlock(&crew->lock);
	do_jobs(crew, 0);
	pthread_mutex_lock(&crew->lock);
	while (crew->nr_at_work)
		pthread_cond_wait(&crew->done, &crew->lock);
	pthread_mutex_unlock(&crew->lock);
}
