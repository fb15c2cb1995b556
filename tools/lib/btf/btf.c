// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf/btf.h"

#include <string.h>

#include "base/bytes.h"

#define MAGIC	  0xeb9f
#define MAX_TYPES (16u << 20) /* a kernel has about 130,000 */

struct btf {
	const struct btf *base;
	GBytes *bytes;
	const char *names; /* its own; the last byte is 0 */
	u32 names_start;   /* bytes of the base's names */
	u32 names_size;	   /* of its own */
	u32 first;	   /* the first id that is its own */
	GPtrArray *types;  /* const struct btf_type *: its own, from id `first` on */
};

/* The bytes that follow the struct btf_type of each kind: `fixed`, and `each` for each of its BTF_INFO_VLEN. */
struct kind_shape {
	bool known;
	u8 fixed, each;
};

static const struct kind_shape shapes[32] = {
	[BTF_KIND_INT] = { true, 4, 0 },
	[BTF_KIND_PTR] = { true, 0, 0 },
	[BTF_KIND_ARRAY] = { true, sizeof(struct btf_array), 0 },
	[BTF_KIND_STRUCT] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_UNION] = { true, 0, sizeof(struct btf_member) },
	[BTF_KIND_ENUM] = { true, 0, sizeof(struct btf_enum) },
	[BTF_KIND_FWD] = { true, 0, 0 },
	[BTF_KIND_TYPEDEF] = { true, 0, 0 },
	[BTF_KIND_VOLATILE] = { true, 0, 0 },
	[BTF_KIND_CONST] = { true, 0, 0 },
	[BTF_KIND_RESTRICT] = { true, 0, 0 },
	[BTF_KIND_FUNC] = { true, 0, 0 },
	[BTF_KIND_FUNC_PROTO] = { true, 0, sizeof(struct btf_param) },
	[BTF_KIND_VAR] = { true, sizeof(struct btf_var), 0 },
	[BTF_KIND_DATASEC] = { true, 0, sizeof(struct btf_var_secinfo) },
	[BTF_KIND_FLOAT] = { true, 0, 0 },
	[BTF_KIND_DECL_TAG] = { true, sizeof(struct btf_decl_tag), 0 },
	[BTF_KIND_TYPE_TAG] = { true, 0, 0 },
	[BTF_ENUM64] = { true, 0, 12 },
};

static bool malformed(GError **error, const char *what)
{
	return error_set(error, PERF_ERROR_FORMAT, "BTF: %s", what);
}

static u32 end_of_names(const struct btf *btf)
{
	return btf->names_start + btf->names_size;
}

static bool read_types(struct btf *btf, const u8 *at, size_t size, GError **error)
{
	while (size) {
		const struct btf_type *type = (const void *)at;
		const struct kind_shape *shape;
		u64 whole = sizeof(*type);

		if (size < whole)
			return malformed(error, "the types end inside a type");
		shape = &shapes[btf_kind(type)];
		if (!shape->known)
			return malformed(error, "a kind of type that is not known here");
		whole += shape->fixed + (u64)shape->each * BTF_INFO_VLEN(type->info);
		if (size < whole)
			return malformed(error, "the types end inside a type");
		if (btf->types->len >= MAX_TYPES)
			return malformed(error, "too many types");
		g_ptr_array_add(btf->types, (void *)type);
		at += whole;
		size -= whole;
	}
	return true;
}

/* Is @id an id, and @name an offset of a name? */
static bool is_valid(const struct btf *btf, u32 id, u32 name)
{
	return id < btf_nr_types(btf) && name < end_of_names(btf);
}

static bool is_kind(const struct btf *btf, u32 id, u32 kind)
{
	return id && btf_kind(btf_type(btf, id)) == kind;
}

/* Does the type itself refer to another type (and not state a size)? */
static bool refers(u32 kind)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
	case BTF_KIND_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

