// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each BTF type becomes one entry of .debug_info, in the order of ids. Example:
 *
 *	BTF						DWARF
 *	[7] STRUCT 'path' size=16 vlen=2		<1> DW_TAG_structure_type "path", 16 bytes
 *		'mnt' type_id=8 bits_offset=0		<2>   DW_TAG_member "mnt", type of [8], at 0
 *		'dentry' type_id=9 bits_offset=64	<2>   DW_TAG_member "dentry", type of [9], at 8
 *	[8] PTR '(anon)' type_id=0			<1> DW_TAG_pointer_type without a type: void *
 *	[12] FUNC_PROTO ret_type_id=3 vlen=1		<1> DW_TAG_subroutine_type, type of [3]
 *		'p' type_id=8				<2>   DW_TAG_formal_parameter "p", type of [8]
 *	[13] FUNC 'path_get' type_id=12			<1> DW_TAG_subprogram "path_get", at its symbol's address
 *		a symbol path_get			<2>   DW_TAG_formal_parameter "p", type of [8]
 *
 * References are offsets in .debug_info. A type may refer to a later one, so references are filled in at the end.
 * .debug_str begins with the BTF's own names: an offset of a name is the same in both.
 *
 * Each function of the symbol table gets a subprogram, with the prototype of the FUNC with its name. There is none for
 * copies that the compiler altered (do_open.isra.0), and where several FUNCs with one name differ. The code of
 * vfs_read.cold is a second range of vfs_read.
 */
#include "btf/to_dwarf.h"

#include <dwarf.h>
#include <string.h>

#include "base/bytes.h"
#include "btf/elf_made.h"

/* Chains of const, of tags and the like in a hostile file may be cycles. */
#define MAX_HOPS 32
/* A hostile prototype may have 65,535 parameters. The kernel needs 7 MB. */
#define MAX_INFO (256u << 20)

enum abbreviation {
	C_UNIT = 1,
	C_INVALID,
	C_BASE,
	C_POINTER,
	C_POINTER_VOID,
	C_CONST,
	C_CONST_VOID,
	C_VOLATILE,
	C_VOLATILE_VOID,
	C_RESTRICT,
	C_RESTRICT_VOID,
	C_TYPEDEF,
	C_TYPEDEF_VOID,
	C_ARRAY,
	C_COUNT,
	C_NO_COUNT,
	C_STRUCT,
	C_STRUCT_NAMELESS,
	C_UNION,
	C_UNION_NAMELESS,
	C_STRUCT_DECLARED,
	C_UNION_DECLARED,
	C_MEMBER,
	C_MEMBER_NAMELESS,
	C_BITS,
	C_BITS_NAMELESS,
	C_ENUM,
	C_ENUM_NAMELESS,
	C_VALUE,
	C_PROTO,
	C_PROTO_VOID,
	C_PARAMETER,
	C_PARAMETER_NAMELESS,
	C_MORE_PARAMETERS,
	C_FUNCTION,
	C_FUNCTION_VOID,
	C_FUNCTION_SPLIT,
	C_FUNCTION_SPLIT_VOID,
	C_FUNCTION_UNKNOWN,
	C_VARIABLE,
	C_DECLARED,
	C_RECORD,
	C_GUESSED,
	NR_CODES,
};

#define TEXT  DW_FORM_strp
#define TYPE  DW_AT_type, DW_FORM_ref4
#define NAME  DW_AT_name, TEXT
#define BYTES DW_AT_byte_size, DW_FORM_data4
#define AT    DW_AT_data_member_location, DW_FORM_data4
#define BITS  DW_AT_data_bit_offset, DW_FORM_data4, DW_AT_bit_size, DW_FORM_data1
#define CODE  DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8
#define SEEN  DW_AT_external, DW_FORM_flag_present
#define DECL  DW_AT_declaration, DW_FORM_flag_present
#define C     DW_AT_prototyped, DW_FORM_flag_present

