/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sysprof capture becomes a perf.data file. */
#ifndef CONVERT_SYSPROF_IMPORT_H
#define CONVERT_SYSPROF_IMPORT_H

#include "base/error.h"
#include "base/types.h"

struct sysprof_import_counts {
	u64 samples;	   /* written */
	char *passed_over; /* from_sysprof_passed_over(); to free */
};

/*
 * @input and @output: paths, "-" for standard input and output. False with @error, which leaves no output file.
 */
bool sysprof_import(const char *input, const char *output, struct sysprof_import_counts *counts,
		    GError **error);

#endif
