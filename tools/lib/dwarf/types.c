// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Types. The key of a type is the address of its entry in memory: libdw maps each section once, so the address
 * identifies file, section and offset. Names are those of upstream perf 7.3, except C++ references: upstream has
 * "unknown" for them, here they are "T&" and "T&&".
 *
 * Example: `typedef const struct node *cursor_t;` and what happens when a variable of that type is read first:
 *
 *	10	DW_TAG_typedef "cursor_t", DW_AT_type 20
 *	20	DW_TAG_pointer_type, DW_AT_type 30
 *	30	DW_TAG_const_type, DW_AT_type 40
 *	40	DW_TAG_structure_type "node", DW_AT_byte_size 16
 *
 *	type_by_die	id	kind		name		size	target
 *	10		0	TYPE_TYPEDEF	"cursor_t"	8	1
 *	20		1	TYPE_POINTER	"struct node*"	8	2
 *	30, 40		2	TYPE_STRUCT	"struct node"	16	(members are not read yet)
 *
 * Qualifiers have no type of their own: 30 is a second key of the structure. Targets are interned together with the
 * type, because its name and size need them. Members are not. So `struct node { struct node *next; }` does not recurse.
 *
 * Types without an entry: void; the inner dimensions of an array (`int grid[3][5]` has one DW_TAG_array_type with two
 * DW_TAG_subrange_type; its target is made here: int[5]); pointers that the program does not declare
 * (type_pointer_to()); virtual tables.
 *
 * Limits: a chain of more than MAX_TYPE_HOPS typedefs or qualifiers ends as void.
 */
#include <string.h>

#include "dwarf/internal.h"

void type_entry_free(struct type_entry *entry)
{
	g_free(entry->members);
	g_free(entry);
}

bool tag_is_qualifier(int tag)
{
	return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
	       tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type ||
	       tag == DW_TAG_immutable_type || tag == DW_TAG_packed_type ||
	       tag == DW_TAG_shared_type;
}

enum type_kind type_kind_of_tag(int tag)
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

/*
 * Elements of dimension @nth; 0: no constant bound. *@more: there is a next dimension. DW_AT_upper_bound is the last
 * index: `int grid[3][5]` has the bounds 2 and 4. gcc writes `int a[]` without a bound. A bound that is an expression
 * or a reference, as for variable-length arrays, is not constant.
 */
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
			/* A bound of -1, of any width, means an empty array. */
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

struct type_entry *type_entry_new(struct debuginfo *debug, enum type_kind kind)
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
		debug->void_type = type_entry_new(debug, TYPE_VOID);
		debug->void_type->type.name = "void";
		debug->void_type->no_die = true;
	}
	return &debug->void_type->type;
}

const struct type *debuginfo_abi_type(struct debuginfo *debug, enum abi_type which)
{
	static const struct {
		const char *name;
		u64 size; /* System V x86-64 ABI 1.0, figure 3.1 */
		enum type_kind kind;
	} abi_types[NR_ABI_TYPES] = {
		[ABI_CHAR] = { "char", 1, TYPE_BASE },
		[ABI_SHORT] = { "short", 2, TYPE_BASE },
		[ABI_USHORT] = { "unsigned short", 2, TYPE_BASE },
		[ABI_INT] = { "int", 4, TYPE_BASE },
		[ABI_LONG] = { "long", 8, TYPE_BASE },
		[ABI_ULONG] = { "unsigned long", 8, TYPE_BASE },
		[ABI_FILE] = { "FILE", 0, TYPE_OTHER },
	};
	struct type_entry **entry = &debug->abi_types[which];

	if (!*entry) {
		*entry = type_entry_new(debug, abi_types[which].kind);
		(*entry)->type.name = abi_types[which].name;
		(*entry)->type.size = abi_types[which].size;
		(*entry)->type.incomplete = !abi_types[which].size;
		(*entry)->no_die = true;
	}
	return &(*entry)->type;
}

static const struct type *intern_die(struct debuginfo *debug, const Dwarf_Die *from, u32 depth);

/* The type of DW_AT_type at @place; void if there is no such attribute, as in `void *`. */
static const struct type *intern_target(struct debuginfo *debug, struct die_place place, u32 depth)
{
	struct raw_die die;
	Dwarf_Die target;

	if (!raw_read(place.unit, place.at, &die) || !raw_ref(place.unit, &die, RAW_TYPE, &target))
		return type_void(debug);
	return intern_die(debug, &target, depth);
}

