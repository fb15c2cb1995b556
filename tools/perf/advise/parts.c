// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Debug information has no alignments, but for those that the source states. So a member's alignment is that of its type by the x86-64
 * ABI; where a member is farther behind than that asks for, the source aligned it, and its offset tells how far.
 */
#include "advise/parts.h"

#include <string.h>

#define MOST_PARTS  512u
#define MOST_DEPTH  16u
#define MOST_ALIGN  4096u
#define MOST_SCALAR 16u

static u32 align_of(const struct type *type, u32 depth)
{
	const struct member *members;
	u32 nr, most = 1;

	type = type_strip(type);
	if (depth > MOST_DEPTH || type->incomplete)
		return 1;
	if (type->kind == TYPE_ARRAY && !type->vector)
		return align_of(type_target(type), depth + 1);
	if (type_is_compound(type)) {
		members = type_members(type, &nr);
		for (u32 i = 0; i < nr; i++)
			most = MAX(most, align_of(members[i].type, depth + 1));
		return most;
	}
	if (type->kind == TYPE_BASE && type->encoding == TYPE_COMPLEX)
		return (u32)MIN(MAX(type->size / 2, 1), MOST_SCALAR);
	if (!type->size || (type->size & (type->size - 1)))
		return 1;
	return (u32)MIN(type->size, type->vector ? 64 : MOST_SCALAR);
}

static u32 power_in(u64 offset)
{
	return offset ? (u32)MIN(offset & -offset, MOST_ALIGN) : MOST_ALIGN;
}

/* C has `char name[]`, older code `name[0]`, and C++ `name[1]`: more elements lie behind the end of the type. */
static bool is_flexible(const struct member *m, bool is_last)
{
	const struct type *type = type_strip(m->type);

	return type->kind == TYPE_ARRAY && !type->vector &&
	       (!m->size || (is_last && m->size == type_target(type)->size));
}

static bool is_table_of_functions(const struct member *m)
{
	return m->name && g_str_has_prefix(m->name, "_vptr");
}

static enum part_place place_of(const struct member *m, bool is_first, bool is_last)
{
	if (is_flexible(m, is_last))
		return PART_LAST;
	if (m->base || is_table_of_functions(m) ||
	    (is_first && type_is_compound(type_strip(m->type))))
		return PART_FIRST;
	return PART_FREE;
}

static u64 end_of(const struct member *m)
{
	return m->bit_size ? m->offset + (m->bit_offset + m->bit_size + 7u) / 8
			   : m->offset + m->size;
}

static struct advise_part *last_of(const struct advise_parts *p)
{
	return p->parts->len ? &g_array_index(p->parts, struct advise_part, p->parts->len - 1)
			     : NULL;
}

/* A bit-field belongs to the part before it if that has bit-fields, or if its bytes begin there. */
static bool joins(const struct advise_parts *p, const struct member *m, bool after_bits)
{
	const struct advise_part *last = last_of(p);

	return m->bit_size && last && (after_bits || m->offset < last->offset + last->size);
}

static bool is_link(const struct advise_parts *p, const struct member *m)
{
	const struct type *type = type_strip(m->type);

	return type->kind == TYPE_POINTER && type_strip(type_target(type)) == p->type;
}

static const char *add_part(struct advise_parts *p, const struct member *m, u32 i, bool is_last)
{
	const struct advise_part *last = last_of(p);
	u64 end = last ? last->offset + last->size : 0;
	u32 align = align_of(m->type, 0);
	struct advise_part part = { .offset = m->offset,
				    .size = end_of(m) - m->offset,
				    .first = i,
				    .nr = 1,
				    .place = place_of(m, !last, is_last),
				    .links = is_link(p, m) };

	if (m->offset < end)
		return "members overlap";
	if (m->bit_size)
		align = MIN(align, power_in(m->offset));
	if (m->offset % align)
		return "it is packed";
	if (m->offset > advise_align(end, align))
		align = power_in(m->offset);
	part.align = align;
	p->align = MAX(p->align, align);
	g_array_append_val(p->parts, part);
	return NULL;
}

