// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names for types without a name. They are derived from what is declared with such a type:
 *
 *	struct page { union { struct list_head lru; ... }; struct { int x; } at; };
 *	static struct { long hits; } counters;
 *
 * These types are "union page.{lru}", "struct page.at" and "struct of counters". A type's entry does not tell what
 * refers to it. So its unit is walked once for all members, variables, parameters and typedefs, when the first such
 * name is shown. A typedef is preferred over a member, and a member over a variable. Otherwise the first one in the
 * unit is taken. So the name does not depend on earlier questions.
 *
 * Go names such a type by all of its members, which may be hundreds of letters. Where it stands alone it is shown as above, and
 * inside of another name without its members:
 *
 *	struct { runtime.cgocheck int32; ... }		struct of runtime.debug
 *	[]struct { name string; size int }		[]struct {...}
 */
#include <string.h>

#include "dwarf/internal.h"

#define MAX_PATH_STEPS 8 /* nesting of nameless types */

enum rank { RANK_VARIABLE, RANK_MEMBER, RANK_TYPEDEF };

/* A declaration that uses a nameless type. */
struct declarer {
	const u8 *at;
	const u8 *parent; /* a member's structure */
	enum rank rank;
};

struct nameless_walk {
	struct debuginfo *debug;
	const struct raw_unit *unit;
	GHashTable *found; /* entry of a type -> struct declarer * */
	u32 seen;
};

static const u8 walked_tags[RAW_TAGS] = {
	[DW_TAG_structure_type] = 1,   [DW_TAG_class_type] = 1, [DW_TAG_union_type] = 1,
	[DW_TAG_namespace] = 1,	       [DW_TAG_subprogram] = 1, [DW_TAG_lexical_block] = 1,
	[DW_TAG_member] = 1,	       [DW_TAG_variable] = 1,	[DW_TAG_typedef] = 1,
	[DW_TAG_formal_parameter] = 1,
};

/* No name of C, C++ and Rust begins so. */
static bool is_go_literal(const char *name)
{
	return g_str_has_prefix(name, "struct {");
}

static bool is_nameless_tag(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type;
}

static bool is_transparent(int tag)
{
	return tag == DW_TAG_pointer_type || tag == DW_TAG_array_type || tag == DW_TAG_const_type ||
	       tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type ||
	       tag == DW_TAG_atomic_type;
}

/* The nameless type of @die: its own type, or the type that it points to or is an array of. */
static const u8 *nameless_of(struct nameless_walk *walk, const struct raw_die *from)
{
	const struct raw_unit *unit = walk->unit;
	struct raw_die die = *from;

	for (u32 hops = 0; unit && hops < MAX_TYPE_HOPS; hops++) {
		int tag;
		const char *name;
		Dwarf_Die to;

		if (!raw_ref(unit, &die, RAW_TYPE, &to))
			return NULL;
		unit = raw_of(walk->debug, &to);
		tag = unit ? raw_tag(unit, to.addr) : 0;
		if ((!is_transparent(tag) && !is_nameless_tag(tag)) ||
		    !raw_read(unit, to.addr, &die))
			return NULL;
		if (!is_nameless_tag(tag))
			continue;
		name = raw_has(&die, RAW_NAME) ? raw_string(unit, &die, RAW_NAME) : NULL;
		return !name || is_go_literal(name) ? to.addr : NULL;
	}
	return NULL;
}

static void add(struct nameless_walk *walk, const struct raw_die *die, const u8 *parent,
		enum rank rank)
{
	const u8 *type = nameless_of(walk, die);
	struct declarer *known = type ? g_hash_table_lookup(walk->found, type) : NULL;

	if (!type || (known && known->rank >= rank))
		return;
	if (!known) {
		known = g_new(struct declarer, 1);
		g_hash_table_insert(walk->found, (void *)type, known);
	}
	*known = (struct declarer){ die->at, parent, rank };
}

/* @parent: the structure whose members are at @at; NULL: they are in a namespace, a function, or the unit. */
static void walk_entries(struct nameless_walk *walk, const u8 *at, const u8 *parent, u32 depth)
{
	struct raw_die die;

	for (; raw_next_wanted(walk->unit, &at, walked_tags) && walk->seen++ < MAX_UNIT_DIES;
	     at = raw_after(walk->unit, &die)) {
		if (!raw_read(walk->unit, at, &die))
			return;
		switch (die.abbrev->tag) {
		case DW_TAG_typedef:
			/*
			 * A typedef inside a class is usually a template's alias, such as
			 * std::remove_reference<...>::type.
			 */
			if (!parent)
				add(walk, &die, NULL, RANK_TYPEDEF);
			break;
		case DW_TAG_member:
			add(walk, &die, parent, RANK_MEMBER);
			break;
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			if (raw_has(&die, RAW_NAME))
				add(walk, &die, NULL, RANK_VARIABLE);
			break;
		default:
			if (die.abbrev->children && depth < MAX_DEPTH)
				walk_entries(walk, die.next,
					     is_nameless_tag(die.abbrev->tag) ? at : NULL,
					     depth + 1);
			break;
		}
	}
}

