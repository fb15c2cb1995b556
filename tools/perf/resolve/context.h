/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What did a sampling event hit: its thread's own code, or a softirq, an interrupt or an NMI that
 * ran on top of it?
 *
 * User code is the task's. Of kernel code the frame in front of a sample's activity tells, where
 * a BPF program read the kernel's own count. Else the call chain does: the innermost function
 * that enters or leaves a context decides. The interrupt that takes the sample is in neither.
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
 * @framed: a BPF program read the samples' activities, so that their bytes begin with a frame.
 * @counted: it tells of every sample that is not the task's.
 */
enum cpu_context contexts_find(struct contexts *c, struct resolver *resolver,
			       const struct place *place, bool framed, bool counted);

#endif
