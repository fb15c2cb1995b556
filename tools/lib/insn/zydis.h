/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of x86 instructions that capstone does not know, such as many of AVX-512 in capstone 4. By Zydis. */
#ifndef INSN_ZYDIS_H
#define INSN_ZYDIS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/types.h"

/*
 * As insn_text(), of the instruction of @size bytes at @code. False: Zydis does not know it or counts other bytes, or the
 * build has no Zydis.
 */
bool insn_zydis_text(bool wide, bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
		     char operands[192]);

#endif
