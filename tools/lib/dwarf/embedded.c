// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which types are members of others. Whoever has a pointer to such a one can mean the structure
 * around it; a pointer to any other can only mean its neighbours in a row.
 *
 * A unit's structures are walked when it is first asked about one of its types. Of a type that
 * dwz has put into a unit for several to import, members of all units may be: all are walked.
 */
#include "dwarf/internal.h"

#define MAX_UNITS   64 /* walked; what the types of others are members of is not known */
#define MAX_HOLDERS 64 /* of one type, looked at */
#define MAX_NESTING 6

/* A structure that has a member of the type. */
struct holder {
	const struct raw_unit *unit;
	const u8 *entry;
	u64 offset, size;
	bool base; /* it inherits the type */
};

struct walk {
	struct debuginfo *debug;
	const struct raw_unit *unit;
	GHashTable *found;   /* address of an entry -> GArray of struct holder */
	GHashTable *endless; /* entries of structures that end in an array without a bound */
	u32 seen;
};

static bool is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void add_holder(struct walk *walk, const u8 *entry, const struct raw_die *member,
		       const struct raw_die *parent)
{
	GArray *holders = g_hash_table_lookup(walk->found, entry);
	struct holder holder = { .unit = walk->unit,
				 .entry = parent->at,
				 .base = member->abbrev->tag == DW_TAG_inheritance };

	if (!holders) {
		holders = g_array_new(false, false, sizeof(struct holder));
		g_hash_table_insert(walk->found, (void *)entry, holders);
	}
	raw_uint(walk->unit, member, RAW_MEMBER_LOCATION, &holder.offset);
	raw_uint(walk->unit, parent, RAW_BYTE_SIZE, &holder.size);
	if (holders->len < MAX_HOLDERS && holder.size <= INT32_MAX && holder.offset <= holder.size)
		g_array_append_val(holders, holder);
}

/* An array of which one dimension has no bound. */
static bool is_endless(const struct raw_unit *unit, const struct raw_die *array)
{
	struct raw_die range;

	return array->abbrev->children && raw_read(unit, array->next, &range) &&
	       range.abbrev->tag == DW_TAG_subrange_type && !raw_has(&range, RAW_UPPER_BOUND) &&
	       !raw_has(&range, RAW_COUNT);
}

/*
 * The structure that a member is, without an array around it, and who holds it. True for an
 * array without a bound.
 */
static bool add_member(struct walk *walk, const struct raw_die *member,
		       const struct raw_die *parent)
{
	const struct raw_unit *unit = walk->unit;
	struct raw_die die = *member;
	Dwarf_Die to;

	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		if (!raw_ref(unit, &die, RAW_TYPE, &to))
			return false;
		unit = raw_of(walk->debug, &to);
		if (!unit || !raw_read(unit, to.addr, &die))
			return false;
		if (die.abbrev->tag == DW_TAG_array_type)
			return is_endless(unit, &die);
		if (is_compound(die.abbrev->tag)) {
			add_holder(walk, to.addr, member, parent);
			return false;
		}
		if (die.abbrev->tag != DW_TAG_typedef && die.abbrev->tag != DW_TAG_const_type &&
		    die.abbrev->tag != DW_TAG_volatile_type)
			return false;
	}
	return false;
}

static void walk_entries(struct walk *walk, const u8 *at, const struct raw_die *parent, u32 depth)
{
	struct raw_die die;
	bool endless = false;

	while (depth < MAX_DEPTH && raw_read(walk->unit, at, &die)) {
		int tag = die.abbrev->tag;

		if (walk->seen++ > MAX_UNIT_DIES)
			return;
		if (parent && (tag == DW_TAG_member || tag == DW_TAG_inheritance))
			endless |= add_member(walk, &die, parent);
		else if (parent && die.abbrev->children &&
			 (tag == DW_TAG_variant_part || tag == DW_TAG_variant))
			walk_entries(walk, die.next, parent, depth + 1);
		else if (die.abbrev->children && (is_compound(tag) || tag == DW_TAG_namespace))
			walk_entries(walk, die.next, is_compound(tag) ? &die : NULL, depth + 1);
		at = raw_after(walk->unit, &die);
	}
	if (endless)
		g_hash_table_add(walk->endless, (void *)parent->at);
}

static struct walk walk_new(struct debuginfo *debug, const void *key)
{
	struct walk walk = { .debug = debug, .endless = debug->endless };

	walk.found = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	g_hash_table_insert(debug->embedded, (void *)key, walk.found);
	return walk;
}

static void walk_file(struct walk *walk, Dwarf *dwarf)
{
	Dwarf_Off at = 0, next;
	size_t header;

	for (; dwarf && dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0; at = next) {
		struct raw_die top;
		Dwarf_Die die;

		if (dwarf_offdie(dwarf, at + header, &die) &&
		    (walk->unit = raw_of(walk->debug, &die)) &&
		    raw_read(walk->unit, walk->unit->first, &top) && top.abbrev->children)
			walk_entries(walk, top.next, NULL, 0);
	}
}

