// SPDX-License-Identifier: GPL-2.0-or-later
#include "dwarf/go.h"
#include "dwarf/internal.h"

static const struct type *type_at(struct debuginfo *debug, struct die_place place)
{
	Dwarf_Die die = raw_to_die(place.unit, place.at);

	return type_of_die(debug, &die);
}

const struct type *debuginfo_go_type(struct debuginfo *debug, u64 distance)
{
	struct die_place place;

	return go_type_described(debug, distance, &place) ? type_at(debug, place) : NULL;
}

const struct type *debuginfo_go_named(struct debuginfo *debug, const char *name)
{
	struct die_place place;

	return go_type_named(debug, name, &place) ? type_at(debug, place) : NULL;
}

const struct type *type_go_element(const struct type *type)
{
	struct die_place place = type_place(type);
	struct raw_die die;
	Dwarf_Die element;

	if (!place.unit || place.unit->language != DW_LANG_Go ||
	    !raw_read(place.unit, place.at, &die) ||
	    !raw_ref(place.unit, &die, RAW_GO_ELEM, &element))
		return NULL;
	return type_of_die(type->debug, &element);
}
