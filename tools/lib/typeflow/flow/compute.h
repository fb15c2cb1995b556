/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic on values, for the transfer functions. */
#ifndef TYPEFLOW_COMPUTE_H
#define TYPEFLOW_COMPUTE_H

#include "typeflow/flow/flow.h"

/* @a @op @b at the present instruction. Without a rule: an unknown number. */
struct value compute(struct flow *flow, enum insn_op op, const struct value *a,
		     const struct value *b);

/* The low @width bytes of a value. @sign: the upper half is filled with copies of the sign bit, else with 0. */
struct value compute_narrow(struct flow *flow, const struct value *value, u16 width, bool sign);

#endif
