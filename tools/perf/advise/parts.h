/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A structure as parts: what an other layout may move, each as one. A member is a part; neighbouring bit-fields are one, since
 * they share bytes.
 *
 *	struct order {			part	offset	size	align
 *		char side;		0	0	1	1
 *		u64 id;			1	8	8	8
 *		u32 a : 3, b : 5;	2	16	1	4
 *		u32 items[];		3	20	0	4	PART_LAST
 *	};
 */
#ifndef ADVISE_PARTS_H
#define ADVISE_PARTS_H

#include "dwarf/types.h"

enum part_place {
	PART_FREE,
	PART_FIRST, /* stays in front: base classes, tables of virtual functions, a header that is a structure, what another type begins with, too */
	PART_LAST, /* stays at the end: a flexible array, or one of a single element, which is used as one */
};

struct advise_part {
	u64 offset, size; /* bytes, in the type as it is */
	u32 align;	  /* bytes: a power of two */
	u32 first, nr;	  /* its members: indexes of type_members() */
	enum part_place place;
	bool links; /* a pointer to such an object */
};

struct advise_parts {
	const struct type *type;
	GArray *parts;	     /* struct advise_part, by offset */
	u64 size;	     /* of the type */
	u32 align;	     /* of the type */
	const char *refusal; /* why no other layout can be computed; NULL: it can */
};

/* Hold type_lock() if other threads use types of the file. @type must outlive the parts. */
void advise_parts_init(struct advise_parts *parts, const struct type *type);
void advise_parts_release(struct advise_parts *parts);

static inline const struct advise_part *advise_part(const struct advise_parts *parts, u32 i)
{
	return &g_array_index(parts->parts, struct advise_part, i);
}

/* The part at @offset of the type, or -1: a hole. */
s32 advise_part_at(const struct advise_parts *parts, u64 offset);

/* The same type of the source, in another file or another view of the same debug information: equal name, size and members. */
bool advise_parts_is(const struct advise_parts *parts, const struct type *type);

/*
 * How many members at the front @other has in the same places, with the same names and types: code may use an object of the one type as
 * one of the other (a common initial sequence). 0: fewer than two, and not all of @other; or it is the same type.
 */
u32 advise_parts_common(const struct advise_parts *parts, const struct type *other);
/* The parts of the first @nr members stay in front. */
void advise_parts_hold(struct advise_parts *parts, u32 nr);

/* The first member of part @i. */
const struct member *advise_part_member(const struct advise_parts *parts, u32 i);

/* @offset rounded up to a multiple of @align. */
static inline u64 advise_align(u64 offset, u64 align)
{
	return (offset + align - 1) & ~(align - 1);
}

#endif
