// SPDX-License-Identifier: GPL-2.0-or-later
/* A shop: maps, deques, heaps, variants, optionals and shared pointers of the standard library. */
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <unordered_map>
#include <variant>
#include <vector>

#include "truth.hh"

namespace shop
{
template <class T> using vector = std::vector<T, truth::allocator<T>>;
template <class T> using deque = std::deque<T, truth::allocator<T>>;
template <class K, class V> using map = std::map<K, V, std::less<K>, truth::allocator<std::pair<const K, V>>>;
template <class T> using set = std::set<T, std::less<T>, truth::allocator<T>>;
template <class K, class V>
using hash = std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, truth::allocator<std::pair<const K, V>>>;

struct Item {
	int id = 0;
	unsigned int stock = 0;
	double price = 0;
	std::optional<int> discount;
};

struct Cash {
	long amount;
};
struct Card {
	uint64_t number;
	unsigned int month, year;
};
struct Voucher {
	int code;
	double value;
	bool used;
};
using Payment = std::variant<Cash, Card, Voucher>;

struct Customer {
	int id;
	long points = 0;
	std::weak_ptr<Customer> friend_of;
	std::array<int, 4> last{};
	unsigned int visits = 0;
};

struct Order {
	int number;
	std::shared_ptr<Customer> customer;
	vector<std::pair<int, unsigned int>> lines;
	Payment payment;
	std::optional<double> total;
};

struct Later {
	bool operator()(const Order *a, const Order *b) const
	{
		return a->number > b->number;
	}
};

class Shop
{
      public:
	Item &item(int id)
	{
		auto it = items_.find(id);

		if (it == items_.end())
			it = items_.emplace(id, Item{ id, 10, id * 1.25, id & 1 ? std::optional<int>(id) : std::nullopt }).first;
		return it->second;
	}
	std::shared_ptr<Customer> customer(int id)
	{
		auto &c = customers_[id];

		if (!c) {
			c = std::allocate_shared<Customer>(truth::allocator<Customer>());
			c->id = id;
			if (id > 1)
				c->friend_of = customers_[id - 1];
		}
		c->last[c->visits++ % 4] = id;
		return c;
	}
	Order *order(int customer, Payment payment)
	{
		orders_.push_back(Order{ next_++, this->customer(customer), {}, payment, std::nullopt });
		open_.push(&orders_.back());
		return &orders_.back();
	}
	double price(const Order &o)
	{
		double sum = 0;

		for (const auto &[id, count] : o.lines) {
			Item &i = item(id);

			if (i.stock < count)
				continue;
			i.stock -= count;
			sum += i.price * count - i.discount.value_or(0) * 0.5;
		}
		return sum;
	}
	bool pay(Order &o)
	{
		o.total = price(o);
		return std::visit(
			[&](auto &p) {
				using T = std::decay_t<decltype(p)>;
				if constexpr (std::is_same_v<T, Cash>) {
					p.amount -= (long)*o.total;
					return p.amount >= 0;
				} else if constexpr (std::is_same_v<T, Card>) {
					return p.year > 2020 && p.month <= 12;
				} else {
					bool ok = !p.used && p.value >= *o.total;
					p.used = true;
					return ok;
				}
			},
			o.payment);
	}
	void settle()
	{
		while (!open_.empty()) {
			Order *o = open_.top();

			open_.pop();
			if (pay(*o)) {
				o->customer->points += (long)*o->total;
				if (auto f = o->customer->friend_of.lock())
					f->points++;
				income_ += *o->total;
			} else {
				refused_.insert(o->number);
			}
		}
		while (orders_.size() > 5)
			orders_.pop_front();
	}
	long points() const
	{
		long sum = 0;

		for (const auto &[id, c] : customers_)
			sum += c->points * id + c->last[c->visits & 3];
		return sum;
	}
	unsigned int low() const
	{
		unsigned int n = 0;

		for (auto it = items_.lower_bound(3); it != items_.end(); ++it)
			n += it->second.stock < 5;
		return n + (unsigned int)std::count_if(orders_.begin(), orders_.end(),
						       [](const Order &o) { return o.total && *o.total > 20; });
	}
	std::size_t refused() const
	{
		return refused_.size();
	}
	double income() const
	{
		return income_;
	}

      private:
	map<int, Item> items_;
	hash<int, std::shared_ptr<Customer>> customers_;
	deque<Order> orders_;
	std::priority_queue<Order *, vector<Order *>, Later> open_;
	set<int> refused_;
	int next_ = 100;
	double income_ = 0;
};
} // namespace shop

int main()
{
	auto *s = truth::make<shop::Shop>();

	for (int i = 0; i < 18; i++) {
		shop::Payment p = shop::Cash{ 50 };

		if (i % 3 == 1)
			p = shop::Card{ 4711, (unsigned int)i % 14, 2030 };
		else if (i % 3 == 2)
			p = shop::Voucher{ i, 15.5, false };
		auto *o = s->order(i % 5, p);
		for (int k = 0; k < 3; k++)
			o->lines.emplace_back((i * 3 + k) % 9, 1 + k);
		if (i % 6 == 5)
			s->settle();
	}
	s->settle();
	std::printf("%ld %u %zu %.2f\n", s->points(), s->low(), s->refused(), s->income());
	truth::destroy(s);
	return 0;
}
