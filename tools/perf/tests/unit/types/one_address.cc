// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Code that is reached as more than one thing: functions that were merged, thunks of virtual bases. See flow.c
 * for the marks.
 *
 * @locals struct Square* | void** | struct Sized* | Order | Customer | struct Order | struct Customer | Square | struct Square | char** | Sized* | struct Sized* | const struct Sized* | const struct Square*
 * @locals const Order* | Order* | Customer* | const Customer* | long int | long | int | const shapes::Square* | const Square* | Square* | Sized* | const Sized* | struct Order* | struct Customer* | const struct Order*
 */
#define NOINLINE __attribute__((noinline))

struct Order {
	long id, total;
};

struct Customer {
	long id, visits;
};

/* One code for both, as a linker folds them: which it is nobody knows. */
NOINLINE long second(const Order *o) { return o->total; } // @type struct Order* +0 (no field)
NOINLINE long second(const Customer *c) __attribute__((alias("_Z6secondPK5Order")));

/* Called through the virtual base, the thunk moves `this` by what the table says. */
struct Sized {
	virtual ~Sized() {}
	virtual long area() const { return side; }
	long side = 3;
};

struct Square : virtual Sized {
	long area() const override { return side * side + more; } // @zero struct Square +0x8 (more) | struct Sized +0x8 (side) | ~struct Square +0 (_vptr.Square) | ~struct Square +0 (_vptr$Square) | ~struct Sized +0 (_vptr.Sized) | ~struct Sized +0 (_vptr$Sized)
	long more = 1;
};

int main(int argc, char **)
{
	Square square;
	Order order{ 1, argc };
	Customer customer{ 1, argc };
	Sized *sized = &square;

	__asm__("" : "+r"(sized));
	return (int)(second(&order) + second(&customer) + sized->area());
}
