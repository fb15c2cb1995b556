/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of one function, of all its pieces, and the blocks that control runs
 * through. Jump tables are read where the function's code names them; an indirect jump whose
 * table is not told leads to all that could be meant, so that no path is missing.
 */
#ifndef TYPEFLOW_CFG_H
#define TYPEFLOW_CFG_H

#include <glib.h>

#include "insn/insn.h"
#include "typeflow/data_image.h"

#define CFG_NONE UINT32_MAX

struct block {
	u32 first, end;	   /* instructions */
	u32 next, nr_next; /* in cfg.edges */
	bool root;	   /* control comes here in a way that is not followed */
	bool entry;	   /* the function's own */
};

/* Blocks that lead to each other, or a single one; none leads to one of an earlier group. */
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
	u32 nr_regs;	      /* vector registers from this number on are not named */
	u32 *block_of;	      /* by instruction */
	GArray *blocks;	      /* struct block, by address */
	GArray *edges;	      /* u32 block */
	u32 *order;	      /* every block once, before those it leads to, loops aside */
	struct group *groups; /* what of @order is one loop, with the loops in it */
	u32 nr_groups;
	GArray *tables; /* struct jump_table, sorted */
};

/* Where control does not come back from. */
typedef bool (*cfg_no_return)(void *data, const struct insn *call);

/*
 * @ranges: the function's pieces, the one that it is entered through first. NULL where there
 * is no code, or more than a function has.
 */
struct cfg *cfg_new(struct insn_decoder *decoder, struct dso *dso, struct data_image *image,
		    const struct range *ranges, u32 nr_ranges, cfg_no_return no_return, void *data);
void cfg_free(struct cfg *cfg);

/*
 * By block, newly allocated: CFG_ASKED where one of the instructions is @asked (by instruction),
 * CFG_LEADS where it leads to such a block, else 0. *@insns: of the blocks that are not 0.
 */
enum { CFG_LEADS = 1, CFG_ASKED };
u8 *cfg_leading(const struct cfg *cfg, const u8 *asked, u32 *insns);

/* The instruction that starts at @vaddr, or CFG_NONE. */
u32 cfg_find(const struct cfg *cfg, u64 vaddr);

/* True for an address in a table that an indirect jump of the function goes through. */
bool cfg_in_table(const struct cfg *cfg, u64 vaddr);

/* cfg_order.c: fills order and groups, from the blocks and edges on. @entry: its first instruction, or CFG_NONE. */
void cfg_order_blocks(struct cfg *cfg, u32 entry);

#endif
