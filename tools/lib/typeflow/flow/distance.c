// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A distance in bytes is added to a pointer: does the sum stay inside of the object?
 *
 *	struct field { const char *name; size_t offset; };	a table of offsetof()s
 *	*(int *)((char *)record + field->offset)		mov 8(%rsi),%rax
 *								mov (%rdi,%rax),%eax
 *
 * If the distance is a parameter, or was loaded from another type than the record's, it selects a member of the
 * record: the answer is "struct record (one of several)". A distance that is stored in the object itself leads out of
 * it, to the data behind a header or to the next record of a log:
 *
 *	(char *)tuple + tuple->header_size			mov 4(%rdi),%eax
 *								mov (%rdi,%rax),%eax
 *
 * So may a distance that a call returned or that was computed. These get no answer.
 */
#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

static void *find(GHashTable *table, u32 maker)
{
	return table && maker ? g_hash_table_lookup(table, GUINT_TO_POINTER(maker)) : NULL;
}

static void keep(GHashTable **table, u32 maker, void *what)
{
	if (!*table)
		*table = g_hash_table_new(NULL, NULL);
	g_hash_table_insert(*table, GUINT_TO_POINTER(maker), what);
}

void infer_loaded(struct infer *infer, const struct value *value, const struct type *from)
{
	if ((value->kind == VALUE_NUMBER || value->kind == VALUE_SYMBOL) && value->maker &&
	    find(infer->loaded, value->maker) != from)
		keep(&infer->loaded, value->maker, (void *)from);
}

void infer_moved(struct infer *infer, const struct value *base, const struct value *by,
		 const struct value *sum)
{
	void *known = find(infer->moved, base->maker);

	/* The base is already such a sum; only the constant 0 is added: mov (%rdi),%eax after add %rax,%rdi. */
	if (known && base->kind == VALUE_ADDRESS && base->stride && by->kind == VALUE_CONST &&
	    !by->offset && !by->stride && sum->maker)
		keep(&infer->moved, sum->maker, known);
	if (base->kind != VALUE_ADDRESS || base->stride || base->offset || !by->maker ||
	    !sum->maker || sum->stride != 1 || by->offset ||
	    (by->kind != VALUE_NUMBER && by->kind != VALUE_SYMBOL) ||
	    !type_is_compound(type_strip(base->type)))
		return;
	keep(&infer->moved, sum->maker, GUINT_TO_POINTER(by->maker));
}

bool infer_stays_inside(const struct infer *infer, const struct value *address)
{
	u32 by = GPOINTER_TO_UINT(find(infer->moved, address->maker));
	const struct type *from = find(infer->loaded, by), *base = type_strip(address->type);

	if (!by || address->stride != 1 || address->offset)
		return false;
	if (maker_is_entry(infer, by) != INSN_NO_REG)
		return true;
	if (!from)
		return false;
	from = type_strip(from);
	return !from->vtable && !type_is_virtual_table(from) && !layout_same(from, base) &&
	       !layout_contains(base, 0, from) && !layout_contains(from, 0, base);
}
