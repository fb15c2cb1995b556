/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the resolver share. */
#ifndef RESOLVE_PRIVATE_H
#define RESOLVE_PRIVATE_H

#include <glib.h>

#include "base/table.h"
#include "machine/machine.h"
#include "resolve/resolve.h"

/* A remembered answer for one address of one process. */
struct code_slot {
	u64 va;
	u64 from, to;	/* times for which it holds; to excluded */
	u64 generation; /* of the machine; 0: free */
	const struct code *code;
	u32 pid;
	u16 mode;
};

#define NR_CODE_SLOTS (1u << 15)

/* The numbers of code and functions, which are the same in resolvers beside each other. */
struct code_numbers {
	GPtrArray *codes;     /* struct code *, by id - 1 */
	GPtrArray *functions; /* const struct code *, by function - 1 */
	struct table function_index;
	bool by_name; /* functions of one name in dsos of one name are one */
};

struct resolver {
	struct machine *machine;
	struct code_numbers *numbers;
	bool owns_numbers;
	struct resolver_options options;
	struct machine_hits hits;
	bool symbols; /* the present sample's code shall be named */
	struct code_slot *slots;

	GPtrArray *codes; /* struct code *: of this one's machine */
	struct table code_index;
	GPtrArray *blocks; /* memory of codes */
	u32 block_left;
	struct code *block_at;
	GPtrArray
		*inlined; /* per code id - 1: its frames (const struct code **, NULL at the end) */

	GRegex *parent, *ignored_callees;
	GHashTable *parent_matches, *ignored_matches; /* function -> matches, as GINT 1 or 2 */

	GPtrArray *chain;
	GArray *branches;
};

enum code_lookup { LOOKUP_MODE, LOOKUP_ANY };

/* What lies at @va for @thread; never NULL. */
const struct code *resolve_code(struct resolver *r, const struct thread *thread, u8 cpumode,
				enum code_lookup how, u64 va, u64 time);

/* The frames that the compiler merged into @code, innermost first, ending in NULL. */
const struct code *const *resolve_inlined(struct resolver *r, const struct code *code);

void resolve_chain(struct resolver *r, const struct sample *sample, u32 needs, struct place *place);
void resolve_branches(struct resolver *r, const struct sample *sample, struct place *place);

#endif
