/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which pairs of instructions does a processor execute as one (macro-fusion)? A sample of such a pair
 * falls on the second, a jump, although the first one accessed the memory:
 *
 *	while (n->key != key)		cmp %rsi,(%rdi)		reads n->key
 *					je  found		gets the sample
 *
 * Sources: Intel's 64 and IA-32 Architectures Optimization Reference Manual, "Optimizing for
 * macro-fusion"; AMD's software optimization guides for families 15h and 19h, "branch fusion".
 */
#ifndef INSN_FUSION_H
#define INSN_FUSION_H

#include "insn/insn.h"

enum insn_fusion {
	FUSION_NONE,
	FUSION_INTEL_COMPARE, /* Nehalem: cmp, test */
	FUSION_INTEL,	      /* later: add, sub, and as well */
	FUSION_AMD_COMPARE,   /* family 15h: cmp, test */
	FUSION_AMD,	      /* family 19h: add, sub, and, or, xor as well */
};

/*
 * By the "vendor,family,model,..." that a perf.data header has; FUSION_NONE for NULL, for
 * what cannot be read, and for processors of which nothing is known here.
 */
enum insn_fusion insn_fusion_of(const char *cpuid);

/* True where @second follows @first at once and both are one of the pairs. */
bool insn_fuses(enum insn_fusion fusion, const struct insn *first, const struct insn *second);

#endif
