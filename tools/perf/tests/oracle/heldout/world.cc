// SPDX-License-Identifier: GPL-2.0-or-later
/* A world of components in dense arrays, events as variants, systems as closures, names in one table, state machines. */
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "truth.hh"

#define NOINLINE __attribute__((noinline))

namespace world
{
template <class T> using vec = std::vector<T, truth::allocator<T>>;

struct Id {
	uint32_t index : 20, version : 12;
};

struct Position {
	float x, y, z;
};
struct Velocity {
	float dx, dy, dz;
	float drag;
};
struct Health {
	int16_t now, most;
	uint8_t armor[4];
};
struct Target {
	uint32_t of;
	double since;
	bool locked;
};
struct Empty {
};

/* A sparse set: entity -> place in a dense row. */
template <class C> class Pool
{
public:
	vec<uint32_t> sparse, dense;
	vec<C> items;

	NOINLINE C &add(uint32_t e, const C &c)
	{
		if (sparse.size() <= e)
			sparse.resize(e + 1, ~0u);
		sparse[e] = static_cast<uint32_t>(dense.size());
		dense.push_back(e);
		items.push_back(c);
		return items.back();
	}
	C *find(uint32_t e)
	{
		return e < sparse.size() && sparse[e] != ~0u ? &items[sparse[e]] : nullptr;
	}
	NOINLINE bool remove(uint32_t e)
	{
		if (!find(e))
			return false;
		uint32_t at = sparse[e], last = dense.back();
		items[at] = items.back();
		dense[at] = last;
		sparse[last] = at;
		sparse[e] = ~0u;
		dense.pop_back();
		items.pop_back();
		return true;
	}
};

struct Hit {
	uint32_t who, by;
	float damage;
};
struct Spawned {
	Id id;
	std::array<float, 3> at;
};
struct Died {
	uint32_t who;
	double when;
	std::string_view name;
};
using Event = std::variant<std::monostate, Hit, Spawned, Died>;

class Observer
{
public:
	virtual ~Observer() = default;
	virtual void tell(const Event &e) = 0;
	virtual double score() const { return 0; }

protected:
	uint64_t told = 0;
};

class Counter : public Observer
{
	uint32_t by_kind[4] = {};
	double damage = 0;

public:
	NOINLINE void tell(const Event &e) override
	{
		told++;
		by_kind[e.index()]++;
		if (const Hit *h = std::get_if<Hit>(&e))
			damage += h->damage;
	}
	NOINLINE double score() const override { return damage + by_kind[1] * 2 + by_kind[3] + static_cast<double>(told); }
};

class Log : public Observer
{
	vec<std::pair<uint32_t, double>> lines;
	int16_t level = 1;

public:
	NOINLINE void tell(const Event &e) override
	{
		told++;
		std::visit(
			[this](const auto &x) {
				using T = std::decay_t<decltype(x)>;
				if constexpr (std::is_same_v<T, Hit>)
					lines.emplace_back(x.who, x.damage);
				else if constexpr (std::is_same_v<T, Spawned>)
					lines.emplace_back(x.id.index, x.at[1]);
				else if constexpr (std::is_same_v<T, Died>)
					lines.emplace_back(x.who, x.when + static_cast<double>(x.name.size()));
			},
			e);
	}
	NOINLINE double score() const override
	{
		double s = level;
		for (const auto &[who, what] : lines)
			s += who * 0.5 + what;
		return s;
	}
};

/* A grid of cells with what stands in them. */
struct Grid {
	struct Cell {
		uint16_t count;
		uint16_t members[3];
		float heat;
	};
	Cell cells[8][8];

	NOINLINE void clear()
	{
		for (auto &row : cells)
			for (Cell &c : row)
				c.count = 0;
	}
	NOINLINE void put(uint32_t e, const Position &p)
	{
		Cell &c = cells[static_cast<int>(p.x) & 7][static_cast<int>(p.y) & 7];
		if (c.count < 3)
			c.members[c.count++] = static_cast<uint16_t>(e);
		c.heat = c.heat * 0.9f + 1;
	}
	NOINLINE float spread()
	{
		float most = 0;
		for (int x = 1; x < 7; x++)
			for (int y = 1; y < 7; y++) {
				Cell &c = cells[x][y];
				c.heat += 0.05f * (cells[x - 1][y].heat + cells[x + 1][y].heat + cells[x][y - 1].heat + cells[x][y + 1].heat - 4 * c.heat);
				most = std::max(most, c.heat);
			}
		return most;
	}
};

class Registry
{
public:
	Pool<Position> positions;
	Pool<Velocity> velocities;
	Pool<Health> healths;
	Pool<Target> targets;
	vec<Id> ids;
	vec<Event> events;
	vec<std::unique_ptr<Observer>> observers;
	std::map<uint32_t, std::pair<double, uint16_t>, std::less<>, truth::allocator<std::pair<const uint32_t, std::pair<double, uint16_t>>>> ranking;
	std::unordered_map<uint32_t, uint64_t, std::hash<uint32_t>, std::equal_to<>, truth::allocator<std::pair<const uint32_t, uint64_t>>> killers;
	std::list<uint32_t, truth::allocator<uint32_t>> spare;
	Grid *grid = truth::make<Grid>();
	double now = 0;

