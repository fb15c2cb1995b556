// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types, interned by where their entry lies in memory: libdw maps each section once, so
 * the address of an entry is its file, section and offset in one. Names follow upstream
 * perf 7.3; C++ references, which it calls unknown, are "T&" and "T&&".
 */
#include <string.h>

#include "dwarf/internal.h"

/* Within a vector of Rust, on the way to its pointer: types in each other, members of each. */
#define VECTOR_LEVELS  4
#define VECTOR_MEMBERS 8

void type_entry_free(struct type_entry *entry)
{
	g_free(entry->members);
	g_free(entry);
}

static bool tag_is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_immutable_type || tag == DW_TAG_packed_type ||
	       tag == DW_TAG_shared_type;
}

static enum type_kind kind_of_tag(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_unspecified_type:
		return TYPE_BASE;
	case DW_TAG_enumeration_type:
		return TYPE_ENUM;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return TYPE_POINTER;
	case DW_TAG_structure_type:
		return TYPE_STRUCT;
	case DW_TAG_class_type:
		return TYPE_CLASS;
	case DW_TAG_union_type:
		return TYPE_UNION;
	case DW_TAG_array_type:
		return TYPE_ARRAY;
	case DW_TAG_typedef:
		return TYPE_TYPEDEF;
	case DW_TAG_subroutine_type:
	case DW_TAG_subprogram:
		return TYPE_FUNCTION;
	case DW_TAG_ptr_to_member_type:
		return TYPE_MEMBER_POINTER;
	default:
		return TYPE_OTHER;
	}
}

/* Elements of dimension @nth; 0 where there is no constant bound. *@more: it has a next one. */
static u64 array_count(const struct raw_unit *unit, const struct raw_die *array, u32 nth,
		       bool *more)
{
	const u8 *at = array->next;
	u64 count = 0, bound;
	struct raw_die child;
	u32 seen = 0;

	*more = false;
	if (!array->abbrev->children)
		return 0;
	for (; seen < MAX_DEPTH && raw_read(unit, at, &child); at = raw_after(unit, &child)) {
		u16 tag = child.abbrev->tag;

		if (tag != DW_TAG_subrange_type && tag != DW_TAG_enumeration_type)
			continue;
		if (seen == nth) {
			/* A bound of -1, in whatever width, is an empty array. */
			if (raw_uint(unit, &child, RAW_COUNT, &bound))
				count = bound;
			else if (raw_uint(unit, &child, RAW_UPPER_BOUND, &bound) &&
				 bound < UINT32_MAX)
				count = bound + 1;
		} else if (seen > nth) {
			*more = true;
			break;
		}
		seen++;
	}
	return count > UINT32_MAX ? 0 : count;
}

const char *type_text(struct debuginfo *debug, const char *before, const char *text,
		      const char *after)
{
	g_autofree char *joined = g_strconcat(before, text, after, NULL);

	return intern_text(debug->texts, intern_id(debug->texts, joined));
}

static struct type_entry *new_entry(struct debuginfo *debug, enum type_kind kind)
{
	struct type_entry *entry = g_new0(struct type_entry, 1);

	entry->type.id = debug->types->len;
	entry->type.kind = (u8)kind;
	entry->type.debug = debug;
	entry->type.name = "(unknown type)";
	g_ptr_array_add(debug->types, entry);
	return entry;
}

const struct type *type_void(struct debuginfo *debug)
{
	if (!debug->void_type) {
		debug->void_type = new_entry(debug, TYPE_VOID);
		debug->void_type->type.name = "void";
		debug->void_type->no_die = true;
	}
	return &debug->void_type->type;
}

static const struct type *intern_die(struct debuginfo *debug, const Dwarf_Die *from, u32 depth);

static const struct type *intern_target(struct debuginfo *debug, struct die_place place, u32 depth)
{
	struct raw_die die;
	Dwarf_Die target;

	if (!raw_read(place.unit, place.at, &die) || !raw_ref(place.unit, &die, RAW_TYPE, &target))
		return type_void(debug);
	return intern_die(debug, &target, depth);
}

