// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an x86-64 instruction does besides what its operands say: implicit registers, the stack, flags, the next
 * instruction.
 */
#include "insn/x86-decode.h"
#include "insn/x86-fields.h"

#define GPR(n) ((u64)1 << (n))
#define RAX    GPR(X86_RAX)
#define RDX    GPR(X86_RDX)
#define RCX    GPR(X86_RCX)
#define RBX    GPR(X86_RBX)
#define RSP    GPR(X86_RSP)
#define RBP    GPR(X86_RBP)
#define R11    GPR(11)
#define FLAGS  GPR(X86_RFLAGS)
#define XMM0   GPR(X86_XMM0)
#define XMMS   ((u64)0xffff << X86_XMM0)
#define X87S   ((u64)0xffff << X86_ST0) /* st0-7 and mm0-7 are the same registers */

static const struct {
	u64 reads, writes;
} implicit[NR_IMPLICIT] = {
	[IMPLICIT_AX] = { RAX, RAX },
	[IMPLICIT_MUL] = { RAX, RAX | RDX },
	[IMPLICIT_DIV] = { RAX | RDX, RAX | RDX },
	[IMPLICIT_CMPXCHG] = { RAX, RAX },
	[IMPLICIT_CMPXCHG8] = { RAX | RDX | RBX | RCX, RAX | RDX },
	[IMPLICIT_LOOP] = { RCX, RCX },
	[IMPLICIT_JCXZ] = { RCX, 0 },
	[IMPLICIT_ENTER] = { RBP | RSP, RBP | RSP },
	[IMPLICIT_MAKES_RAX] = { 0, RAX },
	[IMPLICIT_TAKES_RAX] = { RAX, 0 },
	[IMPLICIT_TSC] = { 0, RAX | RDX },
	[IMPLICIT_RDTSCP] = { 0, RAX | RDX | RCX },
	[IMPLICIT_RDMSR] = { RCX, RAX | RDX },
	[IMPLICIT_WRMSR] = { RCX | RAX | RDX, 0 },
	[IMPLICIT_CPUID] = { RAX | RCX, RAX | RBX | RCX | RDX },
	[IMPLICIT_SYSCALL] = { RAX, RAX | RCX | R11 },
	[IMPLICIT_SYSRET] = { RCX | R11, FLAGS },
	[IMPLICIT_MONITOR] = { RAX | RCX | RDX | RBX, 0 },
	[IMPLICIT_XSAVE] = { RAX | RDX, 0 },
	[IMPLICIT_XRSTOR] = { RAX | RDX, XMMS | X87S },
	[IMPLICIT_VECTORS] = { 0, XMMS },
	[IMPLICIT_XMM0] = { XMM0, 0 },
	[IMPLICIT_MULX] = { RDX, 0 },
	[IMPLICIT_ESTRI] = { RAX | RDX, RCX },
	[IMPLICIT_ESTRM] = { RAX | RDX, XMM0 },
	[IMPLICIT_ISTRI] = { 0, RCX },
	[IMPLICIT_ISTRM] = { 0, XMM0 },
	[IMPLICIT_X87] = { X87S, X87S },
	[IMPLICIT_GS] = { 0, GPR(X86_GS) },
};

/* Adds the implicit stack operands of push, pop, call, ret, enter and leave. */
static void add_stack(const struct x86_fields *f, struct insn *out)
{
	struct insn_operand *op = &out->operands[out->nr_operands];
	u16 width = f->operand == 2 ? 2 : 8;

	*op = (struct insn_operand){ .kind = INSN_MEM,
				     .access = INSN_READ,
				     .width = 8,
				     .implicit = true,
				     .mem = { .base = X86_RSP, .index = INSN_NO_REG, .scale = 1 } };
	switch (out->op) {
	case INSN_PUSH:
	case INSN_POP:
		op->width = width;
		break;
	case INSN_LEAVE:
		op->mem.base = X86_RBP;
		x86_mark(out->writes, X86_RBP);
		break;
	default:
		break;
	}
	if (out->op != INSN_POP && out->op != INSN_LEAVE && out->op != INSN_RETURNS) {
		op->access = INSN_WRITE;
		op->mem.disp = -(s64)op->width;
	}
	out->nr_operands++;
	x86_mark(out->reads, op->mem.base);
	x86_mark(out->writes, X86_RSP);
	x86_mark(out->reads, X86_RSP);
	out->stack_op = true;
}

