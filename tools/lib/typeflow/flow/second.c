// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Second views: the weaker type that a value had before a better one was found (see infer.h). Only forward facts
 * count. A type from a later use holds only on the path to that use: the program may use the value as another kind of
 * object on each path.
 *
 *	struct base *b = (struct base *)derived;	a cast: struct derived has no struct base; b lives in a slot
 *
 *	mov %rax,8(%rsp)	%rax: ADDRESS(struct derived, 0)
 *	mov 8(%rsp),%rdi	%rdi: ADDRESS(struct base, 0), by the variable b
 *	mov 0x28(%rdi),%rcx	outside of struct base. Second view: struct derived, offset 0x28
 *
 *	view of the load	said base + 0, type derived + 0
 */
#include "typeflow/flow/infer.h"
#include "typeflow/layout/layout.h"

#define MAX_VIEWS 4 /* for each value, in addition to the best type */

static void add_view(struct infer *infer, const struct value *said, const struct value *beaten,
		     bool other)
{
	struct second_view view = { .said = said->type,
				    .type = beaten->type,
				    .said_offset = said->offset,
				    .offset = beaten->offset,
				    .how = beaten->detail,
				    .other = other };
	void *key = GUINT_TO_POINTER(said->maker);
	GArray *known = infer->second ? g_hash_table_lookup(infer->second, key) : NULL;

	if (!said->maker || said->maker >= infer->nr_makers || beaten->stride ||
	    layout_same(said->type, beaten->type) || !type_is_compound(type_strip(beaten->type)) ||
	    !layout_is_object(beaten->type))
		return;
	for (u32 i = 0; known && i < known->len; i++) {
		const struct second_view *v = &g_array_index(known, struct second_view, i);

		if (v->said == view.said && v->type == view.type && v->other == other &&
		    v->offset - v->said_offset == view.offset - view.said_offset)
			return;
	}
	if (!infer->second)
		infer->second =
			g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_array_unref);
	if (!known) {
		known = g_array_new(false, false, sizeof(view));
		g_hash_table_insert(infer->second, key, known);
	}
	if (known->len == MAX_VIEWS)
		return;
	g_array_append_val(known, view);
	infer_add_news(infer, said->maker, true);
	infer->fresh_view |= !other;
}

void infer_second(struct infer *infer, const struct value *said, const struct value *beaten)
{
	add_view(infer, said, beaten, false);
}

void infer_other(struct infer *infer, const struct value *said, const struct value *other)
{
	add_view(infer, said, other, true);
}

bool infer_find_second(const struct infer *infer, const struct value *address, bool others, u32 nth,
		       struct value *second)
{
	const GArray *known =
		infer->second ? g_hash_table_lookup(infer->second, GUINT_TO_POINTER(address->maker))
			      : NULL;

	for (u32 i = 0; known && i < known->len; i++) {
		const struct second_view *v = &g_array_index(known, struct second_view, i);

		if (v->said != address->type || v->other != others || nth--)
			continue;
		*second = *address;
		second->type = v->type;
		second->detail = v->how;
		second->offset = (s64)((u64)address->offset - (u64)v->said_offset + (u64)v->offset);
		return true;
	}
	return false;
}
