// SPDX-License-Identifier: GPL-2.0-or-later
/* Shortest ways through a map: edges in rows, a binary heap of pointers, sets as bits, a cache of answers. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"

typedef uint32_t place_id;

struct road {
	place_id to;
	uint16_t metres;
	uint8_t toll : 1, paved : 1, lanes : 3;
	uint8_t limit;
};

struct place {
	char name[12];
	float lat, lon;
	uint32_t first, count; /* of map.roads */
};

struct map {
	uint32_t nr_places, nr_roads;
	struct place *places;
	struct road *roads;
	struct {
		float south, west, north, east;
	} box;
};

struct visit {
	uint64_t cost;
	place_id from;
	int32_t heap_at;
};

struct heap {
	struct visit **slots;
	size_t used, room;
	const struct visit *base;
};

struct answer {
	struct answer *next;
	place_id from, to;
	uint64_t cost;
	uint16_t hops;
	place_id way[];
};

#define BUCKETS 16

struct cache {
	struct answer *buckets[BUCKETS];
	struct {
		unsigned long asked, found;
	} stats;
};

struct profile {
	const char *name;
	uint64_t (*cost)(const struct profile *p, const struct road *r);
	union {
		double pace;
		uint64_t weight;
	};
	bool avoid_toll;
};

static uint64_t by_length(const struct profile *p, const struct road *r)
{
	return r->metres * p->weight + (r->toll && p->avoid_toll ? 100000 : 0);
}

static uint64_t by_time(const struct profile *p, const struct road *r)
{
	double hours = r->metres / 1000.0 / (r->limit ? r->limit : 30);

	return (uint64_t)(hours * 3600 * p->pace * (r->paved ? 1 : 1.5));
}

static const struct profile profiles[] = {
	{ .name = "short", .cost = by_length, .weight = 2, .avoid_toll = true },
	{ .name = "fast", .cost = by_time, .pace = 1.25 },
};

static unsigned int noise(unsigned int *state)
{
	return *state = *state * 1664525 + 1013904223;
}

static struct map *make_map(uint32_t side)
{
	struct map *m = create(struct map);
	unsigned int state = 7;
	struct road *r;

	m->nr_places = side * side;
	m->places = new_array(struct place, m->nr_places);
	m->roads = r = new_array(struct road, m->nr_places * 4);
	m->box.south = m->box.west = 90;
	m->box.north = m->box.east = -90;
	for (uint32_t i = 0; i < m->nr_places; i++) {
		struct place *p = m->places + i;
		uint32_t x = i % side, y = i / side;
		const uint32_t near[4] = { x ? i - 1 : i, x + 1 < side ? i + 1 : i,
					   y ? i - side : i, y + 1 < side ? i + side : i };

		snprintf(p->name, sizeof(p->name), "p%u", i);
		p->lat = (float)y / 10;
		p->lon = (float)x / 10;
		if (p->lat < m->box.south)
			m->box.south = p->lat;
		if (p->lat > m->box.north)
			m->box.north = p->lat;
		if (p->lon < m->box.west)
			m->box.west = p->lon;
		if (p->lon > m->box.east)
			m->box.east = p->lon;
		p->first = (uint32_t)(r - m->roads);
		for (int k = 0; k < 4; k++) {
			if (near[k] == i)
				continue;
			r->to = near[k];
			r->metres = (uint16_t)(100 + noise(&state) % 900);
			r->toll = noise(&state) >> 28 == 0;
			r->paved = noise(&state) >> 30 != 0;
			r->lanes = 1 + (noise(&state) >> 31);
			r->limit = (uint8_t)(30 + noise(&state) % 70);
			r++;
		}
		p->count = (uint32_t)(r - m->roads) - p->first;
	}
	m->nr_roads = (uint32_t)(r - m->roads);
	return m;
}

static void heap_put(struct heap *h, size_t at, struct visit *v)
{
	h->slots[at] = v;
	v->heap_at = (int32_t)at;
}

static void heap_up(struct heap *h, size_t at)
{
	struct visit *v = h->slots[at];

	while (at && h->slots[(at - 1) / 2]->cost > v->cost) {
		heap_put(h, at, h->slots[(at - 1) / 2]);
		at = (at - 1) / 2;
	}
	heap_put(h, at, v);
}

static struct visit *heap_pop(struct heap *h)
{
	struct visit *top = h->slots[0], *v = h->slots[--h->used];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < h->used) {
		if (child + 1 < h->used && h->slots[child + 1]->cost < h->slots[child]->cost)
			child++;
		if (h->slots[child]->cost >= v->cost)
			break;
		heap_put(h, at, h->slots[child]);
		at = child;
	}
	if (h->used)
		heap_put(h, at, v);
	top->heap_at = -1;
	return top;
}

