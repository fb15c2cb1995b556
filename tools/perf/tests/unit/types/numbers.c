// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Pointers to other objects in the number of a union. See flow.c for the marks.
 *
 * @locals int | struct cell* | double | long | long int | union word | struct tagged | struct number* | struct string* | char**
 */
#include <stdint.h>
#define NOINLINE __attribute__((noinline))

struct number { int tag; int digits; double value; };
struct string { int tag; short length, room; long hash, next, line; };
union word { struct number *number; uintptr_t bits; };
struct tagged { union word word; int is_string; };

NOINLINE long either(union word w, int is_string)
{
	if (is_string)
		return ((struct string *)w.bits)->room; // @type struct string +0x6 (room) | ?struct number +0x6 (digits)
	return w.number->digits; // @must struct number +0x4 (digits)
}

NOINLINE long tagged(struct tagged t)
{
	return t.is_string ? ((struct string *)t.word.bits)->room : t.word.number->digits; // @type struct number +0x4 (digits) | struct string +0x6 (room) | ?struct number +0x6 (digits) | ~struct tagged +0x8 (is_string) | ~struct tagged +0 (word.number)
}

NOINLINE long stored(struct string *s, struct number *n, int is_string)
{
	union word w;
	if (is_string) {
		w.bits = (uintptr_t)s;
		return ((struct string *)w.bits)->room; // @zero struct string +0x6 (room) | ~union word +0 (number)
	}
	w.number = n;
	return w.number->digits; // @zero struct number +0x4 (digits) | ~union word +0 (number)
}

NOINLINE long low_bit(union word w)
{
	if (w.bits & 1) // @type union word +0 (number)
		return ((struct string *)(w.bits & ~(uintptr_t)1))->room; // @type struct string +0x6 (room) | ?struct number +0x6 (digits)
	return w.number->digits; // @must struct number +0x4 (digits)
}

/* The register tells which of two numbers lies there. */
struct cell { long id; union { double real; long whole; }; };

NOINLINE long whole(const struct cell *c) { return c->whole; } // @zero struct cell +0x8 (whole)
NOINLINE double real(const struct cell *c) { return c->real + 1; } // @zero struct cell +0x8 (real)

int main(int argc, char **argv)
{
	struct cell c = { argc, { 2 } }; // @type struct cell +0 (id) | struct cell +0x8 (real)
	union word w = { .bits = (uintptr_t)argv };
	struct tagged t = { w, argc };
	if (argc < 99)
		return 0;
	return (int)(either(w, argc) + tagged(t) + stored((void *)argv, (void *)argv, argc) + low_bit(w) + whole(&c) + (int)real(&c)); // @type union word +0 (number)
}