/* The abbreviations: a tag, whether it has children, attributes and their forms up to a 0. */
static const struct {
	u8 tag, children, attributes[13];
} codes[NR_CODES] = {
	[C_UNIT] = { DW_TAG_compile_unit,
		     1,
		     { DW_AT_producer, TEXT, DW_AT_language, DW_FORM_data1, NAME, CODE } },
	[C_INVALID] = { DW_TAG_unspecified_type, 0, { NAME } },
	[C_BASE] = { DW_TAG_base_type, 0, { NAME, BYTES, DW_AT_encoding, DW_FORM_data1 } },
	[C_POINTER] = { DW_TAG_pointer_type, 0, { TYPE, BYTES } },
	[C_POINTER_VOID] = { DW_TAG_pointer_type, 0, { BYTES } },
	[C_CONST] = { DW_TAG_const_type, 0, { TYPE } },
	[C_CONST_VOID] = { DW_TAG_const_type, 0, { 0 } },
	[C_VOLATILE] = { DW_TAG_volatile_type, 0, { TYPE } },
	[C_VOLATILE_VOID] = { DW_TAG_volatile_type, 0, { 0 } },
	[C_RESTRICT] = { DW_TAG_restrict_type, 0, { TYPE } },
	[C_RESTRICT_VOID] = { DW_TAG_restrict_type, 0, { 0 } },
	[C_TYPEDEF] = { DW_TAG_typedef, 0, { NAME, TYPE } },
	[C_TYPEDEF_VOID] = { DW_TAG_typedef, 0, { NAME } },
	[C_ARRAY] = { DW_TAG_array_type, 1, { TYPE } },
	[C_COUNT] = { DW_TAG_subrange_type, 0, { DW_AT_count, DW_FORM_data4 } },
	[C_NO_COUNT] = { DW_TAG_subrange_type, 0, { 0 } },
	[C_STRUCT] = { DW_TAG_structure_type, 1, { NAME, BYTES } },
	[C_STRUCT_NAMELESS] = { DW_TAG_structure_type, 1, { BYTES } },
	[C_UNION] = { DW_TAG_union_type, 1, { NAME, BYTES } },
	[C_UNION_NAMELESS] = { DW_TAG_union_type, 1, { BYTES } },
	[C_STRUCT_DECLARED] = { DW_TAG_structure_type, 0, { NAME, DECL } },
	[C_UNION_DECLARED] = { DW_TAG_union_type, 0, { NAME, DECL } },
	[C_MEMBER] = { DW_TAG_member, 0, { NAME, TYPE, AT } },
	[C_MEMBER_NAMELESS] = { DW_TAG_member, 0, { TYPE, AT } },
	[C_BITS] = { DW_TAG_member, 0, { NAME, TYPE, BITS } },
	[C_BITS_NAMELESS] = { DW_TAG_member, 0, { TYPE, BITS } },
	[C_ENUM] = { DW_TAG_enumeration_type, 1, { NAME, BYTES } },
	[C_ENUM_NAMELESS] = { DW_TAG_enumeration_type, 1, { BYTES } },
	[C_VALUE] = { DW_TAG_enumerator, 0, { NAME, DW_AT_const_value, DW_FORM_data8 } },
	[C_PROTO] = { DW_TAG_subroutine_type, 1, { C, TYPE } },
	[C_PROTO_VOID] = { DW_TAG_subroutine_type, 1, { C } },
	[C_PARAMETER] = { DW_TAG_formal_parameter, 0, { NAME, TYPE } },
	[C_PARAMETER_NAMELESS] = { DW_TAG_formal_parameter, 0, { TYPE } },
	[C_MORE_PARAMETERS] = { DW_TAG_unspecified_parameters, 0, { 0 } },
	[C_FUNCTION] = { DW_TAG_subprogram, 1, { SEEN, C, NAME, TYPE, CODE } },
	[C_FUNCTION_VOID] = { DW_TAG_subprogram, 1, { SEEN, C, NAME, CODE } },
	[C_FUNCTION_SPLIT] = { DW_TAG_subprogram,
			       1,
			       { SEEN, C, NAME, TYPE, DW_AT_ranges, DW_FORM_sec_offset } },
	[C_FUNCTION_SPLIT_VOID] = { DW_TAG_subprogram,
				    1,
				    { SEEN, C, NAME, DW_AT_ranges, DW_FORM_sec_offset } },
	[C_FUNCTION_UNKNOWN] = { DW_TAG_subprogram, 0, { NAME, CODE } },
	[C_VARIABLE] = { DW_TAG_variable,
			 0,
			 { SEEN, NAME, TYPE, DW_AT_location, DW_FORM_exprloc } },
	[C_DECLARED] = { DW_TAG_variable, 0, { SEEN, DECL, NAME, TYPE } },
	[C_GUESSED] = { DW_TAG_variable,
			0,
			{ DW_AT_artificial, DW_FORM_flag_present, TYPE, DW_AT_location,
			  DW_FORM_exprloc } },
	[C_RECORD] = { DW_TAG_variable, 0, { DW_AT_artificial, DW_FORM_flag_present, TYPE } },
};

