/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last pass of a pipeline: writes a perf.data file or pipe. */
#ifndef PASS_OUTPUT_H
#define PASS_OUTPUT_H

#include "pass/pass.h"

/* @info belongs to the caller; a pipe gets it before its records. begin() creates the file. */
struct pass *output_pass_new(const char *path, const struct perfdata_info *info);

/*
 * Writes the part after the records, which completes the output; without it, pass_free() removes a file.
 */
bool output_pass_finish(struct pass *p, const struct perfdata_info *info, GError **error);

#endif
