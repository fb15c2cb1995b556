// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two programs make the rules of a function: the CIE's program makes the rule of the first instruction, the FDE's
 * program changes it from address to address. Example: the function of cfi.c's head, with the CIE's code alignment 1
 * and data alignment -8.
 *
 *	bytes		instruction			address	rule after it
 *	0c 07 08	DW_CFA_def_cfa rsp, 8		0	CFA rsp+8
 *	90 01		DW_CFA_offset rip, 1		0	CFA rsp+8,  rip at CFA-8
 *	00 00		DW_CFA_nop				the CIE's program ends: @initial
 *	41		DW_CFA_advance_loc 1		1	the row of 0 is reported
 *	0e 10		DW_CFA_def_cfa_offset 16	1	CFA rsp+16, rip at CFA-8
 *	83 02		DW_CFA_offset rbx, 2		1	CFA rsp+16, rip at CFA-8, rbx at CFA-16
 *	4c		DW_CFA_advance_loc 12		d	the row of 1 is reported
 *	0e 08		DW_CFA_def_cfa_offset 8		d	CFA rsp+8,  rip at CFA-8, rbx at CFA-16
 *	00 00 00	DW_CFA_nop				the FDE's program ends: the row of d is reported
 *
 * A row is reported when the address moves on, not when the rule changes: all instructions for one address make one
 * row. Factored operands are multiplied by an alignment: the 1 in "90 01" means 1 * -8 bytes.
 *
 * A function with two returns needs the rule of its body again after the first return:
 *
 *	92: add  $0x18,%rsp				CFA rsp+32
 *	96: ret			DW_CFA_remember_state, DW_CFA_def_cfa_offset 8: CFA rsp+8
 *	a0: mov  %rsp,%rdi	DW_CFA_restore_state: CFA rsp+32
 *
 * Limits: registers above 16 (vectors, x87) are read and dropped. A malformed program keeps the rows that were reported
 * before the error; from there on there is no rule.
 */
#include "unwind/program.h"

#include <string.h>

/* Opcodes: the two high bits, else the whole byte (DWARF 5, section 7.24, and GNU's extensions). */
enum {
	OP_ADVANCE = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0,

	OP_NOP = 0x00,
	OP_SET_LOC,
	OP_ADVANCE1,
	OP_ADVANCE2,
	OP_ADVANCE4,
	OP_OFFSET_EXTENDED,
	OP_RESTORE_EXTENDED,
	OP_UNDEFINED,
	OP_SAME_VALUE,
	OP_REGISTER,
	OP_REMEMBER_STATE,
	OP_RESTORE_STATE,
	OP_DEF_CFA,
	OP_DEF_CFA_REGISTER,
	OP_DEF_CFA_OFFSET,
	OP_DEF_CFA_EXPRESSION,
	OP_EXPRESSION,
	OP_OFFSET_SF,
	OP_DEF_CFA_SF,
	OP_DEF_CFA_OFFSET_SF,
	OP_VAL_OFFSET,
	OP_VAL_OFFSET_SF,
	OP_VAL_EXPRESSION,
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* Compilers remember one state at a time, hand-written assembly a few. */
#define REMEMBERED_MAX 16

struct cfa_program {
	const struct frame_section *section;
	const struct fde *fde;
	struct cursor c;
	struct cfi_rule rule;
	/* the rule after the CIE's program, for DW_CFA_restore; until then all registers are unchanged */
	struct cfi_rule initial;
	struct cfi_rule remembered[REMEMBERED_MAX];
	u32 nr_remembered;
	u64 at; /* the present address, relative to the function */
	/* @rule differs from the last reported one: it is reported when the address moves on */
	bool changed;
	/* the program is malformed; stays set */
	bool bad;
	program_row row;
	void *arg;
};

/* Places hold 32-bit offsets. A larger one is malformed: no frame and no section is that large. */
static s32 fit(struct cfa_program *r, s64 v)
{
	if (v != (s32)v)
		r->bad = true;
	return (s32)v;
}

/* A factored offset in bytes: factor 2 with data alignment -8 is -16. A product that does not fit is malformed. */
static s32 scaled(struct cfa_program *r, s64 factor)
{
	s64 v = 0;

	if (__builtin_mul_overflow(factor, r->fde->cie.data_align, &v))
		r->bad = true;
	return fit(r, v);
}

/* Translates the file's register number to enum cfi_reg. CFI_NR_REGS or more: a register that is not tracked. */
static u64 register_of(const struct cfa_program *r, u64 number)
{
	/* eax, ecx, edx, ebx, esp, ebp, esi, edi, eip (System V ABI, Intel386 supplement, table 2.14). */
	static const u8 narrow[] = {
		0, 2, 1, CFI_RBX, CFI_RSP, CFI_RBP, CFI_RSI, CFI_RDI, CFI_RIP
	};

	if (!r->section->narrow)
		return number;
	return number < ARRAY_SIZE(narrow) ? narrow[number] : CFI_NR_REGS;
}

static void set(struct cfa_program *r, u64 reg, struct cfi_place place)
{
	r->changed = true;
	if (reg >= CFI_NR_REGS) /* vector registers are not tracked */
		return;
	r->rule.regs[reg] = place;
	if (place.how == CFI_SAME)
		r->rule.set &= ~(1u << reg);
	else
		r->rule.set |= 1u << reg;
}

/* DW_CFA_restore: the register gets the CIE's rule again. That rule is usually "unchanged". */
static void restore(struct cfa_program *r, u64 reg)
{
	set(r, reg, reg < CFI_NR_REGS ? r->initial.regs[reg] : (struct cfi_place){ 0 });
}

static void set_value(struct cfa_program *r, u64 reg, enum cfi_how how, s64 factor)
{
	set(r, reg, (struct cfi_place){ .how = how, .value = scaled(r, factor) });
}

/*
 * The expression is not evaluated here: it needs the registers of a walk. The place has its position in the section and
 * its size. Example: 0f 03 76 78 06 is DW_CFA_def_cfa_expression with the 3 bytes of DW_OP_breg6 -8, DW_OP_deref.
 */
static struct cfi_place expression(struct cfa_program *r, enum cfi_how how)
{
	u64 size = cursor_uleb(&r->c);
	const u8 *at = cursor_bytes(&r->c, size);

