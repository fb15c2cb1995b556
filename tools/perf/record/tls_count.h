/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where does the kernel count what its CPUs are in the middle of?
 *
 * The count of softirqs, interrupts and NMIs (preempt_count) is a variable per CPU: __preempt_count,
 * in Linux 6.2 to 6.14 a member of pcpu_hot. Its address is not told on many kernels
 * (CONFIG_KALLSYMS_ALL), but the kernel's BTF lists the variables per CPU with their places in
 * one section. So the BPF program goes to it from one that it can reach, the run queue.
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

#endif
