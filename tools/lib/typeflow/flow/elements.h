/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps between the elements that one gather reads. */
#ifndef TYPEFLOW_ELEMENTS_H
#define TYPEFLOW_ELEMENTS_H

#include "typeflow/flow/flow.h"

/*
 * A number that divides each index in the vector register @reg before the present instruction, at least 1. The greatest that
 * is known.
 */
u16 elements_step(const struct flow *flow, u8 reg);

#endif
