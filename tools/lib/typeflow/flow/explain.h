/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The derivation of an answer: the steps that --why shows. */
#ifndef TYPEFLOW_EXPLAIN_H
#define TYPEFLOW_EXPLAIN_H

#include "typeflow/flow/flow.h"

/* Reports the steps that lead to the operand at @vaddr. @flow has been run. */
void explain(struct flow *flow, u64 vaddr, const struct explain_sink *sink);

/* The last step: the answer itself. */
void explain_answer(const struct access *access, u64 vaddr, const struct explain_sink *sink);

#endif
