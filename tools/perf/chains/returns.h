/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Can a call return to an address? The kernel follows frame pointers (record -g). In code without them, rbp is a register
 * as any other, and the kernel takes data for return addresses:
 *
 *	7f2e54f81978 __memcmp_evex_movbe	sampled
 *	           7 [unknown]			rbp pointed to a string: its length
 *	           0 [unknown]
 *
 * "No" is only said if it is proved. Everything else may be right: code in memory without a file (compilers at run time
 * do not always report their mappings), files that cannot be read, and Go, whose runtime makes frames for calls that no
 * instruction makes.
 */
#ifndef CHAINS_RETURNS_H
#define CHAINS_RETURNS_H

#include "base/types.h"

struct dso;

enum return_evidence {
	RETURNS,       /* a call ends there */
	RETURNS_MAYBE, /* not known; or the address of a call's last byte, as in unwound chains */
	RETURNS_NEVER,
};

/* @va: an address that is not mapped. */
enum return_evidence returns_unmapped(u64 va);
/* @vaddr: an address in @dso. */
enum return_evidence returns_in_dso(struct dso *dso, u64 vaddr);

#endif
