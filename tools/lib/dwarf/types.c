// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types, interned by where their entry lies in memory: libdw maps each section once, so
 * the address of an entry is its file, section and offset in one. Names follow upstream
 * perf 7.3; C++ references, which it calls unknown, are "T&" and "T&&".
 */
#include <string.h>

#include "dwarf/internal.h"

void type_entry_free(struct type_entry *entry)
{
	g_free(entry->members);
	g_free(entry);
}

bool die_number(Dwarf_Die *die, unsigned int name, u64 *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr_integrate(die, name, &attr) || dwarf_formudata(&attr, &word) != 0)
		return false;
	*value = word;
	return true;
}

static bool die_flag(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	bool flag;

	return dwarf_attr(die, name, &attr) && dwarf_formflag(&attr, &flag) == 0 && flag;
}

static bool tag_is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_immutable_type || tag == DW_TAG_packed_type ||
	       tag == DW_TAG_shared_type;
}

/* The entry that DW_AT_type names, const and the like dropped. False: none, that is void. */
static bool target_die(Dwarf_Die *die, Dwarf_Die *out)
{
	Dwarf_Attribute attr;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, out))
		return false;
	for (u32 hops = 0; tag_is_qualifier(dwarf_tag(out)); hops++) {
		Dwarf_Die next;

		if (hops == MAX_TYPE_HOPS || !dwarf_attr(out, DW_AT_type, &attr) ||
		    !dwarf_formref_die(&attr, &next))
			return false;
		*out = next;
	}
	return true;
}

/* A type unit's stand-in leads to the type itself. */
static void follow_signature(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die real;

	if (dwarf_hasattr(die, DW_AT_signature) && dwarf_attr(die, DW_AT_signature, &attr) &&
	    dwarf_formref_die(&attr, &real))
		*die = real;
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
		return TYPE_FUNCTION;
	default:
		return TYPE_OTHER;
	}
}

/* Elements of dimension @nth; 0 where there is no constant bound. *@more: it has a next one. */
static u64 array_count(Dwarf_Die *array, u32 nth, bool *more)
{
	Dwarf_Die child;
	u64 count = 0, bound, lower = 0;
	u32 seen = 0;

	*more = false;
	if (dwarf_child(array, &child) != 0)
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if (tag != DW_TAG_subrange_type && tag != DW_TAG_enumeration_type)
			continue;
		if (seen == nth) {
			if (die_number(&child, DW_AT_count, &bound)) {
				count = bound;
			} else if (die_number(&child, DW_AT_upper_bound, &bound)) {
				die_number(&child, DW_AT_lower_bound, &lower);
				/* A bound of -1, in whatever width, is an empty array. */
				if (bound < UINT32_MAX && bound + 1 > lower)
					count = bound + 1 - lower;
			}
		} else if (seen > nth) {
			*more = true;
			break;
		}
		seen++;
	} while (seen < MAX_DEPTH && dwarf_siblingof(&child, &child) == 0);
	return count > UINT32_MAX ? 0 : count;
}

