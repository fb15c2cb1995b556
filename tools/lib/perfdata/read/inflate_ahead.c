// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/read/inflate_ahead.h"

#include <glib.h>
#include <pthread.h>
#include <string.h>

/* As much as inflate.c has room for: both inflate a payload in the same steps. */
#define PIECE_SIZE (512 * 1024)
#define NR_PIECES  4u

/* The output of one call of zstd. */
struct inflated_piece {
	u8 *data; /* PIECE_SIZE bytes; NULL until first needed */
	size_t size;
	bool last; /* of its payload */
	const char *problem;
};

struct inflate_ahead {
	GThread *thread;
	ZSTD_DStream *stream;

	pthread_mutex_t lock;
	pthread_cond_t changed;
	GQueue payloads; /* ZSTD_inBuffer *: put, and not begun */
	bool stop;
	/* A ring: who takes owns the first @nr_filled of them from @first on, the thread the others. */
	struct inflated_piece pieces[NR_PIECES];
	u32 first, nr_filled;

	size_t taken; /* bytes of the first piece */
};

/* The next payload; NULL when it is to stop. */
static ZSTD_inBuffer *wait_payload(struct inflate_ahead *a)
{
	ZSTD_inBuffer *payload;

	pthread_mutex_lock(&a->lock);
	while (!a->stop && g_queue_is_empty(&a->payloads))
		pthread_cond_wait(&a->changed, &a->lock);
	payload = a->stop ? NULL : g_queue_pop_head(&a->payloads);
	pthread_mutex_unlock(&a->lock);
	return payload;
}

/* A piece to fill; NULL when it is to stop. */
static struct inflated_piece *wait_room(struct inflate_ahead *a)
{
	struct inflated_piece *piece;

	pthread_mutex_lock(&a->lock);
	while (!a->stop && a->nr_filled == NR_PIECES)
		pthread_cond_wait(&a->changed, &a->lock);
	piece = a->stop ? NULL : &a->pieces[(a->first + a->nr_filled) % NR_PIECES];
	pthread_mutex_unlock(&a->lock);
	return piece;
}

static void give(struct inflate_ahead *a)
{
	pthread_mutex_lock(&a->lock);
	a->nr_filled++;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

static void fill(struct inflate_ahead *a, struct inflated_piece *piece, ZSTD_inBuffer *payload)
{
	ZSTD_outBuffer out;
	size_t ret;

	if (!piece->data)
		piece->data = g_malloc(PIECE_SIZE);
	out = (ZSTD_outBuffer){ .dst = piece->data, .size = PIECE_SIZE };
	ret = ZSTD_decompressStream(a->stream, &out, payload);
	piece->problem = ZSTD_isError(ret) ? ZSTD_getErrorName(ret) : NULL;
	piece->size = out.pos;
	piece->last = payload->pos == payload->size && out.pos < out.size;
}

/* False: there is nothing more to do, because it was stopped or this is no zstd stream. */
static bool inflate_payload(struct inflate_ahead *a, ZSTD_inBuffer *payload)
{
	struct inflated_piece *piece;
	bool more;

	do {
		piece = wait_room(a);
		if (!piece)
			return false;
		fill(a, piece, payload);
		if (piece->problem) {
			give(a);
			return false;
		}
		more = !piece->last;
		give(a);
	} while (more);
	return true;
}

static gpointer run(gpointer arg)
{
	struct inflate_ahead *a = arg;
	ZSTD_inBuffer *payload;
	bool more;

	do {
		payload = wait_payload(a);
		more = payload && inflate_payload(a, payload);
		g_free(payload);
	} while (more);
	return NULL;
}

struct inflate_ahead *inflate_ahead_new(ZSTD_DStream *stream)
{
	struct inflate_ahead *a = g_new0(struct inflate_ahead, 1);

	a->stream = stream;
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->changed, NULL);
	g_queue_init(&a->payloads);
	a->thread = g_thread_try_new("inflate", run, a, NULL);
	if (a->thread)
		return a;
	inflate_ahead_free(a);
	return NULL;
}

void inflate_ahead_free(struct inflate_ahead *a)
{
	if (!a)
		return;
	pthread_mutex_lock(&a->lock);
	a->stop = true;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
	if (a->thread)
		g_thread_join(a->thread);
	g_queue_clear_full(&a->payloads, g_free);
	for (u32 i = 0; i < NR_PIECES; i++)
		g_free(a->pieces[i].data);
	pthread_mutex_destroy(&a->lock);
	pthread_cond_destroy(&a->changed);
	g_free(a);
}

void inflate_ahead_put(struct inflate_ahead *a, const void *data, size_t size)
{
	ZSTD_inBuffer *payload = g_new(ZSTD_inBuffer, 1);

	*payload = (ZSTD_inBuffer){ .src = data, .size = size };
	pthread_mutex_lock(&a->lock);
	g_queue_push_tail(&a->payloads, payload);
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

static const struct inflated_piece *wait_filled(struct inflate_ahead *a)
{
	const struct inflated_piece *piece;

	pthread_mutex_lock(&a->lock);
	while (!a->nr_filled)
		pthread_cond_wait(&a->changed, &a->lock);
	piece = &a->pieces[a->first];
	pthread_mutex_unlock(&a->lock);
	return piece;
}

static void give_back(struct inflate_ahead *a)
{
	a->taken = 0;
	pthread_mutex_lock(&a->lock);
	a->first = (a->first + 1) % NR_PIECES;
	a->nr_filled--;
	pthread_cond_broadcast(&a->changed);
	pthread_mutex_unlock(&a->lock);
}

ssize_t inflate_ahead_take(struct inflate_ahead *a, void *to, size_t room, bool *last,
			   const char **problem)
{
	const struct inflated_piece *piece = wait_filled(a);
	size_t step = MIN(room, piece->size - a->taken);

	*problem = piece->problem;
	if (piece->problem)
		return -1;
	memcpy(to, piece->data + a->taken, step);
	a->taken += step;
	*last = false;
	if (a->taken == piece->size) {
		*last = piece->last;
		give_back(a);
	}
	return (ssize_t)step;
}