/* An offset in .debug_info that is still to be filled with the place of type @id. */
struct type_reference {
	u32 at, id;
};

struct translation {
	const struct btf *btf;
	const struct btf_code *code;
	GByteArray *info, *names, *ranges;
	u32 *places; /* by id: the entry's offset in info; 0: it has none */
	GArray *references;
	GHashTable *protos;  /* name -> id of its FUNC; 0: several that differ */
	GHashTable *records; /* name of an event class -> id of its record's structure */
};

static void put_u8(GByteArray *out, u8 v)
{
	put(out, &v, 1);
}

static void begin(struct translation *t, enum abbreviation code)
{
	put_u8(t->info, (u8)code);
}

static void end_children(struct translation *t)
{
	put_u8(t->info, 0);
}

/* Qualifiers of types that DWARF lacks are left out: the result is what they stand for. */
static u32 skip_tags(const struct translation *t, u32 id)
{
	for (u32 i = 0; id && i < MAX_HOPS; i++) {
		const struct btf_type *type = btf_type(t->btf, id);

		if (btf_kind(type) != BTF_KIND_TYPE_TAG)
			return id;
		id = type->type;
	}
	return 0;
}

static void put_type(struct translation *t, u32 id)
{
	struct type_reference reference = { t->info->len, skip_tags(t, id) };

	g_array_append_val(t->references, reference);
	put_u32(t->info, 0);
}

/* Begins an entry whose code has a form without a type next to it, for void: DWARF has no entry that is void. */
static void begin_typed(struct translation *t, enum abbreviation code, u32 id)
{
	begin(t, skip_tags(t, id) ? code : code + 1);
}

static void put_type_unless_void(struct translation *t, u32 id)
{
	if (skip_tags(t, id))
		put_type(t, id);
}

/* Appends @text to the names. Returns its offset. */
static u32 add_name(struct translation *t, const char *text)
{
	u32 at = t->names->len;

	put(t->names, text, strlen(text) + 1);
	return at;
}

static bool has_name(const struct translation *t, u32 name)
{
	return *btf_name(t->btf, name);
}

/* Begins an entry whose code has a nameless form next to it, and puts the name. */
static void begin_named(struct translation *t, enum abbreviation code, u32 name)
{
	if (!has_name(t, name)) {
		begin(t, code + 1);
		return;
	}
	begin(t, code);
	put_u32(t->info, name);
}

static void put_int(struct translation *t, const struct btf_type *type)
{
	u32 encoding = BTF_INT_ENCODING(*(const u32 *)(type + 1));

	begin(t, C_BASE);
	put_u32(t->info, type->name_off);
	put_u32(t->info, type->size);
	if (encoding & BTF_INT_BOOL)
		put_u8(t->info, DW_ATE_boolean);
	else
		put_u8(t->info, encoding & BTF_INT_SIGNED ? DW_ATE_signed : DW_ATE_unsigned);
}

