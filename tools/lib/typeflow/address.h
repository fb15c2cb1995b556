/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses and their sums, for those who say what an instruction does. */
#ifndef TYPEFLOW_ADDRESS_H
#define TYPEFLOW_ADDRESS_H

#include "typeflow/flow.h"

/* The maker of what the present instruction makes: the @nth of two. */
static inline u32 here(const struct flow *flow, u32 nth)
{
	return maker_insn(flow->insn, nth);
}

struct value address_plain(struct flow *flow, s64 vaddr);

/* A number in code that is not position-independent can be an address. */
bool address_is_place(const struct flow *flow, s64 number);

/* What an index goes along is a row. */
void address_note_row(struct flow *flow, const struct value *base, const struct value *index);

/* As value_add(); the thread pointer and a distance from it, or an object and that of a base, become an address. */
struct value address_add(struct flow *flow, const struct value *a, const struct value *b);

#endif
