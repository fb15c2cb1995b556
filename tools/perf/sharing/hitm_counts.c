// SPDX-License-Identifier: GPL-2.0-or-later
#include "sharing/hitm_counts.h"

#include <linux/perf_event.h>

#define REMOTE_RAM    (PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2)
#define REMOTE_CACHES (PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2)

static void count_if(struct hitm_counts *c, enum hitm_count what, u64 condition)
{
	c->nr[what] += condition != 0;
}

static void take_ram(struct hitm_counts *c, union perf_mem_data_src s, enum hitm_count where)
{
	c->nr[where]++;
	c->nr[s.mem_snoop & PERF_MEM_SNOOP_HIT ? HITM_SHARED : HITM_EXCLUSIVE]++;
}

/*
 * The access left the node. With a number of hops, the bit is not taken, because one hop is another core of the node: the level's bits
 * tell then.
 */
static bool is_remote(union perf_mem_data_src s)
{
	return s.mem_remote && !s.mem_hops;
}

/* A level that was hit. */
static void take_hit(struct hitm_counts *c, union perf_mem_data_src s)
{
	bool peer = s.mem_snoopx & PERF_MEM_SNOOPX_PEER;
	bool modified = s.mem_snoop & PERF_MEM_SNOOP_HITM;

	count_if(c, HITM_LOAD_UNCACHED, s.mem_lvl & PERF_MEM_LVL_UNC);
	count_if(c, HITM_LOAD_IO, s.mem_lvl & PERF_MEM_LVL_IO);
	count_if(c, HITM_LOAD_BUFFER, s.mem_lvl & PERF_MEM_LVL_LFB);
	count_if(c, HITM_LOAD_L1, s.mem_lvl & PERF_MEM_LVL_L1);
	if (s.mem_lvl & PERF_MEM_LVL_L2) {
		c->nr[modified ? HITM_LOCAL : HITM_LOAD_L2]++;
		c->nr[HITM_LOCAL_PEER] += peer;
	}
	if (s.mem_lvl & PERF_MEM_LVL_L3) {
		c->nr[modified ? HITM_LOCAL : HITM_LOAD_LLC]++;
		c->nr[HITM_LOCAL_PEER] += peer;
	}
	if (s.mem_lvl & PERF_MEM_LVL_LOC_RAM)
		take_ram(c, s, HITM_LOCAL_RAM);
	if (s.mem_lvl & REMOTE_RAM || is_remote(s))
		take_ram(c, s, HITM_REMOTE_RAM);
}

static void take_remote_cache(struct hitm_counts *c, union perf_mem_data_src s)
{
	bool peer = s.mem_snoopx & PERF_MEM_SNOOPX_PEER;

	if (s.mem_snoop & PERF_MEM_SNOOP_HIT) {
		c->nr[HITM_REMOTE_HIT]++;
	} else if (s.mem_snoop & PERF_MEM_SNOOP_HITM) {
		c->nr[HITM_REMOTE]++;
	} else if (peer) {
		c->nr[HITM_REMOTE_HIT]++;
		c->nr[HITM_REMOTE_PEER]++;
	}
}

static void take_load(struct hitm_counts *c, union perf_mem_data_src s)
{
	if (s.mem_lvl & PERF_MEM_LVL_HIT)
		take_hit(c, s);
	if (s.mem_lvl & REMOTE_CACHES || is_remote(s))
		take_remote_cache(c, s);
	count_if(c, HITM_LOAD_MISS, s.mem_lvl & PERF_MEM_LVL_MISS);
}

static void take_store(struct hitm_counts *c, union perf_mem_data_src s)
{
	bool hit = s.mem_lvl & PERF_MEM_LVL_HIT, miss = s.mem_lvl & PERF_MEM_LVL_MISS;

	count_if(c, HITM_STORE_UNCACHED, hit && s.mem_lvl & PERF_MEM_LVL_UNC);
	count_if(c, HITM_STORE_L1, hit && s.mem_lvl & PERF_MEM_LVL_L1);
	count_if(c, HITM_STORE_L1_MISS, miss && s.mem_lvl & PERF_MEM_LVL_L1);
	count_if(c, HITM_STORE_NO_LEVEL, s.mem_lvl & PERF_MEM_LVL_NA);
}

void hitm_counts_take(struct hitm_counts *c, u64 data_src, u64 va, bool mapped)
{
	union perf_mem_data_src s = { .val = data_src };
	bool load = s.mem_op & PERF_MEM_OP_LOAD, store = s.mem_op & PERF_MEM_OP_STORE;

	c->nr[HITM_RECORDS]++;
	count_if(c, HITM_LOCKED, s.mem_lock & PERF_MEM_LOCK_LOCKED);
	count_if(c, HITM_BLOCKED_DATA, s.mem_blk & PERF_MEM_BLK_DATA);
	count_if(c, HITM_BLOCKED_ADDRESS, s.mem_blk & PERF_MEM_BLK_ADDR);
	if (!load && !store) {
		c->nr[HITM_UNKNOWN]++;
		return;
	}
	c->nr[load ? HITM_LOADS : HITM_STORES]++;
	if (!va) {
		c->nr[load ? HITM_LOAD_NO_ADDRESS : HITM_STORE_NO_ADDRESS]++;
		return;
	}
	if (load)
		take_load(c, s);
	else
		take_store(c, s);
	c->nr[HITM_UNMAPPED] += !mapped;
}

void hitm_counts_add(struct hitm_counts *c, const struct hitm_counts *more)
{
	for (u32 i = 0; i < NR_HITM_COUNTS; i++)
		c->nr[i] += more->nr[i];
}

u64 hitm_llc_misses(const struct hitm_counts *c)
{
	return c->nr[HITM_LOCAL_RAM] + c->nr[HITM_REMOTE_RAM] + c->nr[HITM_REMOTE_HIT] +
	       c->nr[HITM_REMOTE];
}

u64 hitm_level_loads(const struct hitm_counts *c)
{
	return hitm_llc_misses(c) + c->nr[HITM_LOAD_BUFFER] + c->nr[HITM_LOAD_L1] +
	       c->nr[HITM_LOAD_L2] + c->nr[HITM_LOAD_LLC] + c->nr[HITM_LOCAL];
}

u64 hitm_level_stores(const struct hitm_counts *c)
{
	return c->nr[HITM_STORE_L1] + c->nr[HITM_STORE_L1_MISS] + c->nr[HITM_STORE_NO_LEVEL];
}
