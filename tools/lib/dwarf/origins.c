// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attributes of an entry, or of the entry that it is an instance or definition of (its origin). Example: a C++ method
 * that is defined outside its class, and inlined somewhere. Each entry has only what the next one does not tell:
 *
 *	100	DW_TAG_subprogram		in the class: DW_AT_name "area", DW_AT_linkage_name, DW_AT_type long
 *	200	DW_TAG_subprogram		DW_AT_specification 100, DW_AT_inline
 *	300	DW_TAG_inlined_subroutine	DW_AT_abstract_origin 200, DW_AT_ranges
 *	400	DW_TAG_subprogram		DW_AT_abstract_origin 200, DW_AT_low_pc: the copy that is not inlined
 *
 * The name of 300 and of 400 is found at 100, after two steps. The entries may be in different units (dwz, LTO).
 * MAX_ORIGINS ends a malformed circle.
 */
#include "dwarf/internal.h"

#define MAX_ORIGINS 8

bool raw_origin(struct debuginfo *debug, const struct raw_unit **unit, struct raw_die *die)
{
	Dwarf_Die to;

	if (!raw_ref(*unit, die, RAW_ORIGIN, &to) && !raw_ref(*unit, die, RAW_SPECIFICATION, &to))
		return false;
	*unit = raw_of(debug, &to);
	return *unit && raw_read(*unit, to.addr, die);
}

/* Moves from the entry along its origins to the first one that has @slot. */
static bool go_to(struct debuginfo *debug, enum raw_slot slot, const struct raw_unit **unit,
		  struct raw_die *die)
{
	for (u32 hops = 0; !raw_has(die, slot); hops++)
		if (hops == MAX_ORIGINS || !raw_origin(debug, unit, die))
			return false;
	return true;
}

bool die_place_with(struct debuginfo *debug, struct die_place place, enum raw_slot slot,
		    const struct raw_unit **unit, struct raw_die *die)
{
	*unit = place.unit;
	return raw_read(place.unit, place.at, die) && go_to(debug, slot, unit, die);
}

const char *die_place_name(struct debuginfo *debug, struct die_place place)
{
	const struct raw_unit *unit;
	struct raw_die die;

	return die_place_with(debug, place, RAW_NAME, &unit, &die)
		       ? raw_string(unit, &die, RAW_NAME)
		       : NULL;
}

const char *die_place_linkage_name(struct debuginfo *debug, struct die_place place)
{
	const struct raw_unit *unit;
	struct raw_die die;

	if (die_place_with(debug, place, RAW_LINKAGE_NAME, &unit, &die))
		return raw_string(unit, &die, RAW_LINKAGE_NAME);
	return die_place_name(debug, place);
}

bool die_place_flag(struct debuginfo *debug, struct die_place place, enum raw_slot slot)
{
	const struct raw_unit *unit;
	struct raw_die die;

	return die_place_with(debug, place, slot, &unit, &die) && raw_flag(unit, &die, slot);
}