static enum type_encoding encoding_of(const struct raw_unit *unit, const struct raw_die *die,
				      const char *name)
{
	u64 encoding;

	if (!raw_uint(unit, die, RAW_ENCODING, &encoding))
		return TYPE_NUMBER;
	if (encoding == DW_ATE_complex_float)
		return TYPE_COMPLEX;
	if (encoding != DW_ATE_float)
		return TYPE_NUMBER;
	return strstr(name, "128") ? TYPE_QUAD : TYPE_FLOAT;
}

/* What the entry alone says: its name, and for names that stand alone all of it. */
static void set_name(struct type_entry *entry, const struct raw_die *die)
{
	struct debuginfo *debug = entry->type.debug;
	const struct raw_unit *unit = entry->place.unit;
	const char *prefix = unit->language == DW_LANG_Rust ? "" : NULL;
	g_autofree char *qualified = NULL;
	const char *name;

	switch (entry->type.kind) {
	case TYPE_STRUCT:
		prefix = prefix ? prefix : "struct ";
		break;
	case TYPE_UNION:
		prefix = prefix ? prefix : "union ";
		break;
	case TYPE_ENUM:
		prefix = prefix ? prefix : "enum ";
		break;
	case TYPE_FUNCTION:
		entry->type.name = "(function_type)";
		return;
	case TYPE_ARRAY:
		return;
	default:
		prefix = "";
		break;
	}
	name = raw_string(unit, die, RAW_NAME);
	if (name && *name) {
		qualified = names_qualify(debug, entry->place, name);
		name = qualified ? qualified : name;
	} else if (type_is_compound(&entry->type)) {
		name = qualified = names_of_closure(debug, entry->place, die);
	}
	if (qualified && strstr(qualified, "(lambda"))
		prefix = "";
	if (name)
		entry->type.name = type_text(debug, prefix, name, NULL);
	else if (*prefix)
		entry->type.name = prefix;
}

/* "int store::Item::*": what it points to, then whose member that is. */
static void name_member_pointer(struct type_entry *entry, const struct raw_die *die)
{
	struct debuginfo *debug = entry->type.debug;
	g_autofree char *text = NULL;
	const char *class = "";
	Dwarf_Die to;

	if (raw_ref(entry->place.unit, die, RAW_CONTAINING_TYPE, &to))
		class = intern_die(debug, &to, MAX_TYPE_HOPS)->name;
	if (g_str_has_prefix(class, "struct "))
		class += strlen("struct ");
	text = g_strdup_printf("%s %s::*", entry->target->name, class);
	entry->type.name = type_text(debug, "", text, NULL);
	if (!entry->type.size)
		entry->type.size = entry->target->kind == TYPE_FUNCTION ? 16 : 8;
}

static void derive_pointer(struct type_entry *entry, const struct raw_die *die)
{
	u16 tag = die->abbrev->tag;
	const char *mark = "*";

	if (tag == DW_TAG_reference_type)
		mark = "&";
	else if (tag == DW_TAG_rvalue_reference_type)
		mark = "&&";
	entry->type.reference = tag != DW_TAG_pointer_type;
	/* Rust names its pointers itself: "&mut T", "*const T", "fn(i32) -> i32". */
	if (!raw_has(die, RAW_NAME))
		entry->type.name = type_text(entry->type.debug, "", entry->target->name, mark);
	if (!entry->type.size)
		entry->type.size = 8;
}

