/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operations of one architecture for insn.c: a decoder, and the conversion of capstone's text into binutils' form.
 */
#ifndef INSN_ARCH_H
#define INSN_ARCH_H

#include <capstone/capstone.h>

#include "insn/insn.h"

struct insn_arch_ops {
	/* Allocates what decode() needs; close() frees it. */
	void *(*open)(void);
	void (*close)(void *opened);
	/* As insn_decode(). If the bytes tell no length, out->size may be 0. */
	bool (*decode)(const void *opened, const u8 *code, size_t left, u64 vaddr,
		       struct insn *out);
	/* capstone's number of the architecture. */
	cs_arch arch;
	cs_mode mode;
	/* Edits capstone's AT&T text in place. @detail: the same instruction. NULL: it stays. */
	void (*tidy)(const cs_insn *detail, char *mnemonic, char *operands, size_t size);
	/* The text of what capstone does not know; false: not known here, either. NULL: nothing is. */
	bool (*more_text)(bool intel, const u8 *code, u8 size, u64 vaddr, char mnemonic[32],
			  char operands[192]);
	/* The same as tidy for capstone's Intel text, which is @detail's. */
	void (*tidy_intel)(const cs_insn *detail, char *mnemonic, char *operands, size_t size);
};

extern const struct insn_arch_ops insn_x86_64, insn_i386, insn_aarch64;

/* x86-text.c, x86-intel.c: tidy and tidy_intel of both x86. */
void insn_x86_tidy(const cs_insn *detail, char *mnemonic, char *operands, size_t size);
void insn_x86_tidy_intel(const cs_insn *detail, char *mnemonic, char *operands, size_t size);

#endif
