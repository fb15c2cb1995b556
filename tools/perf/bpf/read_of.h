/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads memory of the current thread's process, or in a program that may sleep of another one's. */
#ifndef BPF_READ_OF_H
#define BPF_READ_OF_H

#include "bpf/read.h"

/* @other: a constant; then @task is another thread, and a page may be read from a disk. Reads all bytes or fails. */
static __always_inline bool peek_of(struct task_struct *task, bool other, void *to, __u32 size,
				    __u64 va)
{
	return other ? !bpf_copy_from_user_task(to, size, (void *)va, task, 0) : peek(to, size, va);
}

#endif
