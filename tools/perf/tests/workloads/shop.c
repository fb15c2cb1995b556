// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * shop: a program in two releases, to be compared.
 *
 *	shop [REQUESTS [SPANS]]
 *
 * Half of the requests are a checkout, half a search. Both go through all orders many times, from each to the next one, in an
 * order that a processor does not foresee:
 *
 *	checkout	which orders are open, by their last flags?	nr_changes, flags, next
 *	search		what do the orders cost?			total, next
 *
 * Release 2 (-DRELEASE=2) stores an address in each order, before the flags. So flags leave the first cache line, and a
 * checkout needs two lines of each order, and they no longer fit into the cache nearest to the processor's core that has the
 * orders. A search needs one, as before. Nothing else has changed.
 *
 * Each request publishes a span of its own. With SPANS, the spans are exported to this file as OTLP JSON.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "activity/activity.h"

#define NR_ORDERS (1 << 13) /* a line of each fits into a cache of 1 MB, two do not */
#define NR_LOOKED 1000000   /* at by a request */
#define OPEN	  1
#define SKIP	  2
#define MAX_SPANS 100000

#ifndef RELEASE
#define RELEASE 1
#endif

/* 192 bytes: three cache lines. Some processors load two of them at a time, so the third one is used. */
struct order {
	uint64_t id;
	uint32_t next, nr_changes;
#if RELEASE == 1
	uint32_t flags[4]; /* after each change */
#endif
	int64_t total;
	uint32_t items[16];
#if RELEASE > 1
	char address[40];
	uint32_t flags[4];
	char note[40];
#else
	char note[80];
#endif
} __attribute__((aligned(64)));

struct span {
	uint64_t start_ns, end_ns;
};

static const char *const names[] = { "checkout", "search" };

static uint64_t time_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) uint64_t checkout(const struct order *orders, uint32_t i)
{
	uint64_t nr_open = 0;

	for (uint32_t n = 0; n < NR_LOOKED; n++) {
		const struct order *order = &orders[i];
		uint32_t flags = order->flags[order->nr_changes % 4];

		nr_open += flags & OPEN;
		i = (order->next + (flags & SKIP)) % NR_ORDERS; /* no order is to be skipped */
	}
	return nr_open;
}

static __attribute__((noinline)) uint64_t search(const struct order *orders, uint32_t i)
{
	uint64_t sum = 0;

	for (uint32_t n = 0; n < NR_LOOKED; n++) {
		const struct order *order = &orders[i];

		sum += (uint64_t)order->total;
		i = order->next % NR_ORDERS;
	}
	return sum;
}

/* Each number is followed by another one; all of them come once. */
static uint32_t follower(uint32_t i)
{
	return (i * 1664525 + 1013904223) % NR_ORDERS;
}

static struct order *make_orders(void)
{
	struct order *orders = aligned_alloc(64, NR_ORDERS * sizeof(*orders));

	for (uint32_t i = 0; orders && i < NR_ORDERS; i++)
		orders[i] = (struct order){ .id = i,
					    .next = follower(i),
					    .nr_changes = i % 3,
					    .flags = { 0, OPEN, OPEN, 0 },
					    .total = i % 100 };
	return orders;
}

static void store_number(uint64_t number, uint8_t *to)
{
	for (unsigned i = 0; i < 8; i++)
		to[7 - i] = (uint8_t)(number >> (8 * i));
}

/* The span of request @nr. Its trace begins with the time at which the program began, so another run has other ones. */
static void set_activity(uint64_t began, uint64_t nr)
{
	uint8_t trace[ACTIVITY_TRACE_ID_SIZE], span[ACTIVITY_SPAN_ID_SIZE];

	store_number(began, trace);
	store_number(nr + 1, trace + 8);
	store_number(nr + 1, span);
	activity_set(trace, span);
}

static int export(const char *path, uint64_t began, const struct span *spans, uint64_t nr)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	fprintf(out, "{\"resourceSpans\":[{\"resource\":{\"attributes\":[{\"key\":\"service.name\","
		     "\"value\":{\"stringValue\":\"shop\"}}]},\"scopeSpans\":[{\"spans\":[\n");
	for (uint64_t i = 0; i < nr; i++)
		fprintf(out,
			"{\"traceId\":\"%016llx%016llx\",\"spanId\":\"%016llx\",\"name\":\"%s\","
			"\"startTimeUnixNano\":\"%llu\",\"endTimeUnixNano\":\"%llu\"}%s\n",
			(unsigned long long)began, (unsigned long long)i + 1,
			(unsigned long long)i + 1, names[i % 2],
			(unsigned long long)spans[i].start_ns, (unsigned long long)spans[i].end_ns,
			i + 1 < nr ? "," : "");
	fprintf(out, "]}]}]}\n");
	return fclose(out);
}

int main(int argc, char **argv)
{
	uint64_t nr = argc > 1 ? strtoull(argv[1], NULL, 10) : 100, began = time_ns(), sum = 0;
	struct order *orders = make_orders();
	struct span *spans = calloc(MAX_SPANS, sizeof(*spans));

	if (!orders || !spans || nr > MAX_SPANS) {
		fprintf(stderr, "usage: shop [REQUESTS [SPANS]]\n");
		return 2;
	}
	for (uint64_t i = 0; i < nr; i++) {
		spans[i].start_ns = time_ns();
		set_activity(began, i);
		sum += i % 2 ? search(orders, (uint32_t)i) : checkout(orders, (uint32_t)i);
		activity_clear();
		spans[i].end_ns = time_ns();
	}
	if (argc > 2 && export(argv[2], began, spans, nr)) {
		perror(argv[2]);
		return 1;
	}
	printf("%llu requests, %llu\n", (unsigned long long)nr, (unsigned long long)sum);
	free(orders);
	free(spans);
	return 0;
}
