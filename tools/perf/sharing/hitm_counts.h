/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What samples of memory accesses say about the caches, counted as upstream's perf c2c counts it, from data_src (linux/perf_event.h,
 * union perf_mem_data_src).
 *
 * HITM: a load hit a line that another processor's cache had modified. Local: in a cache of the same node; remote: of another one.
 * Peer: a load was served by another processor's cache, which need not have modified the line; Arm has no HITM, but that.
 */
#ifndef SHARING_HITM_COUNTS_H
#define SHARING_HITM_COUNTS_H

#include "base/types.h"

enum hitm_count {
	HITM_RECORDS,
	HITM_LOCKED,
	HITM_LOADS,
	HITM_LOAD_UNCACHED,
	HITM_LOAD_IO,
	HITM_LOAD_MISS,
	HITM_LOAD_NO_ADDRESS,
	HITM_LOAD_BUFFER, /* a line fill buffer */
	HITM_LOAD_L1,
	HITM_LOAD_L2,
	HITM_LOAD_LLC, /* the last level, without local HITM */
	HITM_LOCAL,
	HITM_REMOTE,
	HITM_REMOTE_HIT, /* another node's cache, without remote HITM */
	HITM_LOCAL_RAM,
	HITM_REMOTE_RAM,
	HITM_EXCLUSIVE, /* of loads from RAM: no other cache has the line */
	HITM_SHARED,
	HITM_BLOCKED_DATA,
	HITM_BLOCKED_ADDRESS,
	HITM_LOCAL_PEER,
	HITM_REMOTE_PEER,
	HITM_STORES,
	HITM_STORE_UNCACHED,
	HITM_STORE_NO_ADDRESS,
	HITM_STORE_L1,
	HITM_STORE_L1_MISS,
	HITM_STORE_NO_LEVEL,
	HITM_UNMAPPED, /* data or code is in no known mapping */
	HITM_UNKNOWN,  /* neither a load nor a store */
	NR_HITM_COUNTS,
};

struct hitm_counts {
	u64 nr[NR_HITM_COUNTS];
};

/* Adds one sample. @va: its data address, 0: none. @mapped: mappings of its data and of its code are known. */
void hitm_counts_take(struct hitm_counts *counts, u64 data_src, u64 va, bool mapped);
void hitm_counts_add(struct hitm_counts *counts, const struct hitm_counts *more);

/* Local and remote. */
static inline u64 hitm_all(const struct hitm_counts *c)
{
	return c->nr[HITM_LOCAL] + c->nr[HITM_REMOTE];
}

static inline u64 hitm_all_peers(const struct hitm_counts *c)
{
	return c->nr[HITM_LOCAL_PEER] + c->nr[HITM_REMOTE_PEER];
}

/* Loads that the last level of the own node did not serve. */
u64 hitm_llc_misses(const struct hitm_counts *counts);
/* Loads and stores of which the level is known. An access may count for several levels. */
u64 hitm_level_loads(const struct hitm_counts *counts);
u64 hitm_level_stores(const struct hitm_counts *counts);

#endif
