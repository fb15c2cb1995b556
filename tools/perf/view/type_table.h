/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The data-type profile as text, in upstream perf's layout (annotate --data-type --stdio).
 */
#ifndef VIEW_TYPE_TABLE_H
#define VIEW_TYPE_TABLE_H

#include <stdio.h>

#include "annotate/type.h"

enum type_values { TYPE_PERCENT, TYPE_PERIOD, TYPE_SAMPLES };

struct type_table_options {
	enum type_values values;
	const char *pattern;	   /* only types that this names; NULL: all */
	double percent_limit;	   /* leave out types below this share of the first event */
	const char *const *events; /* names, by event */
	const bool *empty;	   /* by event: its column is left out; NULL: none is */
	u32 first, nr;		   /* the events of the columns; more than one is a group */
	bool short_names;	   /* types without template and generic arguments */
	bool colour;
};

/* Prints a table per type, ordered by type_profiles_sort(); returns how many there were. */
u32 type_table_print(const struct type_profiles *profiles, const struct type_table_options *options,
		     FILE *out);

/* --type-stat: how many samples have a type, and why the others have none. */
void type_stat_print(const struct type_stat *stat, FILE *out);

#endif
