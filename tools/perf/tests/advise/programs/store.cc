// SPDX-License-Identifier: GPL-2.0-or-later
/* store ENTRIES ROUNDS: entries of LevelDB's cache of blocks are looked up in no order, and some are not there. */
#include <leveldb/cache.h>
#include <leveldb/slice.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

static void nothing(const leveldb::Slice &, void *)
{
}

int main(int argc, char **argv)
{
	unsigned entries = argc > 1 ? atoi(argv[1]) : 500000,
		 rounds = argc > 2 ? atoi(argv[2]) : 10, seed = 1, found = 0;
	leveldb::Cache *cache = leveldb::NewLRUCache(entries);

	for (unsigned i = 0; i < entries; i++) {
		char key[16] = { 0 };

		memcpy(key, &i, sizeof(i));
		cache->Release(cache->Insert(leveldb::Slice(key, 16), reinterpret_cast<void *>(1),
					     1, nothing));
	}
	for (unsigned i = 0; i < entries * rounds; i++) {
		char key[16] = { 0 };
		unsigned nr;

		seed = seed * 1103515245 + 12345;
		nr = (seed >> 4) % (entries + entries / 4);
		memcpy(key, &nr, sizeof(nr));
		if (leveldb::Cache::Handle *one = cache->Lookup(leveldb::Slice(key, 16))) {
			found++;
			cache->Release(one);
		}
	}
	printf("%u\n", found);
	delete cache;
	return 0;
}
