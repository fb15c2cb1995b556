// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rules of rustc's convention. A wrapper has the class of the wrapped value. Two scalars in one structure are a pair.
 * An enum is also a pair if it has a tag, and all its variants with data have a scalar at the same offset. A
 * niche-encoded enum (its tag is a value that the data cannot have) has the class of its data. All other values are in
 * memory.
 *
 *	struct Meters(u64);		one scalar
 *	(u32, u64), &[u8]		a pair
 *	Result<u64, u64>		a pair: tag, scalar
 *	Option<&T>			one scalar: None is the null pointer
 *	[u64; 3]			in memory
 *
 * The debug information of two enums, and why they differ:
 *
 *	Result<u64, u64>, 16 bytes		Option<&u64>, 8 bytes
 *	  discriminant	at 0, 8 bytes		  discriminant	at 0, 8 bytes
 *	  Ok.__0	at 8, 8 bytes		  None		no data
 *	  Err.__0	at 8, 8 bytes		  Some.__0	at 0, 8 bytes
 *
 * The discriminant of Option<&u64> overlaps the data of Some: a niche. Such an enum is examined like a structure with
 * the one variant that has data.
 *
 *	fn opt(a: Option<&u64>, b: (u32, u64), c: Result<u64, u64>, d: [u64; 3])
 *
 *	a: rdi		b: rsi, rdx		c: rcx, r8		d: r9, the address
 *
 * Limits: a type of more than MAX_LOOKS parts is unknown. A niche in an enum with several variants that have data
 * counts as memory.
 */
#include "dwarf/abi_rust.h"

#define MAX_LOOKS 256 /* limit of types examined for one value */

static void find_form(const struct type *type, struct rust_value *value, u32 *left);

static void set_memory(struct rust_value *value)
{
	*value = (struct rust_value){ .form = RUST_MEMORY };
}

static void set_scalar(struct rust_value *value, const struct type *type)
{
	*value = (struct rust_value){
		.form = RUST_SCALARS,
		.nr = 1,
		.scalars = { { 0, type->size, type->encoding != TYPE_NUMBER } },
	};
}

/* The members with a size. At most three are read: a value with three is never in registers. */
static u32 find_fields(const struct type *type, const struct member *fields[3])
{
	u32 nr, found = 0;
	const struct member *members = type_members(type, &nr);

	for (u32 i = 0; i < nr && found < 3; i++)
		if (members[i].type->size)
			fields[found++] = &members[i];
	return found;
}

static bool is_alone(const struct type *type, const struct member *field)
{
	return !field->offset && field->type->size == type->size;
}

/* The second scalar follows the first at the next aligned offset. */
static bool is_pair(const struct rust_scalar *first, const struct rust_scalar *second)
{
	u64 align = MIN(second->size, 16);

	return !first->offset && align &&
	       second->offset == (first->size + align - 1) / align * align;
}

static void form_of_two(const struct member *fields[2], struct rust_value *value, u32 *left)
{
	struct rust_value parts[2];
	u32 first = fields[0]->offset > fields[1]->offset;

	for (u32 i = 0; i < 2; i++) {
		find_form(fields[i]->type, &parts[i], left);
		if (parts[i].form == RUST_UNKNOWN) {
			*value = parts[i];
			return;
		}
		parts[i].scalars[0].offset += fields[i]->offset;
	}
	set_memory(value);
	if (parts[0].form != RUST_SCALARS || parts[0].nr != 1 || parts[1].form != RUST_SCALARS ||
	    parts[1].nr != 1 || !is_pair(&parts[first].scalars[0], &parts[!first].scalars[0]))
		return;
	value->form = RUST_SCALARS;
	value->nr = 2;
	value->scalars[0] = parts[first].scalars[0];
	value->scalars[1] = parts[!first].scalars[0];
}

static void form_of_struct(const struct type *type, struct rust_value *value, u32 *left)
{
	const struct member *fields[3];
	u32 nr = find_fields(type, fields);

	if (nr == 1 && is_alone(type, fields[0]))
		find_form(fields[0]->type, value, left);
	else if (nr == 2)
		form_of_two(fields, value, left);
	else
		set_memory(value);
}

static bool equal_scalars(const struct rust_scalar *a, const struct rust_scalar *b)
{
	return a->offset == b->offset && a->size == b->size && a->vector == b->vector;
}

static bool equal_forms(const struct rust_value *a, const struct rust_value *b)
{
	if (a->form != b->form || a->nr != b->nr)
		return false;
	for (u32 i = 0; i < a->nr; i++)
		if (!equal_scalars(&a->scalars[i], &b->scalars[i]))
			return false;
	return true;
}

