/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last pass of a pipeline that makes a sysprof capture instead of perf.data: samples with a call chain, mappings,
 * names, forks and exits become frames. Events must come by time. What a capture has no frame for is counted by its type.
 *
 * A capture has samples of one kind: those of the recording's first event. Samples with registers and stacks need the pass that makes
 * call chains of them in front, or become StackUser frames, which perf stacktrace and eu-stacktrace read.
 */
#ifndef CONVERT_TO_SYSPROF_H
#define CONVERT_TO_SYSPROF_H

#include "pass/pass.h"

/* "-" is standard output. @info is the input's. @stacks: as StackUser frames, without the kernel's part of the chain. */
struct pass *to_sysprof_pass_new(const char *path, const struct perfdata_info *info, bool stacks);

/* After the pipeline: all is written, and the file is whole; else pass_free() removes it. */
bool to_sysprof_finish(struct pass *p, GError **error);

/* "3 LOST, 12 SAMPLE of page-faults": records that became nothing, though they say something; NULL: none. To free. */
char *to_sysprof_passed_over(const struct pass *p);

#endif
