// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Go's linker writes each type once, in the unit of any package. So the types of all units are read once, those at the
 * top of a unit, of which there are no others.
 */
#include "dwarf/internal.h"

struct go_types {
	GHashTable *by_descriptor; /* distance + 1 -> struct die_place * */
	GHashTable *by_name;	   /* structures, typedefs and uintptr -> struct die_place * */
};

void go_types_free(struct go_types *types)
{
	if (!types)
		return;
	g_hash_table_unref(types->by_descriptor);
	g_hash_table_unref(types->by_name);
	g_free(types);
}

static void add_type(struct go_types *types, const struct raw_unit *unit, const struct raw_die *die)
{
	const struct die_place place = { unit, die->at };
	const char *name;
	u64 distance;

	if (raw_has(die, RAW_GO_RUNTIME_TYPE) &&
	    (raw_uint(unit, die, RAW_GO_RUNTIME_TYPE, &distance) ||
	     raw_address(unit, die, RAW_GO_RUNTIME_TYPE, &distance)) &&
	    distance)
		g_hash_table_insert(types->by_descriptor, GSIZE_TO_POINTER(distance),
				    g_memdup2(&place, sizeof(place)));
	name = raw_string(unit, die, RAW_NAME);
	/* The typedef of a structure has its name, too. */
	if (name &&
	    (die->abbrev->tag == DW_TAG_structure_type ||
	     (die->abbrev->tag == DW_TAG_typedef && !g_hash_table_contains(types->by_name, name)) ||
	     !strcmp(name, "uintptr")))
		g_hash_table_insert(types->by_name, (void *)name, g_memdup2(&place, sizeof(place)));
}

static void walk_unit(struct go_types *types, const struct raw_unit *unit)
{
	struct raw_die die;
	const u8 *at;

	if (!unit || unit->language != DW_LANG_Go || !raw_read(unit, unit->first, &die) ||
	    !die.abbrev->children)
		return;
	at = die.next;
	for (u32 i = 0; i < MAX_UNIT_DIES && raw_read(unit, at, &die); i++) {
		if (die.abbrev->tag != DW_TAG_subprogram && die.abbrev->tag != DW_TAG_variable)
			add_type(types, unit, &die);
		at = raw_after(unit, &die);
	}
}

static const struct go_types *types_of(struct debuginfo *debug)
{
	struct go_types *types = debug->go_types;

	if (types)
		return types;
	types = debug->go_types = g_new0(struct go_types, 1);
	types->by_descriptor = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	types->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for (u32 i = 0; i < debug->units->len; i++)
		walk_unit(types, unit_raw(debug, &g_array_index(debug->units, struct unit, i)));
	return types;
}

bool go_type_described(struct debuginfo *debug, u64 distance, struct die_place *place)
{
	const struct die_place *found =
		g_hash_table_lookup(types_of(debug)->by_descriptor, GSIZE_TO_POINTER(distance));

	if (found)
		*place = *found;
	return found;
}

bool go_type_named(struct debuginfo *debug, const char *name, struct die_place *place)
{
	const struct die_place *found = g_hash_table_lookup(types_of(debug)->by_name, name);

	if (found)
		*place = *found;
	return found;
}
