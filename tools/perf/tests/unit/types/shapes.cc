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

template <class T> NOINLINE long first_of(T object, long more)
{
	return object.first + more;
}

template <class T> NOINLINE long first_of(T *object, long more)
{
	object->none = nullptr;
	return object->first + more;
}

template <class T> NOINLINE long called(T object, long more)
{
	return object() + more;
}

template <class T> NOINLINE T made_of(long first)
{
	return { first, &store::current };
}

/* gcc lists the destructors and copy constructors of these classes, although none is declared. */
long of_locals(long n)
{
	struct Local {
		long first;
		store::Item *item;
	};
	struct Guarded {
		long first;
		Token token;
	};
	struct Derived : Token {
		long first;
	};
	struct Virtual {
		virtual long get() { return first; }
		long first;
	};
	struct Moved {
		Moved(long n) : first(n), item(&store::current) {}
		Moved(const Moved &) = delete;
		Moved(Moved &&) = default;
		long first;
		store::Item *item;
	};
	struct Pinned {
		Pinned(long n) : first(n) {}
		Pinned(const Pinned &) = delete;
		long first;
	};
	struct Optional {
		decltype(nullptr) first_none, none;
		long first;
	};
	Optional optional = { nullptr, nullptr, n };
	Local local = { n, &store::current };
	Guarded guarded = { n, { n } };
	Derived derived;
	Virtual with_table;
	auto closure = [&local, n] { return local.first + n; };

	derived.first = with_table.first = n;
	local = made_of<Local>(first_of(local, n));
	n += first_of<Moved>({ n }, 6) + first_of<Pinned>({ n }, 7) + first_of(&optional, 8);
	return first_of(local, 2) + first_of(guarded, 3) + first_of(derived, 4) +
	       first_of(with_table, 5) + called(closure, n);
}

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
	       base.pick(token, store::current).count + (int)tick() + store::Base::total +
	       (int)of_locals(argc);
}
