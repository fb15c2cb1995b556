// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * A unit whose code is in several ranges, with an inlined function in several ranges. It is linked behind
 * ranges_elsewhere.c, which has the same. See flow.c for the marks.
 *
 * @locals struct node* | struct node | long | long int | long[] | long int[]
 */
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))

struct node { struct node *next; long v; };

long elsewhere(struct node *n, long *q);

static inline long sum(struct node *n, long *q)
{
	long s = 0;

	for (; n; n = n->next) { // @must struct node +0 (next)
		if (__builtin_expect(n->v > 1000, 0)) // @must struct node +0x8 (v)
			abort();
		s += n->v ^ q[3]; // @type struct node +0x8 (v) | long +0 (no field) | long int +0 (no field)
		q[1] = s; // @type long +0 (no field) | long int +0 (no field)
	}
	return s;
}

NOINLINE long first(struct node *n, long *q)
{
	long t = q[0]; // @type long +0 (no field) | long int +0 (no field)
	long r = sum(n, q);

	q[2] = t; // @type long +0 (no field) | long int +0 (no field)
	return r * t;
}

NOINLINE long second(struct node *n, long *q)
{
	q[4] = 1; // @type long +0 (no field) | long int +0 (no field)
	return first(n, q) + sum(n->next, q + 1); // @must struct node +0 (next)
}

int main(int argc, char **argv)
{
	struct node last = { NULL, argc }, node = { &last, 2 };
	long q[8] = { argc };

	return second(&node, q) + elsewhere(&node, q) > 99;
}
