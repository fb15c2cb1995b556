// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a C++ class "non-trivial for the purposes of calls" (Itanium C++ ABI, 1.1)? clang states this in the debug
 * information, gcc does not. For gcc's classes it follows from the declarations. A class is non-trivial if it has a
 * destructor or a copy or move constructor that is not defaulted, virtual functions, virtual bases, or a non-trivial
 * member or base; or if all its copy and move constructors are deleted. A deleted one beside one that is not does not matter:
 *
 *	struct handle { int fd; handle(const handle &) = delete; handle(handle &&) = default; };	rdi: fd
 *
 *	struct guard { int fd; ~guard(); };
 *	void f(guard g);			rdi: the address of g, although g has only 4 bytes
 *
 * gcc's entries for it. The destructor is declared, and has no DW_AT_defaulted:
 *
 *	DW_TAG_structure_type "guard"
 *	  DW_TAG_member "fd"
 *	  DW_TAG_subprogram "~guard", DW_AT_declaration
 *
 * A copy constructor has the class's name and, besides `this`, one parameter: guard(const guard &). Its entry has no
 * sign that it copies. So the type of the parameter is followed: reference, perhaps const, then a class with the same
 * name. The name of a template's constructor lacks the arguments: "box" in "box<int>".
 *
 * For some classes, gcc also lists the functions that the class has without any declaration, with DW_AT_artificial:
 *
 *	int main() { struct pair { node *n; long b; }; ... }
 *
 *	DW_TAG_subprogram "~pair", DW_AT_artificial		trivial, because the members are
 *
 * Limits: for a class that is declared only, nothing is known, and false is returned.
 */
#include <string.h>

#include "dwarf/internal.h"

#define MAX_NESTED 16

/* Follows the type of @die and reads it. */
static bool follow_type(struct debuginfo *debug, const struct raw_unit **unit, struct raw_die *die)
{
	Dwarf_Die to;

	if (!raw_ref(*unit, die, RAW_TYPE, &to))
		return false;
	*unit = raw_of(debug, &to);
	return *unit && raw_read(*unit, to.addr, die);
}

/* A reference, const or not, to the class called @name. */
static bool refers_to_class(struct debuginfo *debug, const struct raw_unit *unit,
			    struct raw_die die, const char *name)
{
	u16 tag;

	if (!follow_type(debug, &unit, &die))
		return false;
	tag = die.abbrev->tag;
	if ((tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) ||
	    !follow_type(debug, &unit, &die))
		return false;
	if (die.abbrev->tag == DW_TAG_const_type && !follow_type(debug, &unit, &die))
		return false;
	return !g_strcmp0(raw_string(unit, &die, RAW_NAME), name);
}

/* A constructor with one parameter after `this`: an object of the same class. */
static bool is_copy_constructor(struct debuginfo *debug, const struct raw_unit *unit,
				const struct raw_die *die, const char *name, const char *class)
{
	size_t length = class ? strcspn(class, "<") : 0;
	const u8 *at = die->next;
	struct raw_die child;
	u32 nr = 0;
	bool same = false;

	if (!length || strlen(name) != length || strncmp(name, class, length) != 0 ||
	    !die->abbrev->children)
		return false;
	for (; nr < 4 && raw_read(unit, at, &child); at = raw_after(unit, &child))
		if (child.abbrev->tag == DW_TAG_formal_parameter && nr++ == 1)
			same = refers_to_class(debug, unit, child, class);
	return nr == 2 && same;
}

static bool is_defaulted(const struct raw_unit *unit, const struct raw_die *die)
{
	u64 how;

	return raw_uint(unit, die, RAW_DEFAULTED, &how) && how == DW_DEFAULTED_in_class;
}

/*
 * Virtual bases and virtual functions have DW_AT_virtuality; so one test finds both. Functions that the compiler added
 * are not enough: they do nothing else than those of the bases and members, which the caller examines.
 */
static bool declares_copying(struct debuginfo *debug, const struct raw_unit *unit,
			     const struct raw_die *die)
{
	const char *class = raw_string(unit, die, RAW_NAME);
	bool deleted = false, remains = false;
	const u8 *at = die->next;
	struct raw_die child;

	if (!die->abbrev->children)
		return false;
	for (; raw_read(unit, at, &child); at = raw_after(unit, &child)) {
		u16 tag = child.abbrev->tag;
		const char *name;
		bool copies;

		if (tag != DW_TAG_inheritance && tag != DW_TAG_subprogram)
			continue;
		if (raw_has(&child, RAW_VIRTUALITY))
			return true;
		name = tag == DW_TAG_subprogram ? raw_string(unit, &child, RAW_NAME) : NULL;
		copies = name && is_copy_constructor(debug, unit, &child, name, class);
		if (copies && raw_flag(unit, &child, RAW_DELETED)) {
			deleted = true;
			continue;
		}
		remains |= copies;
		if (!name || raw_flag(unit, &child, RAW_ARTIFICIAL) || is_defaulted(unit, &child))
			continue;
		if (name[0] == '~' || copies)
			return true;
	}
	return deleted && !remains;
}

/*
 * The answer is set to "false" before the members are examined. So a malformed class that contains itself ends the
 * recursion.
 */
static bool find_out(const struct type *type, u32 depth)
{
	struct type_entry *entry = (struct type_entry *)type;
	const struct member *members;
	struct raw_die die;
	u64 convention;
	u32 nr;

	if (!type_is_compound(type) || depth > MAX_NESTED)
		return false;
	if (entry->passing_known)
		return entry->by_reference;
	entry->passing_known = true;
	if (!raw_read(entry->place.unit, entry->place.at, &die))
		return false;
	if (raw_uint(entry->place.unit, &die, RAW_CALLING_CONVENTION, &convention) &&
	    (convention == DW_CC_pass_by_reference || convention == DW_CC_pass_by_value)) {
		entry->by_reference = convention == DW_CC_pass_by_reference;
		return entry->by_reference;
	}
	if (!raw_is_cplusplus(entry->place.unit))
		return false;
	entry->by_reference = declares_copying(type->debug, entry->place.unit, &die);
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
