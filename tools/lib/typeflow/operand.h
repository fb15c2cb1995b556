/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a memory operand and what is known at its instruction to a type and an offset.
 */
#ifndef TYPEFLOW_OPERAND_H
#define TYPEFLOW_OPERAND_H

#include "dso/tls.h"
#include "typeflow/state.h"
#include "typeflow/typeflow.h"

/* What an operand can refer to besides the function's own variables. */
struct object {
	struct dso *dso;
	struct debuginfo *debug; /* NULL: no debug information */
	struct tls_segment tls;
	bool has_tls; /* its thread-locals have fixed offsets: a main program's */
	bool kernel;
};

/* What the instruction touches; the pseudo types and the reasons included. */
void operand_access(const struct object *object, const struct state *state, const struct insn *insn,
		    struct access *out);

#endif
