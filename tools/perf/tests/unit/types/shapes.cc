// SPDX-License-Identifier: GPL-2.0-or-later
/* What test_dwarf asks about: names with what is around them, objects that go by reference. */
#define NOINLINE __attribute__((noinline, used))

struct Token {
	~Token();
	long id;
};

Token::~Token()
{
	id = 0;
}

namespace store {
struct Item {
	int a, b;
};

struct Basket {
	Basket(const Basket &);
	Basket() : count(0) {}
	int count;
};

Basket::Basket(const Basket &other) : count(other.count) {}

template <class T> class Holder {
public:
	struct Inner {
		T value;
	};
	Inner inner;
};

enum class Color { Red, Green };

class Base {
public:
	virtual ~Base();
	Basket pick(Token token, Item item);
	Item item;
	static int total;
};

int Base::total = 3;
Item current = { 1, 2 };

Base::~Base() {}

NOINLINE Basket Base::pick(Token token, Item other)
{
	Basket basket;

	basket.count = other.a + (int)token.id + item.b;
	return basket;
}
}

extern "C" NOINLINE int names(store::Item *item, store::Holder<int> &holder,
			      store::Holder<int>::Inner *inner, store::Color color,
			      int store::Item::*member, store::Base &&base)
{
	return item->a + holder.inner.value + inner->value + (int)color + item->*member +
	       base.item.a;
}

NOINLINE long tick()
{
	static int count = 5;

	return count++;
}

struct {
	int depth;
} volatile bare;

template <class T> struct Alias {
	typedef T type;
	type *again;
};

int main(int argc, char **argv)
{
	store::Holder<int> holder = { { argc } };
	store::Base base;
	Token token;
	Alias<decltype(bare)> alias = { &bare };

	alias.again->depth = argc;
	token.id = argc;
	base.item = store::current;
	return names(&store::current, holder, &holder.inner, store::Color::Green, &store::Item::b,
		     static_cast<store::Base &&>(base)) +
	       base.pick(token, store::current).count + (int)tick() + store::Base::total;
}