static void put_float(struct translation *t, const struct btf_type *type)
{
	begin(t, C_BASE);
	put_u32(t->info, type->name_off);
	put_u32(t->info, type->size);
	put_u8(t->info, DW_ATE_float);
}

static void put_array(struct translation *t, const struct btf_type *type)
{
	const struct btf_array *array = (const void *)(type + 1);

	begin(t, C_ARRAY);
	put_type(t, array->type);
	begin(t, array->nelems ? C_COUNT : C_NO_COUNT);
	if (array->nelems)
		put_u32(t->info, array->nelems);
	end_children(t);
}

static void put_members(struct translation *t, const struct btf_type *type)
{
	const struct btf_member *members = (const void *)(type + 1);
	bool has_sizes = BTF_INFO_KFLAG(type->info);

	for (u32 i = 0; i < BTF_INFO_VLEN(type->info); i++) {
		const struct btf_member *m = &members[i];
		u32 size = has_sizes ? BTF_MEMBER_BITFIELD_SIZE(m->offset) : 0;
		u32 bit = has_sizes ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset;

		begin_named(t, size ? C_BITS : C_MEMBER, m->name_off);
		put_type(t, m->type);
		put_u32(t->info, size ? bit : bit / 8);
		if (size)
			put_u8(t->info, (u8)size);
	}
	end_children(t);
}

static void put_compound(struct translation *t, const struct btf_type *type)
{
	begin_named(t, btf_kind(type) == BTF_KIND_STRUCT ? C_STRUCT : C_UNION, type->name_off);
	put_u32(t->info, type->size);
	put_members(t, type);
}

static void put_forward(struct translation *t, const struct btf_type *type)
{
	begin(t, BTF_INFO_KFLAG(type->info) ? C_UNION_DECLARED : C_STRUCT_DECLARED);
	put_u32(t->info, type->name_off);
}

static void put_enum(struct translation *t, const struct btf_type *type)
{
	bool wide = btf_kind(type) == BTF_ENUM64, is_signed = BTF_INFO_KFLAG(type->info);
	const u32 *at = (const void *)(type + 1);

	begin_named(t, C_ENUM, type->name_off);
	put_u32(t->info, type->size);
	for (u32 i = 0; i < BTF_INFO_VLEN(type->info); i++, at += wide ? 3 : 2) {
		u64 value = wide	? at[1] | (u64)at[2] << 32
			    : is_signed ? (u64)(s64)(s32)at[1]
					: at[1];

		begin(t, C_VALUE);
		put_u32(t->info, at[0]);
		put_u64(t->info, value);
	}
	end_children(t);
}

/* A last parameter with neither name nor type stands for "...". */
static void put_parameters(struct translation *t, const struct btf_type *proto)
{
	const struct btf_param *params = (const void *)(proto + 1);
	u32 nr = BTF_INFO_VLEN(proto->info);

	for (u32 i = 0; i < nr; i++) {
		if (i + 1 == nr && !params[i].type) {
			begin(t, C_MORE_PARAMETERS);
			continue;
		}
		begin_named(t, C_PARAMETER, params[i].name_off);
		put_type(t, params[i].type);
	}
	end_children(t);
}

static void put_proto(struct translation *t, const struct btf_type *type)
{
	begin_typed(t, C_PROTO, type->type);
	put_type_unless_void(t, type->type);
	put_parameters(t, type);
}

static void put_pointer(struct translation *t, const struct btf_type *type)
{
	begin_typed(t, C_POINTER, type->type);
	put_type_unless_void(t, type->type);
	put_u32(t->info, sizeof(u64));
}

static void put_typedef(struct translation *t, const struct btf_type *type)
{
	begin_typed(t, C_TYPEDEF, type->type);
	put_u32(t->info, type->name_off);
	put_type_unless_void(t, type->type);
}

