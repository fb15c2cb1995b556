/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains as keys: a chain is the same in two recordings if its functions are, by name. So it is compared by a text,
 * outermost function first, that has neither addresses nor what a compiler adds to names:
 *
 *	main;serve;checkout;order_total
 */
#ifndef COMPARE_CHAINS_H
#define COMPARE_CHAINS_H

#include "base/intern.h"
#include "fields/fields.h"
#include "hist/stacks.h"

/* The key: the last one of a comparison with chains. It is not a field of the vocabulary. */
extern const struct field compare_chain_key;

/* The text of chain @stack, a number in @texts. 0 stands for samples without a chain. */
u32 compare_chain_text(const struct stacks *stacks, u32 stack, struct intern *texts);

#endif
