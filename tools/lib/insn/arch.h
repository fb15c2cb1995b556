/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one architecture's files give to insn.c: a decoder, and how to make capstone's text
 * read as binutils prints it.
 */
#ifndef INSN_ARCH_H
#define INSN_ARCH_H

#include <capstone/capstone.h>

#include "insn/insn.h"

struct insn_arch_ops {
	/* What decode() needs, made once; to be given to close(). */
	void *(*open)(void);
	void (*close)(void *opened);
	/* As insn_decode(), but where the bytes tell no length, out->size may be 0. */
	bool (*decode)(const void *opened, const u8 *code, size_t left, u64 vaddr,
		       struct insn *out);
	/* Which of capstone's architectures it is. */
	cs_arch arch;
	cs_mode mode;
	/* Capstone's AT&T text, in place; @detail is the same instruction's. */
	void (*tidy)(const cs_insn *detail, char *mnemonic, char *operands, size_t size);
};

extern const struct insn_arch_ops insn_x86_64;

#endif