static void derive_array(struct type_entry *entry, const struct raw_die *die, u32 depth)
{
	const struct raw_unit *unit = entry->place.unit;
	struct debuginfo *debug = entry->type.debug;
	struct type_entry *inner = NULL;
	g_autofree char *length = NULL;
	bool more;
	u64 count = array_count(unit, die, entry->dimension, &more);

	/* Inner dimensions are types of their own, without an entry. */
	if (more && entry->dimension < MAX_TYPE_HOPS) {
		inner = new_entry(debug, TYPE_ARRAY);
		inner->place = entry->place;
		inner->dimension = entry->dimension + 1;
		inner->target = entry->target;
		derive_array(inner, die, depth + 1);
		entry->target = &inner->type;
	}
	if (unit->language == DW_LANG_Rust) {
		length = g_strdup_printf("[%s; %llu]", entry->target->name,
					 (unsigned long long)count);
		entry->type.name = type_text(debug, "", length, NULL);
	} else if (inner) {
		entry->type.name = inner->type.name;
	} else {
		entry->type.name = type_text(debug, "", entry->target->name, "[]");
	}
	entry->type.vector = !entry->dimension && raw_has(die, RAW_VECTOR);
	if (!entry->type.size || entry->dimension)
		if (__builtin_mul_overflow(count, entry->target->size, &entry->type.size))
			entry->type.size = 0;
}

/* What follows from the target: names and sizes of pointers, arrays and typedefs. */
static void derive(struct type_entry *entry, const struct raw_die *die, u32 depth)
{
	switch (entry->type.kind) {
	case TYPE_POINTER:
		entry->target = intern_target(entry->type.debug, entry->place, depth + 1);
		derive_pointer(entry, die);
		break;
	case TYPE_MEMBER_POINTER:
		entry->target = intern_target(entry->type.debug, entry->place, depth + 1);
		name_member_pointer(entry, die);
		break;
	case TYPE_ARRAY:
		entry->target = intern_target(entry->type.debug, entry->place, depth + 1);
		derive_array(entry, die, depth);
		break;
	case TYPE_TYPEDEF:
		entry->target = intern_target(entry->type.debug, entry->place, depth + 1);
		entry->type.size = entry->target->size;
		break;
	default:
		break;
	}
}

static bool is_declared_class(const struct raw_unit *unit, const struct raw_die *die)
{
	u16 tag = die->abbrev->tag;

	return (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		tag == DW_TAG_union_type) &&
	       raw_flag(unit, die, RAW_DECLARATION);
}

/*
 * The entry that *@place leads to: a type unit's stand-in to the type itself, const and the
 * like to what they qualify, a class that is declared to its definition. False: that is void.
 */
static bool resolve(struct debuginfo *debug, struct die_place *place, struct raw_die *die)
{
	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		Dwarf_Die next;

		if (!place->unit || !raw_read(place->unit, place->at, die))
			return false;
		if (raw_has(die, RAW_SIGNATURE) && raw_ref(place->unit, die, RAW_SIGNATURE, &next))
			;
		else if (is_declared_class(place->unit, die) && definition_find(debug, place))
			continue;
		else if (!tag_is_qualifier(die->abbrev->tag))
			return true;
		else if (!raw_ref(place->unit, die, RAW_TYPE, &next))
			return false;
		*place = (struct die_place){ raw_of(debug, &next), next.addr };
	}
	return false;
}

static struct type_entry *enter(struct debuginfo *debug, struct die_place place,
				const struct raw_die *die, u32 depth)
{
	struct type_entry *entry = new_entry(debug, kind_of_tag(die->abbrev->tag));

	entry->place = place;
	g_hash_table_insert(debug->type_by_die, (void *)place.at, entry);
	raw_uint(place.unit, die, RAW_BYTE_SIZE, &entry->type.size);
	entry->type.incomplete = raw_flag(place.unit, die, RAW_DECLARATION);
	set_name(entry, die);
	if (entry->type.kind == TYPE_BASE)
		entry->type.encoding = (u8)encoding_of(place.unit, die, entry->type.name);
	if (depth < MAX_TYPE_HOPS)
		derive(entry, die, depth);
	return entry;
}

