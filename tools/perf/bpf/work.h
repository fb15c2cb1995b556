/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which work of a workqueue does a thread of the kernel do, when it ends a wait? Its thread, kworker/1:2, does any work; what it does now is in
 * its struct worker, which is found by its struct kthread:
 *
 *	task->worker_private -> kthread.data -> worker.current_func	flush_to_ldisc
 *
 * That is read only when such a thread ends a long wait, so works cost nothing.
 */
#ifndef BPF_WORK_H
#define BPF_WORK_H

#include <bpf/bpf_core_read.h>

#define PF_WQ_WORKER 0x20
#define PF_KTHREAD   0x200000

/* The address of the work's function; 0: it does none, or the kernel's types do not tell (before Linux 5.17). */
static __always_inline __u64 work_of(struct task_struct *task)
{
	struct kthread *kthread = 0;
	struct worker *worker = 0;

	if (!(task->flags & PF_WQ_WORKER) || !(task->flags & PF_KTHREAD) ||
	    !bpf_core_field_exists(task->worker_private) || !bpf_core_field_exists(kthread->data) ||
	    !bpf_core_field_exists(worker->current_func))
		return 0;
	kthread = (struct kthread *)BPF_CORE_READ(task, worker_private);
	worker = (struct worker *)BPF_CORE_READ(kthread, data);
	return (__u64)BPF_CORE_READ(worker, current_func);
}

#endif
