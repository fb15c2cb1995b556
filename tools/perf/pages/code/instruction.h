/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of one instruction, the same for all pages. */
#ifndef PAGES_INSTRUCTION_H
#define PAGES_INSTRUCTION_H

#include "dso/dso.h"
#include "insn/insn.h"

/* Appends "mov    0x8(%rax),%rdx", or nothing if there is no code. */
void instruction_append(struct insn_decoder *decoder, struct dso *dso, u64 vaddr, GString *out);

#endif
