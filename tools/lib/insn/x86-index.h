/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of x86-general.c and x86-vector.c, indexed by encoding, map, mandatory prefix and opcode; once per decoder.
 */
#ifndef INSN_X86_INDEX_H
#define INSN_X86_INDEX_H

#include <glib.h>

#include "insn/x86-row.h"

/* A row in the list of candidates for an opcode. */
struct x86_link {
	const struct x86_row *row;
	u16 next; /* index in links; 0: none */
	bool modrm;
	u8 nr_operands;
	u16 memory; /* index of the operand in ModRM.rm; 0: none */
};

struct x86_index {
	u16 first[NR_ENCODINGS][NR_MAPS][NR_SIMD][256]; /* indexes in links */
	GArray *links;					/* struct x86_link; number 0 is unused */
	/* Bytes of an operand, by [operand size][vector size][register, memory][enum x86_size]. */
	u16 sizes[3][3][2][NR_SIZES];
};

struct x86_index *x86_index_new(void);
void x86_index_free(struct x86_index *index);

#endif
