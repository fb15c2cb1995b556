// SPDX-License-Identifier: GPL-2.0-or-later
/* What an entry says itself or leaves to the entry that it is an instance or definition of. */
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

/* The first of the entry and its origins that has @slot. */
static bool find_with(struct debuginfo *debug, struct place place, enum raw_slot slot,
		      const struct raw_unit **unit, struct raw_die *die)
{
	*unit = place.unit;
	if (!raw_read(place.unit, place.at, die))
		return false;
	for (u32 hops = 0; !raw_has(die, slot); hops++)
		if (hops == MAX_ORIGINS || !raw_origin(debug, unit, die))
			return false;
	return true;
}

const char *place_name(struct debuginfo *debug, struct place place)
{
	const struct raw_unit *unit;
	struct raw_die die;

	return find_with(debug, place, RAW_NAME, &unit, &die) ? raw_string(unit, &die, RAW_NAME)
							      : NULL;
}

const char *place_linkage_name(struct debuginfo *debug, struct place place)
{
	const struct raw_unit *unit;
	struct raw_die die;

	if (find_with(debug, place, RAW_LINKAGE_NAME, &unit, &die))
		return raw_string(unit, &die, RAW_LINKAGE_NAME);
	return place_name(debug, place);
}

bool place_flag(struct debuginfo *debug, struct place place, enum raw_slot slot)
{
	const struct raw_unit *unit;
	struct raw_die die;

	return find_with(debug, place, slot, &unit, &die) && raw_flag(unit, &die, slot);
}

const struct type *place_type(struct debuginfo *debug, struct place place)
{
	const struct raw_unit *unit;
	struct raw_die die;
	Dwarf_Die to;

	if (!find_with(debug, place, RAW_TYPE, &unit, &die) || !raw_ref(unit, &die, RAW_TYPE, &to))
		return type_void(debug);
	return type_of_die(debug, &to);
}
