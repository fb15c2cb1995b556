// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Members of structures, classes, unions and variants, in the order of their declaration. Some are corrected where the
 * debug information is known to be less exact than the compiler: vtables of Rust, elements of Rust vectors, sizes of
 * C++ base classes.
 *
 * Example: `struct flags { unsigned a : 3, b : 7; struct list_head list; };`
 *
 *	DW_TAG_member "a"	DW_AT_bit_size 3, DW_AT_data_bit_offset 0
 *	DW_TAG_member "b"	DW_AT_bit_size 7, DW_AT_data_bit_offset 3
 *	DW_TAG_member "list"	DW_AT_data_member_location 8
 *
 *	name	offset	size	bit_offset	bit_size
 *	a	0	1	0		3		size: of the bytes that have the bits
 *	b	0	2	3		7		bits 3 to 9 are in two bytes
 *	list	8	16	0		0
 *
 * A Rust enum with data has its variants as members, at the same offset. `enum Shape { Circle(f64), Empty }`:
 *
 *	DW_TAG_structure_type "Shape"
 *	  DW_TAG_variant_part, DW_AT_discr
 *	    DW_TAG_member (no name)		at 0			discriminant	at 0
 *	    DW_TAG_variant, DW_AT_discr_value 0
 *	      DW_TAG_member "Circle"		at 0			Circle		at 0, variant
 *	    DW_TAG_variant, DW_AT_discr_value 1
 *	      DW_TAG_member "Empty"		at 0			Empty		at 0, variant
 *
 * The types of members are read late: the kernel's task_struct has hundreds of members, of which a profile needs a few.
 * Until then member.type is NULL and member.entry has the position. type_members() completes all, type_member_at() only
 * those that it returns. In Rust, and if the type is in another unit, the type is read at once.
 *
 * Limits: a member whose offset is a longer expression (a virtual base) is left out.
 */
#include <string.h>

#include "base/search.h"
#include "dwarf/internal.h"

/* Limits for the search of the pointer inside a Rust vector: nesting of types, and members per type. */
#define VECTOR_LEVELS  4
#define VECTOR_MEMBERS 8

/* A member's offset: a constant, or an expression that adds a constant. */
static bool member_offset(const struct raw_unit *unit, const struct raw_die *die, u64 *offset)
{
	struct cursor bytes;
	u8 op;

	*offset = 0;
	if (!raw_has(die, RAW_MEMBER_LOCATION) || raw_uint(unit, die, RAW_MEMBER_LOCATION, offset))
		return *offset <= INT64_MAX;
	if (!raw_block(unit, die, RAW_MEMBER_LOCATION, &bytes))
		return false;
	op = cursor_u8(&bytes);
	return (op == DW_OP_plus_uconst || op == DW_OP_constu) &&
	       raw_uleb(&bytes.pos, bytes.end, offset) && !cursor_left(&bytes) &&
	       *offset <= INT64_MAX;
}

/*
 * Sets the position of a bitfield. DWARF 3 counts bits from the other end: `unsigned a : 3` at the start of 4 bytes has
 * DW_AT_bit_offset 29, because 29 more significant bits are before it: 4 * 8 - 29 - 3 = 0.
 */
static void read_bitfield(const struct raw_unit *unit, const struct raw_die *die,
			  struct member *member)
{
	u64 bits, at, storage = member->size;

	if (!raw_uint(unit, die, RAW_BIT_SIZE, &bits) || bits == 0 || bits > 512)
		return;
	member->bit_size = (u16)bits;
	if (raw_uint(unit, die, RAW_DATA_BIT_OFFSET, &at)) {
		/* DWARF 4 and later: from the start of the parent. */
		member->offset = at / 8;
		member->bit_offset = at % 8;
	} else if (raw_uint(unit, die, RAW_BIT_OFFSET, &at)) {
		/* DWARF 2 and 3: from the most significant bit of the storage. */
		raw_uint(unit, die, RAW_BYTE_SIZE, &storage);
		if (storage > 64 || at + bits > storage * 8)
			return;
		at = storage * 8 - at - bits;
		member->offset += at / 8;
		member->bit_offset = at % 8;
	}
	member->size = (member->bit_offset + bits + 7) / 8;
}