static void add_string(const struct x86_fields *f, struct insn *out)
{
	for (u32 i = 0; i < out->nr_operands; i++)
		if (out->operands[i].kind == INSN_MEM)
			x86_mark(out->writes, out->operands[i].mem.base);
	out->rep = f->repeat;
	if (f->repeat) {
		x86_mark(out->reads, X86_RCX);
		x86_mark(out->writes, X86_RCX);
	}
	x86_mark(out->reads, X86_RFLAGS); /* the direction flag */
}

static void set_move(const struct x86_fields *f, const struct x86_row *row, struct insn *out)
{
	if (f->mask)
		out->op = INSN_OTHER;
	else if (out->operands[0].kind == INSN_REG &&
		 out->operands[1].width < out->operands[0].width &&
		 out->operands[1].kind != INSN_IMM)
		out->extends = row->flags & SX ? INSN_EXTEND_SIGN : INSN_EXTEND_ZERO;
}

static void set_zero(struct insn *out)
{
	const struct insn_operand *a = &out->operands[out->nr_operands > 2 ? 1 : 0], *b = a + 1;

	out->zero = a->kind == INSN_REG && b->kind == INSN_REG && a->reg == b->reg &&
		    a->high == b->high;
}

/*
 * Truncates a sign-extended immediate to the operation's width: `or $-1,%al` has 0xff. In add and sub the sign is kept,
 * because the number is a distance: `add $-8,%rsp` has -8.
 */
static void cut_constant(struct insn *out)
{
	u16 width = out->operands[0].width;

	if (out->op == INSN_ADD || out->op == INSN_SUB || out->op == INSN_ADC ||
	    out->op == INSN_SBB || width >= 8)
		return;
	for (u32 i = 1; i < out->nr_operands; i++)
		if (out->operands[i].kind == INSN_IMM)
			out->operands[i].imm &= ((s64)1 << (8 * width)) - 1;
}

/* Resolves jump targets and rip-relative operands. Both are relative to the end of the instruction. */
static void set_flow(const struct x86_fields *f, const struct x86_row *row, struct insn *out)
{
	u64 next = out->vaddr + out->size;

	for (u32 i = 0; f->relative && i < out->nr_operands; i++)
		if (out->operands[i].relative)
			out->operands[i].mem.disp = (s64)((u64)out->operands[i].mem.disp + next);
	out->flow = row->flow;
	if (row->flow == INSN_NEXT || row->flow >= INSN_RET)
		return;
	if (OPERAND_WHERE(row->operands[0]) == AT_J) {
		out->operands[0].imm = (s64)(next + (u64)out->operands[0].imm);
		out->operands[0].width = 8;
		out->target = (u64)out->operands[0].imm;
	} else {
		out->indirect = true;
		out->notrack = f->notrack;
	}
	if (row->implicit == IMPLICIT_LOOP || row->implicit == IMPLICIT_JCXZ)
		out->cond = INSN_COND_RCX;
}

void x86_add_effects(const struct x86_fields *f, const struct x86_row *row, struct insn *out)
{
	out->reads[0] |= implicit[row->implicit].reads | (row->flags & RF ? FLAGS : 0);
	out->writes[0] |= implicit[row->implicit].writes | (row->flags & WF ? FLAGS : 0);
	if (row->flags & CC)
		out->cond = (f->opcode & 15) + 1;
	if (out->nr_operands > 1)
		cut_constant(out);
	switch (out->op) {
	case INSN_MOV:
		set_move(f, row, out);
		break;
	case INSN_PUSH:
	case INSN_POP:
	case INSN_CALLS:
	case INSN_RETURNS:
	case INSN_LEAVE:
		add_stack(f, out);
		break;
	case INSN_STRING:
		add_string(f, out);
		break;
	default:
		if (row->implicit == IMPLICIT_ENTER)
			add_stack(f, out);
		break;
	}
	if (row->lanes && !f->mask && !f->broadcast)
		insn_x86_lanes(row->lanes, f->immediate, out);
	if (row->flags & SAME0 && !f->mask)
		set_zero(out);
	set_flow(f, row, out);
}
