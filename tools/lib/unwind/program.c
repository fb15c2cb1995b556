// SPDX-License-Identifier: GPL-2.0-or-later
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
	struct cfi_rule initial; /* the CIE's */
	struct cfi_rule remembered[REMEMBERED_MAX];
	u32 nr_remembered;
	u64 at; /* the present address, relative to the function */
	bool changed;
	bool bad;
	program_row row;
	void *arg;
};

static s32 fit(struct cfa_program *r, s64 v)
{
	if (v != (s32)v)
		r->bad = true;
	return (s32)v;
}

/* A product that does not fit is malformed input: no frame is that large. */
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

static void restore(struct cfa_program *r, u64 reg)
{
	set(r, reg, reg < CFI_NR_REGS ? r->initial.regs[reg] : (struct cfi_place){ 0 });
}

static void set_value(struct cfa_program *r, u64 reg, enum cfi_how how, s64 factor)
{
	set(r, reg, (struct cfi_place){ .how = how, .value = scaled(r, factor) });
}

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