/* All units of the file and of the one that it shares with others; NULL: too many entries. */
static GHashTable *embedded_of_all(struct debuginfo *debug)
{
	GHashTable *found = g_hash_table_lookup(debug->embedded, debug);
	struct walk walk;

	if (!found) {
		walk = walk_new(debug, debug);
		walk_file(&walk, debug->source.dwarf);
		walk_file(&walk, dwarf_getalt(debug->source.dwarf));
		found = walk.found;
		debug->embedded_cut = walk.seen > MAX_UNIT_DIES;
	}
	return debug->embedded_cut ? NULL : found;
}

static GHashTable *embedded_of(struct debuginfo *debug, const struct raw_unit *unit)
{
	GHashTable *found = g_hash_table_lookup(debug->embedded, unit);
	struct raw_die top;
	struct walk walk;

	if (found)
		return found;
	if (!raw_read(unit, unit->first, &top))
		return NULL;
	if (top.abbrev->tag == DW_TAG_partial_unit)
		return embedded_of_all(debug);
	if (g_hash_table_size(debug->embedded) >= MAX_UNITS ||
	    top.abbrev->tag != DW_TAG_compile_unit)
		return NULL;
	walk = walk_new(debug, unit);
	walk.unit = unit;
	if (top.abbrev->children)
		walk_entries(&walk, top.next, NULL, 0);
	return walk.found;
}

static void extend(const struct debuginfo *debug, GHashTable *found, const u8 *entry, u64 before,
		   u32 depth, struct type_reach *reach)
{
	const GArray *holders = g_hash_table_lookup(found, entry);

	for (u32 i = 0; holders && depth < MAX_NESTING && i < holders->len; i++) {
		const struct holder *h = &g_array_index(holders, struct holder, i);
		u64 ahead = before + h->offset;

		reach->before = MAX(reach->before, ahead);
		if (g_hash_table_contains(debug->endless, h->entry))
			reach->after = UINT32_MAX;
		else if (h->size > ahead)
			reach->after = MAX(reach->after, h->size - ahead);
		extend(debug, found, h->entry, ahead, depth + 1, reach);
	}
}

static bool find_reach(const struct type *type, struct type_reach *reach)
{
	struct debuginfo *debug = type->debug;
	struct place place = type_place(type);
	GHashTable *found;

	*reach = (struct type_reach){ .after = type->size };
	if (!type_is_compound(type))
		return false;
	found = place.unit ? embedded_of(debug, place.unit) : NULL;
	if (!found)
		return false;
	extend(debug, found, place.at, 0, 0, reach);
	return true;
}

bool type_reach(const struct type *type, struct type_reach *reach)
{
	struct type_entry *entry = (struct type_entry *)type_strip(type);

	/* What hundreds of structures begin with is asked for again and again. */
	if (!entry->reach_known) {
		entry->reach_found = find_reach(&entry->type, &entry->reach);
		entry->reach_known = true;
	}
	*reach = entry->reach;
	return entry->reach_found;
}

struct search {
	const struct type *type;
	GHashTable *found;
	s64 place;
	struct type_holder *holders;
	u32 max, nr;
};

static bool gather(struct search *s, const u8 *entry, u64 before, bool derived, u32 depth)
{
	const GArray *rows = g_hash_table_lookup(s->found, entry);

	for (u32 i = 0; rows && i < rows->len; i++) {
		const struct holder *h = &g_array_index(rows, struct holder, i);
		u64 ahead = before + h->offset;
		s64 place = s->place + (s64)ahead;
		Dwarf_Die die = raw_to_die(h->unit, h->entry);

		if (depth == MAX_NESTING || rows->len == MAX_HOLDERS)
			return false;
		if (place < 0 || (u64)place >= h->size) {
			if (!gather(s, h->entry, ahead, derived && h->base, depth + 1))
				return false;
			continue;
		}
		if (s->nr == s->max)
			return false;
		s->holders[s->nr++] =
			(struct type_holder){ .type = type_of_die(s->type->debug, &die),
					      .offset = ahead,
					      .derived = derived && h->base };
	}
	return true;
}

bool type_holders(const struct type *type, s64 offset, struct type_holder *holders, u32 max,
		  u32 *nr)
{
	struct search s = {
		.type = type_strip(type), .place = offset, .holders = holders, .max = max
	};
	struct place place;
	bool all;

	*nr = 0;
	if (!type_is_compound(s.type) || offset < INT32_MIN || offset > INT32_MAX)
		return false;
	place = type_place(s.type);
	s.found = place.unit ? embedded_of(s.type->debug, place.unit) : NULL;
	all = s.found && gather(&s, place.at, 0, true, 0);
	*nr = s.nr;
	return all;
}

static bool steps_along(GHashTable *found, const u8 *entry, u64 size, u64 stride, u32 depth)
{
	const GArray *rows = g_hash_table_lookup(found, entry);

	for (u32 i = 0; rows && i < rows->len; i++) {
		const struct holder *h = &g_array_index(rows, struct holder, i);

		if (depth == MAX_NESTING || rows->len == MAX_HOLDERS)
			return true;
		if ((h->size > size && stride % h->size == 0) ||
		    steps_along(found, h->entry, size, stride, depth + 1))
			return true;
	}
	return false;
}

bool type_may_step(const struct type *type, u64 stride)
{
	struct place place;
	GHashTable *found;

	type = type_strip(type);
	if (!type_is_compound(type))
		return true;
	place = type_place(type);
	found = place.unit ? embedded_of(type->debug, place.unit) : NULL;
	return !found || steps_along(found, place.at, type->size, stride, 0);
}
