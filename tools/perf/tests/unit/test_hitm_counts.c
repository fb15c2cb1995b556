// SPDX-License-Identifier: GPL-2.0-or-later
/* What a sample counts as, by its data_src. The answers are those of upstream's perf c2c 7.3 for a recording with such samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "sharing/hitm_counts.h"

#define LEVEL(bits)   ((u64)(bits) << PERF_MEM_LVL_SHIFT)
#define SNOOP(bits)   ((u64)(bits) << PERF_MEM_SNOOP_SHIFT)
#define REMOTE	      ((u64)PERF_MEM_REMOTE_REMOTE << PERF_MEM_REMOTE_SHIFT)
#define HOPS(n)	      ((u64)(n) << PERF_MEM_HOPS_SHIFT)
#define PEER	      ((u64)PERF_MEM_SNOOPX_PEER << PERF_MEM_SNOOPX_SHIFT)
#define NUMBER(n)     ((u64)(n) << PERF_MEM_LVLNUM_SHIFT)
#define HIT(level)    LEVEL(PERF_MEM_LVL_HIT | PERF_MEM_LVL_##level)
#define MISSED(level) LEVEL(PERF_MEM_LVL_MISS | PERF_MEM_LVL_##level)
#define LOAD	      PERF_MEM_OP_LOAD
#define STORE	      PERF_MEM_OP_STORE
#define HITM	      SNOOP(PERF_MEM_SNOOP_HITM)
#define CLEAN	      SNOOP(PERF_MEM_SNOOP_HIT)

/* What is counted besides HITM_RECORDS, and HITM_LOADS or HITM_STORES. 0: nothing more. */
static const struct row {
	u64 data_src;
	u8 counted[4];
} rows[] = {
	{ LOAD, { HITM_LOADS } },
	{ STORE, { HITM_STORES } },
	{ LOAD | STORE | HIT(L1), { HITM_LOADS, HITM_LOAD_L1 } },
	{ PERF_MEM_OP_PFETCH | HIT(L1), { HITM_UNKNOWN } },
	{ PERF_MEM_OP_EXEC | HIT(L3) | HITM, { HITM_UNKNOWN } },
	{ 0, { HITM_UNKNOWN } },
	{ LOAD | HIT(LFB), { HITM_LOADS, HITM_LOAD_BUFFER } },
	{ LOAD | HIT(L1) | HITM, { HITM_LOADS, HITM_LOAD_L1 } },
	{ LOAD | HIT(L2), { HITM_LOADS, HITM_LOAD_L2 } },
	{ LOAD | HIT(L2) | HITM, { HITM_LOADS, HITM_LOCAL } },
	{ LOAD | HIT(L2) | PEER, { HITM_LOADS, HITM_LOAD_L2, HITM_LOCAL_PEER } },
	{ LOAD | HIT(L3) | CLEAN, { HITM_LOADS, HITM_LOAD_LLC } },
	{ LOAD | HIT(L3) | HITM, { HITM_LOADS, HITM_LOCAL } },
	{ LOAD | HIT(L3) | HITM | PEER, { HITM_LOADS, HITM_LOCAL, HITM_LOCAL_PEER } },
	{ LOAD | HIT(LOC_RAM), { HITM_LOADS, HITM_LOCAL_RAM, HITM_EXCLUSIVE } },
	{ LOAD | HIT(LOC_RAM) | CLEAN, { HITM_LOADS, HITM_LOCAL_RAM, HITM_SHARED } },
	{ LOAD | HIT(REM_RAM1), { HITM_LOADS, HITM_REMOTE_RAM, HITM_EXCLUSIVE } },
	{ LOAD | HIT(REM_RAM2) | CLEAN, { HITM_LOADS, HITM_REMOTE_RAM, HITM_SHARED } },
	{ LOAD | HIT(REM_CCE1) | HITM, { HITM_LOADS, HITM_REMOTE } },
	{ LOAD | HIT(REM_CCE2) | CLEAN, { HITM_LOADS, HITM_REMOTE_HIT } },
	{ LOAD | HIT(REM_CCE1), { HITM_LOADS } },
	{ LOAD | HIT(REM_CCE1) | PEER, { HITM_LOADS, HITM_REMOTE_HIT, HITM_REMOTE_PEER } },
	{ LOAD | HIT(REM_CCE1) | CLEAN | PEER, { HITM_LOADS, HITM_REMOTE_HIT } },
	{ LOAD | MISSED(REM_CCE1) | HITM, { HITM_LOADS, HITM_REMOTE, HITM_LOAD_MISS } },
	{ LOAD | MISSED(L3) | HITM, { HITM_LOADS, HITM_LOAD_MISS } },
	{ LOAD | LEVEL(PERF_MEM_LVL_L3) | HITM, { HITM_LOADS } },
	{ LOAD | LEVEL(PERF_MEM_LVL_HIT) | NUMBER(PERF_MEM_LVLNUM_L3) | HITM, { HITM_LOADS } },
	{ LOAD | LEVEL(PERF_MEM_LVL_NA) | REMOTE | HITM, { HITM_LOADS, HITM_REMOTE } },
	{ LOAD | HIT(L3) | REMOTE, { HITM_LOADS, HITM_LOAD_LLC, HITM_REMOTE_RAM, HITM_EXCLUSIVE } },
	{ LOAD | HIT(L3) | REMOTE | HOPS(1) | HITM, { HITM_LOADS, HITM_LOCAL } },
	{ LOAD | HIT(L3) | REMOTE | HOPS(2) | HITM, { HITM_LOADS, HITM_LOCAL } },
	{ LOAD | HIT(UNC), { HITM_LOADS, HITM_LOAD_UNCACHED } },
	{ LOAD | HIT(IO), { HITM_LOADS, HITM_LOAD_IO } },
	{ STORE | HIT(L1), { HITM_STORES, HITM_STORE_L1 } },
	{ STORE | HIT(L2), { HITM_STORES } },
	{ STORE | MISSED(L1), { HITM_STORES, HITM_STORE_L1_MISS } },
	{ STORE | HIT(UNC), { HITM_STORES, HITM_STORE_UNCACHED } },
	{ STORE | LEVEL(PERF_MEM_LVL_NA), { HITM_STORES, HITM_STORE_NO_LEVEL } },
	{ STORE | HIT(REM_CCE1) | HITM, { HITM_STORES } },
};

