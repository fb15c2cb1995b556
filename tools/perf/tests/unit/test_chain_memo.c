// SPDX-License-Identifier: GPL-2.0-or-later
/* A memo of chains may forget, and must never take one chain for another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "resolve/chain_memo.h"
#include "resolve/place.h"

static struct code codes[100];

/* A chain of @nr frames that only the frame at @nr / 2 tells from others of its length. */
static struct recorded_chain key_of(u64 *ips, u32 nr, u64 what)
{
	for (u32 i = 0; i < nr; i++)
		ips[i] = 0x400000 + i;
	ips[nr / 2] = what;
	return (struct recorded_chain){ 10, 2, nr, ips };
}

static u32 store(struct chain_memo *m, const struct recorded_chain *key, u64 from, u64 to,
		 u32 first)
{
	const struct code *frames[2] = { &codes[first], &codes[first + 1] };
	struct memo_chain chain = { 0, 2, frames };

	chain_memo_store(m, key, from, to, &chain);
	assert_ptr_not_equal(chain.frames, frames);
	assert_ptr_equal(chain.frames[1], &codes[first + 1]);
	return chain.id;
}

static void a_chain_is_found_for_its_time_and_process(void **state)
{
	struct chain_memo *m = chain_memo_new();
	u64 ips[100], others[100];
	struct recorded_chain key = key_of(ips, 30, 1), other = key_of(others, 30, 2);
	struct memo_chain got;
	u32 id;

	assert_false(chain_memo_find(m, &key, 15, &got));
	id = store(m, &key, 10, 20, 4);
	assert_true(chain_memo_find(m, &key, 10, &got));
	assert_int_equal(got.id, id);
	assert_int_equal(got.nr_frames, 2);
	assert_ptr_equal(got.frames[0], &codes[4]);
	assert_false(chain_memo_find(m, &key, 9, &got));
	assert_false(chain_memo_find(m, &key, 20, &got));
	assert_false(chain_memo_find(m, &other, 15, &got));
	key.pid++;
	assert_false(chain_memo_find(m, &key, 15, &got));
	key.pid--;
	key.nr--;
	assert_false(chain_memo_find(m, &key, 15, &got));
	chain_memo_free(m);
}

static void an_id_is_given_once(void **state)
{
	struct chain_memo *m = chain_memo_new();
	u64 ips[100];
	u32 last = 0;

	for (u32 round = 0; round < 3; round++) {
		for (u32 i = 0; i < 1000; i++) {
			struct recorded_chain key = key_of(ips, 1 + i % 90, i);
			u32 id = store(m, &key, 0, UINT64_MAX, i % 98);

			assert_true(id > last);
			last = id;
		}
		chain_memo_forget(m);
	}
	chain_memo_free(m);
}

/* 200 MB of chains go through; the last one is always there. */
static void memory_is_bounded(void **state)
{
	struct chain_memo *m = chain_memo_new();
	static u64 ips[8000];
	struct memo_chain got;

	for (u32 i = 0; i < 3000; i++) {
		struct recorded_chain key = key_of(ips, 8000, i);

		store(m, &key, 0, UINT64_MAX, i % 98);
		assert_true(chain_memo_find(m, &key, 1, &got));
		assert_ptr_equal(got.frames[0], &codes[i % 98]);
	}
	chain_memo_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chain_is_found_for_its_time_and_process),
		cmocka_unit_test(an_id_is_given_once),
		cmocka_unit_test(memory_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
