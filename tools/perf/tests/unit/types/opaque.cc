// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Empty and small classes that stand for others: no access is larger than they are. See flow.c for the marks.
 *
 * @locals struct handle& | int | char** | struct handle* | handle* | struct token* | token* | struct base* | base* | struct held& | unsigned long | long unsigned int | struct real*
 */
#define NOINLINE __attribute__((noinline))

struct handle {};
struct real { long id; double weight; int *at; };

NOINLINE long id(handle *h) { return reinterpret_cast<real *>(h)->id; } // @type struct real +0 (id)
NOINLINE double weight(handle *h) { return reinterpret_cast<real *>(h)->weight; } // @type struct real +0x8 (weight)
NOINLINE void set(handle &h) { reinterpret_cast<real &>(h).id = 7; } // @type struct real +0 (id)

/* One byte that says which it is. */
struct token { unsigned char kind; };
struct number { unsigned char kind, base; int digits; double value; };

NOINLINE double value(const token *t) { return t->kind == 1 ? reinterpret_cast<const number *>(t)->value : 0; } // @type struct token +0 (kind) | struct number +0x8 (value)
NOINLINE int digits(const token *t) { return reinterpret_cast<const number *>(t)->digits + t->kind; } // @type struct token +0 (kind) | struct number +0x4 (digits)
NOINLINE int base_of(const token *t) { return t->kind == 1 ? reinterpret_cast<const number *>(t)->base : 10; } // @type struct token +0 (kind) | struct number +0x1 (base)

int main(int argc, char **argv)
{
	auto *h = reinterpret_cast<handle *>(argv);
	auto *t = reinterpret_cast<token *>(argv);

	if (argc < 99)
		return 0;
	set(*h);
	// What weight() and value() return waits in slots of the frame.
	return static_cast<int>(id(h) + weight(h) + value(t)) + digits(t) + base_of(t); // @type double +0 (no field)
}