static void put_qualified(struct translation *t, const struct btf_type *type)
{
	u32 kind = btf_kind(type);
	enum abbreviation code = kind == BTF_KIND_CONST	     ? C_CONST
				 : kind == BTF_KIND_VOLATILE ? C_VOLATILE
							     : C_RESTRICT;

	begin_typed(t, code, type->type);
	put_type_unless_void(t, type->type);
}

/* The kinds that become an entry. FUNC, VAR and DATASEC are no types of DWARF; tags are left out. */
static void (*const writers[32])(struct translation *t, const struct btf_type *type) = {
	[BTF_KIND_INT] = put_int,
	[BTF_KIND_FLOAT] = put_float,
	[BTF_KIND_PTR] = put_pointer,
	[BTF_KIND_ARRAY] = put_array,
	[BTF_KIND_STRUCT] = put_compound,
	[BTF_KIND_UNION] = put_compound,
	[BTF_KIND_FWD] = put_forward,
	[BTF_KIND_ENUM] = put_enum,
	[BTF_ENUM64] = put_enum,
	[BTF_KIND_TYPEDEF] = put_typedef,
	[BTF_KIND_CONST] = put_qualified,
	[BTF_KIND_VOLATILE] = put_qualified,
	[BTF_KIND_RESTRICT] = put_qualified,
	[BTF_KIND_FUNC_PROTO] = put_proto,
};

/* The kernel's BTF has a structure that no object has, with the contexts of all kinds of BPF programs as members. */
static bool is_artificial(const struct translation *t, const struct btf_type *type)
{
	return !strcmp(btf_name(t->btf, type->name_off), "bpf_ctx_convert");
}

static void put_types(struct translation *t)
{
	/* What a member, parameter or array of void refers to, in a hostile file. */
	t->places[0] = t->info->len;
	begin(t, C_INVALID);
	put_u32(t->info, add_name(t, "(invalid)"));
	for (u32 id = 1; id < btf_nr_types(t->btf); id++) {
		const struct btf_type *type = btf_type(t->btf, id);

		if (!writers[btf_kind(type)] || is_artificial(t, type))
			continue;
		t->places[id] = t->info->len;
		writers[btf_kind(type)](t, type);
	}
}

static bool same_proto(const struct btf *btf, u32 one, u32 other)
{
	const struct btf_type *a = btf_type(btf, btf_type(btf, one)->type);
	const struct btf_type *b = btf_type(btf, btf_type(btf, other)->type);
	const struct btf_param *of_a = (const void *)(a + 1), *of_b = (const void *)(b + 1);

	if (a->type != b->type || BTF_INFO_VLEN(a->info) != BTF_INFO_VLEN(b->info))
		return false;
	for (u32 i = 0; i < BTF_INFO_VLEN(a->info); i++)
		if (of_a[i].type != of_b[i].type)
			return false;
	return true;
}

static void index_protos(struct translation *t)
{
	for (u32 id = 1; id < btf_nr_types(t->btf); id++) {
		const struct btf_type *type = btf_type(t->btf, id);
		const char *name = btf_name(t->btf, type->name_off);
		u32 known;

		if (btf_kind(type) != BTF_KIND_FUNC || !*name)
			continue;
		known = GPOINTER_TO_UINT(g_hash_table_lookup(t->protos, name));
		if (known && !same_proto(t->btf, known, id))
			g_hash_table_insert(t->protos, (void *)name, NULL);
		else if (!g_hash_table_contains(t->protos, name))
			g_hash_table_insert(t->protos, (void *)name, GUINT_TO_POINTER(id));
	}
}

/* "vfs_read.cold", "vfs_read.cold.12" -> "vfs_read", to free. NULL: another name. */
static char *hot_name(const char *name)
{
	const char *at = strstr(name, ".cold");

	return at && at != name && (!at[5] || at[5] == '.') ? g_strndup(name, (gsize)(at - name))
							    : NULL;
}

