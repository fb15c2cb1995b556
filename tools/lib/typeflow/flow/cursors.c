// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pointer variables that move by whole elements: tops of stacks, and positions in tables.
 *
 *	static struct slot *top;
 *	void add(void)
 *	{
 *		top[-1].n += top->n;		mov top(%rip),%rax; mov (%rax),%ecx; add %ecx,-0x10(%rax)
 *		top--;				subq $0x10,top(%rip)
 *	}
 *
 * C allows arithmetic with a pointer only inside of an array. So if the function stores `top` moved by whole elements into
 * `top` again, all pointers that it loads from there are to elements of an array, with elements before and behind them. A
 * constant distance alone would not tell that (layout.c).
 *
 *	load of top, maker M			loads: M -> GLOBAL, vaddr of top
 *	store of M - 0x10 to the same place	cursors: GLOBAL, vaddr of top
 *	end of the round			M's pointer is to an array (infer_row())
 *
 * The same if any pointer plus n whole elements is stored there: top = base + n. A member is one place for all objects of its
 * structure: parser->top of two parsers.
 */
#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

struct cursor_place {
	const struct type *type; /* of a member: the structure; else NULL */
	s64 offset;
	u8 kind; /* enum value_kind of the address */
};

struct cursor_load {
	struct cursor_place place;
	u32 maker;
};

static u32 hash_place(const void *p)
{
	const struct cursor_place *place = p;

	return (u32)GPOINTER_TO_SIZE(place->type) * 31 + (u32)place->offset * 7 + place->kind;
}

static int equal_places(const void *pa, const void *pb)
{
	const struct cursor_place *a = pa, *b = pb;

	return a->type == b->type && a->offset == b->offset && a->kind == b->kind;
}

/* False: an element of an array, or not one place. */
static bool place_of(const struct value *address, const struct access *access,
		     struct cursor_place *place)
{
	*place = (struct cursor_place){ .kind = (u8)address->kind, .offset = address->offset };
	if (address->stride || access->offset < 0)
		return false;
	if (address->kind == VALUE_ADDRESS) {
		place->type = access->type;
		place->offset = access->offset;
		return type_is_compound(type_strip(access->type));
	}
	return address->kind == VALUE_GLOBAL || address->kind == VALUE_TLS ||
	       address->kind == VALUE_STACK;
}

void infer_cursor_loaded(struct infer *infer, const struct value *address,
			 const struct access *access, const struct value *value)
{
	struct cursor_load load = { .maker = value->maker };

	if (value->kind != VALUE_ADDRESS || value->offset || value->stride || !value->maker ||
	    !type_is_compound(type_strip(value->type)) || !place_of(address, access, &load.place))
		return;
	if (!infer->cursor_loads)
		infer->cursor_loads = g_array_new(false, false, sizeof(load));
	g_array_append_val(infer->cursor_loads, load);
}

static bool is_from(const struct infer *infer, const struct cursor_place *place, u32 maker)
{
	for (u32 i = 0; infer->cursor_loads && i < infer->cursor_loads->len; i++) {
		const struct cursor_load *load =
			&g_array_index(infer->cursor_loads, struct cursor_load, i);

		if (load->maker == maker && equal_places(&load->place, place))
			return true;
	}
	return false;
}

void infer_cursor_stored(struct infer *infer, const struct value *address,
			 const struct access *access, const struct value *value)
{
	u64 size = value->kind == VALUE_ADDRESS ? type_strip(value->type)->size : 0;
	struct cursor_place place;

	if (!size || (!value->offset && !value->stride) || value->offset % (s64)size ||
	    value->stride % size || !type_is_compound(type_strip(value->type)) ||
	    !place_of(address, access, &place) ||
	    (!value->stride && !is_from(infer, &place, value->maker)))
		return;
	if (!infer->cursors)
		infer->cursors = g_hash_table_new_full(hash_place, equal_places, g_free, NULL);
	if (!g_hash_table_contains(infer->cursors, &place))
		g_hash_table_add(infer->cursors, g_memdup2(&place, sizeof(place)));
}

void infer_cursors_decide(struct infer *infer)
{
	if (!infer->cursor_loads)
		return;
	for (u32 i = 0; infer->cursors && i < infer->cursor_loads->len; i++) {
		const struct cursor_load *load =
			&g_array_index(infer->cursor_loads, struct cursor_load, i);

		if (g_hash_table_contains(infer->cursors, &load->place))
			infer_row(infer, load->maker, true);
	}
	g_array_set_size(infer->cursor_loads, 0);
}

void infer_cursors_free(struct infer *infer)
{
	g_clear_pointer(&infer->cursor_loads, g_array_unref);
	g_clear_pointer(&infer->cursors, g_hash_table_unref);
}
