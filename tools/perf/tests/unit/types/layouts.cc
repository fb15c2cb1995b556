// SPDX-License-Identifier: GPL-2.0-or-later
// Structures with holes, padding, unions, bases and bit-fields, for test_annotate_layout.c.
struct plain {
	char side;
	unsigned long id;
	int quantity;
};

struct bits {
	unsigned a : 3, b : 5;
	unsigned long c;
};

struct choice {
	int kind;
	union {
		long number;
		struct {
			char low;
			int high;
		};
	};
	struct plain inner[2];
};

struct Base {
	long x;
	char y;

	Base() : x(1), y(2) { }
};

/* Its own member lies in the padding of the base. */
struct Derived : Base {
	char z;

	Derived() : z(3) { }
};

struct plain a_plain;
struct bits a_bits;
struct choice a_choice;
struct Derived a_derived;

int main()
{
	return a_plain.quantity + (int)a_bits.c + a_choice.kind + a_derived.z;
}
