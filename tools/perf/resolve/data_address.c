// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data addresses from registers. A timer interrupts behind the instruction that waited, so the registers are those after it:
 *
 *	mov  8(%rdi,%rcx,4),%eax	rdi + rcx * 4 + 8
 *	mov  8(%rax),%rax		not known: rax has the loaded value
 *	push (%rbx)			rbx; the address of the pushed copy is not asked for
 *	pop  %rbx			rsp - 8: the access was before rsp grew
 *	mov  0x2ee0(%rip),%rax		no register; the address follows from the place of the code
 *	mov  %fs:0x28,%rax		not known: samples do not have the segment's base
 *	movsq				rdi - 8: rdi was increased, as the ABI demands
 */
#include "resolve/data_address.h"

#include <elf.h>
#include <linux/perf_event.h>

#include "base/clear.h"
#include "dso/dso.h"
#include "insn/insn.h"
#include "perfdata/regs.h"

#define NO_REG 0xff

/* What one instruction accesses. A register's value is that at the sample plus `add`. */
struct operand {
	bool known;
	u8 how;		       /* ADDRESS_COMPUTED, or why it is not */
	u8 base, index, scale; /* numbers as in asm/perf_regs.h, or NO_REG */
	bool relative;	       /* disp is an address of the file */
	u8 access;	       /* bits of enum insn_access */
	u16 width;
	s64 add;
	/* The moved integer: a constant, or in a register (NO_REG: in none). */
	bool constant;
	u8 value;
	s64 imm;
};

struct data_addresses {
	struct insn_decoder *decoder; /* NULL: not available */
	GArray *operands[2]; /* struct operand, by code->id; of registers before and after it */
};

const char *address_how_text(enum address_how how)
{
	static const char *const texts[NR_ADDRESS_HOW] = {
		[ADDRESS_NONE] = "(none)",
		[ADDRESS_EVENT] = "event",
		[ADDRESS_COMPUTED] = "computed",
		[ADDRESS_OVERWRITTEN] = "(overwritten)",
		[ADDRESS_NO_ACCESS] = "(no memory access)",
		[ADDRESS_THREAD] = "(segment)",
		[ADDRESS_UNCLEAR] = "(unclear)",
	};

	return texts[how];
}

struct data_addresses *data_addresses_new(void)
{
	struct data_addresses *a = g_new0(struct data_addresses, 1);

	a->decoder = insn_decoder_new(INSN_X86_64, NULL);
	for (u32 i = 0; i < ARRAY_SIZE(a->operands); i++)
		a->operands[i] = g_array_new(false, true, sizeof(struct operand));
	return a;
}

void data_addresses_free(struct data_addresses *a)
{
	if (!a)
		return;
	for (u32 i = 0; i < ARRAY_SIZE(a->operands); i++)
		g_array_unref(a->operands[i]);
	insn_decoder_free(a->decoder);
	g_free(a);
}

/* From DWARF's number to that of a sampled register. */
static u8 sampled_reg(u8 reg)
{
	static const u8 numbers[] = { 0, 3, 2, 1, 4, 5, REGS_BP, REGS_SP };

	if (reg < ARRAY_SIZE(numbers))
		return numbers[reg];
	return reg <= X86_R15 ? reg + 8 : NO_REG;
}

/* The operand whose address is asked for: one in the code rather than the stack's. NULL: none. */
static const struct insn_operand *accessed(const struct insn *insn)
{
	const struct insn_operand *implicit = NULL;

	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM || !op->access)
			continue;
		if (!op->implicit)
			return op;
		implicit = implicit ? implicit : op;
	}
	return implicit;
}

/* By how much a return removes more than the address. */
static s64 removed(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_IMM)
			return insn->operands[i].imm & 0xffff;
	return 0;
}

/*
 * The value of register @reg when the address was computed is that after the instruction plus @add. False: that value is
 * gone.
 */
static bool value_before(const struct insn *insn, const struct insn_operand *op, u8 reg, s64 *add)
{
	u16 width = insn->operands[insn->nr_operands - 1].width; /* of the stack operand, if any */

	*add = 0;
	if (reg == INSN_NO_REG || !insn_writes(insn, reg))
		return true;
	if (insn->op == INSN_STRING) {
		*add = -(s64)op->width;
		return op->width;
	}
	if (reg != X86_RSP)
		return false;
	switch (insn->op) {
	case INSN_PUSH:
	case INSN_CALLS:
		*add = width;
		return true;
	case INSN_POP:
		/* The address of what is popped to has the new value. */
		*add = op->implicit ? -(s64)width : 0;
		return !(insn->operands[0].kind == INSN_REG && insn->operands[0].reg == X86_RSP);
	case INSN_RETURNS:
		*add = -8 - removed(insn);
		return true;
	default:
		return false;
	}
}

/*
 * Where the integer is that the instruction moves from or to memory:
 *
 *	mov    8(%rdi),%eax	eax, after it
 *	movzbl 8(%rax),%eax	the low byte of eax, after it
 *	mov    %ecx,8(%rdi)	ecx, before and after it
 *	movl   $3,8(%rdi)	3
 */
