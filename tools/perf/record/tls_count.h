/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where does the kernel keep its count of nested contexts per CPU?
 *
 * The count of softirqs, interrupts and NMIs (preempt_count) is a per-CPU variable:
 * __preempt_count, in Linux 6.2 to 6.14 a member of pcpu_hot. Many kernels hide its address
 * (CONFIG_KALLSYMS_ALL is off), but their BTF lists all per-CPU variables with their offsets in one
 * section. So the BPF program starts at a per-CPU variable that it can reach, the run queue, and
 * adds the distance between the two.
 */
#ifndef RECORD_TLS_COUNT_H
#define RECORD_TLS_COUNT_H

#include "base/types.h"

struct btf;

/* Bytes from a CPU's run queue to its count, and to its pointer to the current task. */
struct tls_count {
	s64 count, current;
};

/* False where @btf, the kernel's, does not tell. */
bool tls_count_find(const struct btf *btf, struct tls_count *found);
/* The same of the running kernel. */
bool tls_count_find_running(struct tls_count *found);

#endif
