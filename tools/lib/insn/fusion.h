/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Macro-fusion: which pairs of instructions does a processor execute as one? The second instruction of such a pair is a
 * jump. A sample of the pair is on the jump, although the first instruction accessed the memory:
 *
 *	while (n->key != key)		cmp %rsi,(%rdi)		reads n->key
 *					je  found		gets the sample
 *
 * Sources: Intel's 64 and IA-32 Architectures Optimization Reference Manual, "Optimizing for macro-fusion"; AMD's
 * software optimization guides for families 15h and 19h, "branch fusion".
 */
#ifndef INSN_FUSION_H
#define INSN_FUSION_H

#include "insn/insn.h"

enum insn_fusion {
	FUSION_NONE,
	FUSION_INTEL_COMPARE, /* Nehalem: cmp, test */
	FUSION_INTEL,	      /* newer: add, sub, and as well */
	FUSION_AMD_COMPARE,   /* family 15h: cmp, test */
	/*
	 * Family 19h: add, sub, and, or, xor as well, but only of registers. A pair with memory may be executed as one,
	 * but an interrupt comes between both: on a family 25, model 17 all samples of a compare that waits for memory are
	 * on the jump behind it, also if the jump is taken (tests/skid/idioms: compare_register).
	 */
	FUSION_AMD,
};

/*
 * @cpuid: the "vendor,family,model,..." in the header of perf.data. FUSION_NONE for NULL, malformed text, and
 * processors that are not in the table.
 */
enum insn_fusion insn_fusion_of(const char *cpuid);

/* True if @second directly follows @first and both form such a pair. */
bool insn_fuses(enum insn_fusion fusion, const struct insn *first, const struct insn *second);

#endif
