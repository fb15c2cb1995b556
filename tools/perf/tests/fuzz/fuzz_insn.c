// SPDX-License-Identifier: GPL-2.0-or-later
/* Any bytes as code: sizes stay within what is there, operands within their tables. */
#include <stdlib.h>

#include "insn/insn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
	if (!holds)
		abort();
}

static void check_insn(const struct insn *insn)
{
	check(insn->nr_operands <= INSN_MAX_OPERANDS);
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM)
			continue;
		check(op->mem.base < INSN_NR_REGS || op->mem.base == INSN_NO_REG);
		check(op->mem.index < INSN_NR_REGS || op->mem.index == INSN_NO_REG);
		check(op->mem.scale == 1 || op->mem.scale == 2 || op->mem.scale == 4 ||
		      op->mem.scale == 8);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct insn_decoder *dec;
	char mnemonic[32], operands[192];

	if (!dec)
		dec = insn_decoder_new(INSN_X86_64, NULL);
	for (size_t at = 0; at < size;) {
		struct insn insn;
		bool known = insn_decode(dec, data + at, size - at, at, &insn);

		check(insn.size > 0 && insn.size <= size - at);
		if (known)
			check_insn(&insn);
		check(insn_text(dec, data + at, size - at, at, mnemonic, operands) == insn.size);
		at += insn.size;
	}
	return 0;
}
