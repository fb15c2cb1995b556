/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function's instructions with their shares, in upstream perf's layout (annotate
 * --stdio): source lines where the debug information and the source file are there.
 */
#ifndef VIEW_CODE_LISTING_H
#define VIEW_CODE_LISTING_H

#include <stdio.h>

#include "annotate/code.h"
#include "insn/insn.h"
#include "typeflow/typeflow.h"
#include "view/type_table.h"

struct code_listing_options {
	enum type_values values;
	const char *event_name; /* of the event or the group */
	u32 first, nr;		/* the events of the columns */
	const bool *empty;	/* by event: its column is left out; NULL: none is */
	double percent_limit;	/* leave out functions below this share of the first event */
	bool colour;
	bool no_source, full_paths, print_lines, raw_bytes;
	struct typeflow *types; /* adds each instruction's data type; NULL: not wanted */
	bool pseudo_types;	/* "(stack operation)" and the like too */
};

/*
 * Prints a listing per function, ordered by code_profiles_sort(); returns how many. Functions
 * whose code is not to be had are left out and counted in *@without_code.
 */
u32 code_listing_print(const struct code_profiles *profiles,
		       const struct code_listing_options *options, struct insn_decoder *decoder,
		       FILE *out, u32 *without_code);

#endif
