/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instruction was executed just before a given one? A timer's sample names the instruction behind the one that
 * waited (waits.c), so this is what its time belongs to. The answer is a fact of the code. What kind of event asks, and
 * what a sample knows about its callers, is the caller's business (resolve/waited.h).
 */
#ifndef TYPEFLOW_WAITS_H
#define TYPEFLOW_WAITS_H

#include "insn/fusion.h"
#include "typeflow/code/cfg.h"
#include "typeflow/code/waited.h"

/* The answer for the instruction @at. Addresses are relative to the lowest one of the function. */
struct wait_row {
	u32 at;
	u32 first, nr; /* ways into the instruction, in a table of struct wait_way */
};

struct wait_way {
	u32 at;	  /* as waited_way.vaddr */
	u32 from; /* as waited_way.from */
	u32 how;  /* enum waited_how */
};

struct waits {
	const struct cfg *cfg;
	enum insn_fusion fusion;
	bool kernel;   /* the code may switch interrupts off */
	bool headless; /* it is only a cold part, which no call enters */
	/* By block: its predecessors are before[first[block]] to before[first[block + 1]]. NULL: not needed yet. */
	u32 *first;
	u32 *before; /* blocks */
};

void waits_init(struct waits *waits, const struct cfg *cfg, enum insn_fusion fusion, bool kernel);
void waits_release(struct waits *waits);

/* The ways into instruction @at, as instructions of the cfg, not as addresses. out: @ways: replaced. */
void waits_find(struct waits *waits, u32 at, GArray *ways);

/*
 * Appends a row for each instruction, or for those that are @asked (by instruction; NULL: all), and its ways. out:
 * @charged: by instruction, set to 1 for those that samples of the asked ones may be charged to; may be NULL.
 */
void waits_add_rows(struct waits *waits, u64 low, const u8 *asked, GArray *rows, GArray *ways,
		    u8 *charged);

/* out: @out (struct waited_way): replaced by these ways of a function that begins at @low. */
void waits_tell(const struct wait_way *ways, u32 nr, u64 low, GArray *out);

/* True if the instruction reads or writes memory; stack operations do. */
bool insn_accesses(const struct insn *insn);

#endif
