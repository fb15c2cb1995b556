/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of code addresses: sampled first instructions of functions. What their samples are charged to depends on the
 * caller (resolve/waited.h), so samples that are alike but for the caller are told apart there, and only there.
 */
#ifndef SESSION_ENTRIES_H
#define SESSION_ENTRIES_H

#include <glib.h>

#include "base/types.h"

struct entries {
	GHashTable *addresses; /* u64, as they are in processes */
	u8 bits[8192];	       /* by hash: some address may be in the set */
};

struct entries *entries_new(void);
void entries_free(struct entries *entries);
void entries_add(struct entries *entries, u64 va);
bool entries_find(const struct entries *entries, u64 va);

static inline u32 entries_bit(u64 va)
{
	return (u32)(va * 0x9e3779b97f4a7c15ull >> 48);
}

static inline bool entries_have(const struct entries *entries, u64 va)
{
	u32 bit = entries_bit(va);

	return entries->bits[bit / 8] >> bit % 8 & 1 && entries_find(entries, va);
}

/* The return address behind @ip in the chain @ips; NULL: none. */
const u64 *entries_caller(u64 ip, const u64 *ips, u64 nr_ips);

#endif
