// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two lists of buffers, one lock, two conditions:
 *
 *	drainer    queue_get()  <-- empty --  queue_return()  collector
 *	           queue_push() --- full -->  queue_pop()
 *
 * One producer and one consumer, some hundred operations a second: a lock is cheap enough. Records
 * are copied without it, as a buffer has one owner at a time.
 *
 * empty is a stack (the buffer that was returned last is still in the cache), full is first in,
 * first out, as the order of records matters.
 */
#include "record/base/queue.h"

#include <pthread.h>
#include <string.h>

struct queue {
	pthread_mutex_t lock;
	pthread_cond_t freed, filled;
	GQueue empty, full; /* struct queue_buffer * */
	struct queue_buffer *buffers;
	struct queue_counts counts;
	bool ended, abandoned;
};

struct queue *queue_new(u32 nr_buffers, size_t buffer_size)
{
	struct queue *q = g_new0(struct queue, 1);

	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->freed, NULL);
	pthread_cond_init(&q->filled, NULL);
	g_queue_init(&q->empty);
	g_queue_init(&q->full);
	q->buffers = g_new0(struct queue_buffer, nr_buffers);
	q->counts.nr_buffers = nr_buffers;
	for (u32 i = 0; i < nr_buffers; i++) {
		q->buffers[i].size = MAX(buffer_size, QUEUE_BUFFER_MIN);
		q->buffers[i].data = g_malloc(q->buffers[i].size);
		q->buffers[i].runs = g_array_new(false, false, sizeof(struct queue_run));
		g_queue_push_tail(&q->empty, &q->buffers[i]);
	}
	return q;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	for (u32 i = 0; i < q->counts.nr_buffers; i++) {
		g_free(q->buffers[i].data);
		g_array_unref(q->buffers[i].runs);
	}
	g_free(q->buffers);
	g_queue_clear(&q->empty);
	g_queue_clear(&q->full);
	pthread_cond_destroy(&q->freed);
	pthread_cond_destroy(&q->filled);
	pthread_mutex_destroy(&q->lock);
	g_free(q);
}

struct queue_buffer *queue_get(struct queue *q)
{
	struct queue_buffer *buffer;

	pthread_mutex_lock(&q->lock);
	if (g_queue_is_empty(&q->empty) && !q->abandoned) {
		s64 since = g_get_monotonic_time();

		q->counts.waits++;
		while (g_queue_is_empty(&q->empty) && !q->abandoned)
			pthread_cond_wait(&q->freed, &q->lock);
		q->counts.waited_ns += (u64)(g_get_monotonic_time() - since) * 1000;
	}
	/*
	 * Take the buffer that was freed last: it is still in the CPU's cache. With little to do,
	 * only a few buffers are ever touched.
	 */
	buffer = q->abandoned ? NULL : g_queue_pop_head(&q->empty);
	pthread_mutex_unlock(&q->lock);
	return buffer;
}

struct queue_buffer *queue_try_get(struct queue *q)
{
	struct queue_buffer *buffer;

	pthread_mutex_lock(&q->lock);
	buffer = q->abandoned ? NULL : g_queue_pop_head(&q->empty);
	pthread_mutex_unlock(&q->lock);
	return buffer;
}

void queue_push(struct queue *q, struct queue_buffer *buffer)
{
	pthread_mutex_lock(&q->lock);
	g_queue_push_tail(&q->full, buffer);
	q->counts.most_used = MAX(q->counts.most_used, g_queue_get_length(&q->full));
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

void queue_end(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->ended = true;
	pthread_cond_signal(&q->filled);
	pthread_mutex_unlock(&q->lock);
}

struct queue_buffer *queue_pop(struct queue *q)
{
	struct queue_buffer *buffer;

	pthread_mutex_lock(&q->lock);
	while (g_queue_is_empty(&q->full) && !q->ended)
		pthread_cond_wait(&q->filled, &q->lock);
	buffer = g_queue_pop_head(&q->full);
	pthread_mutex_unlock(&q->lock);
	return buffer;
}

void queue_return(struct queue *q, struct queue_buffer *buffer)
{
	buffer->used = 0;
	buffer->mark = (struct queue_mark){ 0 };
	g_array_set_size(buffer->runs, 0);
	pthread_mutex_lock(&q->lock);
	g_queue_push_head(&q->empty, buffer);
	pthread_cond_signal(&q->freed);
	pthread_mutex_unlock(&q->lock);
}

/*
 * The consumer has failed. A producer that waits gets NULL, and so do all later calls: its records
 * go nowhere. Buffers in full stay there until queue_free().
 */
void queue_abandon(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->abandoned = true;
	pthread_cond_broadcast(&q->freed);
	pthread_mutex_unlock(&q->lock);
}

struct queue_counts queue_counts(struct queue *q)
{
	struct queue_counts counts;

	pthread_mutex_lock(&q->lock);
	counts = q->counts;
	pthread_mutex_unlock(&q->lock);
	return counts;
}

/*
 * Records carry no number of their ring, and stages need it. A run needs 16 bytes for all records
 * of one ring in a buffer; a drained ring is one run, or two where a buffer ends.
 */
static void note_run(struct queue_buffer *buffer, u32 ring)
{
	struct queue_run run = { ring, buffer->used };
	struct queue_run *newest =
		buffer->runs->len
			? &g_array_index(buffer->runs, struct queue_run, buffer->runs->len - 1)
			: NULL;

	if (newest && newest->ring == ring)
		newest->end = buffer->used;
	else
		g_array_append_val(buffer->runs, run);
}

/*
 * A record is never split between two buffers. So the end of a buffer stays unused if the next
 * record does not fit.
 */
static void queue_outlet_put(struct outlet *outlet, const void *records, size_t size)
{
	struct queue_outlet *out = container_of(outlet, struct queue_outlet, outlet);

	g_assert(size <= QUEUE_BUFFER_MIN);
	out->records_size += size;
	if (out->buffer && out->buffer->used + size > out->buffer->size)
		queue_outlet_flush(out);
	if (!out->buffer)
		out->buffer = queue_get(out->queue);
	if (!out->buffer)
		return; /* the consumer has given up */
	memcpy(out->buffer->data + out->buffer->used, records, size);
	out->buffer->used += size;
	note_run(out->buffer, outlet->ring);
}

void queue_outlet_init(struct queue_outlet *out, struct queue *q)
{
	*out = (struct queue_outlet){
		.outlet = { .put = queue_outlet_put, .ring = OUTLET_NO_RING },
		.queue = q,
	};
}

void queue_outlet_flush(struct queue_outlet *out)
{
	if (out->buffer)
		queue_push(out->queue, out->buffer);
	out->buffer = NULL;
}

/*
 * A mark without records, and without a free buffer: the collector has all buffers, and other marks
 * are in them. Waiting would delay the next round for nothing. Only the last mark of a file may not
 * be dropped.
 */
void queue_outlet_mark(struct queue_outlet *out, const struct queue_mark *mark)
{
	if (!out->buffer)
		out->buffer = mark->last ? queue_get(out->queue) : queue_try_get(out->queue);
	if (out->buffer)
		out->buffer->mark = *mark;
	queue_outlet_flush(out);
}
