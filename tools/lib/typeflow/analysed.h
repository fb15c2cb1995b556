/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of the functions that were analysed: analyse.c makes it, typeflow.c looks it up, lanes.c and keeping.c carry it over. */
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
	GPtrArray *kept;      /* struct kept_answers *: of earlier runs and of other threads */
	bool keeps;	      /* what is found out is kept for later runs */
	u64 instructions;     /* decoded */
	GArray *expected;     /* u64 vaddr, sorted when first used */
	bool sorted;
	struct object_entry *whole; /* the one that a lane's is of (lanes.c); NULL: no lane's */
};

struct kept_answers {
	struct store *store;
	GPtrArray *types; /* const struct type *, by index in @store; NULL: not asked for yet */
};

struct typeflow {
	struct insn_decoder *decoder;
	enum insn_fusion fusion;
	char *folder;	    /* for answers that outlive this; NULL: none do */
	GPtrArray *objects; /* struct object_entry *, by dso id; NULL: not seen yet */
	bool skid;	    /* accesses before what is asked for will be asked for, too */
	struct typeflow_counts counts;
};

/* typeflow.c */
struct object_entry *object_of(struct typeflow *flow, struct dso *dso);
struct function *function_at(struct object_entry *entry, u64 vaddr);
/* As typeflow_lookup() for who has the typeflow alone, and without a look at what is kept. */
void function_answer(struct typeflow *flow, struct object_entry *entry, u64 vaddr,
		     struct access *out);

/* analyse.c */
/*
 * Runs the method on one function, as far as the answer at @vaddr takes. With @sink nothing is
 * kept, but told how that answer comes about.
 */
void function_analyse(struct typeflow *flow, struct object_entry *entry, struct function *function,
		      u64 vaddr, const struct explain_sink *sink);
struct access row_access(const struct object_entry *entry, const struct insn_row *row);
/* Puts what is expected to be asked for in order. */
void expected_sort(struct object_entry *entry);

/* keeping.c */

/* False: answers in the object are kept nowhere. */
bool keeping_key(const struct typeflow *flow, const struct object_entry *entry,
		 struct store_key *key);
/* Opens what earlier runs have found out. */
void keeping_read(const struct typeflow *flow, struct object_entry *entry);
void keeping_free(struct kept_answers *kept);
/* The answer that is kept; false where nothing is kept of it, or less than could be said. */
bool keeping_find(struct object_entry *entry, u64 vaddr, struct access *out);
/* Whether something of the function around it is kept. */
bool keeping_knows(const struct object_entry *entry, u64 vaddr);
/* What @from, of the same object but of another thread, has found out, for keeping_add(). */
struct store *keeping_take(struct object_entry *from);
/* From now on @entry knows it, too. Takes it over. */
void keeping_add(struct object_entry *entry, struct store *store);
/* What this run has found out, for later ones. */
void keeping_write(struct typeflow *flow, struct object_entry *entry);

#endif