static const char *add_members(struct advise_parts *p)
{
	const struct member *members;
	const char *refusal = NULL;
	bool bits = false;
	u32 nr;

	members = type_members(p->type, &nr);
	if (!nr)
		return "its members are not known";
	for (u32 i = 0; i < nr && !refusal; i++) {
		const struct member *m = &members[i];
		struct advise_part *last = last_of(p);

		if (m->variant)
			return "the compiler chooses the layout of an enum with data";
		if (p->parts->len == MOST_PARTS)
			return "it has too many members";
		if (joins(p, m, bits)) {
			last->nr++;
			last->size = MAX(last->offset + last->size, end_of(m)) - last->offset;
			last->align =
				MAX(last->align, MIN(align_of(m->type, 0), power_in(last->offset)));
			p->align = MAX(p->align, last->align);
		} else {
			refusal = add_part(p, m, i, i + 1 == nr);
		}
		bits = m->bit_size;
	}
	return refusal;
}

/* The size is a multiple of the alignment: if it is larger than the members ask for, the source states one. */
static const char *settle(struct advise_parts *p)
{
	const struct advise_part *last = last_of(p);
	u64 end = last->offset + last->size;

	if (p->size < end)
		return "members lie outside of it";
	p->align = MAX(p->align, MIN(type_asked_alignment(p->type), MOST_ALIGN));
	while (p->align < MOST_ALIGN && advise_align(end, p->align) < p->size)
		p->align *= 2;
	return advise_align(end, p->align) == p->size ? NULL
						      : "its size is not that of its members";
}

void advise_parts_init(struct advise_parts *p, const struct type *type)
{
	type = type_strip(type);
	*p = (struct advise_parts){ .type = type,
				    .parts = g_array_new(FALSE, TRUE, sizeof(struct advise_part)),
				    .size = type->size,
				    .align = 1 };
	if (type->kind == TYPE_UNION)
		p->refusal = "members of a union lie over each other";
	else if (!type_is_compound(type))
		p->refusal = "it has no members";
	else
		p->refusal = add_members(p);
	if (!p->refusal)
		p->refusal = settle(p);
}

void advise_parts_release(struct advise_parts *p)
{
	g_array_unref(p->parts);
}

s32 advise_part_at(const struct advise_parts *p, u64 offset)
{
	for (u32 i = 0; i < p->parts->len; i++) {
		const struct advise_part *part = advise_part(p, i);
		u64 size = part->place == PART_LAST ? UINT64_MAX - part->offset : part->size;

		if (offset >= part->offset && offset - part->offset < size)
			return (s32)i;
	}
	return -1;
}

static bool same_member(const struct member *a, const struct member *b)
{
	return a->offset == b->offset && a->size == b->size && a->bit_offset == b->bit_offset &&
	       a->name && b->name && !strcmp(a->name, b->name) &&
	       !strcmp(type_shown_name(a->type), type_shown_name(b->type));
}

u32 advise_parts_common(const struct advise_parts *p, const struct type *other)
{
	const struct member *mine, *others;
	u32 nr, nr_others, same = 0;

	other = type_strip(other);
	if (!type_is_compound(other) || other->kind == TYPE_UNION ||
	    !strcmp(type_shown_name(other), type_shown_name(p->type)))
		return 0;
	mine = type_members(p->type, &nr);
	others = type_members(other, &nr_others);
	while (same < nr && same < nr_others && same_member(&mine[same], &others[same]))
		same++;
	return same >= 2 || same == nr_others ? same : 0;
}

void advise_parts_hold(struct advise_parts *p, u32 nr)
{
	for (u32 i = 0; i < p->parts->len; i++) {
		struct advise_part *part = &g_array_index(p->parts, struct advise_part, i);

		if (part->first < nr && part->place == PART_FREE)
			part->place = PART_FIRST;
	}
}

static bool same_members(const struct type *a, const struct type *b)
{
	const struct member *of_a, *of_b;
	u32 nr_a, nr_b;

	of_a = type_members(a, &nr_a);
	of_b = type_members(b, &nr_b);
	for (u32 i = 0; nr_a == nr_b && i < nr_a; i++)
		if (of_a[i].offset != of_b[i].offset || of_a[i].size != of_b[i].size ||
		    of_a[i].bit_offset != of_b[i].bit_offset ||
		    g_strcmp0(of_a[i].name, of_b[i].name))
			return false;
	return nr_a == nr_b;
}

bool advise_parts_is(const struct advise_parts *p, const struct type *type)
{
	type = type_strip(type);
	return type == p->type || (type->size == p->size && type->kind == p->type->kind &&
				   !strcmp(type_shown_name(type), type_shown_name(p->type)) &&
				   same_members(type, p->type));
}

const struct member *advise_part_member(const struct advise_parts *p, u32 i)
{
	u32 nr;
	const struct member *members = type_members(p->type, &nr);

	return &members[advise_part(p, i)->first];
}
