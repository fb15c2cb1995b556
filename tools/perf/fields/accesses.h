/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where accesses to memory ended, as columns: how much of a row's time is loads, was served by L2, missed the TLB.
 *
 *	-F op,cache,dtlb,typeoff	Load  Store    L1    L2  No cache  TLB-L1  TLB-Miss  Data Type Offset
 *
 * A name such as "cache" stands for a column per class. An access has one class of each name.
 */
#ifndef FIELDS_ACCESSES_H
#define FIELDS_ACCESSES_H

#include "base/types.h"

enum access_class {
	OP_LOAD,
	OP_STORE,
	OP_BOTH,
	OP_PREFETCH,
	OP_EXEC,
	OP_OTHER,
	CACHE_L1,
	CACHE_L2,
	CACHE_L3,
	CACHE_L4,
	CACHE_L1_BUFFER,
	CACHE_L2_BUFFER,
	CACHE_OTHER,
	MEMORY_RAM,
	MEMORY_SIDE_CACHE,
	MEMORY_UNCACHED,
	MEMORY_CXL,
	MEMORY_IO,
	MEMORY_PERSISTENT,
	MEMORY_OTHER,
	SNOOP_HIT,
	SNOOP_MODIFIED,
	SNOOP_MISS,
	SNOOP_OTHER,
	DTLB_L1,
	DTLB_L2,
	DTLB_ANY,
	DTLB_MISS,
	DTLB_OTHER,
	NR_ACCESS_CLASSES,
};

#define NR_ACCESS_NAMES 5

/* The class for each name: of the operation, the cache, the memory, the snoop, the TLB. */
void access_classes(u64 data_src, u8 classes[NR_ACCESS_NAMES]);

/*
 * The columns that @name stands for, separated by commas; NULL: it stands for none. @as_output: "mem" and "snoop", which are keys
 * as well, are these columns.
 */
const char *access_columns(const char *name, bool as_output);

#endif
