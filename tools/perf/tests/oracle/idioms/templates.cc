// SPDX-License-Identifier: GPL-2.0-or-later
/* Containers of one's own, closures and generic algorithms. */
#include <cstdio>
#include <functional>
#include <tuple>

#include "truth.hh"

namespace util
{
template <class T, int N> struct Ring {
	T items[N];
	unsigned head = 0, tail = 0;

	bool put(const T &item)
	{
		if (tail - head == N)
			return false;
		items[tail++ % N] = item;
		return true;
	}
	bool get(T &out)
	{
		if (head == tail)
			return false;
		out = items[head++ % N];
		return true;
	}
};

template <class K, class V> class Table
{
	struct Slot {
		Slot *next;
		K key;
		V value;
	};
	Slot *slots_[8] = {};
	int nr_ = 0;

      public:
	V &operator[](const K &key)
	{
		Slot *&first = slots_[static_cast<unsigned>(key) % 8];

		for (Slot *s = first; s; s = s->next)
			if (s->key == key)
				return s->value;
		nr_++;
		first = truth::make<Slot>(Slot{ first, key, V() });
		return first->value;
	}

	template <class F> void each(F &&f) const
	{
		for (const Slot *s : slots_)
			for (; s; s = s->next)
				f(s->key, s->value);
	}
	int size() const
	{
		return nr_;
	}
};

template <class T> struct Optional {
	union {
		T value;
		char nothing;
	};
	bool set;

	Optional() : nothing(0), set(false)
	{
	}
	Optional(const T &v) : value(v), set(true)
	{
	}
	const T &or_else(const T &other) const
	{
		return set ? value : other;
	}
};

template <class It, class P> It find_if(It from, It to, P &&p)
{
	while (from != to && !p(*from))
		++from;
	return from;
}
} // namespace util

enum class Kind : unsigned short { Small, Large };

struct Money {
	long cents;
	Kind kind;

	Money operator+(const Money &o) const
	{
		return { cents + o.cents, o.kind };
	}
};

struct Account {
	int id;
	Money balance;
	util::Ring<Money, 4> history;
	Account *parent;
};

template <class T> __attribute__((noinline)) T total(const T *from, int n)
{
	T sum{};

	for (int i = 0; i < n; i++)
		sum = sum + from[i];
	return sum;
}

__attribute__((noinline)) static util::Optional<Money> last(const Account &a)
{
	if (a.history.head == a.history.tail)
		return {};
	return a.history.items[(a.history.tail - 1) % 4];
}

__attribute__((noinline)) static long apply(Account *accounts, int n, const std::function<long(Account &)> &f)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += f(accounts[i]);
	return sum;
}

int main()
{
	auto *accounts = static_cast<Account *>(truth_alloc(sizeof(Account) * 6, "Account", 6));
	auto *money = static_cast<Money *>(truth_alloc(sizeof(Money) * 5, "Money", 5));
	auto *table = truth::make<util::Table<int, Account *>>();
	std::tuple<int, Account *, double> best{ 0, nullptr, 0.0 };
	long fee = 3, sum = 0, calls = 0;
	Money out;

	for (int i = 0; i < 6; i++) {
		Account &a = accounts[i];

		a.id = i * 5;
		a.balance = { 100 * i, i % 2 ? Kind::Large : Kind::Small };
		a.parent = i ? &accounts[i / 2] : nullptr;
		(*table)[a.id] = &a;
		for (int k = 0; k < i; k++)
			if (!a.history.put({ k * 10, Kind::Small }) && a.history.get(out))
				sum += out.cents;
	}
	for (int i = 0; i < 5; i++)
		money[i] = { i * i, Kind::Large };
	sum += apply(accounts, 6, [&calls, fee](Account &a) {
		calls++;
		a.balance.cents -= fee;
		return a.parent ? a.parent->balance.cents : fee;
	});
	table->each([&](int key, const Account *a) {
		if (a->balance.cents > std::get<2>(best))
			best = std::make_tuple(key, accounts + key / 5, static_cast<double>(a->balance.cents));
	});
	auto found = util::find_if(accounts, accounts + 6, [&](const Account &a) { return a.id == std::get<0>(best); });
	std::printf("%ld %ld %d %ld %ld %d %d\n", sum, calls, table->size(), total(money, 5).cents,
		    last(*found).or_else(money[1]).cents, std::get<1>(best)->id, (*table)[10]->id);
	return 0;
}