static const char *keep(struct debuginfo *debug, const char *before, const char *text,
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

static const struct type *void_type(struct debuginfo *debug)
{
	if (!debug->void_type) {
		debug->void_type = new_entry(debug, TYPE_VOID);
		debug->void_type->type.name = "void";
		debug->void_type->no_die = true;
	}
	return &debug->void_type->type;
}

static const struct type *intern_die(struct debuginfo *debug, Dwarf_Die *die, u32 depth);

static const struct type *intern_target(struct debuginfo *debug, Dwarf_Die *die, u32 depth)
{
	Dwarf_Die target;

	if (!target_die(die, &target))
		return void_type(debug);
	return intern_die(debug, &target, depth);
}

/* A declaration names a type that is defined elsewhere; the definition may share its unit. */
static void set_name(struct type_entry *entry, Dwarf_Die *die, int tag)
{
	struct debuginfo *debug = entry->type.debug;
	const char *name = dwarf_diename(die);

	switch (entry->type.kind) {
	case TYPE_STRUCT:
		entry->type.name = keep(debug, "struct ", name ? name : "", NULL);
		break;
	case TYPE_UNION:
		entry->type.name = keep(debug, "union ", name ? name : "", NULL);
		break;
	case TYPE_ENUM:
		entry->type.name = keep(debug, "enum ", name ? name : "", NULL);
		break;
	case TYPE_FUNCTION:
		entry->type.name = "(function_type)";
		break;
	case TYPE_POINTER:
	case TYPE_ARRAY:
		break;
	default:
		if (name)
			entry->type.name = keep(debug, "", name, NULL);
		break;
	}
	entry->type.reference = tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

static enum type_encoding encoding_of(Dwarf_Die *die, const char *name)
{
	u64 encoding;

	if (!die_number(die, DW_AT_encoding, &encoding))
		return TYPE_NUMBER;
	if (encoding == DW_ATE_complex_float)
		return TYPE_COMPLEX;
	if (encoding != DW_ATE_float)
		return TYPE_NUMBER;
	return strstr(name, "128") ? TYPE_QUAD : TYPE_FLOAT;
}

static void set_details(struct type_entry *entry, Dwarf_Die *die)
{
	struct type *type = &entry->type;

	if (type->kind == TYPE_BASE)
		type->encoding = (u8)encoding_of(die, type->name);
	else if (type->kind == TYPE_ARRAY)
		type->vector = dwarf_hasattr(die, DW_AT_GNU_vector);
}

/* What follows from the target: names and sizes of pointers, arrays and typedefs. */
static void derive(struct type_entry *entry, Dwarf_Die *die, int tag, u32 depth)
{
	struct debuginfo *debug = entry->type.debug;
	const struct type *target;
	bool more;
	u64 count;

	if (entry->type.kind != TYPE_POINTER && entry->type.kind != TYPE_ARRAY &&
	    entry->type.kind != TYPE_TYPEDEF)
		return;
	target = intern_target(debug, die, depth + 1);
	entry->target = target;
	if (entry->type.kind == TYPE_POINTER) {
		const char *mark = tag == DW_TAG_pointer_type	  ? "*"
				   : tag == DW_TAG_reference_type ? "&"
								  : "&&";

		entry->type.name = keep(debug, "", target->name, mark);
		if (!entry->type.size)
			entry->type.size = 8;
		return;
	}
	if (entry->type.kind == TYPE_TYPEDEF) {
		entry->type.size = target->size;
		return;
	}
	/* Inner dimensions are types of their own, without an entry. */
	entry->type.name = keep(debug, "", target->name, "[]");
	array_count(die, entry->dimension, &more);
	if (more && entry->dimension < MAX_TYPE_HOPS) {
		struct type_entry *inner = new_entry(debug, TYPE_ARRAY);

		inner->die = entry->die;
		inner->dimension = entry->dimension + 1;
		derive(inner, &inner->die, tag, depth);
		entry->target = &inner->type;
	}
	count = array_count(die, entry->dimension, &more);
	if (!entry->type.size || entry->dimension)
		if (__builtin_mul_overflow(count, entry->target->size, &entry->type.size))
			entry->type.size = 0;
}

static const struct type *intern_die(struct debuginfo *debug, Dwarf_Die *from, u32 depth)
{
	Dwarf_Die die = *from;
	struct type_entry *entry;
	int tag;

	follow_signature(&die);
	for (u32 hops = 0; tag_is_qualifier(dwarf_tag(&die)) && hops < MAX_TYPE_HOPS; hops++) {
		Dwarf_Die next;

		if (!target_die(&die, &next))
			return void_type(debug);
		die = next;
		follow_signature(&die);
	}
	entry = g_hash_table_lookup(debug->type_by_die, die.addr);
	if (entry)
		return &entry->type;
	tag = dwarf_tag(&die);
	entry = new_entry(debug, kind_of_tag(tag));
	entry->die = die;
	g_hash_table_insert(debug->type_by_die, die.addr, entry);
	die_number(&die, DW_AT_byte_size, &entry->type.size);
	entry->type.incomplete = die_flag(&die, DW_AT_declaration);
	set_name(entry, &die, tag);
	set_details(entry, &die);
	if (depth < MAX_TYPE_HOPS)
		derive(entry, &die, tag, depth);
	return &entry->type;
}

Dwarf_Die *type_die(const struct type *type)
{
	return &((struct type_entry *)type)->die;
}

const struct type *type_of_attr(struct debuginfo *debug, Dwarf_Die *die)
{
	return intern_target(debug, die, 0);
}

const struct type *type_target(const struct type *type)
{
	struct type_entry *entry = (struct type_entry *)type;

	if (entry->target)
		return entry->target;
	if (entry->no_die)
		return type;
	entry->target = intern_target(type->debug, &entry->die, 0);
	return entry->target;
}

const struct type *type_strip(const struct type *type)
{
	for (u32 hops = 0; type->kind == TYPE_TYPEDEF; hops++) {
		if (hops == MAX_TYPE_HOPS)
			return void_type(type->debug);
		type = type_target(type);
	}
	return type;
}

/* Where a member begins: a constant, or an expression that adds one. */
static bool member_offset(Dwarf_Die *die, u64 *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;
	Dwarf_Op *ops;
	size_t nr_ops;

	*offset = 0;
	if (!dwarf_attr_integrate(die, DW_AT_data_member_location, &attr))
		return true;
	if (dwarf_formudata(&attr, &word) == 0) {
		*offset = word;
		return word <= INT64_MAX;
	}
	if (dwarf_getlocation(&attr, &ops, &nr_ops) != 0 || nr_ops != 1)
		return false;
	*offset = ops[0].number;
	return (ops[0].atom == DW_OP_plus_uconst || ops[0].atom == DW_OP_constu) &&
	       *offset <= INT64_MAX;
}

static void read_bitfield(Dwarf_Die *die, struct member *member)
{
	u64 bits, at, storage = member->type->size;

	if (!die_number(die, DW_AT_bit_size, &bits) || bits == 0 || bits > 512)
		return;
	member->bit_size = (u16)bits;
	if (die_number(die, DW_AT_data_bit_offset, &at)) {
		/* DWARF 4 and later: counted from the start of the parent. */
		member->offset = at / 8;
		member->bit_offset = at % 8;
	} else if (die_number(die, DW_AT_bit_offset, &at)) {
		/* DWARF 2 and 3: from the most significant bit of the storage. */
		die_number(die, DW_AT_byte_size, &storage);
		if (storage > 64 || at + bits > storage * 8)
			return;
		at = storage * 8 - at - bits;
		member->offset += at / 8;
		member->bit_offset = at % 8;
	}
	member->size = (member->bit_offset + bits + 7) / 8;
}

static void read_members(struct debuginfo *debug, Dwarf_Die *parent, GArray *members, u32 depth);

static void read_member(struct debuginfo *debug, Dwarf_Die *die, GArray *members, u32 depth)
{
	int tag = dwarf_tag(die);
	struct member member = { 0 };

	if (tag == DW_TAG_variant_part || tag == DW_TAG_variant) {
		read_members(debug, die, members, depth + 1);
		return;
	}
	if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
		return;
	/* DWARF 4 writes static data members so. */
	if (die_flag(die, DW_AT_external) || die_flag(die, DW_AT_declaration))
		return;
	if (!member_offset(die, &member.offset))
		return;
	member.base = tag == DW_TAG_inheritance;
	member.name = member.base ? NULL : dwarf_diename(die);
	if (member.name && !*member.name)
		member.name = NULL;
	member.type = type_of_attr(debug, die);
	member.size = member.type->size;
	read_bitfield(die, &member);
	g_array_append_val(members, member);
}

static void read_members(struct debuginfo *debug, Dwarf_Die *parent, GArray *members, u32 depth)
{
	Dwarf_Die child;

	if (depth > MAX_TYPE_HOPS || dwarf_child(parent, &child) != 0)
		return;
	do {
		read_member(debug, &child, members, depth);
	} while (members->len < MAX_MEMBERS && dwarf_siblingof(&child, &child) == 0);
}

const struct member *type_members(const struct type *type, u32 *nr)
{
	struct type_entry *entry = (struct type_entry *)type_strip(type);

	if (!type_is_compound(&entry->type)) {
		*nr = 0;
		return NULL;
	}
	if (!entry->members_read) {
		GArray *members = g_array_new(false, false, sizeof(struct member));

		entry->members_read = true;
		read_members(entry->type.debug, &entry->die, members, 0);
		entry->nr_members = members->len;
		entry->members = (struct member *)(void *)g_array_free(members, false);
	}
	*nr = entry->nr_members;
	return entry->members;
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
	g_string_printf(key, "%s %llu", type->name, (unsigned long long)type->size);
	members = type_members(type, &nr);
	for (u32 i = 0; i < nr; i++)
		g_string_append_printf(key, ";%s %s %llx.%x:%x", members[i].type->name,
				       members[i].name ? members[i].name : "",
				       (unsigned long long)members[i].offset, members[i].bit_offset,
				       members[i].bit_size);
	entry->identity = intern_id(debug->texts, key->str) + 1;
	return entry->identity - 1;
}