static void find_value(const struct insn *insn, bool executed, struct operand *out)
{
	const struct insn_operand *to = &insn->operands[0], *from = &insn->operands[1];
	const struct insn_operand *other = to->kind == INSN_MEM ? from : to;

	if (insn->op != INSN_MOV || insn->nr_operands != 2 || insn->floats != INSN_FLOATS_NONE ||
	    (to->kind == INSN_MEM) == (from->kind == INSN_MEM))
		return;
	out->width = (to->kind == INSN_MEM ? to : from)->width;
	if (!out->width || out->width > 8 || other->high || other->width < out->width)
		return;
	if (other->kind == INSN_IMM) {
		out->constant = true;
		out->imm = other->imm;
	} else if (other->kind == INSN_REG && (other == from || executed)) {
		out->value = sampled_reg(other->reg);
	}
}

/* leave: rsp = rbp, then rbp is popped. So the slot is below rsp. */
static struct operand of_leave(bool executed)
{
	return (struct operand){ .how = ADDRESS_COMPUTED,
				 .base = executed ? REGS_SP : REGS_BP,
				 .index = NO_REG,
				 .access = INSN_READ,
				 .width = 8,
				 .add = executed ? -8 : 0 };
}

static struct operand of_insn(const struct insn *insn, bool executed)
{
	const struct insn_operand *op = accessed(insn);
	struct operand out = { .how = ADDRESS_COMPUTED, .base = NO_REG, .index = NO_REG };
	s64 base = 0, index = 0;

	if (!op)
		return (struct operand){ .how = ADDRESS_NO_ACCESS };
	if (op->mem.segment != INSN_SEG_NONE)
		return (struct operand){ .how = ADDRESS_THREAD };
	if (insn->op == INSN_LEAVE)
		return of_leave(executed);
	if (executed && !(value_before(insn, op, op->mem.base, &base) &&
			  value_before(insn, op, op->mem.index, &index)))
		return (struct operand){ .how = ADDRESS_OVERWRITTEN };
	out.access = op->access;
	out.width = op->width;
	out.add = op->mem.disp + base + index * op->mem.scale;
	out.scale = op->mem.scale;
	out.relative = op->relative;
	if (op->mem.base != INSN_NO_REG)
		out.base = sampled_reg(op->mem.base);
	if (op->mem.index != INSN_NO_REG)
		out.index = sampled_reg(op->mem.index);
	/* A gather has a vector of indexes. */
	if ((op->mem.base != INSN_NO_REG && out.base == NO_REG) ||
	    (op->mem.index != INSN_NO_REG && out.index == NO_REG))
		out.how = ADDRESS_UNCLEAR;
	return out;
}

/* Code without a file, such as the kernel's or a JIT's, is of this machine. */
static bool is_analysed(struct dso *dso)
{
	u16 machine = dso_machine(dso);

	return machine == EM_X86_64 || machine == EM_NONE;
}

static struct operand decode(struct data_addresses *a, const struct code *code, bool executed)
{
	size_t left = 0;
	const u8 *bytes = code->dso ? dso_code(code->dso, code->vaddr, &left) : NULL;
	struct operand out = { .how = ADDRESS_UNCLEAR, .value = NO_REG };
	struct insn insn;

	if (a->decoder && bytes && left && is_analysed(code->dso) &&
	    insn_decode(a->decoder, bytes, left, code->vaddr, &insn)) {
		out = of_insn(&insn, executed);
		out.value = NO_REG;
		find_value(&insn, executed, &out);
	}
	out.known = true;
	return out;
}

bool sample_register(const struct sample_regs *regs, u8 number, u64 *value)
{
	u64 bit = 1ull << (number & 63);

	if (regs->abi != PERF_SAMPLE_REGS_ABI_64 || !(regs->mask & bit))
		return false;
	*value = regs->regs[__builtin_popcountll(regs->mask & (bit - 1))];
	return true;
}

/* False: the sample does not have it. */
static bool add_register(const struct sample_regs *regs, u8 number, u8 scale, u64 *va)
{
	u64 value;

	if (number == NO_REG)
		return true;
	if (!sample_register(regs, number, &value))
		return false;
	*va += value * scale;
	return true;
}

/* Decoded once; executed or not. */
static const struct operand *operand_of(struct data_addresses *a, const struct code *code,
					bool executed)
{
	GArray *operands = a->operands[executed];
	struct operand *op;

	if (code->id >= operands->len)
		g_array_set_size(operands, MAX(2 * operands->len, code->id + 1));
	op = &g_array_index(operands, struct operand, code->id);
	if (!op->known)
		*op = decode(a, code, executed);
	return op;
}

u8 data_access(struct data_addresses *a, const struct code *code, u16 *width)
{
	const struct operand *op = operand_of(a, code, false);

	*width = op->width;
	return op->access;
}

enum address_how data_address(struct data_addresses *a, const struct code *code, bool executed,
			      const struct sample_regs *regs, u64 *va)
{
	const struct operand *op;

	if (regs->abi != PERF_SAMPLE_REGS_ABI_64)
		return ADDRESS_NONE;
	op = operand_of(a, code, executed);
	*va = (u64)op->add + (op->relative ? code->va - code->vaddr : 0);
	if (op->how != ADDRESS_COMPUTED)
		return op->how;
	return add_register(regs, op->base, 1, va) && add_register(regs, op->index, op->scale, va)
		       ? ADDRESS_COMPUTED
		       : ADDRESS_NONE;
}

bool data_value(struct data_addresses *a, const struct code *code, bool executed,
		const struct sample_regs *regs, u64 *value)
{
	const struct operand *op;

	if (regs->abi != PERF_SAMPLE_REGS_ABI_64)
		return false;
	op = operand_of(a, code, executed);
	*value = (u64)op->imm;
	return op->constant || (op->value != NO_REG && sample_register(regs, op->value, value));
}
