// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Converts an offset in a type to the path of its members. Example:
 *
 *	struct node { int key; struct list_head lru; union { long v; double d; } u; };
 *
 *	offset	access		path
 *	0			key
 *	4			(none: padding)
 *	16			lru.prev
 *	24			u.v	the first member of the union
 *	24	8 bytes, float	u.d	the only member with such a number
 *	24	4 bytes		u	no member has a number of 4 bytes: both are left
 *	26	1 byte		u	the same
 *
 * In `struct node *pages[8]` of another structure, offset 8 is "pages", without an index. In an array of structures the
 * path goes on: `struct node nodes[8]`, offset 32 + 16: "nodes.lru.prev".
 */
#include <string.h>

#include "dwarf/internal.h"

/* A class without data has size 1. As a base class it shares this byte with the next member. */
static bool is_empty(const struct type *type, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u32 nr;

	if (!type_is_compound(stripped) || stripped->size > 1 || depth > MAX_TYPE_HOPS)
		return false;
	members = type_members(stripped, &nr);
	for (u32 i = 0; i < nr; i++)
		if (!is_empty(members[i].type, depth + 1))
			return false;
	return true;
}

static bool covers(const struct member *member, u64 offset)
{
	return offset >= member->offset && offset - member->offset < member->size;
}

/*
 * Does a field of this variant of a Rust enum cover @offset? The variant's size does not tell: each is as large as the
 * enum.
 */
static bool has_data(const struct member *variant, u64 offset)
{
	u32 nr;
	const struct member *fields = type_members(variant->type, &nr);

	for (u32 i = 0; variant->variant && offset >= variant->offset && i < nr; i++)
		if (covers(&fields[i], offset - variant->offset))
			return true;
	return false;
}

static const struct member *variant_at(const struct member *members, u32 nr, u64 offset)
{
	for (u32 i = 0; i < nr; i++)
		if (has_data(&members[i], offset))
			return &members[i];
	return NULL;
}

/*
 * The first member that covers @offset. A flexible array at the end covers all bytes after its start. In an enum with
 * data: the first variant with data there, else the tag, because the tag may be inside the data.
 */
static const struct member *member_at(const struct type *type, u64 offset)
{
	u32 nr;
	const struct member *members = type_members(type, &nr), *flexible = NULL;

	if (nr && members[nr - 1].variant) {
		const struct member *variant = variant_at(members, nr, offset);

		if (variant)
			return variant;
	}
	for (u32 i = 0; i < nr; i++) {
		const struct member *m = &members[i];

		if (offset < m->offset)
			continue;
		if (covers(m, offset) && (m->name || !is_empty(m->type, 0)))
			return m;
		if (m->size == 0 && m->type->kind == TYPE_ARRAY && !m->bit_size)
			flexible = m;
	}
	return flexible;
}

/*
 * Bits of enum type_number. Only a scalar that begins at @offset and has exactly @width bytes counts: 4 bytes of a long
 * are no number. A bitfield counts for any width, because compilers access its storage with loads of several widths.
 */
static u8 numbers(const struct type *type, u64 offset, u16 width, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *m;
	u32 at = 0;
	u8 found = 0;

	if (depth > MAX_TYPE_HOPS)
		return 0;
	if (stripped->kind == TYPE_ARRAY && type_target(stripped)->size)
		return numbers(type_target(stripped), offset % type_target(stripped)->size, width,
			       depth + 1);
	while (type_is_compound(stripped) && (m = type_member_at(stripped, offset, &at)))
		found |= m->bit_size ? (u8)TYPE_NUMBER_INTEGER
				     : numbers(m->type, offset - m->offset, width, depth + 1);
	if (type_is_compound(stripped) || offset || stripped->size != width)
		return found;
	if (stripped->kind == TYPE_POINTER)
		return TYPE_NUMBER_POINTER;
	return stripped->kind == TYPE_BASE && stripped->encoding == TYPE_FLOAT
		       ? TYPE_NUMBER_FLOAT
		       : TYPE_NUMBER_INTEGER;
}

u8 type_numbers(const struct type *type, u64 offset, u16 width)
{
	return numbers(type, offset, width, 0);
}

