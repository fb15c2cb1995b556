/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From an answer back to what it rests on: the steps that --why shows.
 */
#ifndef TYPEFLOW_EXPLAIN_H
#define TYPEFLOW_EXPLAIN_H

#include "typeflow/flow.h"

/* The steps that lead to the operand at @vaddr, of a flow that has been run. */
void explain(struct flow *flow, u64 vaddr, const struct explain_sink *sink);

/* The last step: the answer itself. */
void explain_answer(const struct access *access, u64 vaddr, const struct explain_sink *sink);

#endif
