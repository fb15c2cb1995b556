// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The contents of a class's virtual table. A method's entry states its slot. A virtual base's entry states the distance
 * before the slots at which the base's offset is stored. A class extends the table of its first base, because both have
 * the same address.
 *
 *	struct shape { virtual void draw(); virtual long area(); };
 *	s->area();			mov (%rdi),%rax		the table of shape
 *					call *8(%rax)		its slot 1: area
 *
 *	DW_TAG_subprogram "area", DW_AT_virtuality, DW_AT_vtable_elem_location: DW_OP_constu 1
 *
 * A virtual base is at no constant offset: it depends on the class of the whole object. The table has it, at a negative
 * place:
 *
 *	struct both : virtual named { long b; };
 *	b->n				mov (%rbx),%rdx		the table of both
 *					mov -0x18(%rdx),%rdx	the offset of the base
 *					add 8(%rbx,%rdx,1),%rax	named.n at offset 8 of the base
 *
 *	DW_TAG_inheritance "named", DW_AT_virtuality, DW_AT_data_member_location:
 *		DW_OP_dup, DW_OP_deref, DW_OP_lit24, DW_OP_minus, DW_OP_deref, DW_OP_plus
 *
 * The type of such a table is made here (kind TYPE_ARRAY, flag vtable), because the debug information has only one
 * type, __vtbl_ptr_type, for the tables of all classes. One is made for each class and for each place in an object: the
 * place is needed to tell where a virtual base is.
 *
 * Limits: gcc states no slot for destructors. Only the first non-virtual base at offset 0 is followed, and no virtual
 * one. Expressions of another form than the above are not understood; then nothing is found.
 */
#include <string.h>

#include "dwarf/internal.h"

#define MAX_BASES 32

bool type_is_virtual_table(const struct type *type)
{
	return type->kind == TYPE_POINTER && !strcmp(type->name, "__vtbl_ptr_type");
}

const struct type *type_vtable(const struct type *object, u64 offset, const struct type *class)
{
	struct type_entry *of = (struct type_entry *)type_strip(object), *table;

	class = type_strip(class);
	if (!type_is_compound(class))
		return NULL;
	for (const struct type_entry *known = of->vtables; known; known = known->next)
		if (known->object_offset == offset && known->target == class)
			return &known->type;
	table = type_entry_like(class, TYPE_ARRAY);
	table->target = class;
	table->object = &of->type;
	table->object_offset = offset;
	table->type.vtable = true;
	table->type.name = type_text(class->debug, "(vtable of ", class->name, ")");
	table->next = of->vtables;
	of->vtables = table;
	return &table->type;
}

/* A number that an expression pushes. gcc encodes small numbers in the operation itself. */
static bool read_pushed(struct cursor *block, u64 *number)
{
	u8 op = cursor_u8(block);

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		*number = op - DW_OP_lit0;
		return true;
	}
	if (op == DW_OP_const1u) {
		*number = cursor_u8(block);
		return true;
	}
	return op == DW_OP_constu && raw_uleb(&block->pos, block->end, number);
}

static bool is_in_slot(const struct raw_unit *unit, const struct raw_die *method, u64 slot)
{
	struct cursor block;
	u64 number;

	return raw_block(unit, method, RAW_VTABLE_SLOT, &block) && read_pushed(&block, &number) &&
	       number == slot;
}

/*
 * Does the base's location say: its offset is stored @offset bytes before the table that the object's first word points
 * to?
 */
static bool is_base_at(const struct raw_unit *unit, const struct raw_die *base, u64 offset)
{
	struct cursor block;
	u64 number;

	return raw_has(base, RAW_VIRTUALITY) &&
	       raw_block(unit, base, RAW_MEMBER_LOCATION, &block) &&
	       cursor_u8(&block) == DW_OP_dup && cursor_u8(&block) == DW_OP_deref &&
	       read_pushed(&block, &number) && number == offset && cursor_u8(&block) == DW_OP_minus;
}

static bool is_wanted(const struct raw_unit *unit, const struct raw_die *die, s64 at)
{
	return at < 0 ? die->abbrev->tag == DW_TAG_inheritance && is_base_at(unit, die, 0 - (u64)at)
		      : die->abbrev->tag == DW_TAG_subprogram && at % 8 == 0 &&
				is_in_slot(unit, die, (u64)at / 8);
}

/* out: *@found, the table's content at @at, or *@base, the class in which to search next. */
static bool look_in(const struct raw_unit *unit, const struct raw_die *class, s64 table_at,
		    struct die_place *found, Dwarf_Die *base)
{
	const u8 *at = class->next;
	struct raw_die child, first;
	bool has_base = false;
	u64 offset;

	if (!class->abbrev->children)
		return false;
	for (u32 n = 0; n < MAX_ENTRIES && raw_read(unit, at, &child); n++) {
		if (is_wanted(unit, &child, table_at)) {
			*found = (struct die_place){ unit, at };
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

/*
 * The entry for byte @at of the table: a method, or for a negative @at a virtual base. An overriding method is found
 * first, because the search begins at the most derived class. `square : shape` with its own area(): slot 1 is
 * square's area, slot 0 is shape's draw.
 */
static bool find(const struct type *vtable, s64 at, struct die_place *found)
{
	const struct type *class = ((const struct type_entry *)vtable)->object ? type_target(vtable)
									       : vtable;

	for (u32 i = 0; i < MAX_BASES && type_is_compound(class); i++) {
		struct die_place place = type_place(class);
		struct raw_die die;
		Dwarf_Die base;

		*found = (struct die_place){ 0 };
		if (!place.unit || !raw_read(place.unit, place.at, &die) ||
		    !look_in(place.unit, &die, at, found, &base))
			return false;
		if (found->unit)
			return true;
		class = type_strip(type_of_die(class->debug, &base));
	}
	return false;
}

const struct type *type_virtual(const struct type *vtable, s64 at)
{
	struct die_place method;
	Dwarf_Die die;

	if (at < 0 || !find(vtable, at, &method))
		return NULL;
	die = raw_to_die(method.unit, method.at);
	return type_of_die(vtable->debug, &die);
}

const struct type *type_virtual_base(const struct type *vtable, s64 at, const struct type **object,
				     u64 *offset)
{
	const struct type_entry *entry = (const struct type_entry *)vtable;
	struct die_place base;

	if (at >= 0 || !entry->object || !find(vtable, at, &base))
		return NULL;
	*object = entry->object;
	*offset = entry->object_offset;
	return die_place_type(vtable->debug, base);
}