/* Name -> index + 1 of the only .cold part with that name; 0: several, of which each may be any function's. */
static GHashTable *cold_parts(const struct btf_code *code)
{
	GHashTable *parts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (u32 i = 0; i < code->nr; i++) {
		char *name = hot_name(code->functions[i].name);
		bool again = name && g_hash_table_contains(parts, name);

		if (name)
			g_hash_table_insert(parts, name, GUINT_TO_POINTER(again ? 0 : i + 1));
	}
	return parts;
}

struct split {
	GHashTable *parts; /* cold_parts() */
	GHashTable *twice; /* names_twice() */
};

static void put_range(GByteArray *out, u64 low, u64 high)
{
	put_u64(out, low);
	put_u64(out, high);
}

/*
 * The kernel's TRACE_EVENT() makes for each event class NAME a structure, and functions that fill and print it. They
 * get it as a void * or by a pointer to its first member; their names tell its type.
 */
static const char *const record_users[] = { "trace_event_raw_event_", "perf_trace_",
					    "trace_raw_output_" };
#define RECORD "trace_event_raw_"

static void index_records(struct translation *t)
{
	for (u32 id = 1; id < btf_nr_types(t->btf); id++) {
		const struct btf_type *type = btf_type(t->btf, id);
		const char *name = btf_name(t->btf, type->name_off);

		if (btf_kind(type) == BTF_KIND_STRUCT && g_str_has_prefix(name, RECORD))
			g_hash_table_insert(t->records, (void *)(name + strlen(RECORD)),
					    GUINT_TO_POINTER(id));
	}
}

/* The structure that the function @name fills or prints, as a variable without a place. */
static void put_record(struct translation *t, const char *name)
{
	u32 id = 0;

	for (u32 i = 0; !id && i < ARRAY_SIZE(record_users); i++)
		if (g_str_has_prefix(name, record_users[i]))
			id = GPOINTER_TO_UINT(
				g_hash_table_lookup(t->records, name + strlen(record_users[i])));
	if (!id)
		return;
	begin(t, C_RECORD);
	put_type(t, id);
}

static void put_function(struct translation *t, const struct btf_function *f,
			 const struct btf_function *cold)
{
	u32 id = GPOINTER_TO_UINT(g_hash_table_lookup(t->protos, f->name));
	const struct btf_type *func, *proto;

	if (!id) {
		begin(t, C_FUNCTION_UNKNOWN);
		put_u32(t->info, add_name(t, f->name));
		put_u64(t->info, f->start);
		put_u64(t->info, f->end - f->start);
		return;
	}
	func = btf_type(t->btf, id);
	proto = btf_type(t->btf, func->type);
	begin_typed(t, cold ? C_FUNCTION_SPLIT : C_FUNCTION, proto->type);
	put_u32(t->info, func->name_off);
	put_type_unless_void(t, proto->type);
	if (cold) {
		put_u32(t->info, t->ranges->len);
		/* The base address of the list is 0, not that of the unit. */
		put_range(t->ranges, UINT64_MAX, 0);
		put_range(t->ranges, f->start, f->end);
		put_range(t->ranges, cold->start, cold->end);
		put_range(t->ranges, 0, 0);
	} else {
		put_u64(t->info, f->start);
		put_u64(t->info, f->end - f->start);
	}
	put_record(t, f->name);
	put_parameters(t, proto);
}

/* Two functions with one name: no one knows to which of them the cold part belongs. */
static GHashTable *names_twice(const struct btf_code *code)
{
	g_autoptr(GHashTable) once = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *twice = g_hash_table_new(g_str_hash, g_str_equal);

	for (u32 i = 0; i < code->nr; i++)
		if (!g_hash_table_add(once, (void *)code->functions[i].name))
			g_hash_table_add(twice, (void *)code->functions[i].name);
	return twice;
}

