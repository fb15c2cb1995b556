// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the definition of a C++ class that a unit only declares. For a class with virtual functions, compilers write
 * the definition only in the unit with its vtable, and a declaration in all others. (gcc without
 * -femit-class-debug-always, clang without -fstandalone-debug.) The definition is searched by its qualified name in all
 * units. They are all walked once, when a C++ unit first needs a definition.
 *
 * Names that are local to a unit (in a function or in an anonymous namespace) are not searched. If there are several
 * definitions of a name, the first is taken: C++ allows only one.
 *
 *	unit 0	<1> DW_TAG_structure_type "shape", DW_AT_declaration	uses s->x, but the members are not known here
 *	unit 7	<1> DW_TAG_structure_type "shape", DW_AT_byte_size 16	has the vtable of shape
 *
 * The index has hashes instead of names: no names need to be built and stored during the walk. The hash of
 * "store::item" is computed step by step, from "store", "::" and "item". Two names may have the same hash; then only
 * the first one is in the index. So definition_find() compares the full name of what it found.
 */
#include <string.h>

#include "base/hash.h"
#include "dwarf/internal.h"

struct definitions {
	GArray *places;	     /* struct die_place */
	GHashTable *by_name; /* hash of the qualified name -> index in @places, plus 1 */
	u32 seen;
};

static const u8 walked_tags[RAW_TAGS] = {
	[DW_TAG_structure_type] = 1,
	[DW_TAG_class_type] = 1,
	[DW_TAG_union_type] = 1,
	[DW_TAG_namespace] = 1,
};

static void walk(struct definitions *found, const struct raw_unit *unit, const u8 *at, u64 path,
		 u32 depth)
{
	struct raw_die die;

	for (; raw_next_wanted(unit, &at, walked_tags) && found->seen++ < MAX_UNIT_DIES;
	     at = raw_after(unit, &die)) {
		const char *name;
		u64 hash;

		if (!raw_read(unit, at, &die))
			return;
		name = raw_string(unit, &die, RAW_NAME);
		if (!name || raw_flag(unit, &die, RAW_DECLARATION))
			continue;
		hash = hash_text(path, name);
		if (die.abbrev->tag != DW_TAG_namespace &&
		    !g_hash_table_contains(found->by_name, GSIZE_TO_POINTER(hash))) {
			struct die_place place = { unit, at };

			g_array_append_val(found->places, place);
			g_hash_table_insert(found->by_name, GSIZE_TO_POINTER(hash),
					    GUINT_TO_POINTER(found->places->len));
		}
		if (die.abbrev->children && depth < MAX_DEPTH)
			walk(found, unit, die.next, hash_text(hash, "::"), depth + 1);
	}
}

static void walk_unit(struct definitions *found, const struct raw_unit *unit)
{
	struct raw_die top;

	if (unit && raw_is_cplusplus(unit) && raw_read(unit, unit->first, &top) &&
	    top.abbrev->children)
		walk(found, unit, top.next, HASH_START, 0);
}

static struct definitions *definitions_new(struct debuginfo *debug)
{
	struct definitions *found = g_new0(struct definitions, 1);
	g_autoptr(GPtrArray) shared = raw_units_of(debug, debuginfo_shared(debug));

	found->places = g_array_new(false, false, sizeof(struct die_place));
	found->by_name = g_hash_table_new(NULL, NULL);
	for (u32 i = 0; i < debug->units->len; i++)
		walk_unit(found, unit_raw(debug, &g_array_index(debug->units, struct unit, i)));
	for (u32 i = 0; i < shared->len; i++)
		walk_unit(found, g_ptr_array_index(shared, i));
	return found;
}

void definitions_free(struct definitions *found)
{
	if (!found)
		return;
	g_array_unref(found->places);
	g_hash_table_unref(found->by_name);
	g_free(found);
}

bool definition_find(struct debuginfo *debug, struct die_place *place)
{
	g_autofree char *wanted = NULL, *met = NULL;
	const char *name = die_place_name(debug, *place);
	struct die_place found;
	u32 index;

	if (!name || !raw_is_cplusplus(place->unit))
		return false;
	wanted = names_qualify(debug, *place, name);
	if (strstr(wanted, "(anonymous namespace)") || strstr(wanted, "()::"))
		return false;
	if (!debug->definitions)
		debug->definitions = definitions_new(debug);
	index = GPOINTER_TO_UINT(g_hash_table_lookup(
		debug->definitions->by_name, GSIZE_TO_POINTER(hash_text(HASH_START, wanted))));
	if (!index)
		return false;
	found = g_array_index(debug->definitions->places, struct die_place, index - 1);
	met = names_qualify(debug, found, die_place_name(debug, found));
	if (strcmp(wanted, met) != 0)
		return false;
	*place = found;
	return true;
}
