// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the types that are members of other types. A pointer to such a type may be used to access the structure around
 * it (container_of). A pointer to any other type can only be used to access its array neighbours.
 *
 *	struct node { struct list_head list; int key; };
 *
 * A pointer to a struct list_head may point into a struct node.
 *
 * A unit's structures are walked when it is first asked about one of its types. dwz may move a type to a unit that
 * several units import. Then all units are walked, because any of them may have a member of that type.
 *
 * Example, with the offsets of the entries:
 *
 *	2a: struct list_head { struct list_head *next, *prev; };	16 bytes
 *	53: struct node { int key; struct list_head list; };		24 bytes
 *	7e: struct tree { struct node root; long nr; };			32 bytes
 *
 *	holders		member	entry	offset	size
 *			2a	53	8	24	a list_head is at 8 of a node
 *			53	7e	0	32	a node is at 0 of a tree
 *
 *	type_reach(list_head)		before 8, after 24: in a tree, 8 bytes precede it, and 24 bytes begin with it
 *	type_holders(list_head, 16)	tree, 8: byte 16 from the list_head is nr. A node does not reach so far
 *	type_may_step(list_head, 24)	true: a pointer that advances by 24 may walk over an array of nodes
 *
 * Limits: MAX_HOLDERS holders of one type and MAX_NESTING levels. Beyond them type_holders() says that there may be
 * more, type_reach() that the reach is not known, and type_may_step() is true. Members that are arrays of structures are
 * not holders.
 */
#include "dwarf/internal.h"

#define MAX_HOLDERS 64 /* limit of holders examined for one type */
#define MAX_NESTING 6
#define MEMO_SIZE   256 /* a power of two */

/* The structure at @entry has a member. The type of the member is at @member. */
struct holder {
	const struct raw_unit *unit;
	const u8 *member;
	const u8 *entry;
	u32 offset, size;
	u32 next;  /* next holder in the same slot: index plus 1 */
	bool base; /* the type is its base class */
};

/* A structure with a size, at the top of a unit, in a namespace or in another structure. */
struct structure {
	const u8 *entry;
	u64 size;
};

/* The types of one unit, in its order. */
struct embedded {
	GArray *holders;    /* struct holder */
	GArray *structures; /* struct structure */
	bool shared;	    /* the unit imports entries that other units import, too */
	u32 *first;	    /* hash slots by the type's address: index plus 1 */
	u32 slots;	    /* a power of two */
};

/* The result for a member's type: its structure, or that it is an array without a bound. */
struct as_member {
	const u8 *type;
	const u8 *structure; /* NULL: it is no structure */
	bool endless;
};

struct embedded_walk {
	struct debuginfo *debug;
	const struct raw_unit *unit;
	GArray *found;	    /* struct holder */
	GArray *structures; /* struct structure */
	bool shared;
	/* entries of structures whose last member is an array without a bound */
	GHashTable *endless;
	u32 seen;
	struct as_member memo[MEMO_SIZE]; /* slot by @type's address */
};

/* Walk the top of the unit and its structures. */
static const u8 walked_tags[RAW_TAGS] = {
	[DW_TAG_structure_type] = 1, [DW_TAG_class_type] = 1, [DW_TAG_union_type] = 1,
	[DW_TAG_namespace] = 1,	     [DW_TAG_member] = 1,     [DW_TAG_inheritance] = 1,
	[DW_TAG_variant_part] = 1,   [DW_TAG_variant] = 1,    [DW_TAG_imported_unit] = 1,
};

