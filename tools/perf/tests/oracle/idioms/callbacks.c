// SPDX-License-Identifier: GPL-2.0-or-later
/* An event loop, a sorted index and pluggable stores: void * in, typed pointers inside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

struct event {
	long due;
	void (*handler)(struct event *event, void *context);
	void *context;
	struct event *next;
};

struct loop {
	struct event *queue;
	long now;
	unsigned int fired, armed;
};

struct session {
	int id;
	long bytes, limit;
	struct loop *loop;
	struct event timer;
	char state;
};

struct store_ops {
	const char *name;
	int (*put)(void *store, const char *key, long value);
	long (*get)(void *store, const char *key);
	void (*each)(void *store, int (*visit)(const char *key, long value, void *data),
		     void *data);
};

struct store {
	const struct store_ops *ops;
	void *self;
	unsigned long reads, writes;
};

struct entry {
	char key[12];
	int hits;
	long value;
};

struct flat {
	struct entry entries[32];
	unsigned int nr;
};

struct bucket {
	struct bucket *next;
	struct entry entry;
};

struct hashed {
	struct bucket *buckets[8];
	unsigned int nr;
};

struct tally {
	long sum, largest;
	unsigned int nr;
};

static void arm(struct loop *loop, struct event *event, long due)
{
	struct event **at = &loop->queue;

	event->due = due;
	while (*at && (*at)->due <= due)
		at = &(*at)->next;
	event->next = *at;
	*at = event;
	loop->armed++;
}

static void on_timer(struct event *event, void *context)
{
	struct session *session = context;

	session->bytes += 100 + event->due;
	if (session->bytes < session->limit)
		arm(session->loop, event, session->loop->now + 3 + session->id);
	else
		session->state = 'x';
}

static void run(struct loop *loop)
{
	while (loop->queue) {
		struct event *event = loop->queue;

		loop->queue = event->next;
		loop->now = event->due;
		loop->fired++;
		event->handler(event, event->context);
	}
}

static int flat_put(void *store, const char *key, long value)
{
	struct flat *flat = store;
	struct entry *e = &flat->entries[flat->nr];

	if (flat->nr == 32)
		return -1;
	strcpy(e->key, key);
	e->value = value;
	flat->nr++;
	return 0;
}

static long flat_get(void *store, const char *key)
{
	struct flat *flat = store;

	for (unsigned int i = 0; i < flat->nr; i++)
		if (!strcmp(flat->entries[i].key, key)) {
			flat->entries[i].hits++;
			return flat->entries[i].value;
		}
	return -1;
}

static void flat_each(void *store, int (*visit)(const char *, long, void *), void *data)
{
	const struct flat *flat = store;

	for (unsigned int i = 0; i < flat->nr; i++)
		if (visit(flat->entries[i].key, flat->entries[i].value, data))
			break;
}

static unsigned int hash(const char *key)
{
	unsigned int h = 5381;

	while (*key)
		h = h * 33 + (unsigned char)*key++;
	return h;
}

static int hashed_put(void *store, const char *key, long value)
{
	struct hashed *hashed = store;
	struct bucket *b = create(struct bucket);
	unsigned int slot = hash(key) % 8;

	strcpy(b->entry.key, key);
	b->entry.value = value;
	b->next = hashed->buckets[slot];
	hashed->buckets[slot] = b;
	hashed->nr++;
	return 0;
}

static long hashed_get(void *store, const char *key)
{
	struct hashed *hashed = store;

	for (struct bucket *b = hashed->buckets[hash(key) % 8]; b; b = b->next)
		if (!strcmp(b->entry.key, key)) {
			b->entry.hits++;
			return b->entry.value;
		}
	return -1;
}

static void hashed_each(void *store, int (*visit)(const char *, long, void *), void *data)
{
	const struct hashed *hashed = store;

	for (int i = 0; i < 8; i++)
		for (struct bucket *b = hashed->buckets[i]; b; b = b->next)
			if (visit(b->entry.key, b->entry.value, data))
				return;
}

static const struct store_ops stores[] = {
	{ "flat", flat_put, flat_get, flat_each },
	{ "hashed", hashed_put, hashed_get, hashed_each },
};

static int add_up(const char *key, long value, void *data)
{
	struct tally *tally = data;

	tally->sum += value;
	if (value > tally->largest)
		tally->largest = value;
	return ++tally->nr > 1000 || !*key;
}

static long use_store(struct store *store)
{
	struct tally tally = { 0, 0, 0 };
	long sum = 0;
	char key[12];

	for (int i = 0; i < 20; i++) {
		snprintf(key, sizeof(key), "key%d", i * 7);
		store->ops->put(store->self, key, i * 11);
		store->writes++;
	}
	for (int i = 0; i < 40; i++) {
		snprintf(key, sizeof(key), "key%d", i);
		sum += store->ops->get(store->self, key);
		store->reads++;
	}
	store->ops->each(store->self, add_up, &tally);
	return sum + tally.sum + tally.largest;
}

static int by_value(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->value < y->value ? 1 : x->value > y->value ? -1 : strcmp(x->key, y->key);
}

static int by_pointer(const void *a, const void *b)
{
	const struct session *const *x = a, *const *y = b;

	return (*x)->bytes < (*y)->bytes ? -1 : (*x)->bytes > (*y)->bytes;
}

/* The pointers are not copied: optimized, x and y stay in the array, "in memory at" the parameters. */
static int by_id(const void *a, const void *b)
{
	const struct session *x = *(struct session *const *)a;
	const struct session *y = *(struct session *const *)b;

	return y->id - x->id;
}

static int by_state(const void *a, const void *b)
{
	const struct session *x = *(struct session *const *)a, *y = *(struct session *const *)b;

	return x->state != y->state ? x->state - y->state : by_id(a, b);
}

static long walk(struct session **items, int nr, long (*visit)(void *item, void *data), void *data)
{
	long sum = 0;

	for (int i = 0; i < nr; i++)
		sum += visit(&items[i], data);
	return sum;
}

static long bytes_of(void *item, void *data)
{
	struct session *session = *(struct session **)item;
	struct loop *loop = *(struct loop **)data;

	return session->loop == loop ? session->bytes + loop->fired : 0;
}

int main(void)
{
	struct loop *loop = create(struct loop);
	struct session **sessions = new_array(struct session *, 6);
	struct store flat = { &stores[0], create(struct flat), 0, 0 };
	struct store hashed = { &stores[1], create(struct hashed), 0, 0 };
	struct flat *sorted = flat.self;
	long sum;

	for (int i = 0; i < 6; i++) {
		struct session *s = create(struct session);

		s->id = i;
		s->limit = 900 + 100 * (i % 3);
		s->loop = loop;
		s->state = 'o';
		s->timer.handler = on_timer;
		s->timer.context = s;
		arm(loop, &s->timer, i);
		sessions[i] = s;
	}
	run(loop);
	qsort(sessions, 6, sizeof(*sessions), by_pointer);
	sum = use_store(&flat) + use_store(&hashed);
	qsort(sessions, 6, sizeof(*sessions), by_id);
	sum += walk(sessions, 6, bytes_of, &loop);
	qsort(sessions, 6, sizeof(*sessions), by_state);
	qsort(sorted->entries, sorted->nr, sizeof(sorted->entries[0]), by_value);
	printf("%u %ld %d %c %ld %s %lu\n", loop->fired, sessions[5]->bytes, sessions[0]->id,
	       sessions[2]->state, sum, sorted->entries[0].key, flat.reads + hashed.writes);
	return 0;
}
