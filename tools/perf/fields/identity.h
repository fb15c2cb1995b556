/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which rows of two recordings are the same thing? Addresses, ids and offsets differ from build to build, names do
 * not. So keys are compared by their texts, without what a compiler adds to a name or moves:
 *
 *	[.] order_total.isra.0		is	[.] order_total
 *	[.] Shop::pay(int) [clone .part.0]	is	[.] Shop::pay(int)
 *	[.] shop::pay::h0123456789abcdef	is	[.] shop::pay
 *	struct order +0x18 (flags)	is	struct order (flags)
 */
#ifndef FIELDS_IDENTITY_H
#define FIELDS_IDENTITY_H

#include "fields/fields.h"

/* What @text, a key of @field as printed, has in common with its like in another recording. */
char *identity_new(const struct field *field, const char *text);

/* The name of a function without what a compiler adds to it: "order_total" of "order_total.isra.0". */
char *identity_function(const char *name);

/*
 * The position of the offset in the text of a member, "+0x18" in "struct order +0x18 (flags)", and its length. False:
 * @text names no member at an offset.
 */
bool identity_offset(const char *text, u32 *at, u32 *length);

#endif
