/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completes the samples of crashing threads (signal:signal_deliver) by the part of the stack that the kernel's copy lacks:
 * after a stack overflow, and in a signal handler on a stack of its own. A BPF program keeps it (bpf/crash_stack.bpf.c).
 *
 * A build without libbpf links crash_stack_none.c instead.
 */
#ifndef DETACHED_CRASH_STACK_H
#define DETACHED_CRASH_STACK_H

#include <glib.h>

#include "perfdata/event.h"

struct crash_stacks;

/* Loads and attaches the program. @signals: bit n for signal n. NULL: it is not possible here. */
struct crash_stacks *crash_stacks_new(u64 signals);
void crash_stacks_free(struct crash_stacks *c);

/*
 * A record of @event, which is a sample, with more of its stack, so that both parts together have at most @most bytes.
 * NULL: nothing is to be added, or @c is NULL. To free.
 */
GByteArray *crash_stacks_complete(struct crash_stacks *c, const struct event *event, u64 most);

#endif
