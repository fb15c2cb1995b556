// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slots of the frame whose values got lost in a way that depends on types, so that another round, which knows more types, may
 * keep them:
 *
 *	two paths stored values that cannot be joined		a type may be inferred for one of them
 *	a store through a pointer may have changed the slot	a pointer to a larger object would not
 *	the callee of an indirect call may have done that	its prototype may say that it writes less
 *
 * All others are lost in each round: a call has got their address, or nothing was ever stored there.
 */
#include "typeflow/flow/flow.h"

#define LOWEST (-7168) /* the offset from the CFA of the first slot that has a bit */

/* LOST_SLOTS: it has none. */
static u32 bit_of(s64 offset)
{
	u64 at = (u64)offset - (u64)(s64)LOWEST;

	return at % 8 == 0 && at / 8 < LOST_SLOTS ? (u32)(at / 8) : LOST_SLOTS;
}

void lost_add(struct flow *flow, s64 offset)
{
	u32 bit = bit_of(offset);

	if (bit < LOST_SLOTS)
		flow->lost[bit / 64] |= (u64)1 << bit % 64;
}

bool lost_has(const struct flow *flow, s64 offset)
{
	u32 bit = bit_of(offset);

	return bit == LOST_SLOTS || flow->lost[bit / 64] >> bit % 64 & 1;
}
