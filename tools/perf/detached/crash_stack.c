// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/crash_stack.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/perf_event.h>
#include <stdio.h>

#include "bpf/crash_stack.h"
#include "bpf/crash_stack.skel.h"
#include "perfdata/evsel.h"
#include "perfdata/more_stack.h"
#include "perfdata/regs.h"
#include "perfdata/write/encode.h"
#include "record/base/pid_namespace.h"

struct crash_stacks {
	struct crash_stack_bpf *skel;
	struct crash_stack found; /* what was looked up last */
};

struct crash_stacks *crash_stacks_new(u64 signals)
{
	struct crash_stacks *c = g_new0(struct crash_stacks, 1);
	bool fine;

	libbpf_set_print(NULL);
	c->skel = crash_stack_bpf__open();
	if (c->skel) {
		c->skel->rodata->own_ns = pid_namespace_own();
		c->skel->rodata->signals = signals;
	}
	fine = c->skel && !crash_stack_bpf__load(c->skel) && !crash_stack_bpf__attach(c->skel);
	if (fine)
		return c;
	crash_stacks_free(c);
	return NULL;
}

void crash_stacks_free(struct crash_stacks *c)
{
	if (!c)
		return;
	crash_stack_bpf__destroy(c->skel);
	g_free(c);
}

static bool stack_pointer(const struct sample_regs *regs, u64 *sp)
{
	const u64 bit = 1ull << REGS_SP;

	if (regs->abi == PERF_SAMPLE_REGS_ABI_NONE || !(regs->mask & bit))
		return false;
	*sp = regs->regs[__builtin_popcountll(regs->mask & (bit - 1))];
	return true;
}

/* The bytes of the kernel's copy that are of the stack: a signal stack may end before. */
static u64 own_size(const struct crash_stack *found, u64 sp, const struct sample_bytes *stack)
{
	u64 size = MIN(stack->dyn_size, stack->size);

	return MIN(size, found->own_end - sp) / sizeof(u64) * sizeof(u64);
}

GByteArray *crash_stacks_complete(struct crash_stacks *c, const struct event *event, u64 most)
{
	struct crash_stack_key key = { .tid = event->sample.tid };
	int map = c ? bpf_map__fd(c->skel->maps.crashes) : -1;
	struct event whole = *event;
	struct sample_bytes *stack = &whole.sample.user_stack;
	struct sample_more_stack more;
	g_autoptr(GByteArray) raw = NULL;
	GByteArray *record;
	u64 sp;

	if (map < 0 || !stack_pointer(&event->sample.user_regs, &sp))
		return NULL;
	key.sp = sp;
	if (bpf_map_lookup_elem(map, &key, &c->found))
		return NULL;
	bpf_map_delete_elem(map, &key);
	stack->size = stack->dyn_size = MIN(own_size(&c->found, sp, stack), most);
	more = (struct sample_more_stack){ c->found.address, MIN(c->found.size, most - stack->size),
					   c->found.bytes };
	raw = more_stack_raw(&event->sample, &more);
	whole.sample.raw = raw->data;
	whole.sample.raw_size = raw->len;
	record = g_byte_array_new();
	if (event_encode(&whole, event->evsel, record, NULL))
		return record;
	g_byte_array_unref(record);
	return NULL;
}
