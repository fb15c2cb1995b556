/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the code at an address: a set-associative cache in front of the machine's maps.
 *
 * An entry is valid for one process and mode during a window of time (until the next mapping that
 * changes it). Nearly all entries of a process have the same window, so an entry has the window's number
 * instead of its bounds, and is 16 bytes small:
 *
 *	set (one cache line):	| va code window | va code window | va ... | va ... |
 *	windows:		[0] pid 10 user, 0..~0   [1] pid 11 user, 5 s..7 s   ...
 *
 * A look-up reads one cache line, which code_cache_prefetch() can load ahead. A full set evicts its
 * oldest entry; the cache grows while that happens often.
 */
#ifndef RESOLVE_CODE_CACHE_H
#define RESOLVE_CODE_CACHE_H

#include "base/types.h"

struct code_cache;

/* The process and the time for which an answer is valid. */
struct code_window {
	u64 from, to; /* times; @to excluded */
	u32 pid;
	u32 mode; /* cpumode, and the kind of look-up: a number of the caller */
};

struct code_cache *code_cache_new(void);
void code_cache_free(struct code_cache *cache);

/* The machine has changed: all stored answers become invalid. */
void code_cache_forget(struct code_cache *cache);

/* The stored answer for @va at @time, and its window (valid until the next store); 0: none. */
u32 code_cache_find(const struct code_cache *cache, u32 pid, u32 mode, u64 va, u64 time,
		    const struct code_window **window);

/* @code is not 0. */
void code_cache_store(struct code_cache *cache, const struct code_window *window, u64 va, u32 code);

/* Prefetches what a look-up reads. The second one returns the probable answer, or 0. */
void code_cache_prefetch(const struct code_cache *cache, u32 pid, u64 va);
u32 code_cache_guess(const struct code_cache *cache, u32 pid, u64 va);

#endif
