// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Temporary objects, of which the debug information says nothing, in the place of a variable that is declared later:
 * see fields.c for the marks.
 *
 * @locals struct Job* | struct Job& | long int* | struct Bag* | long int | long | long* | int | char**
 */
#define NOINLINE __attribute__((noinline))

struct Job {
	long id, due, prio;
	Job(long i) : id(i), due(i + 1), prio(i + 2) { } // @type struct Job +0 (id) | struct Job +0x8 (due) | struct Job +0x10 (prio) | struct Job (one of several)
};

struct Bag {
	long *first, *last, *end;
	NOINLINE Bag(long *at) : first(at), last(at), end(at + 4) { }
	NOINLINE ~Bag() { *first = 0; }
	NOINLINE void add(long value) { *last++ = value; }
};

static long sum;

NOINLINE void give(const Job &job)
{
	sum += job.id + job.due; // @must long int +0 (no field) | long +0 (no field) | struct Job +0 (id) | struct Job +0x8 (due)
}

int main(int argc, char **argv)
{
	static long room[4];

	give(Job(argc));
	give(Job(argc + 1));
	Bag bag(room);
	bag.add(argc);
	return (int)(*bag.first + (bag.last - bag.first) + sum); // @must struct Bag +0 (first) | struct Bag +0x8 (last) | long +0 (no field) | long int +0 (no field)
}
