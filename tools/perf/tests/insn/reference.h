/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64 instructions by capstone, to compare our own decoder with. */
#ifndef TESTS_INSN_REFERENCE_H
#define TESTS_INSN_REFERENCE_H

#include "insn/insn.h"

struct reference;

struct reference *reference_new(void);
void reference_free(struct reference *reference);

/*
 * As insn_decode(), by capstone alone: false where it knows none. *@mnemonic and *@operands
 * are its text, until the next call.
 */
bool reference_decode(struct reference *reference, const u8 *code, size_t left, u64 vaddr,
		      struct insn *out, const char **mnemonic, const char **operands);

/* How @ours and @theirs differ, in words, or NULL where they say the same; to be freed. */
char *reference_compare(const struct insn *ours, const struct insn *theirs);

/* Whether every part of such a difference is known to be capstone's fault or choice. */
bool reference_explains(const char *mnemonic, const char *difference);

#endif
