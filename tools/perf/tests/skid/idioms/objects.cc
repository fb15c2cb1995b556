// SPDX-License-Identifier: GPL-2.0-or-later
/* The same for C++: virtual calls, members of base classes, containers. */
#include <memory>
#include <unordered_map>
#include <vector>

#include "slow.h"

#pragma GCC diagnostic ignored "-Winvalid-offsetof"

class shape {
public:
	virtual ~shape() = default;
	virtual long area(long scale) = 0;

	shape *next;
	long id, seen;
};

class square : public shape {
public:
	TESTED long area(long scale) override
	{
		return side * scale;
	}
	long side;
	char rest[LINE - 5 * sizeof(long)];
};

class circle : public shape {
public:
	TESTED long area(long scale) override
	{
		seen = scale;
		return scale ^ radius;
	}
	long radius;
	char rest[LINE - 5 * sizeof(long)];
};

static_assert(sizeof(square) == LINE && sizeof(circle) == LINE, "one line each");

/* All squares, or squares and circles by turns. */
template <class... Kinds> static void *shapes()
{
	uint32_t nr = COLD / LINE;
	char *all = (char *)cold(COLD);

	link_all(all, nr, LINE, offsetof(square, next));
	for (uint32_t i = 0; i < nr; i++) {
		shape *next, *made;

		memcpy(&next, all + i * LINE + offsetof(square, next), sizeof(next));
		if (sizeof...(Kinds) == 2 && i & 1)
			made = new (all + i * LINE) circle;
		else
			made = new (all + i * LINE) square;
		made->next = next;
		made->id = i;
	}
	return all;
}

/* truth virtual_call virtual_call square::area circle::area: class shape +0 (_vptr.shape) 100 */
TESTED shape *virtual_call(shape *s, long steps)
{
	long sum = 1;

	for (; steps; steps--) {
		sum = s->area(sum);
		s = s->next;
	}
	return s;
}

/* truth member_of_base: class shape +0x10 (id) 100 */
TESTED shape *member_of_base(shape *s, long steps)
{
	for (; steps; steps--) {
		USE(s->id);
		s->seen = steps;
		s = s->next;
	}
	return s;
}

/* truth member_of_derived: class square +0x20 (side) 100 */
TESTED square *member_of_derived(square *s, long steps)
{
	for (; steps; steps--) {
		s->side += steps;
		asm volatile("" : : : "memory");
		s->seen = steps;
		s = static_cast<square *>(s->next);
	}
	return s;
}

struct record {
	std::unique_ptr<record> owned;
	record *next;
	long cost, uses;
	char rest[LINE - 4 * sizeof(long)];
};

static void *records()
{
	record *all = (record *)cold(COLD);

	link_all(all, COLD / sizeof(record), sizeof(record), offsetof(record, next));
	return all;
}

/* truth by_reference by_reference cost_of: struct record +0x10 (cost) 100 */
TESTED static long cost_of(const record &r)
{
	return r.cost;
}

TESTED record *by_reference(record *r, long steps)
{
	long sum = 0;

	for (; steps; steps--) {
		sum += cost_of(*r);
		KEEP(sum);
		r->uses = sum;
		r = r->next;
	}
	return r;
}

/* A vector's elements by random index; the next index waits for the element. */
struct price {
	long amount, currency;
	char rest[LINE - 2 * sizeof(long)];
};
struct market {
	std::vector<price> prices;
	unsigned long state;
};

static void *prices()
{
	static market all;

	all.prices.resize(COLD / sizeof(price));
	return &all;
}

/* truth vector_element: struct price +0 (amount) 100 */
TESTED market *vector_element(market *m, long steps)
{
	unsigned long x = m->state;

	for (; steps; steps--) {
		price &p = m->prices[(x >> 33) % (COLD / sizeof(price))];

		x = (x + (unsigned long)p.amount) * 6364136223846793005ul + 1442695040888963407ul;
		KEEP(x);
		p.currency++;
	}
	m->state = x;
	return m;
}

static const idiom idioms[] = {
	{ "virtual_call", (walk_fn *)virtual_call, shapes<square, circle> },
	{ "member_of_base", (walk_fn *)member_of_base, shapes<square> },
	{ "member_of_derived", (walk_fn *)member_of_derived, shapes<square> },
	{ "by_reference", (walk_fn *)by_reference, records },
	{ "vector_element", (walk_fn *)vector_element, prices },
};

int main(int argc, char **argv)
{
	return run_idiom(idioms, sizeof(idioms) / sizeof(*idioms), argc, argv);
}