/*
 * long double and __float128 have the same encoding (DW_ATE_float) and size (16), but the ABI passes them differently.
 * Only the name tells them apart.
 */
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

/* Sets the part of the name that the entry itself has. For named types this is the whole name. */
static void set_name(struct type_entry *entry, const struct raw_die *die)
{
	struct debuginfo *debug = entry->type.debug;
	const struct raw_unit *unit = entry->place.unit;
	/* Names are as the language writes them. */
	const char *prefix = unit->language == DW_LANG_Rust || unit->language == DW_LANG_Go ? ""
											    : NULL;
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

/* "int store::Item::*": first the type that it points to, then the class. */
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
	/* In Rust, pointer types have names: "&mut T", "*const T", "fn(i32) -> i32". */
	if (!raw_has(die, RAW_NAME))
		entry->type.name = type_text(entry->type.debug, "", entry->target->name, mark);
	if (!entry->type.size)
		entry->type.size = 8;
}

/*
 * Completes an array or one of its inner dimensions; @entry->dimension outer ones are removed. For int grid[3][5]: the
 * entry itself gets the target int[5] and the size 3 * 20. Both have the name "int[]".
 */
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
		inner = type_entry_new(debug, TYPE_ARRAY);
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
	} else if (unit->language == DW_LANG_Go && raw_string(unit, die, RAW_NAME)) {
		entry->type.name = raw_string(unit, die, RAW_NAME);
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

/*
 * A value of a function type in Go is the address of a closure, which begins with the address of the code. What else is in
 * it depends on the closure.
 *
 *	f := table[i]; f(x)	mov (%rcx,%rdi,8),%rdx; mov (%rdx),%rcx; call *%rcx
 */
static bool is_go_function(const struct raw_unit *unit, const struct raw_die *die)
{
	return unit->language == DW_LANG_Go && die->abbrev->tag == DW_TAG_subroutine_type;
}

static const struct type *code_word(struct debuginfo *debug, u32 depth)
{
	struct die_place place;
	Dwarf_Die die;

	if (!go_type_named(debug, "uintptr", &place))
		return type_void(debug);
	die = raw_to_die(place.unit, place.at);
	return intern_die(debug, &die, depth);
}

/* Sets names and sizes that depend on the target: pointers, arrays and typedefs. */
static void derive(struct type_entry *entry, const struct raw_die *die, u32 depth)
{
	switch (entry->type.kind) {
	case TYPE_POINTER:
		entry->target = is_go_function(entry->place.unit, die)
					? code_word(entry->type.debug, depth + 1)
					: intern_target(entry->type.debug, entry->place, depth + 1);
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
 * Follows *@place to the type's real entry: from a type unit's stand-in to the type, from const and other qualifiers to
 * the qualified type, from a class's declaration to its definition. False: the type is void.
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

/*
 * Makes the type of an entry. It is stored before its target is interned: a malformed pointer to itself finds it there,
 * incomplete, and the recursion ends.
 */
static struct type_entry *enter(struct debuginfo *debug, struct die_place place,
				const struct raw_die *die, u32 depth)
{
	struct type_entry *entry = type_entry_new(
		debug, is_go_function(place.unit, die) ? TYPE_POINTER
						       : type_kind_of_tag(die->abbrev->tag));

	entry->place = place;
	g_hash_table_insert(debug->type_by_die, (void *)place.at, entry);
	raw_uint(place.unit, die, RAW_BYTE_SIZE, &entry->type.size);
	entry->type.incomplete = raw_flag(place.unit, die, RAW_DECLARATION);
	set_name(entry, die);
	/* The language says that std::nullptr_t is as large as a pointer; the debug information does not. */
	if (die->abbrev->tag == DW_TAG_unspecified_type &&
	    !strcmp(entry->type.name, "decltype(nullptr)"))
		entry->type.size = place.unit->address_size;
	if (entry->type.kind == TYPE_BASE)
		entry->type.encoding = (u8)encoding_of(place.unit, die, entry->type.name);
	if (depth < MAX_TYPE_HOPS)
		derive(entry, die, depth);
	return entry;
}

/* The type of the entry @from. A qualifier, declaration or stand-in becomes a second key of the real entry's type. */
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
	struct type_entry *entry = type_entry_new(like->debug, kind);

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

void type_lock(const struct type *type)
{
	libdw_lock(type->debug->source.lock);
}

void type_unlock(const struct type *type)
{
	libdw_unlock(type->debug->source.lock);
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

/*
 * A type's number is the position of its entry in .debug_info. The upper bits tell what the entry does not:
 *
 *	63	a pointer to the type with that number; no entry declares the pointer
 *	62	the entry is in the file that several files share (dwz)
 *	56-61	an array of several dimensions: this number of outer dimensions is removed
 *	55	no entry, but a type of debuginfo_abi_type(): bits 0-7 tell which one, bits 8-15 how many pointers lead to it
 */
#define NUMBER_POINTER	 ((u64)1 << 63)
#define NUMBER_SHARED	 ((u64)1 << 62)
#define NUMBER_DIMENSION 56
#define NUMBER_ABI	 ((u64)1 << 55)
#define NUMBER_INDIRECT	 ((u64)1 << 8)
#define NUMBER_PLACE	 (NUMBER_ABI - 1)

_Static_assert(MAX_TYPE_HOPS < 1 << (62 - NUMBER_DIMENSION), "dimensions fit into a type's number");

/* False: it is no type of the ABI, nor a pointer to one. */
static bool abi_number(const struct type_entry *entry, u64 *number)
{
	u64 pointers = 0;

	for (; entry->made; pointers++)
		entry = (const struct type_entry *)entry->target;
	if (!entry->no_die || pointers > 2)
		return false;
	for (u32 i = 0; i < NR_ABI_TYPES; i++) {
		if (entry != entry->type.debug->abi_types[i])
			continue;
		*number = NUMBER_ABI | pointers * NUMBER_INDIRECT | i;
		return true;
	}
	return false;
}

static const struct type *abi_numbered(struct debuginfo *debug, u64 number)
{
	u64 which = number % NUMBER_INDIRECT, pointers = (number - NUMBER_ABI) / NUMBER_INDIRECT;
	const struct type *type;

	if (which >= NR_ABI_TYPES || pointers > 2)
		return NULL;
	type = debuginfo_abi_type(debug, (enum abi_type)which);
	while (pointers--)
		type = type_pointer_to(type);
	return type;
}

bool type_number(const struct type *type, u64 *number)
{
	const struct type_entry *entry = (const struct type_entry *)type;
	const struct raw_file *file = entry->place.unit ? entry->place.unit->file : NULL;

	if (!entry->place.unit)
		return abi_number(entry, number);
	if (entry->made) {
		if (!type_number(entry->target, number) || *number & NUMBER_POINTER)
			return false;
		*number |= NUMBER_POINTER;
		return true;
	}
	if (!file || type->vtable || entry->place.at < file->info.data ||
	    (size_t)(entry->place.at - file->info.data) >= file->info.size)
		return false;
	*number = (u64)(entry->place.at - file->info.data) | (u64)entry->dimension
								     << NUMBER_DIMENSION;
	if (file->dwarf == type->debug->source.dwarf)
		return true;
	*number |= NUMBER_SHARED;
	return file->dwarf == debuginfo_shared(type->debug);
}

static bool find_numbered(struct debuginfo *debug, u64 number, Dwarf_Die *die)
{
	Dwarf *dwarf = number & NUMBER_SHARED ? debuginfo_shared(debug) : debug->source.dwarf;
	bool found;

	libdw_lock(debug->source.lock);
	found = dwarf && dwarf_offdie(dwarf, number & NUMBER_PLACE, die);
	libdw_unlock(debug->source.lock);
	return found;
}

const struct type *debuginfo_type_numbered(struct debuginfo *debug, u64 number)
{
	const struct type *type;
	u64 same;
	Dwarf_Die die;

	if (number & NUMBER_ABI && number < (u64)1 << NUMBER_DIMENSION)
		return abi_numbered(debug, number);
	if (!find_numbered(debug, number, &die))
		return NULL;
	type = type_of_die(debug, &die);
	for (u64 i = (number & ~NUMBER_POINTER & ~NUMBER_SHARED) >> NUMBER_DIMENSION; i; i--)
		type = type_target(type);
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
