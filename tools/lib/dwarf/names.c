// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Qualified names, as the source language writes them, and their short forms.
 *
 * Entries do not refer to the entry around them. So a unit is walked once for all entries that can contain types
 * (containers), in order. The innermost container of an entry is found by binary search, the outer ones through struct
 * container. C has no containers, so its units are not walked.
 *
 *	namespace store { struct item { struct key { int a; } k; }; }
 *
 *	1bb	DW_TAG_namespace "store"		container 0: [1bb, 1f7), outer: none
 *	1c7	  DW_TAG_structure_type "item"		container 1: [1c7, 1f6), outer: 0
 *	1d3	    DW_TAG_structure_type "key"		container 2: [1d3, 1eb), outer: 1
 *	1eb	    DW_TAG_member "k"
 *	1f7	DW_TAG_base_type
 *
 * Look-up of 1d3: the last container that starts before it is 1, and 1d3 is in it. Its path is 1, 0, so the name is
 * "store::item::key". An entry's own container does not count, because it does not start before the entry.
 *
 * Look-up of 1eb: the last container that starts before it is 2, which ends at 1eb. Its outer one is 1: found.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/internal.h"

#define NO_CONTAINER UINT32_MAX

struct container {
	const u8 *start, *end;
	u32 outer; /* index of the container around it; NO_CONTAINER: none */
	u16 tag;
};

static const u8 container_tags[RAW_TAGS] = {
	[DW_TAG_namespace] = 1,	 [DW_TAG_module] = 1,	     [DW_TAG_structure_type] = 1,
	[DW_TAG_class_type] = 1, [DW_TAG_union_type] = 1,    [DW_TAG_enumeration_type] = 1,
	[DW_TAG_subprogram] = 1, [DW_TAG_lexical_block] = 1, [DW_TAG_interface_type] = 1,
};

/*
 * Adds the containers of a list of siblings, and of all lists inside. They are added in the order of their start, so
 * the array is sorted. Returns the position after the list.
 */
static const u8 *walk(GArray *containers, const struct raw_unit *unit, const u8 *at, u32 outer,
		      u32 depth)
{
	struct raw_die die;

	while (raw_next_wanted(unit, &at, container_tags)) {
		struct container c = { .outer = outer };
		u32 index = containers->len;

		if (!raw_read(unit, at, &die))
			return unit->end;
		if (!die.abbrev->children || depth == MAX_DEPTH || index > MAX_ENTRIES) {
			at = raw_after(unit, &die);
			continue;
		}
		c.start = at;
		c.tag = die.abbrev->tag;
		g_array_append_val(containers, c);
		at = walk(containers, unit, die.next, index, depth + 1);
		g_array_index(containers, struct container, index).end = at;
	}
	return at;
}

static const GArray *containers_of(struct debuginfo *debug, const struct raw_unit *unit)
{
	GArray *containers = g_hash_table_lookup(debug->containers, unit);
	struct raw_die entry;

	if (containers)
		return containers;
	containers = g_array_new(false, false, sizeof(struct container));
	g_hash_table_insert(debug->containers, (void *)unit, containers);
	if (raw_read(unit, unit->first, &entry) && entry.abbrev->children)
		walk(containers, unit, entry.next, NO_CONTAINER, 0);
	return containers;
}

/* The innermost container of @at. */
static u32 find_container(const GArray *containers, const u8 *at)
{
	u32 low = SEARCH(i, 0, containers->len,
			 g_array_index(containers, struct container, i).start < at);
	u32 found = low ? low - 1 : NO_CONTAINER;

	while (found != NO_CONTAINER &&
	       g_array_index(containers, struct container, found).end <= at)
		found = g_array_index(containers, struct container, found).outer;
	return found;
}

static void prepend_path(struct debuginfo *debug, struct die_place place, GString *name, u32 depth);

/* In a type unit, clang refers to the class around another class only by its signature. */
static const char *name_by_signature(struct debuginfo *debug, struct die_place place)
{
	struct raw_die die;
	Dwarf_Die to;

	if (!raw_read(place.unit, place.at, &die) || !raw_has(&die, RAW_SIGNATURE) ||
	    !raw_ref(place.unit, &die, RAW_SIGNATURE, &to))
		return NULL;
	place = (struct die_place){ raw_of(debug, &to), to.addr };
	return place.unit ? die_place_name(debug, place) : NULL;
}

/* Adds one container's name to the path. True: the rest of the path was taken from another entry. */
static bool prepend_container(struct debuginfo *debug, const struct raw_unit *unit,
			      const struct container *c, GString *path, u32 depth)
{
	struct die_place place = { unit, c->start };
	const char *name;
	struct raw_die die;

	if (c->tag == DW_TAG_lexical_block || c->tag == DW_TAG_enumeration_type)
		return false;
	name = die_place_name(debug, place);
	if (!name)
		name = name_by_signature(debug, place);
	if (!name && c->tag == DW_TAG_namespace)
		name = "(anonymous namespace)";
	if (!name)
		return false;
	g_string_prepend(path, c->tag == DW_TAG_subprogram && unit->language != DW_LANG_Rust
				       ? "()::"
				       : "::");
	g_string_prepend(path, name);
	/* A definition may be outside the container of its declaration. */
	if (!raw_read(unit, c->start, &die) || !raw_origin(debug, &unit, &die))
		return false;
	prepend_path(debug, (struct die_place){ unit, die.at }, path, depth + 1);
	return true;
}

