// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces stack_source.c in a build without BPF. */
#include "record/stack_source.h"

static void close_source(struct source *src)
{
	g_free(src);
}

struct source *stack_source_new(void)
{
	static const struct source_ops ops = { .name = "stacks", .close = close_source };
	struct source *src = g_new0(struct source, 1);

	src->ops = &ops;
	return src;
}

const struct evsel *stack_source_evsel(const struct source *src)
{
	return NULL;
}

u64 stack_source_period(const void *raw, u32 size)
{
	return 0;
}

struct sample_more_stack stack_source_more(const void *raw, u32 size)
{
	return (struct sample_more_stack){ 0 };
}

void stack_source_resize(struct source *src, u32 tid, u32 size)
{
}