/* The size of the type at @at. False: the entries of its unit are not enough to tell it. */
static bool size_at(const struct raw_unit *unit, const u8 *at, u64 *size)
{
	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		struct raw_die die;
		Dwarf_Die to;

		if (!raw_read(unit, at, &die) || raw_has(&die, RAW_SIGNATURE) ||
		    die.abbrev->tag == DW_TAG_unspecified_type)
			return false;
		*size = 0;
		switch (type_kind_of_tag(die.abbrev->tag)) {
		case TYPE_POINTER:
			raw_uint(unit, &die, RAW_BYTE_SIZE, size);
			*size = *size ? *size : 8;
			return true;
		case TYPE_BASE:
		case TYPE_ENUM:
		case TYPE_STRUCT:
		case TYPE_CLASS:
		case TYPE_UNION:
			raw_uint(unit, &die, RAW_BYTE_SIZE, size);
			return true;
		case TYPE_TYPEDEF:
			break;
		default:
			if (!tag_is_qualifier(die.abbrev->tag))
				return false;
		}
		if (!raw_ref(unit, &die, RAW_TYPE, &to) || to.cu != unit->die.cu)
			return false;
		at = to.addr;
	}
	return false;
}

/* Only few of a structure's members are used, so a member's type is found when it is asked for. */
static void read_member_type(struct debuginfo *debug, const struct raw_unit *unit,
			     const struct raw_die *die, struct member *member)
{
	Dwarf_Die target;

	if (!raw_ref(unit, die, RAW_TYPE, &target)) {
		member->type = type_void(debug);
	} else if (unit->language != DW_LANG_Rust && target.cu == unit->die.cu &&
		   size_at(unit, target.addr, &member->size)) {
		member->entry = target.addr;
		return;
	} else {
		member->type = type_of_die(debug, &target);
	}
	member->size = member->type->size;
}

static void read_members(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *parent, GArray *members, u32 depth);

static void read_member(struct debuginfo *debug, const struct raw_unit *unit,
			const struct raw_die *die, u16 parent_tag, GArray *members)
{
	struct member member = { 0 };

	/* DWARF 4's form of static data members. */
	if (raw_flag(unit, die, RAW_EXTERNAL) || raw_flag(unit, die, RAW_DECLARATION) ||
	    !member_offset(unit, die, &member.offset))
		return;
	member.base = die->abbrev->tag == DW_TAG_inheritance;
	member.variant = parent_tag == DW_TAG_variant;
	if (!member.base)
		member.name = raw_string(unit, die, RAW_NAME);
	if (member.name && !*member.name)
		member.name = NULL;
	if (!member.name && parent_tag == DW_TAG_variant_part)
		member.name = "discriminant";
	read_member_type(debug, unit, die, &member);
	read_bitfield(unit, die, &member);
	g_array_append_val(members, member);
}

static void read_members(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *parent, GArray *members, u32 depth)
{
	const u8 *at = parent->next;
	struct raw_die child;

	if (depth > MAX_TYPE_HOPS || !parent->abbrev->children)
		return;
	for (; members->len < MAX_MEMBERS && raw_read(unit, at, &child);
	     at = raw_after(unit, &child)) {
		switch (child.abbrev->tag) {
		case DW_TAG_member:
		case DW_TAG_inheritance:
			read_member(debug, unit, &child, parent->abbrev->tag, members);
			break;
		case DW_TAG_variant_part:
		case DW_TAG_variant:
			read_members(debug, unit, &child, members, depth + 1);
			break;
		default:
			break;
		}
	}
}

/*
 * A Rust trait object is a pointer and a vtable. The debug information describes the vtable as an array of numbers.
 * Give it a type of its own, to distinguish it from such an array.
 */
static void mark_vtable(const struct type_entry *object, GArray *members)
{
	struct member *second;
	const struct type_entry *array;
	struct type_entry *pointer, *table;

	if (object->place.unit->language != DW_LANG_Rust || members->len != 2)
		return;
	second = &g_array_index(members, struct member, 1);
	if (g_strcmp0(second->name, "vtable") != 0 || second->type->kind != TYPE_POINTER ||
	    type_target(second->type)->kind != TYPE_ARRAY ||
	    g_strcmp0(second[-1].name, "pointer") != 0)
		return;
	array = (const struct type_entry *)type_target(second->type);
	table = type_entry_new(object->type.debug, TYPE_ARRAY);
	table->place = array->place;
	table->target = type_target(&array->type);
	table->type.size = array->type.size;
	table->type.name = "(vtable)";
	table->type.vtable = true;
	pointer = type_entry_new(object->type.debug, TYPE_POINTER);
	pointer->place = ((const struct type_entry *)second->type)->place;
	pointer->target = &table->type;
	pointer->type.size = second->type->size;
	pointer->type.name = second->type->name;
	pointer->type.reference = second->type->reference;
	second->type = &pointer->type;
}

