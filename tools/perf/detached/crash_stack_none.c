// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces crash_stack.c in a build without BPF. */
#include "detached/crash_stack.h"

struct crash_stacks *crash_stacks_new(u64 signals)
{
	return NULL;
}

void crash_stacks_free(struct crash_stacks *c)
{
}

GByteArray *crash_stacks_complete(struct crash_stacks *c, const struct event *event, u64 most)
{
	return NULL;
}
