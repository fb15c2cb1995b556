// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/accesses.h"

#include <linux/perf_event.h>
#include <string.h>

#include "fields/private.h"

static enum access_class op_of(union perf_mem_data_src s)
{
	if (s.mem_op & PERF_MEM_OP_PFETCH)
		return OP_PREFETCH;
	if (s.mem_op & PERF_MEM_OP_EXEC)
		return OP_EXEC;
	switch (s.mem_op) {
	case PERF_MEM_OP_LOAD:
		return OP_LOAD;
	case PERF_MEM_OP_STORE:
		return OP_STORE;
	case PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE:
		return OP_BOTH;
	default:
		return OP_OTHER;
	}
}

/* The level has a number, or in files of older kernels a bit. "L1 miss" does not say where the access ended. */
static enum access_class cache_of(union perf_mem_data_src s)
{
	static const u8 by_number[16] = {
		[0x1] = CACHE_L1, [0x2] = CACHE_L2,	   [0x3] = CACHE_L3,
		[0x4] = CACHE_L4, [0x5] = CACHE_L2_BUFFER, [0xc] = CACHE_L1_BUFFER,
	};
	u64 number = s.mem_lvl_num == PERF_MEM_LVLNUM_NA ? 0 : s.mem_lvl_num;

	if (s.mem_lvl & PERF_MEM_LVL_MISS && !(s.mem_lvl & PERF_MEM_LVL_HIT))
		return CACHE_OTHER;
	if (by_number[number])
		return by_number[number];
	if (number)
		return CACHE_OTHER;
	return s.mem_lvl & PERF_MEM_LVL_L1    ? CACHE_L1
	       : s.mem_lvl & PERF_MEM_LVL_LFB ? CACHE_L1_BUFFER
	       : s.mem_lvl & PERF_MEM_LVL_L2  ? CACHE_L2
	       : s.mem_lvl & PERF_MEM_LVL_L3  ? CACHE_L3
					      : CACHE_OTHER;
}

static enum access_class memory_of(union perf_mem_data_src s)
{
	static const u8 by_number[16] = {
		[0x6] = MEMORY_SIDE_CACHE, [0x8] = MEMORY_UNCACHED, [0x9] = MEMORY_CXL,
		[0xa] = MEMORY_IO,	   [0xd] = MEMORY_RAM,	    [0xe] = MEMORY_PERSISTENT,
	};
	const u64 ram = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2;
	u64 number = s.mem_lvl_num == PERF_MEM_LVLNUM_NA ? 0 : s.mem_lvl_num;

	if (by_number[number])
		return by_number[number];
	if (number)
		return MEMORY_OTHER;
	return s.mem_lvl & ram		      ? MEMORY_RAM
	       : s.mem_lvl & PERF_MEM_LVL_IO  ? MEMORY_IO
	       : s.mem_lvl & PERF_MEM_LVL_UNC ? MEMORY_UNCACHED
					      : MEMORY_OTHER;
}

static enum access_class snoop_of(union perf_mem_data_src s)
{
	return s.mem_snoop & PERF_MEM_SNOOP_HITM   ? SNOOP_MODIFIED
	       : s.mem_snoop & PERF_MEM_SNOOP_HIT  ? SNOOP_HIT
	       : s.mem_snoop & PERF_MEM_SNOOP_MISS ? SNOOP_MISS
						   : SNOOP_OTHER;
}

static enum access_class dtlb_of(union perf_mem_data_src s)
{
	bool first = s.mem_dtlb & PERF_MEM_TLB_L1, second = s.mem_dtlb & PERF_MEM_TLB_L2;

	if (s.mem_dtlb & PERF_MEM_TLB_MISS)
		return DTLB_MISS;
	if (!(s.mem_dtlb & PERF_MEM_TLB_HIT))
		return DTLB_OTHER;
	return first == second ? DTLB_ANY : first ? DTLB_L1 : DTLB_L2;
}

void access_classes(u64 data_src, u8 classes[NR_ACCESS_NAMES])
{
	union perf_mem_data_src source = { .val = data_src };

	classes[0] = (u8)op_of(source);
	classes[1] = (u8)cache_of(source);
	classes[2] = (u8)memory_of(source);
	classes[3] = (u8)snoop_of(source);
	classes[4] = (u8)dtlb_of(source);
}

