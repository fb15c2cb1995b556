/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the functions that were analysed: typeflow.c's, and what keeping.c writes and reads. */
#ifndef TYPEFLOW_ANALYSED_H
#define TYPEFLOW_ANALYSED_H

#include "typeflow/flow.h"
#include "typeflow/store.h"

/* One instruction's answer; 24 bytes, since a large program has millions. */
struct insn_row {
	u32 at;	  /* from the function's lowest address */
	u32 type; /* id plus 1; 0: none */
	s64 offset;
	u16 width;
	u8 how, why, roles;
	u8 back;
};

struct function {
	u64 low;
	GArray *ranges; /* struct range: the entry's first */
	GArray *rows;	/* struct insn_row by @at */
	u8 why;		/* where there are no rows */
	bool part;	/* there are rows only of what was expected to be asked for */
	/* Only some rounds were run, and another may tell more: what it begins with. NULL: it may not. */
	struct infer *more;
	u32 round;
};

/* A stretch of code; a function has several where cold parts were split off. */
struct piece {
	u64 start, end;
	struct function *function;
};

struct object_entry {
	struct object object;
	GTree *pieces;	      /* struct piece *, by range; they do not overlap */
	GPtrArray *functions; /* struct function * */
	GPtrArray *types;     /* const struct type *, by id */
	struct store *store;  /* answers of earlier runs; NULL: none */
	GPtrArray *stored;    /* const struct type *, by index in it; NULL: not asked for yet */
	u64 instructions;     /* decoded */
	GArray *expected;     /* u64 vaddr, sorted when first used */
	bool sorted;
};

struct typeflow {
	struct insn_decoder *decoder;
	enum insn_fusion fusion;
	char *folder;	    /* for answers that outlive this; NULL: none do */
	GPtrArray *objects; /* struct object_entry *, by dso id; NULL: not seen yet */
	bool skid;	    /* accesses before what is asked for will be asked for, too */
	struct typeflow_counts counts;
};

/* keeping.c */

/* False: answers in the object are kept nowhere. */
bool keeping_key(const struct typeflow *flow, const struct object_entry *entry,
		 struct store_key *key);
/* The answer of an earlier run; false where nothing is kept of it, or less than could be said. */
bool keeping_find(struct object_entry *entry, u64 vaddr, struct access *out);
/* What this run has found out, for later ones. */
void keeping_write(struct typeflow *flow, struct object_entry *entry);

#endif