static const struct declarer *declarer_of(struct debuginfo *debug, struct die_place place)
{
	GHashTable *found = g_hash_table_lookup(debug->declarers, place.unit);
	struct raw_die top;

	if (!found) {
		struct nameless_walk walk = { .debug = debug, .unit = place.unit };

		walk.found = found = g_hash_table_new_full(NULL, NULL, NULL, g_free);
		g_hash_table_insert(debug->declarers, (void *)place.unit, found);
		if (raw_read(place.unit, place.unit->first, &top) && top.abbrev->children)
			walk_entries(&walk, top.next, NULL, 0);
	}
	return g_hash_table_lookup(found, place.at);
}

/* "{lru}": the first member or enumerator with a name. */
static char *by_first(struct die_place place)
{
	struct raw_die die, child;
	const u8 *at;

	if (!raw_read(place.unit, place.at, &die) || !die.abbrev->children)
		return g_strdup("{}");
	for (at = die.next; raw_read(place.unit, at, &child); at = raw_after(place.unit, &child)) {
		int tag = child.abbrev->tag;
		const char *name = tag == DW_TAG_member || tag == DW_TAG_enumerator
					   ? raw_string(place.unit, &child, RAW_NAME)
					   : NULL;

		if (name)
			return g_strdup_printf("{%s}", name);
	}
	return g_strdup("{}");
}

/*
 * The path to the type at @place, without keyword. *@bare: it is a typedef, so it needs no keyword. A member of a
 * nameless structure has the path of that structure in front of it: in
 *
 *	struct page { struct { union { long private; } u; } at; };
 *
 * the union is "page.at.u": the member u, in the type of the member at, in page.
 */
static char *path_of(struct debuginfo *debug, struct die_place place, u32 depth, bool *bare)
{
	const struct declarer *declarer = depth < MAX_PATH_STEPS ? declarer_of(debug, place) : NULL;
	struct die_place outer = { place.unit, declarer ? declarer->parent : NULL };
	g_autofree char *before = NULL, *step = NULL;
	const char *name;
	struct raw_die die;
	bool ignored;

	*bare = declarer && declarer->rank == RANK_TYPEDEF;
	if (!declarer || (declarer->rank == RANK_MEMBER && !outer.at) ||
	    !raw_read(place.unit, declarer->at, &die))
		return by_first(place);
	name = raw_string(place.unit, &die, RAW_NAME);
	step = name ? g_strdup(name) : by_first(place);
	if (declarer->rank == RANK_TYPEDEF)
		before = names_qualify(debug, (struct die_place){ place.unit, declarer->at }, step);
	if (declarer->rank != RANK_MEMBER)
		return before  ? g_steal_pointer(&before)
		       : *bare ? g_steal_pointer(&step)
			       : g_strconcat("of ", step, NULL);
	name = die_place_name(debug, outer);
	if (!name || is_go_literal(name))
		before = path_of(debug, outer, depth + 1, &ignored);
	else
		before = names_qualify(debug, outer, name);
	return g_strconcat(before ?: name, ".", step, NULL);
}

static const char *keyword_of(const struct type *type)
{
	switch (type->kind) {
	case TYPE_STRUCT:
		return "struct ";
	case TYPE_CLASS:
		return "class ";
	case TYPE_UNION:
		return "union ";
	case TYPE_ENUM:
		return "enum ";
	default:
		return NULL;
	}
}

/* Artificial types of compilers have no name and no position. */
static bool is_nameless(const struct type *type)
{
	const char *keyword = keyword_of(type);
	struct die_place place = type_place(type);

	return keyword && place.unit &&
	       (!strcmp(type->name, keyword) || !strcmp(type->name, "(unknown type)") ||
		is_go_literal(type->name));
}

/* "[]struct {...}" for "[]struct { name string; at struct { x int } }". */
static const char *without_members(const struct type *type)
{
	g_autoptr(GString) out = g_string_new(NULL);
	u32 depth = 0;

	for (const char *at = type->name; *at; at++) {
		if (*at == '{' && (depth || at[1] == ' ') && !depth++)
			g_string_append(out, "{...");
		if (*at == '}' && depth && !--depth)
			g_string_append_c(out, '}');
		else if (!depth)
			g_string_append_c(out, *at);
	}
	return type_text(type->debug, "", out->str, NULL);
}

static const char *show(const struct type *type, u32 depth)
{
	struct type_entry *entry = (struct type_entry *)type;
	const struct type *target;
	const char *shown, *mark;
	bool bare;

	if (entry->shown)
		return entry->shown;
	entry->shown = strstr(type->name, "{ ") ? without_members(type) : type->name;
	if (is_nameless(type)) {
		g_autofree char *path = path_of(type->debug, type_place(type), 0, &bare);

		entry->shown = type_text(type->debug, bare ? "" : keyword_of(type), path, NULL);
	} else if ((type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY) &&
		   depth < MAX_TYPE_HOPS) {
		target = type_target(type);
		shown = show(target, depth + 1);
		/* The name is the target's name with a suffix. The names of inner dimensions have only the target's. */
		if (shown != target->name && g_str_has_prefix(type->name, target->name)) {
			mark = type->name + strlen(target->name);
			entry->shown = type_text(type->debug, "", shown, mark);
		}
	}
	return entry->shown;
}

const char *type_shown_name(const struct type *type)
{
	return show(type, 0);
}
