/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the data type of one instruction comes about, as text that can be checked against the
 * disassembly: the instruction and its answer, then a line per step with the instruction
 * that does it.
 */
#ifndef VIEW_DERIVATION_H
#define VIEW_DERIVATION_H

#include <stdio.h>

#include "insn/insn.h"
#include "typeflow/typeflow.h"

/* @skid: of an instruction that accesses nothing, also the access that a late sample is charged to. */
void derivation_print(struct typeflow *types, struct insn_decoder *decoder, struct dso *dso,
		      u64 vaddr, bool skid, FILE *out);

#endif
