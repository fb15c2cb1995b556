// SPDX-License-Identifier: GPL-2.0-or-later
/* Has lists of ranges in front of those of ranges.c. */
#include <stdlib.h>

struct node {
	struct node *next;
	long v;
};

static inline long product(struct node *n, long *q)
{
	long s = 1;

	for (; n; n = n->next) {
		if (__builtin_expect(n->v > 1000, 0))
			abort();
		s *= n->v ^ q[3];
		q[1] = s;
	}
	return s;
}

__attribute__((noinline)) static long once(struct node *n, long *q)
{
	long t = q[0];
	long r = product(n, q);

	q[2] = t;
	return r * t;
}

long elsewhere(struct node *n, long *q)
{
	return once(n, q) + product(n->next, q + 1);
}
