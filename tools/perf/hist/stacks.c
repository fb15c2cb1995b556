// SPDX-License-Identifier: GPL-2.0-or-later
#include "hist/stacks.h"

#include "base/table.h"

/* A chain. With suffixes: its first frame, and the chain behind it; else the frames numbers[at] and so on. */
struct stack_node {
	union {
		struct stack_frame frame;
		size_t at;
	};
	u32 rest;
	u32 depth; /* its length */
};

struct stacks {
	bool suffixes;
	GArray *nodes;	 /* struct stack_node; 0 is the empty chain */
	GArray *numbers; /* u32, of frames: of arrays */
	GArray *frames;	 /* struct stack_frame: those of arrays */
	GArray *last;	 /* u32, by the id of code: its last frame, +1; 0: none */
	struct table index;
};

struct stacks *stacks_new(bool suffixes)
{
	struct stacks *s = g_new0(struct stacks, 1);

	s->suffixes = suffixes;
	s->nodes = g_array_new(FALSE, TRUE, sizeof(struct stack_node));
	g_array_set_size(s->nodes, 1);
	s->numbers = g_array_new(FALSE, FALSE, sizeof(u32));
	s->frames = g_array_new(FALSE, FALSE, sizeof(struct stack_frame));
	table_init(&s->index);
	s->last = g_array_new(FALSE, TRUE, sizeof(u32));
	return s;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	g_array_free(s->nodes, TRUE);
	g_array_free(s->numbers, TRUE);
	g_array_free(s->frames, TRUE);
	g_array_free(s->last, TRUE);
	table_release(&s->index);
	g_free(s);
}

static const struct stack_node *node_at(const struct stacks *s, u32 id)
{
	return &g_array_index(s->nodes, struct stack_node, id);
}

static u32 add_node(struct stacks *s, const struct stack_node *new, u32 hash)
{
	g_array_append_vals(s->nodes, new, 1);
	table_add(&s->index, hash, s->nodes->len - 1);
	return s->nodes->len - 1;
}

static u32 extend(struct stacks *s, u32 rest, const struct stack_frame *frame)
{
	u32 hash = table_fold(table_mix(frame->same, rest)), at = hash;
	struct stack_node new = { .frame = *frame,
				  .rest = rest,
				  .depth = node_at(s, rest)->depth + 1 };
	s64 id;

	while ((id = table_next(&s->index, hash, &at)) >= 0) {
		const struct stack_node *node = node_at(s, (u32)id);

		if (node->rest == rest && node->frame.same == frame->same)
			return (u32)id;
	}
	return add_node(s, &new, hash);
}

static const struct stack_frame *frame_at(const struct stacks *s, size_t at)
{
	u32 number = g_array_index(s->numbers, u32, at);

	return &g_array_index(s->frames, struct stack_frame, number);
}

/* A frame comes in many chains, which have only its number. That of a code is mostly the last one that had its id. */
static u32 number_of_frame(struct stacks *s, const struct stack_frame *frame)
{
	u32 id = frame->code->id, *last;

	if (id >= s->last->len)
		g_array_set_size(s->last, id + 1);
	last = &g_array_index(s->last, u32, id);
	if (*last) {
		const struct stack_frame *known =
			&g_array_index(s->frames, struct stack_frame, *last - 1);

		if (known->code == frame->code && known->same == frame->same)
			return *last - 1;
	}
	g_array_append_vals(s->frames, frame, 1);
	*last = s->frames->len;
	return *last - 1;
}

static bool same_frames(const struct stacks *s, const struct stack_node *node,
			const struct stack_frame *frames, u32 nr)
{
	if (node->depth != nr)
		return false;
	for (u32 i = 0; i < nr; i++)
		if (frame_at(s, node->at + i)->same != frames[i].same)
			return false;
	return true;
}

static u32 whole(struct stacks *s, const struct stack_frame *frames, u32 nr)
{
	struct stack_node new = { .at = s->numbers->len, .depth = nr };
	u64 mixed = nr;
	u32 hash, at, *numbers;
	s64 id;

	for (u32 i = 0; i < nr; i++)
		mixed = table_mix(mixed, frames[i].same);
	hash = at = table_fold(mixed);
	while ((id = table_next(&s->index, hash, &at)) >= 0)
		if (same_frames(s, node_at(s, (u32)id), frames, nr))
			return (u32)id;
	g_array_set_size(s->numbers, s->numbers->len + nr);
	numbers = &g_array_index(s->numbers, u32, new.at);
	for (u32 i = 0; i < nr; i++)
		numbers[i] = number_of_frame(s, &frames[i]);
	return add_node(s, &new, hash);
}

u32 stacks_id(struct stacks *s, const struct stack_frame *frames, u32 nr)
{
	u32 id = 0;

	if (!s->suffixes)
		return nr ? whole(s, frames, nr) : 0;
	while (nr)
		id = extend(s, id, &frames[--nr]);
	return id;
}

struct stack_walk stacks_walk(const struct stacks *s, u32 id)
{
	return (struct stack_walk){ s, id, 0 };
}

const struct stack_frame *stack_next(struct stack_walk *w)
{
	const struct stack_node *node = node_at(w->stacks, w->id);

	if (!w->stacks->suffixes)
		return w->at < node->depth ? frame_at(w->stacks, node->at + w->at++) : NULL;
	if (!w->id)
		return NULL;
	w->id = node->rest;
	return &node->frame;
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

u32 stacks_take(struct stacks *to, const struct stacks *from, u32 id)
{
	g_autoptr(GArray) frames = g_array_new(FALSE, FALSE, sizeof(struct stack_frame));
	struct stack_walk walk = stacks_walk(from, id);
	const struct stack_frame *frame;

	while ((frame = stack_next(&walk)))
		g_array_append_val(frames, *frame);
	return stacks_id(to, (const struct stack_frame *)(void *)frames->data, frames->len);
}
