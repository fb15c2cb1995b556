/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stacks and locations of the tables, each with its content's number, which is found once for each node and frame of
 * the exchange tables.
 */
#ifndef EXPORT_EXCHANGE_ROW_PLACES_H
#define EXPORT_EXCHANGE_ROW_PLACES_H

#include <glib.h>

#include "export/exchange/tables.h"

struct row_files;

/* What a sample says about its stack. Texts are those of the exchange tables. */
struct row_stack {
	u64 stack_id; /* 0: not asked yet */
	u64 leaf_id;  /* of the innermost location */
	u32 dso, build_id;
	u32 symbol; /* of the function that has the code, not of a call inlined into it; 0: unknown */
};

struct row_places {
	struct exchange_tables *tables;
	GArray *stacks;	   /* struct row_stack by node - 1 */
	GArray *locations; /* u64 by frame - 1; 0: not asked yet */
	GArray *build_ids; /* u32 text + 1 by the dso's number - 1; 0: not asked yet */
};

void row_places_init(struct row_places *p, struct exchange_tables *tables);
void row_places_release(struct row_places *p);

/* @node: the number of a stack. Valid until the next call. */
const struct row_stack *row_places_stack(struct row_places *p, u32 node);

/* The text of a file's build-id in hex; 0: it has none, or @dso is 0. */
u32 row_places_build_id(struct row_places *p, u32 dso);

/* Rows of all stacks that were asked for, and of their locations. */
void row_places_write(struct row_places *p, struct row_files *files);

#endif
