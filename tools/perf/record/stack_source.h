/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stack copies with a size per thread (--call-graph live). Sizes are powers of two, up to the requested size, and at
 * most the bytes between the stack pointer and the end of its mapping.
 *
 * perf opens one event per size. A BPF program (bpf/sample_stack.bpf.c) runs at each sample, and writes the sample by
 * the event with the size that the thread needs:
 *
 *	thread 7 needs 900 bytes	sample by the event with 1024 bytes of stack
 *	thread 8 needs 5000 bytes	sample by the event with 8192 bytes of stack
 *
 * In a signal handler that runs on a stack of its own (sigaltstack), it copies the interrupted stack, too.
 *
 * These samples are in the same rings as all records, with the ids of those events. stack_source_evsel() has their
 * layout.
 *
 * Without the program the kernel copies the same size for all threads, and stack_source_evsel() is NULL. Reasons: no
 * BPF; no permission; more than one event; the event's samples have fields that the program cannot write; --sample-tls,
 * whose program is on the event.
 *
 * A build without libbpf links stack_source_none.c instead.
 */
#ifndef RECORD_STACK_SOURCE_H
#define RECORD_STACK_SOURCE_H

#include "perfdata/event.h"
#include "record/base/source.h"

/* The smallest copy. Unknown threads have the largest. */
#define STACK_SIZE_LEAST 512u

/* To be added to a recorder, which frees it. */
struct source *stack_source_new(void);

/*
 * After opening: describes the program's samples. It has all their ids, and the raw data of bpf/sample_stack.h; the
 * rest is as in the user's event. NULL: the samples are of the user's event itself.
 */
const struct evsel *stack_source_evsel(const struct source *src);

/* The period in the raw data of such a sample. */
u64 stack_source_period(const void *raw, u32 size);

/* The interrupted stack in that raw data, if the sample is of a signal handler on a stack of its own. Else size 0. */
struct sample_more_stack stack_source_more(const void *raw, u32 size);

/* From now on, copy @size bytes of thread @tid's stack. Any thread may call. */
void stack_source_resize(struct source *src, u32 tid, u32 size);

#endif
