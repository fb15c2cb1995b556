/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a sysprof capture to a perf.data file. */
#ifndef CONVERT_SYSPROF_IMPORT_H
#define CONVERT_SYSPROF_IMPORT_H

#include "base/error.h"
#include "base/types.h"

struct sysprof_import_counts {
	u64 samples;	   /* written */
	char *passed_over; /* from_sysprof_passed_over(); the caller frees it */
};

/* @input and @output: paths; "-" is standard input or output. False with @error: there is no output file then. */
bool sysprof_import(const char *input, const char *output, struct sysprof_import_counts *counts,
		    GError **error);

#endif
