// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which types are members of others. Whoever has a pointer to such a one can mean the structure
 * around it; a pointer to any other can only mean its neighbours in a row.
 *
 * A unit's structures are walked when it is first asked about one of its types; a name that
 * was a member's anywhere is remembered for all units.
 */
#include "dwarf/internal.h"

#define MAX_UNITS 64 /* walked; in more of them every type counts as a member */

struct walk {
	struct debuginfo *debug;
	const struct raw_unit *unit;
	GHashTable *found; /* addresses of entries */
	u32 seen;
};

static bool is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* The structure that a member is, without an array around it, put into the set. */
static void add_member(struct walk *walk, const struct raw_die *member)
{
	const struct raw_unit *unit = walk->unit;
	struct raw_die die = *member;
	Dwarf_Die to;

	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		if (!raw_ref(unit, &die, RAW_TYPE, &to))
			return;
		unit = raw_of(walk->debug, &to);
		if (!unit || !raw_read(unit, to.addr, &die))
			return;
		if (is_compound(die.abbrev->tag)) {
			const char *name = raw_string(unit, &die, RAW_NAME);

			g_hash_table_add(walk->found, to.addr);
			if (name)
				g_hash_table_add(walk->debug->embedded_names, (void *)name);
			return;
		}
		if (die.abbrev->tag != DW_TAG_typedef && die.abbrev->tag != DW_TAG_const_type &&
		    die.abbrev->tag != DW_TAG_volatile_type)
			return;
	}
}

static void walk_entries(struct walk *walk, const u8 *at, bool in_type, u32 depth)
{
	struct raw_die die;

	while (depth < MAX_DEPTH && raw_read(walk->unit, at, &die)) {
		int tag = die.abbrev->tag;

		if (walk->seen++ > MAX_UNIT_DIES)
			return;
		if (in_type && (tag == DW_TAG_member || tag == DW_TAG_inheritance))
			add_member(walk, &die);
		else if (die.abbrev->children && (is_compound(tag) || tag == DW_TAG_namespace))
			walk_entries(walk, die.next, is_compound(tag), depth + 1);
		at = raw_after(walk->unit, &die);
	}
}

static GHashTable *embedded_of(struct debuginfo *debug, const struct raw_unit *unit)
{
	GHashTable *found = g_hash_table_lookup(debug->embedded, unit);
	struct raw_die top;
	struct walk walk = { .debug = debug, .unit = unit };

	if (found || g_hash_table_size(debug->embedded) >= MAX_UNITS)
		return found;
	if (!raw_read(unit, unit->first, &top) || top.abbrev->tag != DW_TAG_compile_unit)
		return NULL;
	walk.found = g_hash_table_new(NULL, NULL);
	g_hash_table_insert(debug->embedded, (void *)unit, walk.found);
	if (top.abbrev->children)
		walk_entries(&walk, top.next, false, 0);
	return walk.found;
}

bool type_is_embedded(const struct type *type)
{
	struct debuginfo *debug = type->debug;
	struct place place;
	struct raw_die die;
	const char *name;
	GHashTable *found;

	type = type_strip(type);
	if (!type_is_compound(type))
		return true;
	place = type_place(type);
	if (!place.unit || !raw_read(place.unit, place.at, &die))
		return true;
	name = raw_string(place.unit, &die, RAW_NAME);
	if (name && g_hash_table_contains(debug->embedded_names, name))
		return true;
	found = embedded_of(debug, place.unit);
	return !found || g_hash_table_contains(found, place.at);
}
