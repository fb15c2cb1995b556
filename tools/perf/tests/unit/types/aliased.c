// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Variables of the frame that are changed through a pointer to them, or before longjmp(): what was stored there before by
 * name is no longer there.
 * See flow.c for the marks.
 *
 * @locals void**[] | changing[] | struct keeper | int | long | long int | void* | void** | void*[] | struct from* | struct to* | struct keeper* | struct pair* | char** | struct pair
 */
#include <setjmp.h>
#include <stddef.h>
#define NOINLINE __attribute__((noinline))

struct from { long k; int x, y; double d; };
struct to { double w; float x, y; long k; };
struct keeper { void **kept; long n; };
struct pair { void *left, *right; };

NOINLINE void change(struct keeper *keeper, void *value)
{
	*keeper->kept = value; // @must struct keeper +0 (kept) | void* +0 (no field)
}

NOINLINE struct pair *same(struct pair *p)
{
	return p;
}

NOINLINE long kept(struct keeper *keeper, struct from *a, struct to *b)
{
	void *slot;
	long sum;
	keeper->kept = &slot; // @must struct keeper +0 (kept)
	slot = a;
	sum = ((struct from *)slot)->y; // @type struct from +0xc (y)
	*keeper->kept = b; // @type struct keeper +0 (kept) | void* +0 (no field)
	return sum + ((struct to *)slot)->k; // @type struct to +0x10 (k)
}

NOINLINE long called(struct keeper *keeper, struct from *a, struct to *b)
{
	void *slot;
	long sum;
	keeper->kept = &slot; // @must struct keeper +0 (kept)
	slot = a;
	sum = ((struct from *)slot)->y; // @type struct from +0xc (y)
	change(keeper, b);
	sum += ((struct to *)slot)->k; // @type struct to +0x10 (k)
	return sum + (long)((struct to *)slot)->y; // @type struct to +0xc (y)
}

/* The address is in an object whose address is passed on; or it comes there afterwards. */
NOINLINE long called_through(struct from *a, struct to *b)
{
	void *slot = a;
	struct keeper keeper = { &slot, 1 };
	long sum;
	change(&keeper, b);
	sum = ((struct to *)slot)->k; // @type struct to +0x10 (k)
	return sum + keeper.n;
}

NOINLINE long called_again(struct from *a, struct to *b)
{
	void *first = b, *slot = a;
	struct keeper keeper = { &first, 1 };
	change(&keeper, b);
	keeper.kept = &slot; // @type struct keeper +0 (kept)
	change(&keeper, b);
	return ((struct to *)slot)->k + keeper.n; // @type struct to +0x10 (k) | struct keeper +0x8 (n)
}

NOINLINE long exchanged(struct from *a, struct to *b)
{
	void *slot = a, *was = a;
	__atomic_compare_exchange_n(&slot, &was, b, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); // @type void* +0 (no field)
	return ((struct to *)slot)->k + (long)((struct to *)slot)->y; // @type struct to +0x10 (k) | struct to +0xc (y)
}

NOINLINE long walked(struct from *a, struct to *b, int n)
{
	void *all[8] = { a, a, a, a, a, a, a, a }; // @type void*[] +0 (no field)
	void **at = all + n;
	while (at > all)
		*--at = b; // @type void*[] +0 (no field) | void* +0 (no field)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)all[3])->k + (long)((struct to *)all[4])->y; // @type struct to +0x10 (k) | struct to +0xc (y) | void*[] +0 (no field)
}

NOINLINE long filled(struct from *a, struct to *b)
{
	void *all[32], **at = all;
	long n = 32;
	for (int i = 0; i < 32; i++)
		all[i] = a; // @type void*[] +0 (no field)
	all[3] = a; // @type void*[] +0 (no field)
	__asm__ volatile("rep stosq" : "+D"(at), "+c"(n) : "a"(b) : "memory"); // @type void*[] +0 (no field) | void* +0 (no field)
	return ((struct to *)all[3])->k; // @type struct to +0x10 (k) | void*[] +0 (no field)
}

NOINLINE long through(struct from *a, struct to *b)
{
	struct pair p = { a, a }; // @type struct pair +0 (left) | struct pair +0x8 (right)
	struct pair *q = same(&p);
	long sum = ((struct from *)p.left)->y; // @type struct from +0xc (y) | struct pair +0 (left)
	p.left = a; // @type struct pair +0 (left)
	q->left = b; // @type struct pair +0 (left)
	return sum + ((struct to *)p.left)->k; // @type struct to +0x10 (k) | struct pair +0 (left)
}

