// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/read/pushed.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "perfdata/read/reader_private.h"

/* The maximum of waiting bytes. A limit below the total size of a recorder's rings and queue would be useless. */
#define MOST_WAITING (64u << 20)

struct pushed {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	GQueue waiting; /* GBytes *: pushed, and not read yet */
	size_t bytes;	/* of all of them together */
	size_t taken;	/* bytes of the first one that have been read */
	u32 holders;
	bool ended;
	bool unread;	     /* nobody reads the rest */
	struct turns *turns; /* of the readers; NULL: none */
};

struct pushed *pushed_new(void)
{
	struct pushed *p = g_new0(struct pushed, 1);

	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	g_queue_init(&p->waiting);
	p->holders = 2;
	return p;
}

static void let_go(struct pushed *p)
{
	bool last;

	pthread_mutex_lock(&p->lock);
	last = !--p->holders;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	if (!last)
		return;
	g_queue_clear_full(&p->waiting, (GDestroyNotify)g_bytes_unref);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	g_free(p);
}

void pushed_put(struct pushed *p, const void *records, size_t size)
{
	pthread_mutex_lock(&p->lock);
	while (!p->unread && p->bytes > MOST_WAITING)
		pthread_cond_wait(&p->changed, &p->lock);
	if (!p->unread && size) {
		p->bytes += size;
		g_queue_push_tail(&p->waiting, g_bytes_new(records, size));
		pthread_cond_broadcast(&p->changed);
	}
	pthread_mutex_unlock(&p->lock);
}

void pushed_end(struct pushed *p)
{
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_mutex_unlock(&p->lock);
	let_go(p);
}

struct pushed *pushed_hold(struct pushed *p)
{
	pthread_mutex_lock(&p->lock);
	p->holders++;
	pthread_mutex_unlock(&p->lock);
	return p;
}

void pushed_stop_reading(struct pushed *p)
{
	pthread_mutex_lock(&p->lock);
	p->unread = true;
	pthread_mutex_unlock(&p->lock);
	let_go(p);
}

void pushed_take_turns(struct pushed *p, struct turns *turns)
{
	p->turns = turns;
}

static size_t take_waiting(struct pushed *p, void *to, size_t size)
{
	size_t done = 0;

	pthread_mutex_lock(&p->lock);
	while (g_queue_is_empty(&p->waiting) && !p->ended)
		pthread_cond_wait(&p->changed, &p->lock);
	while (done < size && !g_queue_is_empty(&p->waiting)) {
		GBytes *first = g_queue_peek_head(&p->waiting);
		gsize left;
		const u8 *data = g_bytes_get_data(first, &left);
		size_t step;

		left -= p->taken;
		step = MIN(left, size - done);
		memcpy((u8 *)to + done, data + p->taken, step);
		done += step;
		p->taken += step;
		p->bytes -= step;
		if (step == left) {
			g_bytes_unref(g_queue_pop_head(&p->waiting));
			p->taken = 0;
		}
	}
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	return done;
}

/* Like read(2): waits for the first byte; 0 at the end. */
static ssize_t pushed_read(void *arg, void *to, size_t size)
{
	struct pushed *p = arg;
	size_t done;

	if (p->turns)
		turns_end(p->turns);
	done = take_waiting(p, to, size);
	if (p->turns)
		turns_begin(p->turns);
	return (ssize_t)done;
}

static void pushed_close(void *arg)
{
	pushed_stop_reading(arg);
}

struct perfdata *perfdata_open_pushed(const char *name, struct pushed *p,
				      struct evsel *const *evsels, u32 nr,
				      struct perfdata_info *info, GError **error)
{
	struct perfdata *pd = reader_new(name);

	pd->one_pass = pd->absorbed = true;
	perfdata_info_free(pd->info);
	pd->info = info;
	pd->input = input_new_reader(name, pushed_read, pushed_close, p, 0);
	if (!reader_add_events(pd, evsels, nr, error)) {
		perfdata_close(pd);
		return NULL;
	}
	return pd;
}
