// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the source declares a type: DW_AT_decl_file and DW_AT_decl_line. */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "dwarf/internal.h"

static const char *folder_of(const struct raw_unit *unit)
{
	Dwarf_Die die = unit->die;
	Dwarf_Attribute attr;

	return dwarf_attr(&die, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
}

static bool find_die(const struct type *type, Dwarf_Die *die)
{
	const struct type_entry *entry = (const struct type_entry *)type_strip(type);

	if (!entry->place.unit || entry->no_die || entry->made || entry->type.vtable)
		return false;
	*die = raw_to_die(entry->place.unit, entry->place.at);
	return true;
}

u32 type_asked_alignment(const struct type *type)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;
	Dwarf_Die die;

	if (!find_die(type, &die))
		return 0;
	libdw_lock(type->debug->source.lock);
	if (!dwarf_attr(&die, DW_AT_alignment, &attr) || dwarf_formudata(&attr, &value))
		value = 0;
	libdw_unlock(type->debug->source.lock);
	return value <= UINT32_MAX && !(value & (value - 1)) ? (u32)value : 0;
}

bool type_declared(const struct type *type, struct type_declaration *out)
{
	const struct type_entry *entry = (const struct type_entry *)type_strip(type);
	Dwarf_Die die;
	int line = 0;

	*out = (struct type_declaration){ 0 };
	if (!find_die(type, &die))
		return false;
	out->language = raw_is_cplusplus(entry->place.unit)	 ? TYPE_LANGUAGE_CPLUSPLUS
			: !raw_has_namespaces(entry->place.unit) ? TYPE_LANGUAGE_C
								 : TYPE_LANGUAGE_OTHER;
	libdw_lock(type->debug->source.lock);
	out->file = dwarf_decl_file(&die);
	if (!dwarf_decl_line(&die, &line) && line > 0)
		out->line = (u32)line;
	out->folder = folder_of(entry->place.unit);
	libdw_unlock(type->debug->source.lock);
	return out->file && out->line;
}