	if (!at || size > UINT16_MAX) {
		r->bad = true;
		return (struct cfi_place){ .how = CFI_UNDEFINED };
	}
	return (struct cfi_place){ .how = how,
				   .size = (u16)size,
				   .value = fit(r, at - r->section->bytes) };
}

static void set_cfa(struct cfa_program *r, u64 reg, s32 value)
{
	r->changed = true;
	if (reg >= CFI_RIP)
		r->bad = true;
	r->rule.cfa = (struct cfi_place){ .how = CFI_REG, .reg = (u8)reg, .value = value };
}

/*
 * These two change one half of "register + offset", so that must be the present form of the CFA (DWARF 5, section
 * 6.4.2.2). After an expression, they are malformed.
 */
static void set_cfa_register(struct cfa_program *r, u64 reg)
{
	if (r->rule.cfa.how != CFI_REG)
		r->bad = true;
	set_cfa(r, reg, r->rule.cfa.value);
}

static void set_cfa_offset(struct cfa_program *r, s32 value)
{
	if (r->rule.cfa.how != CFI_REG)
		r->bad = true;
	set_cfa(r, r->rule.cfa.reg, value);
}

/* Reports the row that ends at @at. Addresses after the function's end are ignored. */
static void move_to(struct cfa_program *r, u64 at)
{
	if (r->changed && at > r->at) {
		r->row(r->arg, (u32)r->at, &r->rule);
		r->changed = false;
	}
	if (at < r->at)
		r->bad = true;
	r->at = at;
}

static void advance(struct cfa_program *r, u64 delta)
{
	u64 by;

	if (__builtin_mul_overflow(delta, r->fde->cie.code_align, &by) || by > UINT32_MAX)
		r->bad = true;
	else
		move_to(r, r->at + by);
}

/* Remembers the whole rule, including the CFA: the example at the top of this file depends on that. */
static void remember(struct cfa_program *r)
{
	if (r->nr_remembered == REMEMBERED_MAX)
		r->bad = true;
	else
		r->remembered[r->nr_remembered++] = r->rule;
}

static void recall(struct cfa_program *r)
{
	if (!r->nr_remembered) {
		r->bad = true;
		return;
	}
	r->rule = r->remembered[--r->nr_remembered];
	r->changed = true;
}

/* Instructions about registers other than the CFA. */
static void run_register(struct cfa_program *r, u8 op)
{
	u64 reg = register_of(r, cursor_uleb(&r->c));

	switch (op) {
	case OP_OFFSET_EXTENDED:
		set_value(r, reg, CFI_AT, (s64)cursor_uleb(&r->c));
		break;
	case OP_OFFSET_SF:
		set_value(r, reg, CFI_AT, cursor_sleb(&r->c));
		break;
	case OP_GNU_NEGATIVE_OFFSET:
		set_value(r, reg, CFI_AT, (s64)(0 - cursor_uleb(&r->c)));
		break;
	case OP_VAL_OFFSET:
		set_value(r, reg, CFI_PLUS, (s64)cursor_uleb(&r->c));
		break;
	case OP_VAL_OFFSET_SF:
		set_value(r, reg, CFI_PLUS, cursor_sleb(&r->c));
		break;
	case OP_RESTORE_EXTENDED:
		restore(r, reg);
		break;
	case OP_UNDEFINED:
		set(r, reg, (struct cfi_place){ .how = CFI_UNDEFINED });
		break;
	case OP_SAME_VALUE:
		set(r, reg, (struct cfi_place){ 0 });
		break;
	case OP_REGISTER: {
		u64 from = register_of(r, cursor_uleb(&r->c));

		r->bad |= from >= CFI_NR_REGS;
		set(r, reg, (struct cfi_place){ .how = CFI_REG, .reg = (u8)from });
		break;
	}
	case OP_EXPRESSION:
		set(r, reg, expression(r, CFI_AT_EXPR));
		break;
	case OP_VAL_EXPRESSION:
		set(r, reg, expression(r, CFI_EXPR));
		break;
	default:
		r->bad = true;
	}
}

/* Instructions about the address, the state and the CFA. */
static void run_other(struct cfa_program *r, u8 op)
{
	u64 reg;

	switch (op) {
	case OP_NOP:
		break;
	case OP_SET_LOC:
		move_to(r, frame_pointer_read(&r->c, r->section, r->fde->cie.encoding, 0) -
				   r->fde->low);
		break;
	case OP_ADVANCE1:
		advance(r, cursor_u8(&r->c));
		break;
	case OP_ADVANCE2:
		advance(r, cursor_u16(&r->c));
		break;
	case OP_ADVANCE4:
		advance(r, cursor_u32(&r->c));
		break;
	case OP_REMEMBER_STATE:
		remember(r);
		break;
	case OP_RESTORE_STATE:
		recall(r);
		break;
	case OP_DEF_CFA:
		reg = register_of(r, cursor_uleb(&r->c));
		set_cfa(r, reg, fit(r, (s64)cursor_uleb(&r->c)));
		break;
	case OP_DEF_CFA_SF:
		reg = register_of(r, cursor_uleb(&r->c));
		set_cfa(r, reg, scaled(r, cursor_sleb(&r->c)));
		break;
	case OP_DEF_CFA_REGISTER:
		set_cfa_register(r, register_of(r, cursor_uleb(&r->c)));
		break;
	case OP_DEF_CFA_OFFSET:
		set_cfa_offset(r, fit(r, (s64)cursor_uleb(&r->c)));
		break;
	case OP_DEF_CFA_OFFSET_SF:
		set_cfa_offset(r, scaled(r, cursor_sleb(&r->c)));
		break;
	case OP_DEF_CFA_EXPRESSION:
		r->rule.cfa = expression(r, CFI_EXPR);
		r->changed = true;
		break;
	case OP_GNU_ARGS_SIZE: /* size of the callee's arguments, for exceptions */
		cursor_uleb(&r->c);
		break;
	default:
		run_register(r, op);
	}
}

/*
 * Three instructions have an operand in their low six bits: 41 is DW_CFA_advance_loc 1, 83 is DW_CFA_offset of register
 * 3. All others have 0 in the two high bits (DWARF 5, section 7.24).
 */
static void run(struct cfa_program *r, struct cursor program)
{
	r->c = program;
	while (cursor_left(&r->c) && !r->bad && r->at < r->fde->size) {
		u8 op = cursor_u8(&r->c), low = op & 0x3f;

		switch (op & 0xc0) {
		case OP_ADVANCE:
			advance(r, low);
			break;
		case OP_OFFSET:
			set_value(r, register_of(r, low), CFI_AT, (s64)cursor_uleb(&r->c));
			break;
		case OP_RESTORE:
			restore(r, register_of(r, low));
			break;
		default:
			run_other(r, low);
		}
		r->bad |= r->c.failed;
	}
}

void program_run(const struct frame_section *s, const struct fde *fde, program_row row, void *arg)
{
	struct cfa_program r;

	/* The remembered states (2 KiB) are written before they are read, so they need no clearing. */
	memset(&r, 0, offsetof(struct cfa_program, remembered));
	r.nr_remembered = 0;
	r.at = 0;
	r.changed = r.bad = false;
	r.row = row;
	r.arg = arg;
	r.section = s;
	r.fde = fde;
	r.rule.signal = fde->cie.signal;
	r.rule.debug_frame = !s->eh;
	r.rule.cfa.how = CFI_UNDEFINED;
	run(&r, fde->cie.program);
	r.initial = r.rule;
	r.changed = true;
	if (!r.bad)
		run(&r, fde->program);
	if (r.bad)
		row(arg, (u32)MIN(r.at, UINT32_MAX), NULL);
	else if (r.changed && r.at < fde->size)
		row(arg, (u32)r.at, &r.rule);
}