static bool is_compound(int tag)
{
	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

static void add_holder(struct embedded_walk *walk, const u8 *type, const struct raw_die *member,
		       const struct raw_die *parent)
{
	struct holder holder = { .unit = walk->unit,
				 .member = type,
				 .entry = parent->at,
				 .base = member->abbrev->tag == DW_TAG_inheritance };
	u64 offset = 0, size = 0;

	raw_uint(walk->unit, member, RAW_MEMBER_LOCATION, &offset);
	raw_uint(walk->unit, parent, RAW_BYTE_SIZE, &size);
	if (size > INT32_MAX || offset > size)
		return;
	holder.offset = (u32)offset;
	holder.size = (u32)size;
	g_array_append_val(walk->found, holder);
}

static u32 slot_of(const struct embedded *found, const u8 *member)
{
	size_t address = GPOINTER_TO_SIZE(member);

	return (u32)(address ^ address >> 11) & (found->slots - 1);
}

static struct embedded *embedded_new(const struct embedded_walk *walk)
{
	struct embedded *found = g_new0(struct embedded, 1);
	GArray *holders = walk->found;

	found->holders = holders;
	found->structures = walk->structures;
	found->shared = walk->shared;
	for (found->slots = 16; found->slots < holders->len; found->slots *= 2)
		;
	found->first = g_new0(u32, found->slots);
	for (u32 i = holders->len; i-- > 0;) {
		struct holder *h = &g_array_index(holders, struct holder, i);
		u32 *first = &found->first[slot_of(found, h->member)];

		h->next = *first;
		*first = i + 1;
	}
	return found;
}

void embedded_free(struct embedded *found)
{
	g_array_unref(found->holders);
	g_array_unref(found->structures);
	g_free(found->first);
	g_free(found);
}

/* The holders of the type at @member, in the order of the unit. Returns their number, at most MAX_HOLDERS. */
static u32 holders_of(const struct embedded *found, const u8 *member,
		      const struct holder *holders[MAX_HOLDERS])
{
	u32 nr = 0;

	for (u32 i = found->first[slot_of(found, member)]; i && nr < MAX_HOLDERS;) {
		const struct holder *h = &g_array_index(found->holders, struct holder, i - 1);

		if (h->member == member)
			holders[nr++] = h;
		i = h->next;
	}
	return nr;
}

/* An array whose first dimension has no bound. */
static bool is_endless(const struct raw_unit *unit, const struct raw_die *array)
{
	struct raw_die range;

	return array->abbrev->children && raw_read(unit, array->next, &range) &&
	       range.abbrev->tag == DW_TAG_subrange_type && !raw_has(&range, RAW_UPPER_BOUND) &&
	       !raw_has(&range, RAW_COUNT);
}

static bool is_view(int tag)
{
	return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type;
}

/* Most members are pointers and numbers; their tag is enough to know this. */
static struct as_member look_at_type(struct embedded_walk *walk, const struct raw_unit *unit,
				     const u8 *at)
{
	struct as_member result = { .type = at };

	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		int tag = raw_tag(unit, at);
		struct raw_die die;
		Dwarf_Die to;

		if (is_compound(tag)) {
			result.structure = at;
			return result;
		}
		if ((!is_view(tag) && tag != DW_TAG_array_type) || !raw_read(unit, at, &die))
			return result;
		if (tag == DW_TAG_array_type) {
			result.endless = is_endless(unit, &die);
			return result;
		}
		if (!raw_ref(unit, &die, RAW_TYPE, &to))
			return result;
		unit = raw_of(walk->debug, &to);
		if (!unit)
			return result;
		at = to.addr;
	}
	return result;
}

static const struct as_member *look_up_type(struct embedded_walk *walk, const struct raw_unit *unit,
					    const u8 *at)
{
	struct as_member *known = &walk->memo[GPOINTER_TO_SIZE(at) % MEMO_SIZE];

	if (known->type != at)
		*known = look_at_type(walk, unit, at);
	return known;
}

/*
 * Adds a holder for the member's structure. Arrays of structures are not added. True: the member is an array without a
 * bound.
 */
static bool add_member(struct embedded_walk *walk, const struct raw_head *head,
		       const struct raw_die *parent)
{
	const u8 *type = raw_type_of_head(walk->unit, head);
	const struct raw_unit *unit = walk->unit;
	const struct as_member *known;
	struct raw_die member;
	Dwarf_Die to;

	if (type) {
		known = look_up_type(walk, unit, type);
		if (!known->structure || !raw_read(unit, head->at, &member))
			return known->endless;
	} else {
		if (!raw_read(unit, head->at, &member) || !raw_ref(unit, &member, RAW_TYPE, &to))
			return false;
		unit = raw_of(walk->debug, &to);
		if (!unit)
			return false;
		known = look_up_type(walk, unit, to.addr);
	}
	if (known->structure)
		add_holder(walk, known->structure, &member, parent);
	return known->endless;
}

static void add_structure(struct embedded_walk *walk, const struct raw_die *die)
{
	struct structure s = { .entry = die->at };

	if (raw_uint(walk->unit, die, RAW_BYTE_SIZE, &s.size))
		g_array_append_val(walk->structures, s);
}

