// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which function a slot of a class's virtual table holds: each method's entry in its class states
 * its slot. A class adds to the table of its first base, which it shares its address with.
 */
#include <string.h>

#include "dwarf/internal.h"

#define MAX_BASES 32

bool type_is_virtual_table(const struct type *type)
{
	return type->kind == TYPE_POINTER && !strcmp(type->name, "__vtbl_ptr_type");
}

const struct type *type_vtable(const struct type *class)
{
	struct type_entry *of = (struct type_entry *)type_strip(class), *table;

	if (of->vtable || !type_is_compound(&of->type))
		return of->vtable;
	table = type_entry_like(&of->type, TYPE_ARRAY);
	table->target = &of->type;
	table->type.vtable = true;
	table->type.name = type_text(of->type.debug, "(vtable of ", of->type.name, ")");
	of->vtable = &table->type;
	return of->vtable;
}

static bool is_in_slot(const struct raw_unit *unit, const struct raw_die *method, u64 slot)
{
	struct cursor block;
	u64 number;

	if (!raw_block(unit, method, RAW_VTABLE_SLOT, &block) || cursor_u8(&block) != DW_OP_constu)
		return false;
	return raw_uleb(&block.pos, block.end, &number) && number == slot;
}

/* In *@place the method, or the first base, to look on in. */
static bool look_in(const struct raw_unit *unit, const struct raw_die *class, u64 slot,
		    struct place *method, Dwarf_Die *base)
{
	const u8 *at = class->next;
	struct raw_die child, first;
	bool has_base = false;
	u64 offset;

	if (!class->abbrev->children)
		return false;
	for (u32 n = 0; n < MAX_ENTRIES && raw_read(unit, at, &child); n++) {
		if (child.abbrev->tag == DW_TAG_subprogram && is_in_slot(unit, &child, slot)) {
			*method = (struct place){ unit, at };
			return true;
		}
		if (!has_base && child.abbrev->tag == DW_TAG_inheritance &&
		    !raw_has(&child, RAW_VIRTUALITY) &&
		    raw_uint(unit, &child, RAW_MEMBER_LOCATION, &offset) && !offset) {
			has_base = true;
			first = child;
		}
		at = raw_after(unit, &child);
	}
	return has_base && raw_ref(unit, &first, RAW_TYPE, base);
}

const struct type *type_virtual(const struct type *vtable, u64 slot)
{
	const struct type *class = vtable->vtable ? type_target(vtable) : vtable;

	for (u32 i = 0; i < MAX_BASES && type_is_compound(class); i++) {
		struct place place = type_place(class), method = { 0 };
		struct raw_die die;
		Dwarf_Die base;

		if (!place.unit || !raw_read(place.unit, place.at, &die) ||
		    !look_in(place.unit, &die, slot, &method, &base))
			return NULL;
		if (method.unit) {
			base = raw_to_die(method.unit, method.at);
			return type_of_die(class->debug, &base);
		}
		class = type_strip(type_of_die(class->debug, &base));
	}
	return NULL;
}