/* The address of one of two variables. */
NOINLINE long chosen(struct from *a, struct to *b, int which)
{
	void *slot = a, *other = b;
	void **at = which ? &slot : &other;
	*at = b; // @type void* +0 (no field)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)slot)->k + ((struct to *)other)->k; // @type struct to +0x10 (k)
}

NOINLINE long branched(struct from *a, struct to *b, int which)
{
	void *slot = a, *other = b, **at;
	if (which)
		at = &slot;
	else
		at = &other;
	*at = b; // @type void* +0 (no field)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)slot)->k + ((struct to *)other)->k; // @type struct to +0x10 (k)
}

/*
 * The compiler must not know which address it is: else it makes one path for each, and where the address is passed, slot is a
 * in a's register, so `struct from` is true there.
 */
NOINLINE long or_passed(struct from *a, struct to *b, void **at)
{
	void *slot = a;
	if (!at)
		at = &slot;
	__asm__("" : "+r"(at));
	*at = b; // @type void* +0 (no field)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)slot)->k; // @type struct to +0x10 (k)
}

/* The addresses are in memory of the frame, from where an index or a copy takes them. */
NOINLINE long listed(struct from *a, struct to *b, int which)
{
	void *slot = a, *other = b;
	void **at[2] = { &slot, &other }; // @type void**[] +0 (no field)
	*at[which & 1] = b; // @type void* +0 (no field) | void**[] +0 (no field)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)slot)->k + ((struct to *)other)->k; // @type struct to +0x10 (k)
}

NOINLINE long copied(struct from *a, struct to *b, long n)
{
	void *slot = a;
	struct keeper keeper = { &slot, n }, again;
	__asm__ volatile("" : "+m"(keeper));
	again = keeper;
	__asm__ volatile("" : "+m"(again));
	*again.kept = b; // @type void* +0 (no field) | struct keeper +0 (kept)
	__asm__ volatile("" ::: "memory");
	return ((struct to *)slot)->k + again.n; // @type struct to +0x10 (k) | struct keeper +0x8 (n)
}

static jmp_buf before;

NOINLINE void leap(void)
{
	longjmp(before, 1);
}

static struct from first;

NOINLINE long jumped(struct to *b)
{
	void *volatile slot;
	slot = &first;
	if (_setjmp(before) == 0) {
		slot = b;
		leap();
	}
	return ((struct to *)slot)->k; // @type struct to +0x10 (k) | void* +0 (no field)
}

NOINLINE long again(struct to *b)
{
	void *volatile slot;
	int late;
	slot = &first;
	late = _setjmp(before);
	if (late)
		return ((struct to *)slot)->k; // @type struct to +0x10 (k) | void* +0 (no field)
	slot = b;
	leap();
	return 0;
}

typedef void *volatile changing;

NOINLINE long several(struct to *b)
{
	changing slots[2];
	slots[0] = &first;
	slots[1] = &first;
	if (_setjmp(before) == 0) {
		slots[1] = b;
		leap();
	}
	return ((struct from *)slots[0])->y + ((struct to *)slots[1])->k; // @type struct from +0xc (y) | struct to +0x10 (k) | void*[] +0 (no field) | changing[] +0 (no field)
}

/* Only a volatile variable may change between the two returns. */
NOINLINE long unchanged(void)
{
	void *slot = &first;
	void *volatile other = slot;
	if (_setjmp(before) == 0)
		leap();
	return ((struct from *)slot)->y + (other == slot); // @must struct from +0xc (y) | void* +0 (no field)
}

int main(int argc, char **argv)
{
	void *p = argv;
	if (argc < 99)
		return 0;
	return (int)(kept(p, p, p) + called(p, p, p) + called_through(p, p) + called_again(p, p) + exchanged(p, p) + walked(p, p, argc) + filled(p, p) + through(p, p) + jumped(p) + again(p) + several(p) + unchanged() + chosen(p, p, argc) + branched(p, p, argc) + or_passed(p, p, p) + listed(p, p, argc) + copied(p, p, argc)); // @type char** +0 (no field)
}
