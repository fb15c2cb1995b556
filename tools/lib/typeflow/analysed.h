/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of answers. analyse.c creates them, typeflow.c looks answers up, lanes.c and keeping.c pass them to
 * other threads and later runs.
 */
#ifndef TYPEFLOW_ANALYSED_H
#define TYPEFLOW_ANALYSED_H

#include "typeflow/answers/store.h"
#include "typeflow/code/waits.h"
#include "typeflow/flow/flow.h"
#include "typeflow/typeflow.h"

/* One instruction's answer; 24 bytes, because a large program has millions. */
struct insn_row {
	u32 at;	  /* relative to the function's lowest address */
	u32 type; /* id plus 1; 0: none */
	s64 offset;
	u16 width;
	u8 how, why : 7,
		settled : 1; /* settled: without an answer, and no further round finds one */
	u8 roles : 4, numbers : 4;
};

struct function {
	u64 low;
	GArray *ranges; /* struct range: the one with the entry is first */
	GArray *rows;	/* struct insn_row, sorted by @at */
	GArray *waits;	/* struct wait_row, sorted by @at; of some or all instructions */
	GArray *ways;	/* struct wait_way: those of @waits */
	bool named;	/* a symbol or the debug information tells its ranges */
	bool headless;	/* only a cold part; the function that jumps there is not known */
	bool asked;	/* function_analyse() was called */
	bool decoded;	/* all instructions are in @waits, as far as its code can be read */
	u8 why;		/* for addresses without a row */
	bool part;	/* rows exist only for announced addresses (typeflow_expect()) */
	/* Only some rounds were run. The state for the next round; NULL: no further round would help. */
	struct infer *more;
	u32 round;
};

/* A range of code. A function has several if its cold parts were split off. */
struct piece {
	u64 start, end;
	struct function *function;
};

/* What an announced address will be looked up for. */
enum expected { EXPECTED_AT, EXPECTED_BEFORE, NR_EXPECTED };

/* An address that will be looked up, for @nr samples. */
struct announced {
	u64 vaddr;
	u32 nr;
};

/* An address that was asked about: its function, and where it was found in rows and waits. */
struct recent {
	u64 vaddr;
	struct function *function; /* NULL: nothing was asked yet */
	u32 row, wait;
	u32 announced
		[NR_EXPECTED]; /* the place of this or another address in object_entry.expected */
};

#define NR_RECENT 8192

struct object_entry {
	struct object object;
	struct recent *recent; /* NR_RECENT; the address selects the place */
	GTree *pieces;	       /* struct piece *, by range; they do not overlap */
	GPtrArray *functions;  /* struct function * */
	GHashTable *
		colds; /* of symbols, once one is asked for: function's name -> its cold part, or NULL: several */
	GPtrArray *types; /* const struct type *, by id */
	GPtrArray *kept;  /* struct kept_answers *: of earlier runs and other threads */
	bool keeps;	  /* new answers are kept for later runs */
	u64 instructions; /* decoded */
	/* struct announced, sorted when first used; few addresses are there twice */
	GArray *expected[NR_EXPECTED];
	bool sorted;
	struct object_entry *whole; /* a lane's: the caller's entry (lanes.c); else NULL */
};

struct kept_answers {
	struct store *store;
	GPtrArray *types; /* const struct type *, by index in @store; NULL: not resolved yet */
};

struct typeflow {
	struct insn_decoder *decoder;
	enum insn_fusion fusion;
	char *folder;	    /* for answers that are kept; NULL: none are */
	GPtrArray *objects; /* struct object_entry *, by dso id; NULL: not seen yet */
	bool waited;	    /* typeflow_waited() will be called */
	struct cfg *
		decoded; /* by the last function_decode(), of @decoded_of; NULL: none, or an analysis has taken it */
	const struct function *decoded_of;
	struct typeflow_counts counts;
};

/* typeflow.c */
struct object_entry *object_of(struct typeflow *flow, struct dso *dso);
struct function *function_at(struct object_entry *entry, u64 vaddr);
/* The function around @vaddr, analysed until @until has an answer; UINT64_MAX: one round. Never NULL. */
struct function *function_of(struct typeflow *flow, struct object_entry *entry, u64 vaddr,
			     u64 until);
/* As typeflow_waited(), but without locks and without kept answers. */
void function_waited(struct typeflow *flow, struct object_entry *entry, u64 vaddr, GArray *out);
/* As typeflow_lookup(), but without locks and without kept answers. */
void function_answer(struct typeflow *flow, struct object_entry *entry, u64 vaddr,
		     struct access *out);

/* analyse.c */
/*
 * Analyses one function, until @vaddr has an answer. With @sink: stores no answers, but explains the answer at
 * @vaddr.
 */
void function_analyse(struct typeflow *flow, struct object_entry *entry, struct function *function,
		      u64 vaddr, const struct explain_sink *sink);
/* Fills @function->waits for all instructions, or for the @announced ones, without an analysis of data. */
void function_decode(struct typeflow *flow, struct object_entry *entry, struct function *function,
		     bool announced);
struct access row_access(const struct object_entry *entry, const struct insn_row *row);
/* Sorts the announced addresses. */
void expected_sort(struct object_entry *entry);
static inline bool expected_any(const struct object_entry *entry)
{
	return entry->expected[EXPECTED_AT]->len || entry->expected[EXPECTED_BEFORE]->len;
}

/* keeping.c */

/* Opens the answers of earlier runs. */
void keeping_read(const struct typeflow *flow, struct object_entry *entry);
void keeping_free(struct kept_answers *kept);
/* The kept answer. False: there is none, or a further round may find a better one. */
bool keeping_find(struct object_entry *entry, u64 vaddr, struct access *out);
/* As typeflow_waited(). False: not kept. */
bool keeping_waited(const struct object_entry *entry, u64 vaddr, GArray *out);
/* True if answers for the function around @vaddr are kept. */
bool keeping_knows(const struct object_entry *entry, u64 vaddr);
/* The answers of a lane's entry @from, for keeping_add(). */
struct store *keeping_take(struct object_entry *from);
/* Adds the answers in @store to @entry, which owns them from now on. */
void keeping_add(struct object_entry *entry, struct store *store);
/* Writes the answers of this run for later ones. */
void keeping_write(struct typeflow *flow, struct object_entry *entry);

#endif
