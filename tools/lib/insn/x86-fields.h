/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of an instruction that is being decoded, for the parts of the decoder. */
#ifndef INSN_X86_FIELDS_H
#define INSN_X86_FIELDS_H

#include "insn/insn.h"
#include "insn/x86-row.h"

/* The bits of the instruction that hold a register's number. */
enum operand_source {
	SOURCE_OTHER, /* none: an immediate, an address */
	SOURCE_RM,
	SOURCE_REG,
	SOURCE_VVVV,
	SOURCE_OPCODE,
	SOURCE_IMMEDIATE,
	SOURCE_0,
	SOURCE_1,
	SOURCE_2,
	SOURCE_4,
	SOURCE_5,
	NR_SOURCES,
};

enum operand_class { GENERAL, VECTOR, MMX, MASK, SEGMENT, NAMELESS, NR_CLASSES };

/* Where an operand of a row is in the instruction. */
struct x86_place {
	u8 source, class;
	u8 least; /* minimum width in bytes of a register operand */
};
extern const struct x86_place x86_places[]; /* x86-index.c; by OPERAND_WHERE() */

/* The facts known before the row is selected: prefixes, opcode, and the sizes that depend on them. */
struct x86_fields {
	const u8 *pos, *end;
	bool failed;
	u8 encoding, map, simd, opcode;
	bool rex, w, lock, repeat, opsize, notrack, broadcast, zeroing;
	u8 mask, segment;
	/* upper bits of the numbers in ModRM and SIB */
	u8 reg_high, index_high, base_high, rm_high;
	u8 vvvv, index_v;
	u8 mod, reg, rm;
	u16 vector;		      /* bytes */
	u8 operand;		      /* bytes: the operand size */
	const u16 (*sizes)[NR_SIZES]; /* bytes, by register or memory */
	u8 numbers[NR_SOURCES];
	struct insn_mem mem;
	bool relative;
	u8 immediate; /* the last immediate of one byte */
};

static inline void x86_mark(u64 *set, u8 reg)
{
	if (reg < INSN_NR_REGS)
		set[reg / 64] |= (u64)1 << (reg % 64);
}

/* x86-effects.c: completes @out, whose operands and size are set, with what the instruction does besides them. */
void x86_add_effects(const struct x86_fields *f, const struct x86_row *row, struct insn *out);

#endif
