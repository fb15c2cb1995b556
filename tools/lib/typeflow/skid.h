/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Skid: a timer's sample names an instruction after the one that waited for memory. Which memory
 * access does a sample belong to whose own instruction accesses none? This file knows the rules;
 * whether an event skids at all is for its reader to know.
 */
#ifndef TYPEFLOW_SKID_H
#define TYPEFLOW_SKID_H

#include "typeflow/cfg.h"

/* The most instructions that are passed over between the sampled one and the access. */
#define SKID_MAX_INSNS 8

struct skid {
	const struct cfg *cfg;
	u8 *entries; /* by block: how many edges lead to it, 2 for more */
};

void skid_init(struct skid *skid, const struct cfg *cfg);
void skid_release(struct skid *skid);

/* Whether the instruction reads or writes memory; a stack operation does. */
bool skid_accesses(const struct insn *insn);

/*
 * The instruction whose access a late sample of instruction @at belongs to; CFG_NONE: it cannot be
 * told. @at accesses nothing itself.
 */
u32 skid_source(const struct skid *skid, u32 at);

#endif