const char *access_columns(const char *name, bool as_output)
{
	static const struct {
		const char *name, *columns;
		bool is_key;
	} rows[] = {
		{ "op", "op_load,op_store,op_both,op_prefetch,op_exec,op_other" },
		{ "cache", "cache_l1,cache_l2,cache_l3,cache_l4,cache_l1_buffer,cache_l2_buffer,"
			   "cache_other" },
		{ "memory", "memory_ram,memory_side_cache,memory_uncached,memory_cxl,memory_io,"
			    "memory_persistent,memory_other" },
		{ "snoop", "snoop_hit,snoop_modified,snoop_miss,snoop_other", true },
		{ "dtlb", "dtlb_l1,dtlb_l2,dtlb_any,dtlb_miss,dtlb_other" },
		{ "mem", "memory", true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(name, rows[i].name) && (as_output || !rows[i].is_key))
			return strcmp(name, "mem") ? rows[i].columns
						   : access_columns("memory", true);
	return NULL;
}

#define ACCESS_FIELD(id, title, class)                                                             \
	const struct field field_##id = { .name = #id,                                             \
					  .header = title,                                         \
					  .family = FIELD_VALUE,                                   \
					  .value = VALUE_ACCESS,                                   \
					  .kind = CELL_SHARE,                                      \
					  .needs = NEED_SAMPLE,                                    \
					  .access = class,                                         \
					  .width = 6,                                              \
					  .right = true }

ACCESS_FIELD(op_load, "Load", OP_LOAD);
ACCESS_FIELD(op_store, "Store", OP_STORE);
ACCESS_FIELD(op_both, "Ld+St", OP_BOTH);
ACCESS_FIELD(op_prefetch, "Pfetch", OP_PREFETCH);
ACCESS_FIELD(op_exec, "Exec", OP_EXEC);
ACCESS_FIELD(op_other, "Other op", OP_OTHER);
ACCESS_FIELD(cache_l1, "L1", CACHE_L1);
ACCESS_FIELD(cache_l2, "L2", CACHE_L2);
ACCESS_FIELD(cache_l3, "L3", CACHE_L3);
ACCESS_FIELD(cache_l4, "L4", CACHE_L4);
ACCESS_FIELD(cache_l1_buffer, "L1-buf", CACHE_L1_BUFFER);
ACCESS_FIELD(cache_l2_buffer, "L2-buf", CACHE_L2_BUFFER);
ACCESS_FIELD(cache_other, "No cache", CACHE_OTHER);
ACCESS_FIELD(memory_ram, "RAM", MEMORY_RAM);
ACCESS_FIELD(memory_side_cache, "MSC", MEMORY_SIDE_CACHE);
ACCESS_FIELD(memory_uncached, "Uncach", MEMORY_UNCACHED);
ACCESS_FIELD(memory_cxl, "CXL", MEMORY_CXL);
ACCESS_FIELD(memory_io, "IO", MEMORY_IO);
ACCESS_FIELD(memory_persistent, "PMEM", MEMORY_PERSISTENT);
ACCESS_FIELD(memory_other, "No memory", MEMORY_OTHER);
ACCESS_FIELD(snoop_hit, "Snoop hit", SNOOP_HIT);
ACCESS_FIELD(snoop_modified, "HitM", SNOOP_MODIFIED);
ACCESS_FIELD(snoop_miss, "Snoop miss", SNOOP_MISS);
ACCESS_FIELD(snoop_other, "No snoop", SNOOP_OTHER);
ACCESS_FIELD(dtlb_l1, "TLB-L1", DTLB_L1);
ACCESS_FIELD(dtlb_l2, "TLB-L2", DTLB_L2);
ACCESS_FIELD(dtlb_any, "TLB-L?", DTLB_ANY);
ACCESS_FIELD(dtlb_miss, "TLB miss", DTLB_MISS);
ACCESS_FIELD(dtlb_other, "No TLB", DTLB_OTHER);