/* The class that all members share: MaybeUninit<T> has the class of T. */
static void form_of_union(const struct type *type, struct rust_value *value, u32 *left)
{
	const struct member *fields[3];
	struct rust_value other;
	u32 nr = find_fields(type, fields);

	set_memory(value);
	for (u32 i = 0; i < nr; i++) {
		if (!is_alone(type, fields[i]) || nr == 3) {
			set_memory(value);
			return;
		}
		find_form(fields[i]->type, i ? &other : value, left);
		if (i && !equal_forms(value, &other))
			set_memory(value);
	}
}

/* The scalar in a variant with only one field. False: it has another form. */
static bool payload(const struct type *variant, struct rust_scalar *scalar, u32 *left)
{
	const struct member *fields[3];
	struct rust_value value;

	if (find_fields(variant, fields) != 1)
		return false;
	find_form(fields[0]->type, &value, left);
	if (value.form != RUST_SCALARS || value.nr != 1)
		return false;
	*scalar = value.scalars[0];
	scalar->offset += fields[0]->offset;
	return true;
}

static bool overlaps(const struct type *variant, const struct member *tag)
{
	const struct member *fields[3];
	u32 nr = find_fields(variant, fields);

	for (u32 i = 0; i < nr; i++)
		if (fields[i]->offset < tag->offset + tag->size &&
		    tag->offset < fields[i]->offset + fields[i]->type->size)
			return true;
	return false;
}

/* A tag, and the same scalar in each variant that has data. */
static void form_of_tagged(const struct member *members, u32 nr, const struct member *tag,
			   struct rust_value *value, u32 *left)
{
	const struct member *fields[3];
	struct rust_scalar common = { 0 }, scalar;

	set_memory(value);
	for (u32 i = 0; i < nr; i++) {
		if (!members[i].variant || !find_fields(type_strip(members[i].type), fields))
			continue;
		if (!payload(type_strip(members[i].type), &scalar, left) ||
		    (common.size && !equal_scalars(&common, &scalar)))
			return;
		common = scalar;
	}
	set_scalar(value, tag->type);
	value->scalars[0].offset = tag->offset;
	if (!common.size)
		return;
	value->nr = 2;
	value->scalars[1] = common;
	if (!is_pair(&value->scalars[0], &common))
		set_memory(value);
}

static void form_of_enum(const struct member *members, u32 nr, struct rust_value *value, u32 *left)
{
	const struct member *tag = NULL, *with_data = NULL, *fields[3];
	u32 nr_with_data = 0;
	bool hidden = false;

	for (u32 i = 0; i < nr; i++)
		if (!members[i].variant)
			tag = &members[i];
	for (u32 i = 0; i < nr; i++) {
		const struct type *variant = type_strip(members[i].type);

		if (!members[i].variant || !find_fields(variant, fields))
			continue;
		nr_with_data++;
		with_data = &members[i];
		hidden = hidden || (tag && overlaps(variant, tag));
	}
	if (tag && !hidden)
		form_of_tagged(members, nr, tag, value, left);
	else if (nr_with_data == 1)
		form_of_struct(type_strip(with_data->type), value, left);
	else
		set_memory(value);
}

static bool is_enum(const struct member *members, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (members[i].variant)
			return true;
	return false;
}

static void find_form(const struct type *type, struct rust_value *value, u32 *left)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u32 nr;

	*value = (struct rust_value){ .form = RUST_UNKNOWN };
	if (!*left || stripped->incomplete)
		return;
	--*left;
	if (!stripped->size) {
		value->form = RUST_NOTHING;
		return;
	}
	switch (stripped->kind) {
	case TYPE_ARRAY:
		set_memory(value);
		return;
	case TYPE_BASE:
	case TYPE_ENUM:
	case TYPE_POINTER:
		set_scalar(value, stripped);
		return;
	case TYPE_STRUCT:
	case TYPE_CLASS:
	case TYPE_UNION:
		break;
	default:
		return;
	}
	members = type_members(stripped, &nr);
	if (stripped->kind == TYPE_UNION)
		form_of_union(stripped, value, left);
	else if (is_enum(members, nr))
		form_of_enum(members, nr, value, left);
	else
		form_of_struct(stripped, value, left);
}

void rust_value_of(const struct type *type, struct rust_value *value)
{
	u32 left = MAX_LOOKS;

	find_form(type, value, &left);
}