/*
 * The member of a union that an access means: the only one that contains all bytes, or the only one with a number of
 * that width and kind there. NULL: none, or several. out: *@first: the first of those that fit.
 */
static const struct member *union_member(const struct type *type, u64 offset,
					 const struct type_use *use, const struct member **first)
{
	u32 nr, nr_whole = 0, nr_fitting = 0;
	const struct member *members = type_members(type, &nr), *whole = NULL, *fitting = NULL;

	for (u32 i = nr; i-- > 0;) {
		const struct member *m = &members[i];
		u8 there;

		if (!covers(m, offset) || m->offset + m->size < offset + use->width)
			continue;
		nr_whole++;
		whole = m;
		there = type_numbers(m->type, offset - m->offset, use->width);
		if (!there || (use->numbers && !(there & use->numbers)))
			continue;
		nr_fitting++;
		fitting = m;
	}
	*first = fitting ? fitting : whole;
	if (nr_whole == 1)
		return whole;
	return nr_fitting == 1 ? fitting : NULL;
}

/* Appends the path below @type. False: no member with a name covers the byte. @use: NULL: not known. */
static bool append_path(const struct type *type, u64 offset, const struct type_use *use,
			GString *path, bool named, u32 depth)
{
	const struct member *member;
	const struct type *stripped = type_strip(type);

	if (depth > MAX_TYPE_HOPS)
		return false;
	/* Do not append an index: the offset tells the element, and an index may not be known at all. */
	for (u32 hops = 0; stripped->kind == TYPE_ARRAY && hops < MAX_TYPE_HOPS; hops++) {
		stripped = type_strip(type_target(stripped));
		if (!stripped->size)
			return false;
		offset %= stripped->size;
	}
	member = member_at(stripped, offset);
	if (use && use->width && stripped->kind == TYPE_UNION && member) {
		const struct member *first = NULL,
				    *only = union_member(stripped, offset, use, &first);

		/* The union has a name, or is the whole type: that is all that is known. */
		if (!only && (!depth || named))
			return false;
		member = only ? only : first ? first : member;
	}
	if (!member)
		return false;
	if (member->name) {
		if (path->len)
			g_string_append_c(path, '.');
		g_string_append(path, member->name);
	}
	if (!member->bit_size)
		return append_path(member->type, offset - member->offset, use, path,
				   member->name != NULL, depth + 1) ||
		       member->name;
	g_string_append_printf(path, ":%u", member->bit_size);
	return true;
}

bool type_use_path(const struct type *type, u64 offset, const struct type_use *use, char *path,
		   size_t size)
{
	g_autoptr(GString) text = g_string_new(NULL);
	bool found = append_path(type, offset, use, text, false, 0) && text->len;

	g_strlcpy(path, found ? text->str : "", size);
	return found;
}

bool type_member_path(const struct type *type, u64 offset, char *path, size_t size)
{
	return type_use_path(type, offset, NULL, path, size);
}

void type_offset_append(const struct type *type, const char *name, s64 offset, GString *out)
{
	type_use_append(type, name, offset, NULL, out);
}

void type_use_append(const struct type *type, const char *name, s64 offset,
		     const struct type_use *use, GString *out)
{
	g_autoptr(GString) path = g_string_new(NULL);
	bool found = offset >= 0 && append_path(type, (u64)offset, use, path, false, 0) &&
		     path->len;
	const char *sign = offset < 0 ? "-" : "+";
	u64 distance = offset < 0 ? 0 - (u64)offset : (u64)offset;

	if (offset == TYPE_OFFSET_ANY) {
		g_string_append_printf(out, "%s (one of several)", name);
		return;
	}
	/* "+0", but "+0x8": upstream prints with the '#' flag. */
	g_string_append_printf(out, "%s %s%#llx (%s)", name, sign, (unsigned long long)distance,
			       found ? path->str : "no field");
}

void type_offset_text(const struct type *type, s64 offset, char *text, size_t size)
{
	g_autoptr(GString) whole = g_string_new(NULL);

	type_offset_append(type, type_shown_name(type), offset, whole);
	g_strlcpy(text, whole->str, size);
}
