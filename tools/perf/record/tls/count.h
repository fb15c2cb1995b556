/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the kernel's per-CPU count of nested contexts.
 *
 * preempt_count counts softirqs, interrupts and NMIs. It is a per-CPU variable: __preempt_count, or
 * in Linux 6.2 to 6.14 a member of pcpu_hot. Many kernels hide its address (CONFIG_KALLSYMS_ALL is
 * off). But the kernel's BTF lists all per-CPU variables with their offsets in one section. The BPF
 * program can get the address of another per-CPU variable, the run queue:
 *
 *	address of the count = address of the run queue + (offset of count - offset of run queue)
 */
#ifndef RECORD_TLS_COUNT_H
#define RECORD_TLS_COUNT_H

#include "base/types.h"

struct btf;

/*
 * The distances in bytes from a CPU's run queue, to its count and to its pointer to the current task, for a program of bpf/context.h.
 * If false, nothing is set: @btf, the running kernel's, does not have them, or is NULL.
 */
bool tls_count_find(const struct btf *btf, long long *count_from_rq, long long *current_from_rq);

#endif
