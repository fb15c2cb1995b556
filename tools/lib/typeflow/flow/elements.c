// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A gather reads one element for each index in a vector register:
 *
 *	for (k = 0; k < 4; k++)		and    $0xfffff8,%edx		a multiple of 8
 *		sum += all[i[k]].id;	and    $0xfffff8,%ebx
 *					vmovq  %rdx,%xmm1
 *	sizeof(*all) is 64		vpinsrq $1,%rbx,%xmm1,%xmm1	all elements are
 *					vpgatherqq %ymm5,0x8(%r8,%ymm1,8),%ymm0
 *
 * If 8 divides all indexes, the addresses are 64 apart, so each element is the `id` of some node. A state has only the
 * lowest element of a vector (state.h). So the definitions of the index register are followed back from the gather, in
 * the code alone, as long as one instruction sets the register on all paths.
 *
 *	question					answer
 *	%ymm1 before the gather				vpinsrq: all lanes known; the common factor of its sources
 *	  %rbx before vpinsrq				and: the lowest bit that is set in 0xfffff8: 8
 *	  %xmm1 before vpinsrq				vmovq: the factor of %rdx
 *	    %rdx before vmovq				and: 8
 *	factor						gcd(8, 8) = 8; the scale of 8 makes steps of 64
 *
 * A factor of 0 means the number 0, 1 means that nothing is known. The search costs at most MOST_STEPS instructions and
 * blocks; beyond them everything has the factor 1.
 *
 * A register that a loop changes has no single definition at the loop's start, so the answer is 1 there.
 */
#include "typeflow/flow/elements.h"

#include <string.h>

#define MOST_STEPS   8192
#define MOST_WRITERS 8

struct tracing {
	const struct flow *flow;
	u32 left; /* instructions and blocks that may still be looked at */
};

static u64 factor_before(struct tracing *t, u32 at, u8 reg);

static const struct insn *insn_at(const struct tracing *t, u32 i)
{
	return &t->flow->cfg->insns[i];
}

static bool spend(struct tracing *t)
{
	return t->left && --t->left;
}

/* 0 is a multiple of everything. */
static u64 common(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static u64 lowest_bit(u64 number)
{
	return number & -number;
}

/* A multiple of both is a multiple of the product; one of them is enough if that is too large. */
static u64 product(u64 a, u64 b)
{
	u64 both;

	return __builtin_mul_overflow(a, b, &both) || both > UINT32_MAX ? a : both;
}

/*
 * A path leads from one of the blocks of @open to @block, and not through a block in which @writer (by block) is set.
 * @open is emptied. Also true if that takes too long.
 */
static bool leads_to(struct tracing *t, GArray *open, u32 block, const u32 *writer)
{
	const struct cfg *cfg = t->flow->cfg;
	g_autofree u8 *seen = g_new0(u8, cfg->blocks->len);

	while (open->len) {
		u32 at = g_array_index(open, u32, open->len - 1);
		const struct block *b = &g_array_index(cfg->blocks, struct block, at);

		g_array_set_size(open, open->len - 1);
		if (at == block || !spend(t))
			return true;
		if (writer[at] != CFG_NONE || seen[at])
			continue;
		seen[at] = 1;
		g_array_append_vals(open, &g_array_index(cfg->edges, u32, b->next), b->nr_next);
	}
	return false;
}

/* By block: the last instruction that writes @reg, or CFG_NONE. NULL: there are too many, or too much code. */
static u32 *find_writers(struct tracing *t, u8 reg)
{
	const struct cfg *cfg = t->flow->cfg;
	u32 *writer = g_new(u32, cfg->blocks->len), nr = 0;

	for (u32 i = 0; i < cfg->blocks->len; i++)
		writer[i] = CFG_NONE;
	for (u32 i = 0; i < cfg->nr; i++) {
		u32 *in = &writer[cfg->block_of[i]];

		if (!spend(t) || nr > MOST_WRITERS)
			return g_free(writer), NULL;
		if (!insn_writes(insn_at(t, i), reg) && insn_at(t, i)->flow != INSN_CALL)
			continue;
		nr += *in == CFG_NONE;
		*in = i;
	}
	return writer;
}

/* The only definition of @reg that reaches the start of @block. */
static u32 reaching(struct tracing *t, u32 block, u8 reg)
{
	const struct cfg *cfg = t->flow->cfg;
	g_autofree u32 *writer = find_writers(t, reg);
	g_autoptr(GArray) open = g_array_new(false, false, sizeof(u32));
	u32 found = CFG_NONE;

	for (u32 i = 0; writer && i < cfg->blocks->len; i++) {
		const struct block *b = &g_array_index(cfg->blocks, struct block, i);

		if (b->entry || b->root)
			g_array_append_val(open, i);
	}
	if (!writer || leads_to(t, open, block, writer))
		return CFG_NONE;
	for (u32 i = 0; i < cfg->blocks->len; i++) {
		const struct block *b = &g_array_index(cfg->blocks, struct block, i);

		if (writer[i] == CFG_NONE)
			continue;
		g_array_set_size(open, 0);
		g_array_append_vals(open, &g_array_index(cfg->edges, u32, b->next), b->nr_next);
		if (!leads_to(t, open, block, writer))
			continue;
		if (found != CFG_NONE)
			return CFG_NONE;
		found = writer[i];
	}
	return found;
}

/* The instruction that set @reg before instruction @at; CFG_NONE: not known, or a call. */
static u32 definition(struct tracing *t, u32 at, u8 reg)
{
	const struct cfg *cfg = t->flow->cfg;
	u32 number = cfg->block_of[at], found;

	for (u32 i = at; i-- > g_array_index(cfg->blocks, struct block, number).first;) {
		if (!spend(t) || insn_at(t, i)->flow == INSN_CALL)
			return CFG_NONE;
		if (insn_writes(insn_at(t, i), reg))
			return i;
	}
	found = reaching(t, number, reg);
	return found != CFG_NONE && insn_at(t, found)->flow == INSN_CALL ? CFG_NONE : found;
}

/* Of read-only memory, which may hold several numbers: @of each four bytes of it. */
static u64 of_constant(const struct tracing *t, const struct insn_operand *op, u64 (*of)(u64))
{
	const struct object *object = t->flow->object;
	size_t left = 0;
	const u8 *bytes;
	u64 all = 0;

	if (!op->relative || op->width % sizeof(u32) ||
	    data_image_kind(object->image, (u64)op->mem.disp) != IMAGE_CONSTANT)
		return 1;
	bytes = dso_code(object->dso, (u64)op->mem.disp, &left);
	if (!bytes || left < op->width)
		return 1;
	for (u32 i = 0; i < op->width; i += sizeof(u32)) {
		u32 number;

		memcpy(&number, bytes + i, sizeof(number));
		all = common(all, of(GUINT32_FROM_LE(number)));
	}
	return all;
}

static u64 same(u64 number)
{
	return number;
}

static u64 of_operand(struct tracing *t, u32 at, const struct insn_operand *op, u64 (*of)(u64))
{
	switch (op->kind) {
	case INSN_IMM:
		return of(op->imm < 0 ? -(u64)op->imm : (u64)op->imm);
	case INSN_MEM:
		return of_constant(t, op, of);
	default:
		return op->high || op->width < sizeof(u32) ? 1 : of(factor_before(t, at, op->reg));
	}
}

/* Of the operands that it reads; without an immediate, which may be the number of a lane. */
static u64 of_sources(struct tracing *t, u32 at, bool immediate)
{
	const struct insn *insn = insn_at(t, at);
	u64 all = 0;

	for (u32 i = 0; i < insn->nr_operands && all != 1; i++)
		if (insn->operands[i].access & INSN_READ &&
		    (immediate || insn->operands[i].kind != INSN_IMM))
			all = common(all, of_operand(t, at, &insn->operands[i], same));
	return all;
}

static u64 of_lanes(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);

	for (u32 i = 0; i < MIN(insn->operands[0].width / 8u, (u32)INSN_MAX_LANES); i++)
		if (insn->lanes[i] == INSN_LANE_UNKNOWN)
			return 1;
	return of_sources(t, at, false);
}

