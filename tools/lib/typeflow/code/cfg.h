/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The control-flow graph of one function, cold parts included: instructions, basic blocks, edges. Jump tables are
 * found by the addresses in the function's code. An indirect jump without a known table has edges to all labels that
 * it could reach, so that no path is missing.
 */
#ifndef TYPEFLOW_CFG_H
#define TYPEFLOW_CFG_H

#include <glib.h>

#include "insn/insn.h"
#include "typeflow/code/data_image.h"

#define CFG_NONE UINT32_MAX

struct block {
	u32 first, end;	   /* instructions */
	u32 next, nr_next; /* in cfg.edges */
	u32 from;	   /* its only predecessor; CFG_NONE: none, several, or not known */
	bool root;	   /* control may come here by an unknown edge */
	bool apart;	   /* no known path from the function's entry leads here */
	bool entry;	   /* the function's entry */
};

/* A strongly connected component (a loop), or a single block. Edges between groups go only to later groups. */
struct group {
	u32 first, end; /* in cfg.order */
	bool loop;
};

struct jump_table {
	u64 low, high;
};

struct cfg {
	struct insn *insns; /* by address */
	u32 nr;
	u32 nr_regs;	      /* the function uses no vector register from this number on */
	u32 *block_of;	      /* by instruction */
	GArray *blocks;	      /* struct block, by address */
	GArray *edges;	      /* u32 block */
	u32 *order;	      /* the blocks in reverse postorder */
	struct group *groups; /* ranges of @order: outermost loops, and blocks outside of loops */
	u32 nr_groups;
	GArray *tables; /* struct jump_table, sorted */
};

/* True if @call does not return. */
typedef bool (*cfg_no_return)(void *data, const struct insn *call);

/*
 * @ranges: the function's parts; the first one has the entry. NULL if there is no code. If there is too much code for
 * a function, the end is left out.
 */
struct cfg *cfg_new(struct insn_decoder *decoder, struct dso *dso, struct data_image *image,
		    const struct range *ranges, u32 nr_ranges, cfg_no_return no_return, void *data);
void cfg_free(struct cfg *cfg);

/*
 * Newly allocated, by block: CFG_ASKED if one of its instructions is @asked (by instruction); CFG_LEADS if there
 * is a path from it to such a block; else 0. out: *@insns: instructions in blocks that are not 0.
 */
enum { CFG_LEADS = 1, CFG_ASKED };
u8 *cfg_leading(const struct cfg *cfg, const u8 *asked, u32 *insns);

/* The instruction that starts at @vaddr, or CFG_NONE. */
u32 cfg_find(const struct cfg *cfg, u64 vaddr);

/* True for an address in a table that an indirect jump of the function goes through. */
bool cfg_in_table(const struct cfg *cfg, u64 vaddr);

/* cfg_order.c: fills @order and @groups from blocks and edges. @entry: the first instruction, or CFG_NONE. */
void cfg_order_blocks(struct cfg *cfg, u32 entry);

#endif
