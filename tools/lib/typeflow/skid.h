/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Skid: a timer's sample names a later instruction than the one that waited for memory. If the sampled instruction
 * accesses no memory, this file finds the access that the sample belongs to. The caller knows which events have skid.
 */
#ifndef TYPEFLOW_SKID_H
#define TYPEFLOW_SKID_H

#include "typeflow/cfg.h"

/* At most so many instructions may lie between the access and the sample. */
#define SKID_MAX_INSNS 8

struct skid {
	const struct cfg *cfg;
	u8 *entries; /* by block: number of edges to it; 2: two or more */
};

void skid_init(struct skid *skid, const struct cfg *cfg);
void skid_release(struct skid *skid);

/* True if the instruction reads or writes memory; stack operations do. */
bool skid_accesses(const struct insn *insn);

/*
 * The instruction whose access a late sample of instruction @at belongs to; CFG_NONE: not known. @at itself accesses
 * no memory.
 */
u32 skid_source(const struct skid *skid, u32 at);

#endif