static const struct type *intern_die(struct debuginfo *debug, const Dwarf_Die *from, u32 depth)
{
	struct type_entry *entry = g_hash_table_lookup(debug->type_by_die, from->addr);
	struct die_place place;
	struct raw_die die;

	if (entry)
		return &entry->type;
	place = (struct die_place){ raw_of(debug, from), from->addr };
	if (!resolve(debug, &place, &die)) {
		type_void(debug);
		entry = debug->void_type;
	} else if (place.at != from->addr) {
		entry = g_hash_table_lookup(debug->type_by_die, place.at);
	}
	if (!entry)
		entry = enter(debug, place, &die, depth);
	if (place.at != from->addr)
		g_hash_table_insert(debug->type_by_die, from->addr, entry);
	return &entry->type;
}

struct die_place type_place(const struct type *type)
{
	return ((struct type_entry *)type)->place;
}

struct type_entry *type_entry_like(const struct type *like, enum type_kind kind)
{
	struct type_entry *entry = new_entry(like->debug, kind);

	entry->place = type_place(like);
	return entry;
}

const struct type *type_of_die(struct debuginfo *debug, const Dwarf_Die *die)
{
	size_t address = GPOINTER_TO_SIZE(die->addr);
	struct recent_type *recent = &debug->recent_types[(address ^ address >> 10) % RECENT_TYPES];

	if (recent->addr != die->addr || !recent->entry) {
		recent->entry = (struct type_entry *)intern_die(debug, die, 0);
		recent->addr = die->addr;
	}
	return &recent->entry->type;
}

const struct type *type_pointer_to(const struct type *type)
{
	struct type_entry *of = (struct type_entry *)type, *pointer;
	bool rust = of->place.unit && of->place.unit->language == DW_LANG_Rust;

	if (of->pointer)
		return of->pointer;
	pointer = type_entry_like(type, TYPE_POINTER);
	pointer->target = type;
	pointer->made = true;
	pointer->type.size = 8;
	pointer->type.name = rust ? type_text(type->debug, "*const ", type->name, NULL)
				  : type_text(type->debug, "", type->name, "*");
	of->pointer = &pointer->type;
	return of->pointer;
}

/* Of a pointer that no entry declares: it is to the type of that number. */
#define NUMBER_POINTER ((u64)1 << 63)

bool type_number(const struct type *type, u64 *number)
{
	const struct type_entry *entry = (const struct type_entry *)type;
	const struct raw_file *file = entry->place.unit ? entry->place.unit->file : NULL;

	if (entry->made) {
		if (!type_number(entry->target, number) || *number & NUMBER_POINTER)
			return false;
		*number |= NUMBER_POINTER;
		return true;
	}
	if (!file || entry->dimension || type->vtable || file->dwarf != type->debug->source.dwarf ||
	    entry->place.at < file->info.data ||
	    (size_t)(entry->place.at - file->info.data) >= file->info.size)
		return false;
	*number = (u64)(entry->place.at - file->info.data);
	return true;
}

const struct type *debuginfo_type_numbered(struct debuginfo *debug, u64 number)
{
	const struct type *type;
	u64 same;
	Dwarf_Die die;

	if (!dwarf_offdie(debug->source.dwarf, number & ~NUMBER_POINTER, &die))
		return NULL;
	type = type_of_die(debug, &die);
	if (number & NUMBER_POINTER)
		type = type_pointer_to(type);
	return type_number(type, &same) && same == number ? type : NULL;
}

const struct type *type_target(const struct type *type)
{
	struct type_entry *entry = (struct type_entry *)type;

	if (entry->target)
		return entry->target;
	if (entry->no_die)
		return type;
	entry->target = intern_target(type->debug, entry->place, 0);
	return entry->target;
}

const struct type *type_strip_typedefs(const struct type *type)
{
	for (u32 hops = 0; type->kind == TYPE_TYPEDEF; hops++) {
		if (hops == MAX_TYPE_HOPS)
			return type_void(type->debug);
		type = type_target(type);
	}
	return type;
}

/* Where a member begins: a constant, or an expression that adds one. */
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

