// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/stacks.h"

#include "base/table.h"

struct node {
	struct stack_frame frame;
	u32 rest;
	u32 depth;
};

struct stacks {
	GArray *nodes; /* struct node; 0 is the empty chain */
	struct table index;
};

struct stacks *stacks_new(void)
{
	struct stacks *s = g_new0(struct stacks, 1);

	s->nodes = g_array_new(FALSE, TRUE, sizeof(struct node));
	g_array_set_size(s->nodes, 1);
	table_init(&s->index);
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	g_array_free(s->nodes, TRUE);
	table_release(&s->index);
	g_free(s);
}

static const struct node *node_at(const struct stacks *s, u32 id)
{
	return &g_array_index(s->nodes, struct node, id);
}

static u32 extend(struct stacks *s, u32 rest, const struct stack_frame *frame)
{
	u32 hash = table_fold(table_mix(frame->same, rest)), at = hash;
	struct node new = { *frame, rest, node_at(s, rest)->depth + 1 };
	s64 id;

	while ((id = table_next(&s->index, hash, &at)) >= 0) {
		const struct node *node = node_at(s, (u32)id);

		if (node->rest == rest && node->frame.same == frame->same)
			return (u32)id;
	}
	g_array_append_val(s->nodes, new);
	table_add(&s->index, hash, s->nodes->len - 1);
	return s->nodes->len - 1;
}

u32 stacks_id(struct stacks *s, const struct stack_frame *frames, u32 nr)
{
	u32 id = 0;

	while (nr)
		id = extend(s, id, &frames[--nr]);
	return id;
}

const struct stack_frame *stacks_first(const struct stacks *s, u32 id)
{
	return &node_at(s, id)->frame;
}

u32 stacks_rest(const struct stacks *s, u32 id)
{
	return node_at(s, id)->rest;
}

u32 stacks_depth(const struct stacks *s, u32 id)
{
	return node_at(s, id)->depth;
}

u32 stacks_nr(const struct stacks *s)
{
	return s->nodes->len - 1;
}
