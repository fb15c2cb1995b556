// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BTF does not tell the compilation unit of a type: for a struct list_head, thousands of structures that contain one come
 * into question. But the linker keeps the functions of a unit together, and their prototypes name the structures that the
 * unit works with:
 *
 *	free_vmap_area(struct vmap_area *), ...		in the neighbourhood: struct vmap_area
 *	list_for_each_entry(va, &head, list)		mov (%rdx),%rdx		%rdx points to a list_head
 *		if (va->va_start < end)			cmp %rax,-0x28(%rdx)	what has 8 bytes there: a vmap_area
 *
 * The neighbourhood is the 30 functions before and the 30 behind. Answers by it count as inferred.
 */
#include <elf.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define WINDOW	    30
#define MAX_NESTING 6
#define MAX_NEAR    512	  /* structures: the kernel has some 30 in such a window */
#define MAX_MEMBERS 65536 /* that are looked at for one question */

static void add_structure(GPtrArray *near, const struct type *type)
{
	for (u32 hops = 0; hops < MAX_NESTING; hops++) {
		type = type_strip(type);
		if (type->kind != TYPE_POINTER)
			break;
		type = type_target(type);
	}
	if (type_is_compound(type) && !type->incomplete && near->len < MAX_NEAR &&
	    !g_ptr_array_find(near, type, NULL))
		g_ptr_array_add(near, (void *)type);
}

static void add_function(const struct object *object, GPtrArray *near, const struct symbol *symbol)
{
	const struct proto *proto =
		symbol->type == STT_FUNC ? debuginfo_proto_at(object->debug, symbol->start) : NULL;

	if (!proto)
		return;
	add_structure(near, proto->returns);
	for (u32 i = 0; i < proto->nr_params; i++)
		add_structure(near, proto->params[i]);
}

/* The structures that the functions around this one name. */
static const GPtrArray *structures_near(struct flow *flow)
{
	const struct object *object = flow->object;
	const struct symbol *self = dso_find_symbol(object->dso, flow->asker.vaddr);
	u32 nr = dso_nr_symbols(object->dso);

	if (flow->near)
		return flow->near;
	flow->near = g_ptr_array_new();
	if (!self)
		return flow->near;
	add_function(object, flow->near, self);
	for (u32 n = 1; n <= WINDOW; n++) {
		if (self->id >= n)
			add_function(object, flow->near, dso_symbol(object->dso, self->id - n));
		if (self->id + n < nr)
			add_function(object, flow->near, dso_symbol(object->dso, self->id + n));
	}
	return flow->near;
}

struct part_search {
	const struct type *part;
	struct type_holder *holders;
	u32 max, nr, seen;
};

/* Adds the places of the part in @type, which is @before bytes into @whole. */
static void find_part(struct part_search *s, const struct type *whole, const struct type *type,
		      u64 before, u32 depth)
{
	u32 nr;
	const struct member *members = type_members(type, &nr);

	for (u32 i = 0; i < nr && s->seen++ < MAX_MEMBERS; i++) {
		const struct type *of = type_strip(members[i].type);

		if (!type_is_compound(of))
			continue;
		if (layout_same(of, s->part) && s->nr < s->max)
			s->holders[s->nr++] =
				(struct type_holder){ .type = whole,
						      .offset = before + members[i].offset };
		if (depth < MAX_NESTING)
			find_part(s, whole, of, before + members[i].offset, depth + 1);
	}
}

u32 near_holders(struct flow *flow, const struct type *part, struct type_holder *holders, u32 max)
{
	struct part_search s = { type_strip(part), holders, max, 0, 0 };
	const GPtrArray *near;

	if (!flow->facts->vars || !flow->facts->vars->by_btf || !type_is_compound(s.part))
		return 0;
	near = structures_near(flow);
	for (u32 i = 0; i < near->len; i++) {
		const struct type *whole = near->pdata[i];

		if (whole->size > s.part->size)
			find_part(&s, whole, whole, 0, 0);
	}
	return s.nr;
}
