/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How the data type of an instruction comes about (annotate --why): a page per instruction, a row per
 * step, with the instruction that does it, so that it can be checked against the disassembly.
 */
#ifndef PAGES_WHY_PAGES_H
#define PAGES_WHY_PAGES_H

#include "insn/insn.h"
#include "pages/page.h"
#include "typeflow/typeflow.h"

/* An instruction of a file. */
struct why_place {
	struct dso *dso;
	u64 vaddr;
	u64 samples; /* that it was asked about for; 0: for none */
};

/* Rows without an address are remarks on the answer. */
enum { WHY_ADDRESS, WHY_INSTRUCTION, WHY_FILE, WHY_LINE, WHY_STEP, WHY_NR_COLUMNS };

/*
 * @places: struct why_place. @skid: of an instruction that accesses nothing, also the access that a
 * late sample is charged to. All arguments outlive the pages.
 */
struct pages *why_pages_new(const GArray *places, struct typeflow *types,
			    struct insn_decoder *decoder, bool skid);

#endif