/* A copy of @from that the debug information does not have. */
static struct type_entry *vary(const struct type *from)
{
	struct type_entry *entry = type_entry_new(from->debug, from->kind);
	u32 id = entry->type.id;

	entry->type = *from;
	entry->type.id = id;
	entry->place = ((const struct type_entry *)from)->place;
	return entry;
}

/* A copy of @from whose pointer to bytes is replaced by a pointer to @target; NULL: it has none. */
static const struct type *retarget(const struct type *from, const struct type *target, u32 depth)
{
	const struct type *pointee, *changed = NULL;
	const struct member *members;
	struct type_entry *entry;
	u32 nr, i;

	if (from->kind == TYPE_POINTER) {
		pointee = type_strip(type_target(from));
		if (pointee->kind != TYPE_BASE || pointee->size != 1)
			return NULL;
		entry = vary(from);
		entry->target = target;
		entry->type.name = type_text(from->debug, "*const ", target->name, NULL);
		return &entry->type;
	}
	members = depth ? type_members(from, &nr) : NULL;
	for (i = 0; members && i < MIN(nr, VECTOR_MEMBERS) && !changed; i++)
		changed = retarget(members[i].type, target, depth - 1);
	if (!changed)
		return NULL;
	entry = vary(from);
	entry->members = g_memdup2(members, nr * sizeof(*members));
	entry->members[i - 1].type = changed;
	entry->nr_members = nr;
	entry->members_read = true;
	return &entry->type;
}

/*
 * Rust's vectors contain a pointer to bytes, so that all vectors can share code. The element type is the type argument
 * T of the type around that pointer.
 */
static void mark_vector(const struct type_entry *vector, const struct raw_die *die, GArray *members)
{
	const struct raw_unit *unit = vector->place.unit;
	const struct type *target = NULL, *changed;
	const u8 *at = die->next;
	struct raw_die child;
	Dwarf_Die to;

	if (unit->language != DW_LANG_Rust || !die->abbrev->children ||
	    !g_str_has_prefix(vector->type.name, "alloc::raw_vec::RawVec<"))
		return;
	for (; !target && raw_read(unit, at, &child); at = raw_after(unit, &child))
		if (child.abbrev->tag == DW_TAG_template_type_parameter &&
		    !g_strcmp0(raw_string(unit, &child, RAW_NAME), "T") &&
		    raw_ref(unit, &child, RAW_TYPE, &to))
			target = type_of_die(vector->type.debug, &to);
	for (u32 i = 0; target && i < members->len; i++) {
		struct member *member = &g_array_index(members, struct member, i);

		changed = retarget(member->type, target, VECTOR_LEVELS);
		if (changed)
			member->type = changed;
	}
}

/*
 * Corrects the sizes of base classes: a base ends where the next member begins. A class's size includes its virtual
 * bases and the padding at its end. If the class is a base of another class, its virtual bases are elsewhere, and other
 * members may use the padding.
 */
static void cut_bases(GArray *members)
{
	for (u32 i = 0; i < members->len; i++) {
		struct member *base = &g_array_index(members, struct member, i);

		for (u32 k = 0; base->base && k < members->len; k++) {
			const struct member *next = &g_array_index(members, struct member, k);

			if (next->offset > base->offset)
				base->size = MIN(base->size, next->offset - base->offset);
		}
	}
}

static bool do_ascend(const GArray *members)
{
	const struct member *all = (const struct member *)(void *)members->data;

	for (u32 i = 0; i < members->len; i++)
		if (all[i].offset + all[i].size < all[i].offset)
			return false;
	for (u32 i = 1; i < members->len; i++)
		if (all[i].offset < all[i - 1].offset ||
		    all[i].offset + all[i].size < all[i - 1].offset + all[i - 1].size)
			return false;
	return true;
}

