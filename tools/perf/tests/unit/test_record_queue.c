// SPDX-License-Identifier: GPL-2.0-or-later
/* The queue between drainer and writer keeps order, bounds memory and counts waiting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "record/base/queue.h"

#define NR_RECORDS  20000
#define RECORD_SIZE 256

struct consumer {
	struct queue *queue;
	u64 got, out_of_order, switches;
	bool slow;
};

static void take(struct consumer *c, struct queue_buffer *buffer)
{
	for (size_t at = 0; at < buffer->used; at += RECORD_SIZE) {
		u64 number;

		memcpy(&number, buffer->data + at, sizeof(number));
		c->out_of_order += number != c->got;
		c->got++;
	}
	c->switches += buffer->mark.then_switch;
}

static void *consume(void *arg)
{
	struct consumer *c = arg;
	struct queue_buffer *buffer;

	/* So slow that all is full before the first buffer is taken. */
	while (c->slow && !queue_counts(c->queue).waits)
		g_usleep(100);
	while ((buffer = queue_pop(c->queue))) {
		take(c, buffer);
		if (c->slow)
			g_usleep(1000);
		queue_return(c->queue, buffer);
	}
	return NULL;
}

static void produce(struct queue *q)
{
	struct queue_outlet out;
	u8 record[RECORD_SIZE] = { 0 };

	queue_outlet_init(&out, q);
	for (u64 i = 0; i < NR_RECORDS; i++) {
		memcpy(record, &i, sizeof(i));
		outlet_put(&out.outlet, record, sizeof(record));
	}
	queue_outlet_flush(&out);
	assert_int_equal(out.records_size, (u64)NR_RECORDS * RECORD_SIZE);
}

static void every_record_arrives_in_order(void **state)
{
	struct queue *q = queue_new(4, QUEUE_BUFFER_MIN);
	struct consumer c = { .queue = q };
	GThread *thread = g_thread_new("consumer", consume, &c);

	produce(q);
	queue_end(q);
	g_thread_join(thread);
	assert_int_equal(c.got, NR_RECORDS);
	assert_int_equal(c.out_of_order, 0);
	queue_free(q);
}

static void a_slow_writer_is_waited_for_and_counted(void **state)
{
	struct queue *q = queue_new(2, QUEUE_BUFFER_MIN);
	struct consumer c = { .queue = q, .slow = true };
	GThread *thread = g_thread_new("consumer", consume, &c);
	struct queue_counts counts;

	produce(q);
	queue_end(q);
	g_thread_join(thread);
	counts = queue_counts(q);
	assert_int_equal(c.got, NR_RECORDS);
	assert_int_equal(c.out_of_order, 0);
	assert_true(counts.waits > 0);
	assert_true(counts.waited_ns > 0);
	assert_int_equal(counts.most_used, 2);
	queue_free(q);
}

static void nobody_waits_for_a_writer_that_gave_up(void **state)
{
	struct queue *q = queue_new(2, QUEUE_BUFFER_MIN);

	queue_abandon(q);
	produce(q);
	assert_null(queue_get(q));
	queue_free(q);
}

static void a_switch_is_handed_over_without_records(void **state)
{
	struct queue *q = queue_new(2, QUEUE_BUFFER_MIN);
	struct queue_outlet out;
	struct queue_buffer *buffer;

	queue_outlet_init(&out, q);
	queue_outlet_flush(&out);
	queue_outlet_mark(&out, &(struct queue_mark){ .last = true, .then_switch = true });
	queue_end(q);
	buffer = queue_pop(q);
	assert_non_null(buffer);
	assert_int_equal(buffer->used, 0);
	assert_true(buffer->mark.then_switch);
	queue_return(q, buffer);
	assert_null(queue_pop(q));
	queue_free(q);
}

static void put_numbered(struct queue_outlet *out, u32 ring, u64 number)
{
	u8 record[RECORD_SIZE] = { 0 };

	memcpy(record, &number, sizeof(number));
	out->outlet.ring = ring;
	outlet_put(&out->outlet, record, sizeof(record));
}

static void a_buffer_says_which_ring_its_records_are_of(void **state)
{
	struct queue *q = queue_new(1, QUEUE_BUFFER_MIN);
	struct queue_outlet out;
	struct queue_buffer *buffer;
	const struct queue_run *runs;

	queue_outlet_init(&out, q);
	put_numbered(&out, OUTLET_NO_RING, 0);
	put_numbered(&out, 3, 1);
	put_numbered(&out, 3, 2);
	put_numbered(&out, 0, 3);
	queue_outlet_mark(&out, &(struct queue_mark){ .round = true, .began_ns = 7 });
	buffer = queue_pop(q);
	assert_int_equal(buffer->runs->len, 3);
	runs = (const struct queue_run *)buffer->runs->data;
	assert_int_equal(runs[0].ring, OUTLET_NO_RING);
	assert_int_equal(runs[0].end, RECORD_SIZE);
	assert_int_equal(runs[1].ring, 3);
	assert_int_equal(runs[1].end, 3 * RECORD_SIZE);
	assert_int_equal(runs[2].ring, 0);
	assert_int_equal(runs[2].end, buffer->used);
	assert_true(buffer->mark.round);
	assert_int_equal(buffer->mark.began_ns, 7);

	/* All buffers are in use: a round without records is not waited for. */
	queue_outlet_mark(&out, &(struct queue_mark){ .round = true });
	assert_int_equal(queue_counts(q).waits, 0);

	queue_return(q, buffer);
	buffer = queue_get(q);
	assert_int_equal(buffer->runs->len, 0);
	assert_false(buffer->mark.round);
	queue_return(q, buffer);
	queue_free(q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_record_arrives_in_order),
		cmocka_unit_test(a_slow_writer_is_waited_for_and_counted),
		cmocka_unit_test(nobody_waits_for_a_writer_that_gave_up),
		cmocka_unit_test(a_switch_is_handed_over_without_records),
		cmocka_unit_test(a_buffer_says_which_ring_its_records_are_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