/* A bit that is 0 in one of them is 0 in the result. */
static u64 of_mask(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);
	u64 best = 1;

	for (u32 i = 0; i < insn->nr_operands; i++) {
		u64 factor;

		if (!(insn->operands[i].access & INSN_READ))
			continue;
		factor = of_operand(t, at, &insn->operands[i], lowest_bit);
		if (!factor)
			return 0;
		best = MAX(best, factor);
	}
	return best;
}

static u64 of_shift(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);
	const struct insn_operand *by = &insn->operands[insn->nr_operands - 1];
	u64 factor = insn->operands[0].kind == INSN_REG
			     ? of_operand(t, at, &insn->operands[0], same)
			     : 1;

	return insn->nr_operands > 1 && by->kind == INSN_IMM && by->imm >= 0 && by->imm < 16
		       ? product(factor, (u64)1 << by->imm)
		       : factor;
}

static u64 of_product(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);
	u64 all = 1;

	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].access & INSN_READ)
			all = product(of_operand(t, at, &insn->operands[i], same), all);
	return all;
}

static u64 of_address(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);
	const struct insn_mem *mem = &insn->operands[1].mem;
	u64 all = mem->disp < 0 ? -(u64)mem->disp : (u64)mem->disp;

	if (insn->nr_operands < 2 || insn->operands[1].kind != INSN_MEM ||
	    insn->operands[1].relative)
		return 1;
	if (mem->base != INSN_NO_REG)
		all = common(all, factor_before(t, at, mem->base));
	if (mem->index != INSN_NO_REG)
		all = common(all, product(factor_before(t, at, mem->index), mem->scale));
	return all;
}

/* A number that divides what instruction @at writes into its first operand; 0: that is 0. */
static u64 of_result(struct tracing *t, u32 at)
{
	const struct insn *insn = insn_at(t, at);

	if (insn->zero)
		return 0;
	switch (insn->op) {
	case INSN_MOV:
	case INSN_ADD:
	case INSN_SUB:
	case INSN_CMOV:
		return of_sources(t, at, true);
	case INSN_LANES:
		return of_lanes(t, at);
	case INSN_AND:
	case INSN_VECTOR_AND:
		return of_mask(t, at);
	case INSN_SHL:
		return of_shift(t, at);
	case INSN_MUL:
		return of_product(t, at);
	case INSN_LEA:
		return of_address(t, at);
	default:
		return 1;
	}
}

static u64 factor_before(struct tracing *t, u32 at, u8 reg)
{
	u32 by = reg < INSN_NR_REGS ? definition(t, at, reg) : CFG_NONE;
	const struct insn_operand *to;

	if (by == CFG_NONE)
		return 1;
	to = &insn_at(t, by)->operands[0];
	if (!insn_at(t, by)->nr_operands || to->kind != INSN_REG || to->reg != reg ||
	    to->width < sizeof(u32))
		return 1;
	return of_result(t, by);
}

u16 elements_step(const struct flow *flow, u8 reg)
{
	struct tracing t = { flow, MOST_STEPS };
	u64 factor = factor_before(&t, flow->insn, reg);

	if (factor > UINT16_MAX)
		factor = lowest_bit(factor);
	return factor && factor <= UINT16_MAX ? (u16)factor : 1;
}
