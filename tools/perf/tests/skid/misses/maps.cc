// SPDX-License-Identifier: GPL-2.0-or-later
/* Look-ups in containers of the library that are larger than the second level of cache. */
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

struct account {
	uint64_t number, balance;
	std::string name;
};

int main()
{
	std::map<uint64_t, account> ordered;
	std::unordered_map<uint64_t, account> hashed;
	uint64_t x = 1, sum = 0;

	for (uint64_t i = 0; i < 30000; i++) {
		uint64_t key = i * 0x9e3779b97f4a7c15ull >> 20;

		ordered[key] = { i, i * 3, "somebody" };
		hashed[key] = { i, i * 5, "somebody with a longer name" };
	}
	for (int i = 0; i < 150000; i++) {
		uint64_t key;

		x = x * 6364136223846793005ull + 1442695040888963407ull;
		key = (x >> 33) % 30000 * 0x9e3779b97f4a7c15ull >> 20;
		sum += ordered[key].balance;
		sum += hashed[key ^ (sum & 1)].balance;
		if (!(i & 7))
			ordered.lower_bound(x >> 20 & 0xfffffff)->second.balance += sum;
	}
	return sum == 1;
}