static void walk_entries(struct embedded_walk *walk, const u8 *at, const struct raw_die *parent,
			 u32 depth)
{
	struct raw_head head;
	struct raw_die die;
	bool endless = false;

	while (depth < MAX_DEPTH && raw_next_head(walk->unit, &at, walked_tags, &head)) {
		int tag = head.abbrev->tag;

		if (walk->seen++ > MAX_UNIT_DIES)
			break;
		if (tag == DW_TAG_member || tag == DW_TAG_inheritance) {
			if (parent)
				endless |= add_member(walk, &head, parent);
			at = raw_after_head(walk->unit, &head);
			continue;
		}
		if (!raw_read(walk->unit, at, &die))
			break;
		walk->shared |= tag == DW_TAG_imported_unit;
		if (is_compound(tag))
			add_structure(walk, &die);
		if (parent && die.abbrev->children &&
		    (tag == DW_TAG_variant_part || tag == DW_TAG_variant))
			walk_entries(walk, die.next, parent, depth + 1);
		else if (die.abbrev->children && (is_compound(tag) || tag == DW_TAG_namespace))
			walk_entries(walk, die.next, is_compound(tag) ? &die : NULL, depth + 1);
		at = raw_after(walk->unit, &die);
	}
	if (endless)
		g_hash_table_add(walk->endless, (void *)parent->at);
}

static struct embedded_walk *walk_new(struct debuginfo *debug)
{
	struct embedded_walk *walk = g_new0(struct embedded_walk, 1);

	walk->debug = debug;
	walk->endless = debug->endless;
	walk->found = g_array_new(false, false, sizeof(struct holder));
	walk->structures = g_array_new(false, false, sizeof(struct structure));
	return walk;
}

static const struct embedded *walk_end(struct embedded_walk *walk, const void *key)
{
	struct embedded *found = embedded_new(walk);

	g_hash_table_insert(walk->debug->embedded, (void *)key, found);
	g_free(walk);
	return found;
}

static void walk_file(struct embedded_walk *walk, Dwarf *dwarf)
{
	g_autoptr(GPtrArray) units = raw_units_of(walk->debug, dwarf);

	for (u32 i = 0; i < units->len; i++) {
		struct raw_die top;

		walk->unit = g_ptr_array_index(units, i);
		if (raw_read(walk->unit, walk->unit->first, &top) && top.abbrev->children)
			walk_entries(walk, top.next, NULL, 0);
	}
}

/* The result for all units of the file and of its dwz file; NULL: too many entries. */
static const struct embedded *embedded_of_all(struct debuginfo *debug)
{
	const struct embedded *found = g_hash_table_lookup(debug->embedded, debug);
	struct embedded_walk *walk;

	if (!found) {
		walk = walk_new(debug);
		walk_file(walk, debug->source.dwarf);
		walk_file(walk, debuginfo_shared(debug));
		debug->embedded_cut = walk->seen > MAX_UNIT_DIES;
		found = walk_end(walk, debug);
	}
	return debug->embedded_cut ? NULL : found;
}

/* NULL: the unit has no types. */
static const struct embedded *embedded_of(struct debuginfo *debug, const struct raw_unit *unit)
{
	const struct embedded *found = g_hash_table_lookup(debug->embedded, unit);
	struct raw_die top;
	struct embedded_walk *walk;

	if (found)
		return found;
	if (!raw_read(unit, unit->first, &top))
		return NULL;
	if (top.abbrev->tag == DW_TAG_partial_unit)
		return embedded_of_all(debug);
	if (top.abbrev->tag != DW_TAG_compile_unit)
		return NULL;
	walk = walk_new(debug);
	walk->unit = unit;
	if (top.abbrev->children)
		walk_entries(walk, top.next, NULL, 0);
	return walk_end(walk, unit);
}

/*
 * Extends @reach by all structures around the type at @entry. The object asked about begins @before bytes after the
 * start of that type. A structure with a flexible array at its end has no known end: any later byte may be in it.
 * False: there may be more structures.
 */
static bool extend(const struct debuginfo *debug, const struct embedded *found, const u8 *entry,
		   u64 before, u32 depth, struct type_reach *reach)
{
	const struct holder *holders[MAX_HOLDERS];
	u32 nr = holders_of(found, entry, holders);

	if (nr && (depth == MAX_NESTING || nr == MAX_HOLDERS))
		return false;
	for (u32 i = 0; i < nr; i++) {
		const struct holder *h = holders[i];
		u64 ahead = before + h->offset;

		reach->before = MAX(reach->before, ahead);
		if (g_hash_table_contains(debug->endless, h->entry))
			reach->after = UINT32_MAX;
		else if (h->size > ahead)
			reach->after = MAX(reach->after, h->size - ahead);
		if (!extend(debug, found, h->entry, ahead, depth + 1, reach))
			return false;
	}
	return true;
}

