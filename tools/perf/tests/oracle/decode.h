/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an x86-64 instruction touches, by capstone and the registers before it runs. It shares
 * nothing with tools/lib/insn, so that neither hides the other's errors.
 */
#ifndef ORACLE_DECODE_H
#define ORACLE_DECODE_H

#include <capstone/capstone.h>
#include <sys/user.h>

#include "base/types.h"

struct operand {
	x86_op_mem mem;
	u16 width;
	u8 access; /* CS_AC_READ, CS_AC_WRITE */
};

struct decoded {
	u8 size; /* 0: not decoded */
	u8 nr_operands;
	bool stack_op; /* touches the stack by itself: push, pop, call, ret, leave */
	bool call, ret;
	u8 index_size, element_size; /* gather, scatter: bytes; 0: neither */
	x86_reg mask;		     /* of a gather */
	struct operand operands[2];
	char text[48]; /* the mnemonic and its operands, cut */
};

/* The registers of the AVX state, little-endian, 64 bytes each. */
struct vectors {
	u8 regs[16][64];
};

struct decoder;
struct decoder *decoder_new(void);
void decoder_free(struct decoder *decoder);
void decode(struct decoder *decoder, const u8 *bytes, size_t size, u64 ip, struct decoded *out);

/*
 * Addresses that operand @i touches, at most @max; their number. @vectors may be NULL unless
 * index_size is set.
 */
u32 operand_addresses(const struct decoded *insn, u32 i, u64 ip,
		      const struct user_regs_struct *regs, const struct vectors *vectors, u64 *out,
		      u32 max);

#endif
