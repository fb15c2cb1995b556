/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The x86-64 decoder for insn.h: the index of rows, and the functions of struct insn_arch_ops. */
#ifndef INSN_X86_DECODE_H
#define INSN_X86_DECODE_H

#include "insn/insn.h"

void *insn_x86_open(void);
void insn_x86_close(void *opened);
bool insn_x86_decode(const void *opened, const u8 *code, size_t left, u64 vaddr, struct insn *out);

/* Makes @out an INSN_LANES and sets its lanes. @pattern: enum x86_lanes. The operands of @out must be complete. */
void insn_x86_lanes(u8 pattern, u8 immediate, struct insn *out);

#endif
