/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one architecture's file gives to insn.c: how to read what capstone found, and what
 * to make of bytes that capstone does not know.
 */
#ifndef INSN_ARCH_H
#define INSN_ARCH_H

#include <capstone/capstone.h>

#include "insn/insn.h"

struct insn_arch_ops {
	cs_arch arch;
	cs_mode mode;
	/* From capstone's details; vaddr and size are already set. */
	void (*read)(const cs_insn *cs, struct insn *out);
	/* Bytes that capstone refused: true where the encoding alone says enough. */
	bool (*fallback)(const u8 *code, size_t left, struct insn *out);
	/* Capstone's AT&T text, in place, to what binutils prints; @detail is the same one. */
	void (*tidy)(const cs_insn *detail, char *mnemonic, char *operands, size_t size);
};

extern const struct insn_arch_ops insn_x86_64;

/* The part of insn_x86_64 that reads encodings by itself (x86-length.c). */
bool insn_x86_fallback(const u8 *code, size_t left, struct insn *out);
void insn_x86_tidy(const cs_insn *detail, char *mnemonic, char *operands, size_t size);

#endif
