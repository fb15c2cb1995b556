/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cache of resolved call chains. Samples have the same stacks again and again: a chain that was resolved before is
 * found by one hash look-up of all its addresses.
 *
 * The cache is emptied when it reaches its maximum size.
 */
#ifndef RESOLVE_CHAIN_MEMO_H
#define RESOLVE_CHAIN_MEMO_H

#include "base/types.h"

struct chain_memo;
struct code;

/* The key: process, mode, and the sample's addresses. */
struct recorded_chain {
	u32 pid;
	u32 mode;
	u64 nr;
	const u64 *ips;
};

/* A resolved chain. @frames lives until the memo is told or forgets something. */
struct memo_chain {
	u32 id; /* id of the chain, from 1; never reused */
	u32 nr_frames;
	const struct code *const *frames;
	bool broken; /* place->broken */
};

struct chain_memo *chain_memo_new(void);
void chain_memo_free(struct chain_memo *memo);
void chain_memo_forget(struct chain_memo *memo);

/* False: not known for @time. */
bool chain_memo_find(const struct chain_memo *memo, const struct recorded_chain *key, u64 time,
		     struct memo_chain *out);

/* @out->frames are copied; they hold for times from @from on, before @to. Gives the chain its id. */
void chain_memo_store(struct chain_memo *memo, const struct recorded_chain *key, u64 from, u64 to,
		      struct memo_chain *out);

#endif