static bool check_entries(const struct btf *btf, const struct btf_type *type)
{
	const void *after = type + 1;
	u32 kind = btf_kind(type), nr = BTF_INFO_VLEN(type->info);

	for (u32 i = 0; i < nr; i++) {
		const struct btf_member *member = (const struct btf_member *)after + i;
		const struct btf_param *param = (const struct btf_param *)after + i;
		const struct btf_var_secinfo *var = (const struct btf_var_secinfo *)after + i;
		const struct btf_enum *value = (const struct btf_enum *)after + i;
		const u32 *wide = (const u32 *)after + 3 * (size_t)i;
		bool fine = true;

		if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION)
			fine = is_valid(btf, member->type, member->name_off);
		else if (kind == BTF_KIND_FUNC_PROTO)
			fine = is_valid(btf, param->type, param->name_off);
		else if (kind == BTF_KIND_DATASEC)
			fine = is_valid(btf, var->type, 0) && is_kind(btf, var->type, BTF_KIND_VAR);
		else if (kind == BTF_KIND_ENUM)
			fine = is_valid(btf, 0, value->name_off);
		else if (kind == BTF_ENUM64)
			fine = is_valid(btf, 0, wide[0]);
		if (!fine)
			return false;
	}
	return true;
}

static bool check_type(const struct btf *btf, const struct btf_type *type)
{
	const struct btf_array *array = (const void *)(type + 1);
	u32 kind = btf_kind(type);

	if (!is_valid(btf, refers(kind) ? type->type : 0, type->name_off))
		return false;
	if (kind == BTF_KIND_FUNC && !is_kind(btf, type->type, BTF_KIND_FUNC_PROTO))
		return false;
	if (kind == BTF_KIND_ARRAY)
		return is_valid(btf, array->type, 0);
	/* BTF_INFO_VLEN of a FUNC is its linkage. */
	return kind == BTF_KIND_FUNC || check_entries(btf, type);
}

static bool read_sections(struct btf *btf, GError **error)
{
	size_t size;
	const u8 *data = g_bytes_get_data(btf->bytes, &size);
	const struct btf_header *header = (const void *)data;
	const u8 *types;

	if (size < sizeof(*header) || header->magic != MAGIC || header->version != 1 ||
	    header->hdr_len < sizeof(*header) || header->hdr_len > size || (uintptr_t)data % 4 ||
	    header->hdr_len % 4)
		return malformed(error, "not BTF of this machine");
	size -= header->hdr_len;
	if (header->type_off > size || header->type_len > size - header->type_off ||
	    header->str_off > size || header->str_len > size - header->str_off ||
	    header->type_off % 4 || header->type_len % 4)
		return malformed(error, "a section is outside of it");
	types = data + header->hdr_len + header->type_off;
	btf->names = (const char *)data + header->hdr_len + header->str_off;
	btf->names_size = header->str_len;
	if (!header->str_len || btf->names[header->str_len - 1] || (!btf->base && btf->names[0]) ||
	    header->str_len > UINT32_MAX / 4 - btf->names_start)
		return malformed(error, "malformed names");
	if (!read_types(btf, types, header->type_len, error))
		return false;
	for (u32 i = 0; i < btf->types->len; i++)
		if (!check_type(btf, g_ptr_array_index(btf->types, i)))
			return malformed(error,
					 "a type refers to a type or name that is not there");
	return true;
}

struct btf *btf_new(GBytes *bytes, const struct btf *base, GError **error)
{
	struct btf *btf = g_new0(struct btf, 1);

	btf->base = base;
	btf->bytes = g_bytes_ref(bytes);
	btf->types = g_ptr_array_new();
	btf->first = base ? btf_nr_types(base) : 1;
	btf->names_start = base ? end_of_names(base) : 0;
	if (!read_sections(btf, error))
		g_clear_pointer(&btf, btf_free);
	return btf;
}

void btf_free(struct btf *btf)
{
	if (!btf)
		return;
	g_bytes_unref(btf->bytes);
	g_ptr_array_unref(btf->types);
	g_free(btf);
}

u32 btf_nr_types(const struct btf *btf)
{
	return btf->first + btf->types->len;
}

u32 btf_first_type(const struct btf *btf)
{
	return btf->first;
}

const struct btf_type *btf_type(const struct btf *btf, u32 id)
{
	while (id < btf->first)
		btf = btf->base;
	return g_ptr_array_index(btf->types, id - btf->first);
}

const char *btf_name(const struct btf *btf, u32 offset)
{
	while (offset < btf->names_start)
		btf = btf->base;
	return btf->names + (offset - btf->names_start);
}

GByteArray *btf_names(const struct btf *btf)
{
	GByteArray *names = btf->base ? btf_names(btf->base) : g_byte_array_new();

	put(names, btf->names, btf->names_size);
	return names;
}
