// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order in which a function's blocks are walked: reverse postorder, grouped by strongly connected components
 * (Tarjan's algorithm), so that a loop is one group.
 *
 *	1: head		groups: {1}, {2, 3}, {4}
 *	2: while (...)	2 and 3 are walked until nothing changes, then 4
 *	3: body
 *	4: tail
 *
 * Edges: 1 to 2, 2 to 3, 2 to 4, 3 to 2. The search:
 *
 *	step			number		lowest		open		done
 *	discover 1, 2, 3	1 2 3		1 2 3		1 2 3
 *	3 leads to 2		1 2 3		1 2 2		1 2 3
 *	finish 3		1 2 3		1 2 2		1 2 3		3		waits for 2
 *	discover 4, finish it	1 2 3 4		1 2 2 4		1 2 3		3 4		group 1: {4}
 *	finish 2		1 2 3 4		1 2 2 4		1		3 4 2		group 2: {3, 2}
 *	finish 1		1 2 3 4		1 2 2 4				3 4 2 1		group 3: {1}
 *
 * The reverse of @done is the reverse postorder: 1 2 4 3. Groups by number, highest first: {1} {2, 3} {4}.
 *
 * Reverse postorder alone would walk 4 before 3, with a state that the loop may still change. With groups, the state
 * before 4 is final when 4 is walked.
 *
 * Nested loops are one group, the outer loop: its components inside are not searched.
 */
#include <string.h>

#include "base/search.h"
#include "typeflow/code/cfg.h"

/*
 * Depth-first search without recursion. @done lists blocks in postorder. All blocks of a component get the same group
 * number (Tarjan's algorithm); components that it leads to have lower numbers.
 */
struct visit {
	const struct cfg *cfg;
	u32 *number; /* by block: order of discovery, from 1; 0: not seen */
	u32 *lowest; /* by block: the lowest number that it reaches, of blocks whose group is open */
	u32 *group;  /* by block, from 1; 0: open */
	u32 *open;   /* stack of blocks */
	u32 *done;   /* blocks */
	struct visit_step {
		u32 block, next;
	} * stack;
	u32 nr, nr_open, nr_done, nr_stack, groups;
};

static void discover(struct visit *v, u32 block)
{
	v->number[block] = v->lowest[block] = ++v->nr;
	v->stack[v->nr_stack++] = (struct visit_step){ .block = block };
	v->open[v->nr_open++] = block;
}

/*
 * All edges of @block were followed. If it reaches no open block that was discovered before it, it is the first one of
 * its group, and the group is all that is above it on the stack @open.
 */
static void finish(struct visit *v, u32 block)
{
	u32 member;

	v->done[v->nr_done++] = block;
	if (v->lowest[block] != v->number[block])
		return;
	v->groups++;
	do {
		member = v->open[--v->nr_open];
		v->group[member] = v->groups;
	} while (member != block);
}

static void visit(struct visit *v, u32 from)
{
	if (v->number[from])
		return;
	discover(v, from);
	while (v->nr_stack) {
		struct visit_step *top = &v->stack[v->nr_stack - 1];
		u32 at = top->block, to, above;
		const struct block *block = &g_array_index(v->cfg->blocks, struct block, at);

		if (top->next == block->nr_next) {
			finish(v, at);
			if (!--v->nr_stack)
				continue;
			above = v->stack[v->nr_stack - 1].block;
			v->lowest[above] = MIN(v->lowest[above], v->lowest[at]);
			continue;
		}
		to = g_array_index(v->cfg->edges, u32, block->next + top->next++);
		if (!v->number[to])
			discover(v, to);
		else if (!v->group[to])
			v->lowest[at] = MIN(v->lowest[at], v->number[to]);
	}
}

/* Each array holds a block at most once. */
static void visit_init(struct visit *v, const struct cfg *cfg)
{
	size_t nr = cfg->blocks->len;

	*v = (struct visit){ .cfg = cfg };
	v->number = g_new0(u32, 5 * nr);
	v->lowest = v->number + nr;
	v->group = v->lowest + nr;
	v->open = v->group + nr;
	v->done = v->open + nr;
	v->stack = g_new(struct visit_step, nr);
}

static void visit_release(struct visit *v)
{
	g_free(v->number);
	g_free(v->stack);
}

/* Padding between the function's parts, and alignment after a jump: no block leads there. */
static bool is_padding(const struct cfg *cfg, const struct block *block)
{
	for (u32 i = block->first; i < block->end; i++)
		if (cfg->insns[i].op != INSN_NOP && cfg->insns[i].flow != INSN_STOP)
			return false;
	return true;
}

static void take_done(struct visit *v, u32 *order, u32 *nr)
{
	while (v->nr_done)
		order[(*nr)++] = v->done[--v->nr_done];
}

static bool leads_to_itself(const struct cfg *cfg, u32 index)
{
	const struct block *block = &g_array_index(cfg->blocks, struct block, index);

	for (u32 i = 0; i < block->nr_next; i++)
		if (g_array_index(cfg->edges, u32, block->next + i) == index)
			return true;
	return false;
}

/* Orders the blocks by group, highest number first; within a group as in @order. */
static void make_groups(struct cfg *cfg, const struct visit *v, const u32 *order)
{
	g_autofree u32 *next = g_new0(u32, v->groups + 1);
	u32 at = 0, nr = cfg->blocks->len;

	cfg->groups = g_new(struct group, v->groups);
	cfg->nr_groups = v->groups;
	cfg->order = g_new(u32, nr);
	for (u32 i = 0; i < nr; i++)
		next[v->group[i]]++;
	for (u32 i = 0; i < v->groups; i++) {
		u32 number = v->groups - i, size = next[number];

		cfg->groups[i] = (struct group){ .first = at, .end = at + size, .loop = size > 1 };
		next[number] = at;
		at += size;
	}
	for (u32 i = 0; i < nr; i++)
		cfg->order[next[v->group[order[i]]]++] = order[i];
	for (u32 i = 0; i < v->groups; i++)
		cfg->groups[i].loop = cfg->groups[i].loop ||
				      leads_to_itself(cfg, cfg->order[cfg->groups[i].first]);
}

/*
 * Sets block.from. Not set: several predecessors, the block itself as one, or control may also come by an unknown edge
 * (an entry or root).
 */
static void find_predecessors(struct cfg *cfg)
{
	struct block *blocks = (struct block *)(void *)cfg->blocks->data;
	g_autofree bool *several = g_new0(bool, cfg->blocks->len);

	for (u32 b = 0; b < cfg->blocks->len; b++) {
		several[b] = blocks[b].root || blocks[b].entry;
		blocks[b].from = CFG_NONE;
	}
	for (u32 b = 0; b < cfg->blocks->len; b++)
		for (u32 i = 0; i < blocks[b].nr_next; i++) {
			u32 to = g_array_index(cfg->edges, u32, blocks[b].next + i);

			several[to] |= to == b ||
				       (blocks[to].from != CFG_NONE && blocks[to].from != b);
			blocks[to].from = b;
		}
	for (u32 b = 0; b < cfg->blocks->len; b++)
		if (several[b])
			blocks[b].from = CFG_NONE;
}

/*
 * Blocks that the entry does not reach are roots: targets of jumps that were not understood, or landing pads of
 * exceptions. They come after the blocks that the entry reaches, unless they lead to these. So if there are any, the
 * search runs a second time, from the roots first: groups that are found first come last.
 */
void cfg_order_blocks(struct cfg *cfg, u32 entry)
{
	g_autofree u32 *order = g_new(u32, cfg->blocks->len);
	g_autofree u32 *others = g_new(u32, cfg->blocks->len);
	u32 first, nr = 0, nr_others = 0;
	struct visit v;

	first = entry == CFG_NONE ? 0 : cfg->block_of[entry];
	g_array_index(cfg->blocks, struct block, first).entry = true;
	visit_init(&v, cfg);
	visit(&v, first);
	take_done(&v, order, &nr);
	for (u32 b = 0; b < cfg->blocks->len; b++) {
		struct block *block = &g_array_index(cfg->blocks, struct block, b);

		if (v.number[b])
			continue;
		block->apart = true;
		block->root = !is_padding(cfg, block);
		visit(&v, b);
		take_done(&v, order, &nr);
		others[nr_others++] = b;
	}
	if (nr_others) {
		visit_release(&v);
		visit_init(&v, cfg);
		while (nr_others)
			visit(&v, others[--nr_others]);
		visit(&v, first);
	}
	make_groups(cfg, &v, order);
	visit_release(&v);
	find_predecessors(cfg);
}

static bool group_leads(const struct cfg *cfg, const struct group *group, const u8 *leading)
{
	for (u32 at = group->first; at < group->end; at++) {
		const struct block *block =
			&g_array_index(cfg->blocks, struct block, cfg->order[at]);

		if (leading[cfg->order[at]])
			return true;
		for (u32 i = 0; i < block->nr_next; i++)
			if (leading[g_array_index(cfg->edges, u32, block->next + i)])
				return true;
	}
	return false;
}

/*
 * From the last group to the first: edges lead only to later groups, so one pass is enough. In a loop, all blocks lead
 * where one of them leads.
 *
 *	asked: an instruction in 3	{4}: 0	{2, 3}: 3 is CFG_ASKED, 2 is CFG_LEADS	{1}: CFG_LEADS
 */
u8 *cfg_leading(const struct cfg *cfg, const u8 *asked, u32 *insns)
{
	u8 *leading = g_new0(u8, cfg->blocks->len);

	*insns = 0;
	for (u32 i = 0; i < cfg->nr; i++)
		if (asked[i])
			leading[cfg->block_of[i]] = CFG_ASKED;
	for (u32 i = cfg->nr_groups; i-- > 0;) {
		const struct group *group = &cfg->groups[i];

		if (!group_leads(cfg, group, leading))
			continue;
		for (u32 at = group->first; at < group->end; at++) {
			u32 index = cfg->order[at];
			const struct block *block =
				&g_array_index(cfg->blocks, struct block, index);

			leading[index] = MAX(leading[index], CFG_LEADS);
			*insns += block->end - block->first;
		}
	}
	return leading;
}
