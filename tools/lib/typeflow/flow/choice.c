// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The pointers in a union, and the offsets at which a value of unknown type is accessed.
 *
 * If all targets of a union but one are excluded, the pointer is to the remaining one. If several remain, and only
 * one of them has a whole member wherever the program reads or writes, it is that one:
 *
 *	struct str { unsigned len, hash; };	struct list { size_t nr, room; };	union { struct str *s; struct list *l; };
 *	mov (%rdi),%eax; add 4(%rdi),%eax	4 bytes at 0 and at 4 are str's members, but halves of list's nr
 */
#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

static void rule_out(struct choice *choice, s64 offset, u32 stride, u16 width)
{
	for (u32 i = 0; i < choice->nr; i++) {
		if (!layout_has(choice->targets[i], offset, stride, width))
			choice->excluded |= (u8)(1u << i);
		if (!stride && width <= 8 && !layout_has_exactly(choice->targets[i], offset, width))
			choice->inexact |= (u8)(1u << i);
	}
	choice->several |= choice->touched && offset != choice->offset;
	if (!choice->touched)
		choice->offset = offset;
	choice->touched = true;
}

/* The value was used before it was stored into the union. */
static void replay_places(const struct infer *infer, u32 maker, struct choice *choice)
{
	const struct shape *shape =
		infer->shapes ? g_hash_table_lookup(infer->shapes, GUINT_TO_POINTER(maker)) : NULL;

	for (u32 i = 0; shape && !shape->part && i < shape->nr; i++)
		rule_out(choice, shape->places[i].offset, 0, shape->places[i].width);
}

void infer_choice(struct infer *infer, u32 maker, const struct type *type, u64 offset)
{
	struct choice choice = { 0 };

	if (!maker || maker >= infer->nr_makers ||
	    (infer->choices && g_hash_table_contains(infer->choices, GUINT_TO_POINTER(maker))))
		return;
	choice.nr = (u8)layout_choices(type, offset, choice.targets, MAX_CHOICES);
	if (choice.nr < 2)
		return;
	if (!infer->choices)
		infer->choices = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	replay_places(infer, maker, &choice);
	g_hash_table_insert(infer->choices, GUINT_TO_POINTER(maker),
			    g_memdup2(&choice, sizeof(choice)));
}

static void note_place(struct infer *infer, const struct value *value, u16 width,
		       const struct type *part)
{
	void *key = GUINT_TO_POINTER(value->maker);
	struct shape *shape;

	if (!value->maker || value->maker >= infer->nr_makers || (!part && width > 8))
		return;
	if (!infer->shapes)
		infer->shapes = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	shape = g_hash_table_lookup(infer->shapes, key);
	if (!shape) {
		shape = g_new0(struct shape, 1);
		shape->part = part;
		g_hash_table_insert(infer->shapes, key, shape);
	}
	/* In the round before, its type was unknown. */
	if (part && !shape->part)
		*shape = (struct shape){ .part = part };
	shape->spoiled |= value->stride || shape->part != part || (!part && value->offset < 0);
	for (u32 i = 0; i < shape->nr; i++)
		if (shape->places[i].offset == value->offset && shape->places[i].width == width)
			return;
	if (shape->nr < MAX_PLACES)
		shape->places[shape->nr++] = (struct shape_place){ value->offset, width };
}

void infer_touched(struct infer *infer, const struct value *value, u16 width)
{
	struct choice *choice =
		infer->choices ? g_hash_table_lookup(infer->choices, GUINT_TO_POINTER(value->maker))
			       : NULL;

	if (!choice)
		note_place(infer, value, width, NULL);
	else
		rule_out(choice, value->offset, value->stride, width);
}

void infer_touched_around(struct infer *infer, const struct value *address, u16 width)
{
	note_place(infer, address, width, address->type);
}

void infer_choose(struct infer *infer, infer_noter *note)
{
	GHashTableIter each;
	void *maker, *at;

	if (!infer->choices)
		return;
	g_hash_table_iter_init(&each, infer->choices);
	while (g_hash_table_iter_next(&each, &maker, &at)) {
		const struct choice *choice = at;
		u32 left = ~(u32)choice->excluded & ((1u << choice->nr) - 1);
		struct guess said = { .rank = USE_ARGUMENT };

		if (left & (left - 1) && choice->several)
			left &= ~(u32)choice->inexact;
		if (!left || left & (left - 1))
			continue;
		said.type = choice->targets[__builtin_ctz(left)];
		note(infer, GPOINTER_TO_UINT(maker), &said);
	}
}
