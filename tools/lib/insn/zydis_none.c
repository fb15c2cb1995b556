// SPDX-License-Identifier: GPL-2.0-or-later
#include "insn/zydis.h"

bool insn_zydis_text(bool wide, bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
		     char operands[192])
{
	return false;
}
