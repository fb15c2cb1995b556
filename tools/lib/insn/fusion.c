// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "insn/fusion.h"

enum insn_fusion insn_fusion_of(const char *cpuid)
{
	char vendor[32];
	unsigned int family, model;

	if (!cpuid || sscanf(cpuid, "%31[^,],%u,%u", vendor, &family, &model) != 3)
		return FUSION_NONE;
	if (!strcmp(vendor, "GenuineIntel") && family == 6 && model >= 0x1e)
		return model == 0x1e ? FUSION_INTEL_COMPARE : FUSION_INTEL;
	if (!strcmp(vendor, "AuthenticAMD") && family >= 0x15)
		return family < 0x19 ? FUSION_AMD_COMPARE : FUSION_AMD;
	return FUSION_NONE;
}

static bool op_fuses(enum insn_fusion fusion, u8 op)
{
	switch (op) {
	case INSN_CMP:
	case INSN_TEST:
		return true;
	case INSN_ADD:
	case INSN_SUB:
	case INSN_AND:
		return fusion == FUSION_INTEL || fusion == FUSION_AMD;
	case INSN_OR:
	case INSN_XOR:
		return fusion == FUSION_AMD;
	default:
		return false;
	}
}

/* Memory must only be read. On Intel, it must not be compared with a constant. Newer AMD: see FUSION_AMD. */
static bool operands_fuse(enum insn_fusion fusion, const struct insn *insn)
{
	bool memory = false, constant = false;

	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind == INSN_MEM && op->access & INSN_WRITE)
			return false;
		memory |= op->kind == INSN_MEM;
		constant |= op->kind == INSN_IMM;
	}
	if (fusion == FUSION_AMD)
		return !memory;
	return !memory || !constant || fusion == FUSION_AMD_COMPARE;
}

bool insn_fuses(enum insn_fusion fusion, const struct insn *first, const struct insn *second)
{
	/* jrcxz and loop test rcx, not the flags. */
	return fusion != FUSION_NONE && second->flow == INSN_COND && !insn_reads(second, X86_RCX) &&
	       first->vaddr + first->size == second->vaddr && op_fuses(fusion, first->op) &&
	       operands_fuse(fusion, first);
}
