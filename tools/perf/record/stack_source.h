/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Copies of stacks whose size is each thread's own (--call-graph live): powers of two up to what the user asked for, and not more than
 * lies between the stack pointer and the end of its mapping.
 *
 * A BPF program (bpf/sample_stack.bpf.c) runs at each sample and has it written by an event that copies as much as the
 * thread needs. These samples are in the same rings as all records, but with the ids of those events: stack_source_evsel() says how they
 * are laid out.
 *
 * Where that cannot be (no BPF, no permission, more than one event, an event whose samples have what the program cannot give,
 * --sample-tls, whose program is on the event), the kernel copies the same size for all: stack_source_evsel() is NULL.
 *
 * A build without libbpf has stack_source_none.c instead.
 */
#ifndef RECORD_STACK_SOURCE_H
#define RECORD_STACK_SOURCE_H

#include "record/base/source.h"

struct evsel;

/* The smallest copy. Threads of which nothing is known have the largest. */
#define STACK_SIZE_LEAST 512u

/* To be added to a recorder; it frees it. */
struct source *stack_source_new(void);

/*
 * After opening: the event in whose name the samples come, with all ids and the raw data of bpf/sample_stack.h; else as
 * the one event that the user asked for. NULL: the samples are that one's.
 */
const struct evsel *stack_source_evsel(const struct source *src);

/* The period that the raw data of such a sample states. */
u64 stack_source_period(const void *raw, u32 size);

/* So many bytes are to be copied of @tid's stack from now on. From any thread. */
void stack_source_resize(struct source *src, u32 tid, u32 size);

#endif
