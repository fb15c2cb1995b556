// SPDX-License-Identifier: GPL-2.0-or-later
/* The types of entries. An entry has a type itself, or one of its origins has it. */
#include "dwarf/internal.h"

static const struct type *type_at(struct debuginfo *debug, const struct raw_unit *unit,
				  const struct raw_die *die)
{
	Dwarf_Die to;

	return raw_ref(unit, die, RAW_TYPE, &to) ? type_of_die(debug, &to) : type_void(debug);
}

const struct type *die_place_type(struct debuginfo *debug, struct die_place place)
{
	const struct raw_unit *unit;
	struct raw_die die;

	return die_place_with(debug, place, RAW_TYPE, &unit, &die) ? type_at(debug, unit, &die)
								   : type_void(debug);
}

bool die_place_is_volatile(struct debuginfo *debug, struct die_place place)
{
	const struct raw_unit *unit;
	struct raw_die die;
	Dwarf_Die to;

	if (!die_place_with(debug, place, RAW_TYPE, &unit, &die))
		return false;
	for (u32 hops = 0; hops < MAX_TYPE_HOPS && raw_ref(unit, &die, RAW_TYPE, &to); hops++) {
		u16 tag;

		unit = raw_of(debug, &to);
		if (!unit || !raw_read(unit, to.addr, &die))
			return false;
		tag = die.abbrev->tag;
		if (tag == DW_TAG_volatile_type)
			return true;
		if (!tag_is_qualifier(tag) && tag != DW_TAG_typedef && tag != DW_TAG_array_type)
			return false;
	}
	return false;
}

/*
 * Most variables have name and type themselves. Most others (inlined parameters) have neither, and their first origin
 * has both. These two cases need no second reading of @die. All others are looked up one by one.
 */
void entry_name_and_type(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *die, const char **name, const struct type **type)
{
	struct die_place place = { unit, die->at };
	struct raw_die from;

	if (raw_has(die, RAW_NAME) && raw_has(die, RAW_TYPE)) {
		*name = raw_string(unit, die, RAW_NAME);
		*type = type_at(debug, unit, die);
		return;
	}
	from = *die;
	if (raw_has(die, RAW_NAME) || raw_has(die, RAW_TYPE) || !raw_origin(debug, &unit, &from) ||
	    !raw_has(&from, RAW_NAME) || !raw_has(&from, RAW_TYPE)) {
		*name = die_place_name(debug, place);
		*type = die_place_type(debug, place);
		return;
	}
	*name = raw_string(unit, &from, RAW_NAME);
	*type = type_at(debug, unit, &from);
}