/* Of the symbols at one address, which are @nr from @f on: the one whose name has a prototype. */
static const struct btf_function *best_symbol(const struct translation *t,
					      const struct btf_function *f, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (g_hash_table_lookup(t->protos, f[i].name))
			return &f[i];
	return f;
}

/* Does @name name a part that is a second range of its function? If not, the part gets an entry of its own. */
static bool belongs_to_function(const struct translation *t, const struct split *split,
				const char *name)
{
	g_autofree char *hot = hot_name(name);

	return hot && g_hash_table_lookup(split->parts, hot) &&
	       !g_hash_table_contains(split->twice, hot) && g_hash_table_lookup(t->protos, hot);
}

static void put_functions(struct translation *t)
{
	const struct btf_function *all = t->code->functions;
	struct split split = { cold_parts(t->code), names_twice(t->code) };

	index_protos(t);
	index_records(t);
	for (u32 i = 0, nr; i < t->code->nr && t->info->len < MAX_INFO; i += nr) {
		const struct btf_function *f;
		u32 cold = 0;

		for (nr = 1; i + nr < t->code->nr && all[i + nr].start == all[i].start; nr++)
			;
		f = best_symbol(t, &all[i], nr);
		if (belongs_to_function(t, &split, f->name))
			continue;
		if (!g_hash_table_contains(split.twice, f->name))
			cold = GPOINTER_TO_UINT(g_hash_table_lookup(split.parts, f->name));
		put_function(t, f, cold ? &all[cold - 1] : NULL);
	}
	g_hash_table_unref(split.parts);
	g_hash_table_unref(split.twice);
}

static bool is_percpu(const struct btf *btf, const struct btf_type *type)
{
	return btf_kind(type) == BTF_KIND_DATASEC &&
	       !strcmp(btf_name(btf, type->name_off), ".data..percpu");
}

static void put_place(struct translation *t, u64 address)
{
	put_u8(t->info, 1 + sizeof(u64));
	put_u8(t->info, DW_OP_addr);
	put_u64(t->info, address);
}

static void put_variable(struct translation *t, u32 name, u32 type, u64 address)
{
	begin(t, C_VARIABLE);
	put_u32(t->info, name);
	put_type(t, type);
	put_place(t, address);
}

static void put_globals(struct translation *t)
{
	for (u32 i = 0; i < t->code->nr_globals && t->info->len < MAX_INFO; i++) {
		begin(t, C_GUESSED);
		put_type(t, t->code->globals[i].type);
		put_place(t, t->code->globals[i].address);
	}
}

/*
 * Until Linux 6.15, struct fixed_percpu_data with the stack protector's value is at the start of the section on x86-64, by
 * the kernel's linker script. pahole leaves this variable out, because its address is 0.
 */
static void put_fixed_variable(struct translation *t, u64 end)
{
	for (u32 id = 1; id < btf_nr_types(t->btf); id++) {
		const struct btf_type *type = btf_type(t->btf, id);

		if (btf_kind(type) != BTF_KIND_STRUCT || type->size > end ||
		    strcmp(btf_name(t->btf, type->name_off), "fixed_percpu_data") != 0)
			continue;
		put_variable(t, type->name_off, id, t->code->percpu);
		return;
	}
}

/* Whoever knows the address of a per-CPU variable by its symbol finds the type by its name. */
static void declare_variables(struct translation *t, const struct btf_type *section)
{
	const struct btf_var_secinfo *vars = (const void *)(section + 1);

	for (u32 i = 0; i < BTF_INFO_VLEN(section->info); i++) {
		const struct btf_type *var = btf_type(t->btf, vars[i].type);

		begin(t, C_DECLARED);
		put_u32(t->info, var->name_off);
		put_type(t, var->type);
	}
}