/* Reads the members of @type; some types only as an entry, see read_member_type(). NULL: this kind has no members. */
static struct type_entry *with_members(const struct type *type)
{
	struct type_entry *entry = (struct type_entry *)type_strip(type);
	struct raw_die die;
	GArray *members;

	if (!type_is_compound(&entry->type))
		return NULL;
	if (entry->members_read)
		return entry;
	entry->members_read = true;
	members = g_array_sized_new(false, false, sizeof(struct member), 32);
	if (raw_read(entry->place.unit, entry->place.at, &die)) {
		read_members(entry->type.debug, entry->place.unit, &die, members, 0);
		mark_vtable(entry, members);
		mark_vector(entry, &die, members);
		cut_bases(members);
	}
	entry->nr_members = members->len;
	entry->members = g_memdup2(members->data, members->len * sizeof(struct member));
	entry->members_ascend = do_ascend(members);
	g_array_unref(members);
	return entry;
}

static const struct member *with_type(const struct type_entry *entry, struct member *member)
{
	Dwarf_Die die;

	if (!member->type) {
		die = raw_to_die(entry->place.unit, member->entry);
		member->type = type_of_die(entry->type.debug, &die);
	}
	return member;
}

const struct member *type_members(const struct type *type, u32 *nr)
{
	struct type_entry *entry = with_members(type);

	*nr = entry ? entry->nr_members : 0;
	if (!entry)
		return NULL;
	for (u32 i = 0; !entry->members_typed && i < *nr; i++)
		with_type(entry, &entry->members[i]);
	entry->members_typed = true;
	return entry->members;
}

/* The first member from @at on that ends behind @offset, or the last one. Those before it do not cover @offset. */
static u32 first_behind(const struct type_entry *entry, u64 offset, u32 at)
{
	const struct member *all = entry->members;

	if (!entry->members_ascend || at + 1 >= entry->nr_members)
		return at;
	return SEARCH(i, at, entry->nr_members - 1, all[i].offset + all[i].size <= offset);
}

/*
 * A member of size 0 covers something only at the end of the structure, and only if it is an array: `char data[]`. An
 * empty structure, or an array of length 0 between other members, covers nothing.
 */
const struct member *type_member_at(const struct type *type, u64 offset, u32 *at)
{
	struct type_entry *entry = with_members(type);

	if (entry)
		*at = first_behind(entry, offset, *at);
	while (entry && *at < entry->nr_members) {
		struct member *m = &entry->members[(*at)++];

		if (entry->members_ascend && offset < m->offset)
			return NULL;
		if (offset < m->offset || (m->size && offset - m->offset >= m->size) ||
		    (!m->size && *at < entry->nr_members))
			continue;
		with_type(entry, m);
		if (m->size || m->type->kind == TYPE_ARRAY)
			return m;
	}
	return NULL;
}

const struct member *type_last_member(const struct type *type)
{
	struct type_entry *entry = with_members(type);

	return entry && entry->nr_members ? with_type(entry, &entry->members[entry->nr_members - 1])
					  : NULL;
}

/* Digits that only need to be unique. printf() would take most of the time here. */
static void append_number(GString *key, u64 number)
{
	g_string_append_c(key, ' ');
	for (; number; number >>= 6)
		g_string_append_c(key, (char)('0' + (number & 0x3f)));
}

u32 type_identity(const struct type *type)
{
	struct type_entry *entry = (struct type_entry *)type;
	struct debuginfo *debug = type->debug;
	g_autoptr(GString) key = NULL;
	const struct member *members;
	u32 nr;

	if (entry->identity)
		return entry->identity - 1;
	key = g_string_new(NULL);
	g_string_append(key, type->name);
	append_number(key, type->size);
	members = type_members(type, &nr);
	for (u32 i = 0; i < nr; i++) {
		g_string_append_c(key, ';');
		g_string_append(key, members[i].type->name);
		g_string_append_c(key, ' ');
		g_string_append(key, members[i].name ? members[i].name : "");
		append_number(key, members[i].offset);
		append_number(key, members[i].bit_offset);
		append_number(key, members[i].bit_size);
	}
	entry->identity = intern_id(debug->texts, key->str) + 1;
	return entry->identity - 1;
}
