/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Explains how the data type of an instruction was found (annotate --why): a page per instruction, a row per step. Each
 * step has its instruction, so that it can be checked against the disassembly.
 */
#ifndef PAGES_WHY_PAGES_H
#define PAGES_WHY_PAGES_H

#include "insn/insn.h"
#include "pages/base/page.h"
#include "typeflow/typeflow.h"

/* An instruction of a file. */
struct why_place {
	struct dso *dso;
	u64 vaddr;
	u64 samples; /* samples on the instruction for which it is explained; 0: none */
};

/* Rows without an address are remarks on the result. */
enum { WHY_ADDRESS, WHY_INSTRUCTION, WHY_FILE, WHY_LINE, WHY_STEP, WHY_NR_COLUMNS };

/*
 * @places: struct why_place. @before: also explains the instructions executed before it, to which a timer's samples that
 * name it are charged. All arguments must outlive the pages.
 */
struct pages *why_pages_new(const GArray *places, struct typeflow *types,
			    struct insn_decoder *decoder, bool before);

#endif