static void read_bitfield(const struct raw_unit *unit, const struct raw_die *die,
			  struct member *member)
{
	u64 bits, at, storage = member->size;

	if (!raw_uint(unit, die, RAW_BIT_SIZE, &bits) || bits == 0 || bits > 512)
		return;
	member->bit_size = (u16)bits;
	if (raw_uint(unit, die, RAW_DATA_BIT_OFFSET, &at)) {
		/* DWARF 4 and later: counted from the start of the parent. */
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

/* What the type at @at takes; false where the entries of its unit do not say it by themselves. */
static bool size_at(const struct raw_unit *unit, const u8 *at, u64 *size)
{
	for (u32 hops = 0; hops < MAX_TYPE_HOPS; hops++) {
		struct raw_die die;
		Dwarf_Die to;

		if (!raw_read(unit, at, &die) || raw_has(&die, RAW_SIGNATURE))
			return false;
		*size = 0;
		switch (kind_of_tag(die.abbrev->tag)) {
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

/* Of the many members of a structure few are ever asked for: their types are found then. */
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
		member->type = intern_die(debug, &target, 0);
	}
	member->size = member->type->size;
}

static void read_members(struct debuginfo *debug, const struct raw_unit *unit,
			 const struct raw_die *parent, GArray *members, u32 depth);

static void read_member(struct debuginfo *debug, const struct raw_unit *unit,
			const struct raw_die *die, u16 parent_tag, GArray *members)
{
	struct member member = { 0 };

	/* DWARF 4 writes static data members so. */
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
 * A trait object of Rust is a pointer and a vtable, which is said to be an array of numbers.
 * Types of their own tell it from a real one.
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
	table = new_entry(object->type.debug, TYPE_ARRAY);
	table->place = array->place;
	table->target = type_target(&array->type);
	table->type.size = array->type.size;
	table->type.name = "(vtable)";
	table->type.vtable = true;
	pointer = new_entry(object->type.debug, TYPE_POINTER);
	pointer->place = ((const struct type_entry *)second->type)->place;
	pointer->target = &table->type;
	pointer->type.size = second->type->size;
	pointer->type.name = second->type->name;
	pointer->type.reference = second->type->reference;
	second->type = &pointer->type;
}

/* A type like @from, which the debug information does not have. */
static struct type_entry *vary(const struct type *from)
{
	struct type_entry *entry = new_entry(from->debug, from->kind);
	u32 id = entry->type.id;

	entry->type = *from;
	entry->type.id = id;
	entry->place = ((const struct type_entry *)from)->place;
	return entry;
}

/* @from with its pointer to bytes made one to @target; NULL: it has none. */
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
 * Rust's vectors point to bytes, so that one code does for all; what they hold is the argument
 * T of the type around that.
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
			target = intern_die(vector->type.debug, &to, 0);
	for (u32 i = 0; target && i < members->len; i++) {
		struct member *member = &g_array_index(members, struct member, i);

		changed = retarget(member->type, target, VECTOR_LEVELS);
		if (changed)
			member->type = changed;
	}
}

/* Without the types of those that have an entry for it; NULL: it is of a kind that has no members. */
/*
 * A class's size counts its virtual bases, which lie elsewhere where it is a base itself, and padding at
 * its end, which others may use there: a base ends where the next member begins.
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
	g_array_unref(members);
	return entry;
}

static const struct member *with_type(const struct type_entry *entry, struct member *member)
{
	Dwarf_Die die;

	if (!member->type) {
		die = raw_to_die(entry->place.unit, member->entry);
		member->type = intern_die(entry->type.debug, &die, 0);
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

const struct member *type_member_at(const struct type *type, u64 offset, u32 *at)
{
	struct type_entry *entry = with_members(type);

	while (entry && *at < entry->nr_members) {
		struct member *m = &entry->members[(*at)++];

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

/* Digits of no other use than to differ: printf() would be most of the cost. */
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
