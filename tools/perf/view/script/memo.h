/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cache for parts of lines. Threads, events, functions and files occur again and again, so their texts are kept and
 * copied:
 *
 *	worker-3  4112/4115 | [001] | 812.004211: | 250000 cpu-clock: | 55d0c8a1f2b0 | place+0x | 40 | (/usr/bin/orders)
 *	thread                                     event and period                    function        file
 *
 * Addresses are not cached: there are so many that their texts would not fit into the CPU's caches. Reading them from
 * memory would take longer than printing them.
 *
 * The memory is limited. Texts by words have few slots, and a new text replaces an old one. Texts by number end after
 * some megabytes.
 */
#ifndef VIEW_SCRIPT_MEMO_H
#define VIEW_SCRIPT_MEMO_H

#include <glib.h>

#include "base/types.h"

struct memo;

struct memo *memo_new(void);
void memo_free(struct memo *m);
/* Forgets all texts. */
void memo_clear(struct memo *m);

struct memo_key {
	u64 words[4];
};

/* Appends the cached text for the key. False: there is none. */
bool memo_put(const struct memo *m, const struct memo_key *key, GString *out);
/* Caches the text in @out from @start on, if it is short. */
void memo_keep(struct memo *m, const struct memo_key *key, const GString *out, size_t start);

/* The same with a dense number and @how it is printed as the key. Only the first @how that occurs is cached. */
bool memo_put_numbered(const struct memo *m, u32 number, u64 how, GString *out);
void memo_keep_numbered(struct memo *m, u32 number, u64 how, const GString *out, size_t start);

#endif
