/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on values, for those who say what an instruction does. */
#ifndef TYPEFLOW_COMPUTE_H
#define TYPEFLOW_COMPUTE_H

#include "typeflow/flow.h"

/* @a @op @b, for the present instruction: a number of which nothing is known where there is no rule. */
struct value compute(struct flow *flow, enum insn_op op, const struct value *a,
		     const struct value *b);

/* What is left of a value when only its low @width bytes are taken. @sign: the upper half is the sign. */
struct value compute_narrow(struct flow *flow, const struct value *value, u16 width, bool sign);

#endif
