/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last pass of a pipeline that writes a sysprof capture instead of perf.data. Samples with a call chain, mappings,
 * names, forks and exits become frames. Events must come sorted by time. Records without a matching frame are counted
 * by type.
 *
 * A capture has samples of one kind: those of the recording's first event. Samples with registers and stacks need a
 * pass before this one that computes their call chains. Otherwise they become StackUser frames, which perf stacktrace
 * and eu-stacktrace read.
 */
#ifndef CONVERT_TO_SYSPROF_H
#define CONVERT_TO_SYSPROF_H

#include "pass/pass.h"

/*
 * "-" is standard output. @info: of the input. @stacks: write StackUser frames, without the kernel's part of the chain.
 */
struct pass *to_sysprof_pass_new(const char *path, const struct perfdata_info *info, bool stacks);

/*
 * Call it after the pipeline. Writes the rest: the file is complete then. Without a successful call, pass_free()
 * removes the file.
 */
bool to_sysprof_finish(struct pass *p, GError **error);

/* "3 LOST, 12 SAMPLE of page-faults": counts of records that were left out; NULL: none. The caller frees it. */
char *to_sysprof_passed_over(const struct pass *p);

#endif
