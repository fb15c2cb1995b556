/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which parts of a line were there before? Threads, events, functions and files come again and again,
 * so their texts are kept and copied:
 *
 *	worker-3  4112/4115  [001] | 812.004211: | 250000 cpu-clock: | 55d0c8a1f2b0 | place+0x | 40 | (/usr/bin/orders)
 *	thread, cpu                               event and period                    function        file
 *
 * Not addresses: there are so many of these that a text of each is memory that no cache holds, and
 * to wait for it takes longer than to print it.
 *
 * What is kept is bounded: there are a few places for texts by words, of which a newer one takes that
 * of an older one; and texts by number end with some megabytes.
 */
#ifndef VIEW_SCRIPT_MEMO_H
#define VIEW_SCRIPT_MEMO_H

#include <glib.h>

#include "base/types.h"

struct memo;

struct memo *memo_new(void);
void memo_free(struct memo *m);
/* Forgets all. */
void memo_clear(struct memo *m);

struct memo_key {
	u64 words[4];
};

/* Appends what was kept for the key; false: nothing. */
bool memo_put(const struct memo *m, const struct memo_key *key, GString *out);
/* Keeps what stands in @out from @start on, if it is short. */
void memo_keep(struct memo *m, const struct memo_key *key, const GString *out, size_t start);

/* The same by a dense number, and by how it is printed: texts of the first @how alone are kept. */
bool memo_put_numbered(const struct memo *m, u32 number, u64 how, GString *out);
void memo_keep_numbered(struct memo *m, u32 number, u64 how, const GString *out, size_t start);

#endif
