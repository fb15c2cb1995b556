/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The context that a sampling event hit: the thread's own code, or a softirq, an interrupt or an NMI that interrupted
 * it.
 *
 * User code is the task's. For kernel code, the context is in the frame before a sample's activity, if a BPF program
 * read the kernel's preemption count. Otherwise it follows from the call chain: the innermost function that enters or
 * leaves a context decides. The interrupt that takes the sample is in neither.
 */
#ifndef RESOLVE_CONTEXT_H
#define RESOLVE_CONTEXT_H

#include "activity/layout.h"
#include "resolve/place.h"

struct contexts;
struct resolver;

struct contexts *contexts_new(void);
void contexts_free(struct contexts *c);

/*
 * @framed: a BPF program read the activities, so the samples' bytes start with a frame. @counted: it has the context
 * of every sample that is not the task's.
 */
enum cpu_context contexts_find(struct contexts *c, struct resolver *resolver,
			       const struct place *place, bool framed, bool counted);

#endif
