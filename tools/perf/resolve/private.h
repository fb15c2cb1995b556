/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of the resolver. */
#ifndef RESOLVE_PRIVATE_H
#define RESOLVE_PRIVATE_H

#include <glib.h>

#include "base/table.h"
#include "machine/machine.h"
#include "resolve/chain_memo.h"
#include "resolve/code_cache.h"
#include "resolve/resolve.h"

#define CODES_IN_FIRST 1024u /* code that the first block has room for */
#define NR_BLOCKS      23u

/* The numbers of code and functions, which are the same in resolvers beside each other. */
struct code_numbers {
	GPtrArray *codes;     /* struct code *, by id - 1 */
	GPtrArray *functions; /* const struct code *, by function - 1 */
	GPtrArray *symbols;   /* their symbols; NULL: none, or an inlined call */
	struct table function_index;
	bool by_name; /* functions of one name in dsos of one name are one */
};

/* A list of frames that is filled for each chain anew. */
struct frame_list {
	const struct code **frames;
	u32 nr, room;
};

struct resolver {
	struct machine *machine;
	struct code_numbers *numbers;
	bool owns_numbers;
	struct resolver_options options;
	struct machine_hits hits;
	bool symbols;		  /* the present sample's code shall be named */
	bool expect_new;	  /* resolver_expect_new() */
	bool outermost_parent;	  /* resolver_take_outermost_parent() */
	struct code_cache *cache; /* of numbers in codes, from 1 */
	struct chain_memo *memo;
	u64 cache_generation; /* of the machine when cache and memo were used last */
	u64 from, to; /* times for which the last looked up code holds, from resolve_code() */

	struct code *blocks[NR_BLOCKS]; /* those of this one's machine */
	u32 nr_codes;
	struct table code_index;
	GPtrArray
		*inlined; /* per code id - 1: its frames (const struct code **, NULL at the end) */

	GRegex *parent, *ignored_callees;
	GHashTable *parent_matches, *ignored_matches; /* function -> matches, as GINT 1 or 2 */

	struct frame_list chain;
	u32 nr_sure; /* frames up to the last one that is mapped; UINT32_MAX: the sample is in code that is not */
	GPtrArray *
		charged; /* const struct code *: the present chain, if resolver_charge_chain() changed it */
	bool broken; /* it was cut */
	GArray *branches;
};

/* How an address is looked up. LOOKUP_CALLER: as LOOKUP_MODE, for a return address of user code. */
enum code_lookup { LOOKUP_MODE, LOOKUP_ANY, LOOKUP_CALLER };

/* The code at @va in @thread's address space; never NULL. */
const struct code *resolve_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				enum code_lookup how, u64 va, u64 time);

/* The number of its code, if that was asked before; 0: not known. */
u32 resolve_known(struct resolver *r, const struct thread *thread, u8 cpumode, enum code_lookup how,
		  u64 va, u64 time);

/* As resolve_code(), without a look at what was asked before, and without keeping it. */
const struct code *resolve_new_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				    u64 va, u64 time);

/* resolve_new_code() will be called for it. */
void resolve_prefetch_code(struct resolver *r, const struct thread *thread, u8 cpumode, u64 va,
			   u64 time);

void resolve_free_codes(struct resolver *r);

/* The code that the cache has by this number. */
const struct code *resolve_numbered(const struct resolver *r, u32 number);

/* The frames that the compiler merged into @code, innermost first, ending in NULL. */
const struct code *const *resolve_find_inlined(struct resolver *r, const struct code *code);

static inline const struct code *const *resolve_inlined(struct resolver *r, const struct code *code)
{
	const struct code *const *known =
		code->id <= r->inlined->len ? r->inlined->pdata[code->id - 1] : NULL;

	return known ?: resolve_find_inlined(r, code);
}

/* Judges @code, whose dso and vaddr are known, as a return address. */
enum code_caller resolve_caller(const struct code *code);

void resolve_chain(struct resolver *r, const struct sample *sample, u32 needs, struct place *place);
void resolve_branches(struct resolver *r, const struct sample *sample, struct place *place);

#endif