	NOINLINE Id create()
	{
		Id id{};
		if (!spare.empty()) {
			id.index = spare.front();
			spare.pop_front();
			id.version = ids[id.index].version + 1;
			ids[id.index] = id;
		} else {
			id.index = static_cast<uint32_t>(ids.size()) & 0xfffff;
			ids.push_back(id);
		}
		return id;
	}
	NOINLINE void move(float dt)
	{
		for (size_t i = 0; i < velocities.items.size(); i++) {
			Velocity &v = velocities.items[i];
			if (Position *p = positions.find(velocities.dense[i])) {
				p->x += v.dx * dt;
				p->y += v.dy * dt;
				p->z += v.dz * dt;
				v.dx *= 1 - v.drag;
				v.dy *= 1 - v.drag;
				if (p->z < 0) {
					p->z = -p->z;
					v.dz = -v.dz * 0.5f;
				}
			}
		}
	}
	NOINLINE void aim()
	{
		for (size_t i = 0; i < targets.items.size(); i++) {
			Target &t = targets.items[i];
			Position *a = positions.find(targets.dense[i]), *b = positions.find(t.of);
			if (!a || !b) {
				t.locked = false;
				continue;
			}
			float d = std::hypot(a->x - b->x, a->y - b->y);
			if (d < 6) {
				t.locked = true;
				events.push_back(Hit{ t.of, targets.dense[i], 3 + d });
			} else if (t.locked && now - t.since > 3) {
				t.locked = false;
				t.since = now;
			}
		}
	}
	NOINLINE void apply()
	{
		vec<Event> batch;
		batch.swap(events);
		for (const Event &e : batch) {
			for (auto &o : observers)
				o->tell(e);
			if (auto *h = std::get_if<Hit>(&e)) {
				Health *health = healths.find(h->who);
				if (!health)
					continue;
				health->now -= static_cast<int16_t>(h->damage) - health->armor[h->by & 3];
				auto &[score, kills] = ranking[h->by];
				score += h->damage;
				if (health->now <= 0) {
					kills++;
					killers[h->by] += h->who + 1;
					events.push_back(Died{ h->who, now, "somebody" });
					kill(h->who);
				}
			}
		}
	}
	NOINLINE void kill(uint32_t e)
	{
		positions.remove(e);
		velocities.remove(e);
		healths.remove(e);
		targets.remove(e);
		spare.push_back(e);
	}
};
} // namespace world

int main()
{
	using namespace world;
	auto *r = truth::make<Registry>();
	r->observers.push_back(std::unique_ptr<Observer>(truth::make<Counter>()));
	r->observers.push_back(std::unique_ptr<Observer>(truth::make<Log>()));
	auto spawn = [r, n = 0u](float x) mutable {
		Id id = r->create();
		n++;
		r->positions.add(id.index, Position{ x, x * 0.5f, 1 });
		r->healths.add(id.index, Health{ 20, 20, { 0, 1, 0, 1 } });
		if (n % 2)
			r->velocities.add(id.index, Velocity{ 1, 0.5f, -1, 0.05f });
		if (n % 3)
			r->targets.add(id.index, Target{ (n * 7) % 12, r->now, false });
		r->events.push_back(Spawned{ id, { x, x, 0 } });
	};
	std::vector<std::function<void()>> systems = { [r] { r->move(0.25f); }, [r] { r->aim(); }, [r] { r->apply(); },
						       [r] {
							       r->grid->clear();
							       for (size_t i = 0; i < r->positions.items.size(); i++)
								       r->grid->put(r->positions.dense[i], r->positions.items[i]);
						       } };
	for (int i = 0; i < 10; i++)
		spawn(static_cast<float>(i));
	float heat = 0;
	for (int i = 0; i < 12; i++) {
		r->now += 0.5;
		for (auto &s : systems)
			s();
		heat += r->grid->spread();
		if (i % 3 == 0)
			spawn(static_cast<float>(i) * 0.7f);
	}
	double sum = 0;
	for (auto &[who, how] : r->ranking)
		sum += who + how.first + how.second;
	for (auto &[who, what] : r->killers)
		sum += who ^ what;
	for (auto &o : r->observers)
		sum += o->score();
	for (auto &o : r->observers)
		o.release();
	printf("%.3f %.3f %zu\n", sum, static_cast<double>(heat), r->ids.size());
}
