// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/code/instruction.h"

void instruction_append(struct insn_decoder *decoder, struct dso *dso, u64 vaddr, GString *out)
{
	char mnemonic[32], operands[192];
	size_t left = 0;
	const u8 *code = dso_listed_code(dso, decoder, vaddr, &left);

	if (!code)
		return;
	insn_text(decoder, code, left, vaddr, mnemonic, operands);
	if (*operands)
		g_string_append_printf(out, "%-6s %s", mnemonic, operands);
	else
		g_string_append(out, mnemonic);
}