static void heap_add(struct heap *h, struct visit *v)
{
	if (v->heap_at < 0) {
		if (h->used == h->room) {
			h->room = h->room ? h->room * 2 : 8;
			h->slots = truth_realloc(h->slots, h->room * sizeof(*h->slots),
						 "struct visit *", h->room);
		}
		heap_put(h, h->used++, v);
	}
	heap_up(h, (size_t)v->heap_at);
}

static bool set_test(const uint64_t *set, place_id i)
{
	return set[i / 64] >> i % 64 & 1;
}

static void set_add(uint64_t *set, place_id i)
{
	set[i / 64] |= UINT64_C(1) << i % 64;
}

static struct answer *trace(const struct visit *visits, place_id from, place_id to)
{
	struct answer *a;
	uint16_t hops = 0;

	for (place_id at = to; at != from; at = visits[at].from)
		hops++;
	a = new_flexible(struct answer, hops * sizeof(place_id));
	a->next = NULL;
	a->from = from;
	a->to = to;
	a->cost = visits[to].cost;
	a->hops = hops;
	for (place_id at = to; at != from; at = visits[at].from)
		a->way[--hops] = at;
	return a;
}

static struct answer *search(const struct map *m, const struct profile *p, place_id from,
			     place_id to)
{
	struct visit *visits = new_array(struct visit, m->nr_places);
	uint64_t *done = new_array(uint64_t, m->nr_places / 64 + 1);
	struct heap heap = { .base = visits };
	struct answer *answer = NULL;

	memset(done, 0, (m->nr_places / 64 + 1) * sizeof(*done));
	for (place_id i = 0; i < m->nr_places; i++)
		visits[i] = (struct visit){ .cost = UINT64_MAX, .heap_at = -1 };
	visits[from].cost = 0;
	heap_add(&heap, &visits[from]);
	while (heap.used) {
		struct visit *v = heap_pop(&heap);
		place_id here = (place_id)(v - heap.base);
		const struct road *r = &m->roads[m->places[here].first];

		if (here == to) {
			answer = trace(visits, from, to);
			break;
		}
		set_add(done, here);
		for (const struct road *end = r + m->places[here].count; r < end; r++) {
			uint64_t cost = v->cost + p->cost(p, r);

			if (set_test(done, r->to) || cost >= visits[r->to].cost)
				continue;
			visits[r->to].cost = cost;
			visits[r->to].from = here;
			heap_add(&heap, &visits[r->to]);
		}
	}
	truth_free(heap.slots);
	truth_free(done);
	truth_free(visits);
	return answer;
}

static const struct answer *ask(struct cache *c, const struct map *m, const struct profile *p,
				place_id from, place_id to)
{
	struct answer **at = &c->buckets[(from * 31 + to) % BUCKETS];

	c->stats.asked++;
	for (; *at; at = &(*at)->next)
		if ((*at)->from == from && (*at)->to == to) {
			struct answer *a = *at;

			/* To the front. */
			*at = a->next;
			a->next = c->buckets[(from * 31 + to) % BUCKETS];
			c->buckets[(from * 31 + to) % BUCKETS] = a;
			c->stats.found++;
			return a;
		}
	*at = search(m, p, from, to);
	return *at;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->name, ((const struct place *)b)->name);
}

int main(void)
{
	struct map *m = make_map(9);
	struct cache *caches = new_array(struct cache, 2);
	struct place *sorted = new_array(struct place, m->nr_places);
	uint64_t sum = 0, hops = 0;

	memset(caches, 0, 2 * sizeof(*caches));
	for (int i = 0; i < 40; i++) {
		int which = i & 1;
		const struct answer *a = ask(&caches[which], m, &profiles[which],
					     (place_id)i / 2 % 6 * 11, (place_id)i / 2 % 4 * 19);

		sum += a ? a->cost : 0;
		for (int k = 0; a && k < a->hops; k++)
			hops += m->places[a->way[k]].count;
	}
	memcpy(sorted, m->places, m->nr_places * sizeof(*sorted));
	qsort(sorted, m->nr_places, sizeof(*sorted), by_name);
	printf("%lu %lu %lu/%lu %s %s %.1f\n", (unsigned long)sum, (unsigned long)hops,
	       caches[1].stats.found, caches[1].stats.asked, sorted[3].name, profiles[1].name,
	       (double)(m->box.north - m->box.south));
	return 0;
}