static void counts_as_upstream(void **state)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		struct hitm_counts got = { 0 }, expected = { 0 };

		expected.nr[HITM_RECORDS] = 1;
		for (u32 k = 0; k < ARRAY_SIZE(rows[i].counted) && rows[i].counted[k]; k++)
			expected.nr[rows[i].counted[k]]++;
		hitm_counts_take(&got, rows[i].data_src, 0x1000, true);
		for (u32 k = 0; k < NR_HITM_COUNTS; k++)
			if (got.nr[k] != expected.nr[k])
				fail_msg("row %u, count %u: %u", i, k, (u32)got.nr[k]);
	}
}

static void lock_and_blocks(void **state)
{
	struct hitm_counts c = { 0 };
	u64 both = PERF_MEM_BLK_DATA | PERF_MEM_BLK_ADDR;

	hitm_counts_take(&c, LOAD | (u64)PERF_MEM_LOCK_LOCKED << PERF_MEM_LOCK_SHIFT, 1, true);
	hitm_counts_take(&c, LOAD | (u64)PERF_MEM_LOCK_NA << PERF_MEM_LOCK_SHIFT, 1, true);
	hitm_counts_take(&c, LOAD | both << PERF_MEM_BLK_SHIFT, 1, true);
	hitm_counts_take(&c, LOAD | (u64)PERF_MEM_BLK_NA << PERF_MEM_BLK_SHIFT, 1, true);
	assert_int_equal(c.nr[HITM_LOCKED], 1);
	assert_int_equal(c.nr[HITM_BLOCKED_DATA], 1);
	assert_int_equal(c.nr[HITM_BLOCKED_ADDRESS], 1);
	assert_int_equal(c.nr[HITM_LOADS], 4);
}

/* Without an address, the level does not count; without a mapping, it does. */
static void addresses(void **state)
{
	struct hitm_counts c = { 0 };

	hitm_counts_take(&c, LOAD | HIT(L3) | HITM, 0, true);
	hitm_counts_take(&c, STORE | HIT(L1), 0, false);
	assert_int_equal(c.nr[HITM_LOAD_NO_ADDRESS], 1);
	assert_int_equal(c.nr[HITM_STORE_NO_ADDRESS], 1);
	assert_int_equal(hitm_all(&c) + c.nr[HITM_STORE_L1] + c.nr[HITM_UNMAPPED], 0);
	hitm_counts_take(&c, LOAD | HIT(L3) | HITM, 0x1000, false);
	assert_int_equal(hitm_all(&c), 1);
	assert_int_equal(c.nr[HITM_UNMAPPED], 1);
}

static void sums(void **state)
{
	struct hitm_counts c = { 0 }, twice = { 0 };

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		hitm_counts_take(&c, rows[i].data_src, 0x1000, true);
	hitm_counts_add(&twice, &c);
	hitm_counts_add(&twice, &c);
	assert_int_equal(hitm_all(&c), c.nr[HITM_LOCAL] + c.nr[HITM_REMOTE]);
	assert_int_equal(hitm_all_peers(&c), c.nr[HITM_LOCAL_PEER] + c.nr[HITM_REMOTE_PEER]);
	assert_int_equal(hitm_llc_misses(&c), 11);
	assert_int_equal(hitm_level_loads(&c), 23);
	assert_int_equal(hitm_level_stores(&c), 3);
	assert_int_equal(hitm_level_loads(&twice), 2 * hitm_level_loads(&c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_as_upstream),
		cmocka_unit_test(lock_and_blocks),
		cmocka_unit_test(addresses),
		cmocka_unit_test(sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
