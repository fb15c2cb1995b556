// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's code for what it tells of global variables (btf/globals.h): a walk over each function in the order of
 * addresses, that knows which registers have the address of a variable, or what was loaded from one.
 *
 *	mov  $0xffffffff82a5c3e0,%rbx		%rbx: the address
 *	mov  %rbx,%rdi				%rdi: the same
 *	call mutex_lock				an argument: the address; now only %rbx, %rbp and %r12 to %r15 are known
 *	jmp  1f					nothing is known behind it
 *
 * Where a jump leads to is not looked at, so a register may be wrong there. Two thirds of a variable's votes outvote that.
 */
#include <elf.h>
#include <string.h>

#include "btf/globals.h"
#include "dso/private.h"
#include "insn/insn.h"

#define NR_REGS	     16
#define KERNEL	     0xffffffff80000000
#define MAX_FUNCTION (1 << 20) /* bytes */
#define MAX_CODE     (128 << 20)
#define NO_PLACE     0
#define FROM_CALL    1
#define FROM_PLACE   2
#define ADDRESS	     3

/* What a register holds: nothing of use, the result of the function at @at, what is stored at @at, or the address @at. */
struct reg_content {
	u64 at;
	u8 what;
};

struct globals_scan {
	struct dso *dso;
	struct btf_globals *globals;
	struct insn_decoder *decoder;
	struct reg_content regs[NR_REGS];
	u64 left; /* bytes that are still read: symbols of a hostile file may overlap */
};

static const u8 passing[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, 9 };

/*
 * Numbers are addresses of data if they are in the kernel, and not in a function. Without CONFIG_KALLSYMS_ALL, the last
 * symbol of the code seems to contain all data. A module has small addresses, so there only symbols tell.
 */
static bool is_data(struct dso *dso, u64 address)
{
	const struct symbol *symbol = dso_find_symbol(dso, address);

	if (dso_kind(dso) == DSO_MODULE)
		return symbol && symbol->type == STT_OBJECT;
	if (address < KERNEL)
		return false;
	return !symbol || symbol->type != STT_FUNC || symbol->end - symbol->start > MAX_FUNCTION;
}

/* The fixed address of a memory operand; 0: it has a register, or another segment. */
static u64 place_of(const struct insn_operand *op)
{
	return op->kind == INSN_MEM && op->mem.base == INSN_NO_REG &&
			       op->mem.index == INSN_NO_REG && op->mem.segment == INSN_SEG_NONE
		       ? (u64)op->mem.disp
		       : 0;
}

/* What the instruction puts into its first operand. */
static struct reg_content value_of(const struct globals_scan *s, const struct insn *insn)
{
	const struct insn_operand *from = &insn->operands[1];
	struct reg_content none = { 0 };
	u64 place;

	if (insn->nr_operands != 2 || insn->operands[0].width < 4)
		return none;
	place = place_of(from);
	if (insn->op == INSN_LEA && place)
		return (struct reg_content){ place, ADDRESS };
	if (insn->op != INSN_MOV)
		return none;
	if (from->kind == INSN_IMM)
		return (struct reg_content){ (u64)from->imm, ADDRESS };
	if (place && from->width == 8)
		return (struct reg_content){ place, FROM_PLACE };
	return from->kind == INSN_REG && from->reg < NR_REGS && from->width == 8
		       ? s->regs[from->reg]
		       : none;
}

static void note_call(struct globals_scan *s, u64 callee)
{
	for (u32 i = 0; i < ARRAY_SIZE(passing); i++) {
		const struct reg_content *held = &s->regs[passing[i]];

		if (held->what >= FROM_PLACE && is_data(s->dso, held->at))
			btf_globals_argument(s->globals, callee, i, held->at,
					     held->what == FROM_PLACE);
	}
}

static void step(struct globals_scan *s, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0];
	struct reg_content value = value_of(s, insn);

	if (insn->target && (insn->flow == INSN_CALL || insn->flow == INSN_JUMP))
		note_call(s, insn->target);
	if (insn->flow == INSN_CALL) {
		for (u32 i = 0; i < NR_REGS; i++)
			if (i != X86_RBX && i != X86_RBP && i < 12)
				s->regs[i].what = NO_PLACE;
		s->regs[X86_RAX] =
			(struct reg_content){ insn->target, insn->target ? FROM_CALL : NO_PLACE };
		return;
	}
	if (insn->flow != INSN_NEXT && insn->flow != INSN_COND) {
		memset(s->regs, 0, sizeof(s->regs));
		return;
	}
	if (insn->op == INSN_MOV && insn->nr_operands == 2 && place_of(to) && to->width == 8 &&
	    value.what == FROM_CALL && is_data(s->dso, place_of(to)))
		btf_globals_result(s->globals, value.at, place_of(to));
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_REG && insn->operands[i].reg < NR_REGS &&
		    insn->operands[i].access & INSN_WRITE)
			s->regs[insn->operands[i].reg].what = NO_PLACE;
	if (insn->nr_operands == 2 && to->kind == INSN_REG && to->reg < NR_REGS)
		s->regs[to->reg] = value;
}

static void scan_function(struct globals_scan *s, const struct btf_function *f)
{
	size_t left;
	const u8 *code = dso_code(s->dso, f->start, &left);
	struct insn insn;

	memset(s->regs, 0, sizeof(s->regs));
	for (u64 va = f->start; code && left && va < f->end && s->left; va += insn.size) {
		if (!insn_decode(s->decoder, code, left, va, &insn))
			return;
		s->left -= MIN(s->left, insn.size);
		step(s, &insn);
		code += insn.size;
		left -= MIN(left, insn.size);
	}
}

GArray *kernel_globals(struct dso *dso, const struct btf *btf, const struct btf_code *code)
{
	struct globals_scan s = { .dso = dso, .left = MAX_CODE };
	GArray *found;

	s.globals = btf_globals_new(btf, code);
	s.decoder = insn_decoder_new(INSN_X86_64, NULL);
	for (u32 i = 0; i < code->nr; i++)
		if (!i || code->functions[i].start != code->functions[i - 1].start)
			scan_function(&s, &code->functions[i]);
	for (u32 id = 0; id < dso_nr_symbols(dso); id++) {
		const struct symbol *symbol = dso_symbol(dso, id);

		if (symbol->type == STT_OBJECT && is_data(dso, symbol->start))
			btf_globals_symbol(s.globals, symbol->raw, symbol->start, symbol->end);
	}
	found = btf_globals_decide(s.globals);
	insn_decoder_free(s.decoder);
	btf_globals_free(s.globals);
	return found;
}