static bool is_polymorphic(struct die_place place)
{
	struct raw_die die;

	return place.unit && raw_read(place.unit, place.at, &die) &&
	       raw_has(&die, RAW_CONTAINING_TYPE);
}

static bool find_reach(const struct type *type, struct type_reach *reach)
{
	struct debuginfo *debug = type->debug;
	struct die_place place = type_place(type);
	const struct embedded *found;

	*reach = (struct type_reach){ .after = type->size };
	/* A class with a vtable may have derived classes in other units. */
	if (!type_is_compound(type) || is_polymorphic(place))
		return false;
	found = place.unit ? embedded_of(debug, place.unit) : NULL;
	return found && extend(debug, found, place.at, 0, 0, reach);
}

bool type_reach(const struct type *type, struct type_reach *reach)
{
	struct type_entry *entry = (struct type_entry *)type_strip(type);

	/* Cache the result: types that are part of hundreds of structures are asked for very often. */
	if (!entry->reach_known) {
		entry->reach_found = find_reach(&entry->type, &entry->reach);
		entry->reach_known = true;
	}
	*reach = entry->reach;
	return entry->reach_found;
}

struct search {
	const struct type *type;
	const struct embedded *found;
	s64 place;
	struct type_holder *holders;
	u32 max, nr;
};

/*
 * Adds the holders of the type at @entry. The object asked about begins @before bytes after the start of that type. If
 * a holder does not reach to s->place, its own holders are examined, else not: the smallest ones are wanted. @derived:
 * all steps so far went from a base class to a derived one. False: the result is not complete.
 */
static bool gather(struct search *s, const u8 *entry, u64 before, bool derived, u32 depth)
{
	const struct holder *rows[MAX_HOLDERS];
	u32 nr = holders_of(s->found, entry, rows);

	for (u32 i = 0; i < nr; i++) {
		const struct holder *h = rows[i];
		u64 ahead = before + h->offset;
		s64 place = s->place + (s64)ahead;
		Dwarf_Die die = raw_to_die(h->unit, h->entry);

		if (depth == MAX_NESTING || nr == MAX_HOLDERS)
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
	struct die_place place;
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

/*
 * Can an array of holders explain the stride? For a list_head (16 bytes) in nodes of 24 bytes: strides of 24 and 48 are
 * possible, 16 is a walk over list_heads. When in doubt: true.
 */
static bool steps_along(const struct embedded *found, const u8 *entry, u64 size, u64 stride,
			u32 depth)
{
	const struct holder *rows[MAX_HOLDERS];
	u32 nr = holders_of(found, entry, rows);

	for (u32 i = 0; i < nr; i++) {
		const struct holder *h = rows[i];

		if (depth == MAX_NESTING || nr == MAX_HOLDERS)
			return true;
		/* A type that contains the holder is even larger. */
		if (h->size > stride)
			continue;
		if ((h->size > size && stride % h->size == 0) ||
		    steps_along(found, h->entry, size, stride, depth + 1))
			return true;
	}
	return false;
}

bool type_may_step(const struct type *type, u64 stride)
{
	struct die_place place;
	const struct embedded *found;

	type = type_strip(type);
	if (!type_is_compound(type))
		return true;
	place = type_place(type);
	found = place.unit ? embedded_of(type->debug, place.unit) : NULL;
	return !found || steps_along(found, place.at, type->size, stride, 0);
}

bool debuginfo_structures(struct debuginfo *debug, u64 code, u64 size, const struct type **found,
			  u32 max, u32 *nr)
{
	u64 address = code + debug->source.dwarf_bias;
	struct unit *unit = unit_find(debug, address);
	const struct embedded *embedded;
	struct die_place place;

	*nr = 0;
	if (!unit || !unit_function(debug, unit, address, &place))
		return false;
	embedded = embedded_of(debug, place.unit);
	if (!embedded || embedded->shared)
		return false;
	for (u32 i = 0; i < embedded->structures->len; i++) {
		const struct structure *s =
			&g_array_index(embedded->structures, struct structure, i);
		Dwarf_Die die = raw_to_die(place.unit, s->entry);

		if (s->size < size)
			continue;
		if (*nr == max)
			return false;
		found[(*nr)++] = type_of_die(debug, &die);
	}
	return true;
}
