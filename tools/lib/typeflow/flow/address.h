/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses and their sums, for the transfer functions. */
#ifndef TYPEFLOW_ADDRESS_H
#define TYPEFLOW_ADDRESS_H

#include "typeflow/flow/flow.h"

/* The maker of the present instruction's @nth result (of two). */
static inline u32 here(const struct flow *flow, u32 nth)
{
	return maker_insn(flow->insn, nth);
}

struct value address_plain(struct flow *flow, s64 vaddr);

/* True if @number can be an address: the code is not position-independent. */
bool address_is_place(const struct flow *flow, s64 number);

/* A pointer to which an index is added points into an array. */
void address_note_row(struct flow *flow, const struct value *base, const struct value *index);

/*
 * As value_add(). In addition: thread pointer + distance = address of a thread-local variable, and object + distance
 * to a virtual base = address of the base.
 */
struct value address_add(struct flow *flow, const struct value *a, const struct value *b);

/*
 * The same for an index: an array variable + index is an element of the array. Code that is not optimized adds the frame's
 * address, or the thread pointer, to an index, and then the distance of the array. There a constant in the index belongs to
 * the index, and not to the distance.
 *
 *	a[i - 1]	lea -1(%rdi),%eax; cltq; shl $3,%rax; add %rbp,%rax; movsd -0x60(%rax),%xmm0
 */
struct value address_add_index(struct flow *flow, const struct value *base,
			       const struct value *index);

#endif