static void put_variables(struct translation *t, const struct btf_type *section)
{
	const struct btf_var_secinfo *vars = (const void *)(section + 1);
	u64 first = UINT64_MAX;

	for (u32 i = 0; i < BTF_INFO_VLEN(section->info); i++) {
		const struct btf_type *var = btf_type(t->btf, vars[i].type);

		put_variable(t, var->name_off, var->type, t->code->percpu + vars[i].offset);
		first = MIN(first, vars[i].offset);
	}
	put_fixed_variable(t, first);
}

static void put_percpu(struct translation *t)
{
	for (u32 id = 1; id < btf_nr_types(t->btf); id++) {
		const struct btf_type *type = btf_type(t->btf, id);

		if (!is_percpu(t->btf, type))
			continue;
		if (t->code->has_percpu)
			put_variables(t, type);
		else
			declare_variables(t, type);
	}
}

static void fill_references(struct translation *t)
{
	for (u32 i = 0; i < t->references->len; i++) {
		const struct type_reference *r =
			&g_array_index(t->references, struct type_reference, i);
		u32 place = t->places[r->id] ?: t->places[0];

		memcpy(t->info->data + r->at, &place, sizeof(place));
	}
}

static GByteArray *abbreviations(void)
{
	GByteArray *out = g_byte_array_new();

	for (u32 code = 1; code < NR_CODES; code++) {
		const u8 *a = codes[code].attributes;

		put_u8(out, (u8)code);
		put_u8(out, codes[code].tag);
		put_u8(out, codes[code].children);
		for (; *a; a += 2)
			put(out, a, 2);
		put_u16(out, 0);
	}
	put_u8(out, 0);
	return out;
}

static void put_unit(struct translation *t)
{
	u64 low = t->code->nr ? t->code->functions[0].start : 0, high = low;

	for (u32 i = 0; i < t->code->nr; i++)
		high = MAX(high, t->code->functions[i].end);
	put_u32(t->info, 0); /* the length, filled in at the end */
	put_u16(t->info, 4);
	put_u32(t->info, 0); /* of .debug_abbrev */
	put_u8(t->info, sizeof(u64));
	begin(t, C_UNIT);
	put_u32(t->info, add_name(t, BTF_PRODUCER));
	put_u8(t->info, DW_LANG_C99);
	put_u32(t->info, add_name(t, "BTF"));
	put_u64(t->info, low);
	put_u64(t->info, high - low);
}

static GBytes *finish(struct translation *t)
{
	g_autoptr(GByteArray) abbrevs = abbreviations();
	struct elf_made *made = elf_made_new();
	u32 length;

	fill_references(t);
	length = t->info->len - sizeof(length);
	memcpy(t->info->data, &length, sizeof(length));
	elf_made_section(made, ".debug_abbrev", abbrevs->data, abbrevs->len);
	elf_made_section(made, ".debug_info", t->info->data, t->info->len);
	elf_made_section(made, ".debug_str", t->names->data, t->names->len);
	if (t->ranges->len)
		elf_made_section(made, ".debug_ranges", t->ranges->data, t->ranges->len);
	return elf_made_finish(made);
}

GBytes *btf_to_dwarf(const struct btf *btf, const struct btf_code *code)
{
	struct translation t = { .btf = btf, .code = code };
	GBytes *file;

	t.info = g_byte_array_new();
	t.ranges = g_byte_array_new();
	t.names = btf_names(btf);
	t.places = g_new0(u32, btf_nr_types(btf));
	t.references = g_array_new(FALSE, FALSE, sizeof(struct type_reference));
	t.protos = g_hash_table_new(g_str_hash, g_str_equal);
	t.records = g_hash_table_new(g_str_hash, g_str_equal);
	put_unit(&t);
	put_types(&t);
	put_functions(&t);
	put_globals(&t);
	put_percpu(&t);
	end_children(&t);
	file = finish(&t);
	g_byte_array_unref(t.info);
	g_byte_array_unref(t.ranges);
	g_byte_array_unref(t.names);
	g_array_unref(t.references);
	g_hash_table_unref(t.protos);
	g_hash_table_unref(t.records);
	g_free(t.places);
	return file;
}
