// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a class of C++ "non-trivial for the purposes of calls" (Itanium C++ ABI, 1.1)? clang
 * says so in the debug information, gcc does not, so that it follows from the functions that the
 * class declares: a destructor, or a copy or move constructor that is not defaulted, or virtual
 * functions or bases; or a member or base that is so.
 */
#include <string.h>

#include "dwarf/internal.h"

#define MAX_NESTED 16

static bool is_cplusplus(Dwarf_Die *die)
{
	switch (dwarf_srclang(die)) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return true;
	default:
		return false;
	}
}

/* The entry that @die's type refers to, if it is a reference to the class called @name. */
static bool refers_to_class(Dwarf_Die *die, const char *name)
{
	Dwarf_Attribute attr;
	Dwarf_Die target;
	int tag;

	if (!dwarf_attr(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &target))
		return false;
	tag = dwarf_tag(&target);
	if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type)
		return false;
	if (!dwarf_attr(&target, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &target))
		return false;
	if (dwarf_tag(&target) == DW_TAG_const_type &&
	    (!dwarf_attr(&target, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &target)))
		return false;
	return !g_strcmp0(dwarf_diename(&target), name);
}

/* A constructor from one object of the same class, after `this`. */
static bool is_copy_constructor(Dwarf_Die *die, const char *class)
{
	const char *name = dwarf_diename(die);
	size_t length = class ? strcspn(class, "<") : 0;
	Dwarf_Die child;
	u32 nr = 0;
	bool same = false;

	if (!name || !length || strlen(name) != length || strncmp(name, class, length) != 0 ||
	    dwarf_child(die, &child) != 0)
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		if (nr++ == 1)
			same = refers_to_class(&child, class);
	} while (nr < 4 && dwarf_siblingof(&child, &child) == 0);
	return nr == 2 && same;
}

static bool is_defaulted(Dwarf_Die *die)
{
	u64 how;

	return die_number(die, DW_AT_defaulted, &how) && how == DW_DEFAULTED_in_class;
}

static bool declares_copying(Dwarf_Die *die)
{
	const char *class = dwarf_diename(die);
	Dwarf_Die child;

	if (dwarf_child(die, &child) != 0)
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if (tag == DW_TAG_inheritance && dwarf_hasattr(&child, DW_AT_virtuality))
			return true;
		if (tag != DW_TAG_subprogram)
			continue;
		if (dwarf_hasattr(&child, DW_AT_virtuality))
			return true;
		name = dwarf_diename(&child);
		if (is_defaulted(&child) || !name)
			continue;
		if (name[0] == '~' || is_copy_constructor(&child, class))
			return true;
	} while (dwarf_siblingof(&child, &child) == 0);
	return false;
}

static bool find_out(const struct type *type, u32 depth)
{
	struct type_entry *entry = (struct type_entry *)type;
	const struct member *members;
	u64 convention;
	u32 nr;

	if (!type_is_compound(type) || depth > MAX_NESTED)
		return false;
	if (entry->passing_known)
		return entry->by_reference;
	entry->passing_known = true;
	if (die_number(&entry->die, DW_AT_calling_convention, &convention) &&
	    (convention == DW_CC_pass_by_reference || convention == DW_CC_pass_by_value)) {
		entry->by_reference = convention == DW_CC_pass_by_reference;
		return entry->by_reference;
	}
	if (!is_cplusplus(&entry->die))
		return false;
	entry->by_reference = declares_copying(&entry->die);
	members = type_members(type, &nr);
	for (u32 i = 0; i < nr && !entry->by_reference; i++) {
		const struct type *inner = type_strip(members[i].type);

		for (u32 hops = 0; inner->kind == TYPE_ARRAY && hops < MAX_TYPE_HOPS; hops++)
			inner = type_strip(type_target(inner));
		entry->by_reference = find_out(inner, depth + 1);
	}
	return entry->by_reference;
}

bool type_passed_by_reference(const struct type *type)
{
	return find_out(type, 0);
}
