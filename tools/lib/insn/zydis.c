// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Zydis' text, with binutils' spaces:
 *
 *	Zydis		vpcmpub $4, (%rdi), %ymm18, %k1 {%k2}
 *	here		vpcmpub $4,(%rdi),%ymm18,%k1{%k2}
 */
#include "insn/zydis.h"

#include <Zydis/Zydis.h>
#include <glib.h>
#include <string.h>

static void format(ZydisFormatter *formatter, bool intel)
{
	ZydisFormatterInit(formatter,
			   intel ? ZYDIS_FORMATTER_STYLE_INTEL : ZYDIS_FORMATTER_STYLE_ATT);
	ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
	ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING,
				  ZYDIS_PADDING_DISABLED);
	ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING,
				  ZYDIS_PADDING_DISABLED);
	ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
				  ZYDIS_PADDING_DISABLED);
}

/* The words up to the first space are the mnemonic. */
static void take(const char *text, char *mnemonic, char *operands)
{
	size_t first = strcspn(text, " "), nr = 0;

	g_strlcpy(mnemonic, text, MIN(first + 1, 32));
	for (const char *at = text + first; *at && nr < 191; at++) {
		bool joins = at[1] == '{' || at == text + first || at[-1] == ',';

		if (*at != ' ' || !joins)
			operands[nr++] = *at;
	}
	operands[nr] = '\0';
}

bool insn_zydis_text(bool wide, bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
		     char operands[192])
{
	ZydisDecodedOperand parts[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisFormatter formatter;
	ZydisDecoder decoder;
	char text[256];

	ZydisDecoderInit(&decoder, wide ? ZYDIS_MACHINE_MODE_LONG_64 : ZYDIS_MACHINE_MODE_LEGACY_32,
			 wide ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code, size, &insn, parts)) ||
	    insn.length != size)
		return false;
	format(&formatter, intel);
	if (ZYAN_FAILED(ZydisFormatterFormatInstruction(&formatter, &insn, parts,
							insn.operand_count_visible, text,
							sizeof(text), vaddr, NULL)))
		return false;
	take(text, mnemonic, operands);
	return true;
}
