// SPDX-License-Identifier: GPL-2.0-or-later
/* Members that compilers load and store together: two longs, two pointers, four ints, a pointer and a count. */
#include <stdio.h>
#include <string.h>

#include "truth.h"

struct box {
	long x, y, width, height;
};

struct span {
	struct box *first;
	struct box *last;
	int low, high, hits, misses;
	struct span *next;
};

struct samples {
	int count, capacity;
	int *values;
	double *weights;
};

struct totals {
	long sum, squares;
	int low, high;
	int ups, downs;
};

struct item {
	int key, weight;
	long sum;
};

struct point {
	int x, y, z, w;
};

struct moments {
	long sum, squares;
};

/* Each table ends where the next one begins. */
static struct item items[64];
static int order[256];
static struct point points[64];
static int scales[256];
static struct moments moments[32];
static int rest[64];
static struct totals totals[16];
static struct span *spans;
static struct samples *last_samples;

__attribute__((noinline)) static void move_box(struct box *box, long dx, long dy)
{
	box->x += dx;
	box->y += dy;
	box->width -= dx;
	box->height -= dy;
}

__attribute__((noinline)) static void exchange(struct span *span)
{
	struct box *first = span->first;

	span->first = span->last;
	span->last = first;
}

__attribute__((noinline)) static void count_hits(int hit)
{
	for (struct span *span = spans; span; span = span->next) {
		span->low -= hit;
		span->high += hit;
		span->hits += hit;
		span->misses -= hit;
	}
}

__attribute__((noinline)) static struct span *push_span(struct box *first, struct box *last)
{
	struct span *span = create(struct span);

	*span = (struct span){ .first = first, .last = last, .low = 1, .high = 9, .next = spans };
	spans = span;
	return span;
}

__attribute__((noinline)) static void copy_ends(struct span *to, const struct span *from)
{
	to->first = from->first;
	to->last = from->last;
	to->low = from->low;
	to->high = from->high;
}

__attribute__((noinline)) static struct samples *make_samples(int count)
{
	struct samples *samples = create(struct samples);

	samples->count = samples->capacity = count;
	samples->values = new_array(int, (size_t)count);
	samples->weights = new_array(double, (size_t)count);
	for (int i = 0; i < count; i++) {
		samples->values[i] = i * 3 - count;
		samples->weights[i] = i * 0.5;
	}
	last_samples = samples;
	return samples;
}

__attribute__((noinline)) static long sum_values(const struct samples *samples)
{
	long sum = 0;

	for (int i = 0; i < samples->count; i++)
		sum += samples->values[i];
	return sum;
}

/* The totals of one kind: members of one global structure, next to each other. */
__attribute__((noinline)) static void add_values(int kind)
{
	struct totals *t = &totals[kind];

	for (int i = 0; i < last_samples->count; i++) {
		int value = last_samples->values[i];

		t->sum += value;
		t->squares += value * value;
		t->ups += value > 0;
		t->downs += value < 0;
	}
}

/* Loops over whole tables: compilers count up to 0, from the tables' ends. */
__attribute__((noinline)) static long sum_items(void)
{
	long sum = 0;

	for (int i = 0; i < 64; i++)
		sum += items[i].key + items[i].weight + order[i];
	return sum;
}

__attribute__((noinline)) static int scale_points(void)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
		sum += points[i].x * scales[i] + points[i].y;
	return sum;
}

__attribute__((noinline)) static void move_points(int by)
{
	for (int i = 0; i < 64; i++) {
		points[i].x += by;
		points[i].y += by;
		points[i].z -= by;
		points[i].w ^= scales[i];
	}
}

__attribute__((noinline)) static void add_moments(long by)
{
	for (int i = 0; i < 32; i++) {
		moments[i].sum += by;
		moments[i].squares += by;
	}
}

__attribute__((noinline)) static int sum_rest(void)
{
	int sum = 0;

	for (int i = 0; i < 64; i++)
		sum += rest[i] ^ order[4 * i];
	return sum;
}

__attribute__((noinline)) static void clear_totals(void)
{
	for (int i = 0; i < 16; i++) {
		totals[i].sum /= 2;
		totals[i].squares /= 2;
		totals[i].low = totals[i].high = 0;
		totals[i].ups += 1;
		totals[i].downs += 1;
	}
}

__attribute__((noinline)) static long area_of(const struct box *boxes, int nr)
{
	long sum = 0;

	for (int i = 0; i < nr; i++)
		sum += (boxes[i].width ^ boxes[i].x) + (boxes[i].height ^ boxes[i].y);
	return sum;
}

__attribute__((noinline)) static int widest(const struct span *span)
{
	int best = 0;

	for (; span; span = span->next) {
		const struct box *first = span->first, *last = span->last;

		if (first->width + last->width > best)
			best = (int)(first->width + last->width);
		best += span->low + span->high;
	}
	return best;
}

int main(void)
{
	struct box *boxes = new_array(struct box, 40);
	long result = 0;

	for (int i = 0; i < 40; i++)
		boxes[i] = (struct box){ i, 2 * i, 40 - i, 3 * i };
	for (int i = 0; i < 20; i++)
		push_span(boxes + i, boxes + 39 - i);
	for (int i = 0; i < 40; i++)
		move_box(boxes + i, i & 3, i & 5);
	for (struct span *span = spans; span; span = span->next)
		exchange(span);
	count_hits(2);
	copy_ends(spans, spans->next);
	for (int i = 0; i < 8; i++) {
		result += sum_values(make_samples(10 + i));
		add_values(i);
	}
	for (int i = 0; i < 64; i++) {
		items[i] = (struct item){ i, 3 * i, 0 };
		rest[i] = order[i] = scales[i] = i;
	}
	result += sum_items() + scale_points();
	move_points(3);
	add_moments(2);
	result += sum_rest() + moments[3].sum;
	clear_totals();
	result += area_of(boxes, 40) + widest(spans);
	printf("%ld %ld %d\n", result, totals[3].squares, totals[3].ups);
	return 0;
}
