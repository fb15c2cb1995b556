/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call chains as keys: a chain is the same in two recordings if its functions are (functions.h). So it is compared by a text,
 * outermost function first, that has neither addresses nor what a compiler adds to names. A function has its file if others
 * have its name:
 *
 *	main;serve;checkout;order_total
 *	main;load;parse (text.c)
 *
 * If parse() was in json.c before, the identity of the second one has that file, and its text is
 *
 *	main;load;parse (text.c, was json.c)
 */
#ifndef COMPARE_CHAINS_H
#define COMPARE_CHAINS_H

#include "base/intern.h"
#include "compare/functions.h"
#include "fields/fields.h"
#include "hist/stacks.h"

/* The key: the last one of a comparison with chains. It is not a field of the vocabulary. */
extern const struct field compare_chain_key;

/* Numbers in the texts of the comparison. */
struct compare_chain {
	u32 identity; /* equal for what is the same chain */
	u32 text;     /* what is shown */
};

/* What tells functions apart. */
struct compare_chain_names {
	struct compare_functions *functions;
	struct compare_names *names; /* of the recording */
	bool old;		     /* it is of the old side */
};

/* Of the chain @stack. 0 stands for samples without a chain. */
struct compare_chain compare_chain_make(const struct stacks *stacks, u32 stack,
					const struct compare_chain_names *by, struct intern *texts);

#endif
