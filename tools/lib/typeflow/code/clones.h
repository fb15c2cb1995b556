/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the calls of a clone (f.isra.0, f.constprop.1, f.part.2). gcc makes a clone only if it sees all calls
 * and nothing takes the function's address, so all call sites are direct calls or jumps in the same object file.
 */
#ifndef TYPEFLOW_CLONES_H
#define TYPEFLOW_CLONES_H

#include "typeflow/code/data_image.h"

/* The call sites of all clones of an object file; found when first asked for. */
struct clones;

struct clones *clones_new(void);
void clones_free(struct clones *clones);

/*
 * Sorted addresses at which a call of or jump to the clone at @target may end; *@nr of them. The bytes before look like
 * such an instruction, but may be something else.
 */
const u64 *clones_sites(struct clones *clones, struct dso *dso, const struct data_image *image,
			u64 target, u32 *nr);

#endif
