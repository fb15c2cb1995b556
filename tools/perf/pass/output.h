/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last pass of a pipeline: what it gets becomes a perf.data file or pipe. */
#ifndef PASS_OUTPUT_H
#define PASS_OUTPUT_H

#include "pass/pass.h"

/* @info, which stays the caller's, is what a pipe says before its records. The file is made by begin(). */
struct pass *output_pass_new(const char *path, const struct perfdata_info *info);

/* Writes what follows the records. The output is whole then; else pass_free() removes a file. */
bool output_pass_finish(struct pass *p, const struct perfdata_info *info, GError **error);

#endif
