// SPDX-License-Identifier: GPL-2.0-or-later
/* Counters, caches and tables of a server: globals, statics of a function, thread-locals. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct counter {
	const char *name;
	unsigned long hits, misses;
};

struct config {
	int workers, verbose;
	struct {
		unsigned short port;
		char host[18];
	} listen;
	struct counter *main_counter;
};

struct request {
	int kind;
	unsigned int size;
	struct request *next;
};

struct context {
	struct request *current;
	unsigned long served;
	char error[24];
};

struct config config = { .workers = 4, .listen = { 8080, "localhost" } };
struct counter counters[4] = {
	{ "get", 0, 0 }, { "put", 0, 0 }, { "delete", 0, 0 }, { "list", 0, 0 }
};
static unsigned int histogram[16];
static const unsigned char classes[64] = { 1, 2, 3, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3, 0, 1 };
static struct request *free_list;
static const char *const names[] = { "zero", "one", "two", "three" };
__thread struct context context;
static __thread unsigned long thread_bytes;
static _Thread_local int nesting[4];

static struct request *get_request(int kind, unsigned int size)
{
	static unsigned long made;
	struct request *r = free_list;

	if (r)
		free_list = r->next;
	else {
		r = create(struct request);
		made++;
	}
	r->kind = kind;
	r->size = size + (unsigned int)made;
	return r;
}

static void put_request(struct request *r)
{
	r->next = free_list;
	free_list = r;
}

static int cached_square(int n)
{
	static struct {
		int key, value;
		unsigned int used;
	} cache[8];
	int slot = n & 7;

	if (cache[slot].key != n) {
		cache[slot].key = n;
		cache[slot].value = n * n;
	}
	cache[slot].used++;
	return cache[slot].value;
}

static void count(const struct request *r)
{
	struct counter *c = &counters[r->kind & 3];

	if (r->size > 64)
		c->misses++;
	else
		c->hits++;
	histogram[r->size & 15]++;
	if (config.verbose)
		config.main_counter = c;
}

static void serve(struct request *r)
{
	context.current = r;
	context.served++;
	thread_bytes += r->size;
	nesting[r->kind & 3]++;
	if (classes[r->size & 63] == 3) {
		strcpy(context.error, names[r->kind & 3]);
		counters[3].misses += context.current->size;
	}
	count(r);
	context.current = NULL;
}

static unsigned long sum_up(void)
{
	unsigned long sum = config.listen.port + (unsigned long)config.workers;

	for (int i = 0; i < 4; i++)
		sum += counters[i].hits * 3 + counters[i].misses + (unsigned long)nesting[i];
	for (const unsigned int *h = histogram; h < histogram + 16; h++)
		sum += *h;
	if (config.main_counter)
		sum += config.main_counter->hits;
	return sum + thread_bytes + context.served;
}

int main(void)
{
	int squares = 0;

	config.verbose = config.listen.host[0] == 'l';
	for (int i = 0; i < 60; i++) {
		struct request *a = get_request(i % 4, (unsigned int)i * 3),
			       *b = get_request(i % 3, 7);

		serve(a);
		serve(b);
		put_request(a);
		if (i % 5)
			put_request(b);
		squares += cached_square(i % 11);
	}
	printf("%lu %d %s\n", sum_up(), squares, context.error);
	return 0;
}
