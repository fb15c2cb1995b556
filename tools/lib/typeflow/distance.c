// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A distance in bytes that is added to a pointer: does it stay within the object?
 *
 *	struct field { const char *name; size_t offset; };	a table of offsetof()s
 *	*(int *)((char *)record + field->offset)		mov 8(%rsi),%rax
 *								mov (%rdi,%rax),%eax
 *
 * The distance was read from something else than the record, or is a parameter: it names a member of
 * the record, and the answer is "struct record (one of several)". A distance that the object itself
 * states leads out of it, to what lies behind a header or to the next record of a log:
 *
 *	(char *)tuple + tuple->header_size			mov 4(%rdi),%eax
 *								mov (%rdi,%rax),%eax
 *
 * and so may what a call returned or what was computed. Nothing is claimed of those.
 */
#include "typeflow/infer.h"
#include "typeflow/layout.h"

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

	/* Moved before, and by no constant: mov (%rdi),%eax behind add %rax,%rdi. */
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
