// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Types in more structures than are examined, and in deeper ones. Where the bytes around such a type end is not known.
 * See flow.c for the marks.
 *
 * @locals struct link* | struct link | int | long | long int
 */
#include <stddef.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

struct link { struct link *next, *prev; };
struct few { long n; };
struct deep { long n; };
struct high { long n; };

#define KEEP __attribute__((used))
#define HOLD(n) struct hold##n { long key; struct link link; } h##n KEEP;
#define HOLD8(n) HOLD(n##0) HOLD(n##1) HOLD(n##2) HOLD(n##3) HOLD(n##4) HOLD(n##5) HOLD(n##6) HOLD(n##7)
HOLD8(0) HOLD8(1) HOLD8(2) HOLD8(3) HOLD8(4) HOLD8(5) HOLD8(6) HOLD8(7)

/* The 65th structure with a link. */
struct large {
	struct link link;
	char room[4000];
	long far;
} large[3] KEEP;

struct one { long key; struct few few; long last; } one KEEP;

/* Six structures around a struct high, seven around a struct deep. */
struct d1 { struct deep deep; };
struct d2 { struct d1 in; struct high high; };
struct d3 { struct d2 in; };
struct d4 { struct d3 in; };
struct d5 { struct d4 in; };
struct d6 { struct d5 in; };
struct d7 { struct d6 in; long room[100]; } deepest KEEP;

NOINLINE long far(struct link *links)
{
	long sum = 0;

	for (struct link *l = links->next; l != links; l = l->next) // @type struct link +0 (next)
		sum ^= ((struct large *)((char *)l - offsetof(struct large, link)))->far; // @type struct large +0xfb0 (far)
	return sum;
}

int main(int argc, char **argv)
{
	struct link links = { &large[1].link, NULL };
	struct deep *deep = &deepest.in.in.in.in.in.in.deep;
	struct high *high = &deepest.in.in.in.in.in.high;

	large[1].link.next = &links;
	deep->n = high->n = argc;
	return (int)(far(&links) + one.few.n) > 99;
}
