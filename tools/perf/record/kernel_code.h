/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the kernel's functions in which samples were taken, for the file. A report needs it for data types and for
 * annotate if there is no vmlinux, also on another machine. Code of kernel modules and of BPF programs is left out.
 */
#ifndef RECORD_KERNEL_CODE_H
#define RECORD_KERNEL_CODE_H

#include "perfdata/evsel.h"
#include "perfevent/paths.h"
#include "record/base/source.h"

struct kernel_code;

/* @first: an event of the recording; all have IP at the same place of a sample. */
struct kernel_code *kernel_code_new(const struct kernel_paths *paths, const struct evsel *first);
void kernel_code_free(struct kernel_code *code);

/* A whole PERF_RECORD_SAMPLE. */
void kernel_code_see(struct kernel_code *code, const struct perf_event_header *sample);

/*
 * Puts the functions of all samples that were seen since the last call, as PERFDATA_EXT_KERNEL_TEXT records; at most 3
 * MB. Puts nothing if the code cannot be read: kernel_code_absence() tells why.
 */
void kernel_code_put(struct kernel_code *code, struct outlet *out);

/* Why the last kernel_code_put() could not read the code; NULL: it could, or there was nothing to read. */
const char *kernel_code_absence(const struct kernel_code *code);

#endif