static void prepend_path(struct debuginfo *debug, struct die_place place, GString *name, u32 depth)
{
	const GArray *containers;
	u32 at;

	if (depth > 4 || !raw_has_namespaces(place.unit))
		return;
	containers = containers_of(debug, place.unit);
	at = find_container(containers, place.at);
	for (u32 steps = 0; at != NO_CONTAINER && steps < MAX_DEPTH; steps++) {
		const struct container *c = &g_array_index(containers, struct container, at);

		if (prepend_container(debug, place.unit, c, name, depth))
			return;
		at = c->outer;
	}
}

char *names_qualify(struct debuginfo *debug, struct die_place place, const char *name)
{
	const struct raw_unit *unit = place.unit;
	struct raw_die die;
	GString *path;

	if (!raw_has_namespaces(unit))
		return NULL;
	path = g_string_new(name);
	/* gcc does not put the types of type units inside the namespace that declares them. */
	if (raw_read(unit, place.at, &die) && raw_origin(debug, &unit, &die))
		place = (struct die_place){ unit, die.at };
	prepend_path(debug, place, path, 0);
	return g_string_free(path, false);
}

char *names_of_closure(struct debuginfo *debug, struct die_place place, const struct raw_die *die)
{
	const struct raw_unit *unit = place.unit;
	g_autofree char *name = NULL;
	const u8 *at = die->next;
	struct raw_die child;
	u64 line;

	if (!die->abbrev->children || !raw_has_namespaces(unit) ||
	    !raw_uint(unit, die, RAW_DECL_LINE, &line))
		return NULL;
	for (; !name && raw_read(unit, at, &child); at = raw_after(unit, &child))
		if (child.abbrev->tag == DW_TAG_subprogram &&
		    !g_strcmp0(raw_string(unit, &child, RAW_NAME), "operator()"))
			name = g_strdup_printf("(lambda at line %llu)", (unsigned long long)line);
	return name ? names_qualify(debug, place, name) : NULL;
}

bool names_environment(struct debuginfo *debug, struct die_place closure, const char *name,
		       struct die_place *environment)
{
	const GArray *containers = containers_of(debug, closure.unit);
	u32 at = find_container(containers, closure.at + 1);
	const struct container *c, *outer;
	size_t kind = strcspn(name, "#");

	if (*name != '{' || !name[kind] || at == NO_CONTAINER)
		return false;
	c = &g_array_index(containers, struct container, at);
	if (c->start != closure.at || c->outer == NO_CONTAINER)
		return false;
	outer = &g_array_index(containers, struct container, c->outer);
	for (u32 i = c->outer + 1; i < containers->len; i++) {
		const struct container *other = &g_array_index(containers, struct container, i);
		struct die_place place = { closure.unit, other->start };
		const char *said;

		if (other->start >= outer->end)
			break;
		if (other->outer != c->outer || other->tag != DW_TAG_structure_type)
			continue;
		said = die_place_name(debug, place);
		/* "{closure_env#0}<T>" belongs to "{closure#0}<T>". */
		if (!said || strncmp(said, name, kind) != 0 ||
		    strncmp(said + kind, "_env", 4) != 0 ||
		    strcmp(said + kind + 4, name + kind) != 0)
			continue;
		*environment = place;
		return true;
	}
	return false;
}

/* The usual names of "basic_string<char, ..." (string) and of similar types. */
static const char *string_alias(const char *start, size_t used, const char *arguments)
{
	static const struct {
		const char *element, *name;
	} aliases[] = {
		{ "<char", "string" },	      { "<wchar_t", "wstring" },
		{ "<char8_t", "u8string" },   { "<char16_t", "u16string" },
		{ "<char32_t", "u32string" },
	};
	static const char name[] = "basic_string";
	size_t size = sizeof(name) - 1;

	if (used < size || memcmp(start + used - size, name, size) != 0 ||
	    (used > size && start[used - size - 1] != ':' && start[used - size - 1] != ' '))
		return NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(aliases); i++) {
		size_t length = strlen(aliases[i].element);

		if (!strncmp(arguments, aliases[i].element, length) &&
		    (arguments[length] == ',' || arguments[length] == '>'))
			return aliases[i].name;
	}
	return NULL;
}

/* Length of a namespace that only marks the library's version, such as libstdc++'s "__cxx11::". */
static size_t version_namespace(const char *name)
{
	static const char *const versions[] = { "__cxx11::", "__1::", "_V2::" };

	for (size_t i = 0; i < G_N_ELEMENTS(versions); i++)
		if (g_str_has_prefix(name, versions[i]))
			return strlen(versions[i]);
	return 0;
}

/*
 * Removes arguments after a name: "Holder<int>". Brackets at the start of a path step are part of the name:
 * "<lambda(int)>", "<impl core::fmt::Debug for T>". "->" is an arrow.
 */
const char *type_name_short(const char *name, char *buffer, size_t size)
{
	u32 level = 0;
	size_t used = 0;
	char before = ':';

	if (!size)
		return buffer;
	for (; *name; before = *name++) {
		bool opens = *name == '<' && (level || (before != ':' && before != ' '));
		bool closes = *name == '>' && before != '-' && level;
		const char *alias = opens && !level ? string_alias(buffer, used, name) : NULL;

		if (!level && before == ':' && version_namespace(name)) {
			name += version_namespace(name) - 1;
			continue;
		}
		if (alias) {
			/* The alias fits, because it is shorter than the name that it replaces. */
			used -= strlen("basic_string");
			memcpy(buffer + used, alias, strlen(alias));
			used += strlen(alias);
		}
		level += opens;
		if (!level && used + 1 < size)
			buffer[used++] = *name;
		level -= closes;
	}
	buffer[used] = '\0';
	return buffer;
}
