// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The value that a load reads: the value stored last in the stack slot, or else a value of the type that lies at the
 * address.
 *
 *	struct node { long key; struct node *next; };
 *	mov 8(%rdi),%rax	%rdi: ADDRESS(struct node, 0)	%rax: ADDRESS(struct node, 0), the next one
 *	mov (%rdi),%rdx						%rdx: NUMBER(long)
 *
 * Loads with other sources, in the order in which they are tried:
 *
 *	mov shared@GOTPCREL(%rip),%rax	by the relocation of the slot: GLOBAL, or ADDRESS of the declared type
 *	mov %gs:this_cpu_off,%rax	the kernel: PERCPU 0, to which a variable's address is added
 *	mov -24(%rax),%rax		in a C++ thunk: the distance to the object (thunk.c)
 *	mov (%rax),%rax			%rax: a virtual table: a function, or the distance to a virtual base
 *	mov 8(%rsp),%rax		the slot, if no variable is there; both: see better()
 *	mov 8(%rax),%rax		outside of %rax's type: a structure around the header, if all of these
 *					structures have the same pointer there (headers.c)
 *
 * The result without any source: a SYMBOL if eight bytes were loaded, since that may be a pointer whose uses tell its
 * type; else a NUMBER.
 */
#include <string.h>

#include "typeflow/flow/address.h"
#include "typeflow/layout/layout.h"

/* A cache with one entry per hash: most loads are of the same few members. */
#define MEMO_SIZE 1024

struct content_memo {
	struct content {
		const struct type *type, *content;
		u64 offset;
		u16 width;
		bool ambiguous;
	} known[MEMO_SIZE];
};

struct content_memo *content_memo_new(void)
{
	return g_new0(struct content_memo, 1);
}

static const struct type *content_of(struct flow *flow, const struct type *type, u64 offset,
				     u16 width, bool *ambiguous)
{
	u64 hash = ((u64)type->id * 31 + offset) * 4 + width / 2;
	struct content *known = &flow->object->contents->known[(hash ^ hash >> 10) % MEMO_SIZE];

	if (known->type != type || known->offset != offset || known->width != width) {
		*known = (struct content){ .type = type, .offset = offset, .width = width };
		known->content = layout_content(type, offset, width, &known->ambiguous);
	}
	*ambiguous = known->ambiguous;
	return known->content;
}

/*
 * The value by the type of what lies there:
 *
 *	8 bytes at 8 of struct node { long key; struct node *next; }	ADDRESS(struct node, 0)
 *	8 bytes at 0 of it						NUMBER(long)
 *	4 bytes at 0 of it						NUMBER without a type
 *	a void *							SYMBOL, NO_TYPE: its uses may tell the type
 *	a union of two different pointers				SYMBOL, AMBIGUOUS
 */
struct value transfer_typed(struct flow *flow, const struct type *type, u64 offset, u16 width,
			    u8 how, u32 maker)
{
	bool ambiguous;
	const struct type *content = content_of(flow, type, offset, width, &ambiguous), *target;
	struct value value;

	if (!content) {
		enum access_why why = ambiguous ? ACCESS_AMBIGUOUS : ACCESS_COMPUTED;

		return width == 8 ? value_symbol(why, maker) : value_number(NULL, maker);
	}
	if (content->kind != TYPE_POINTER)
		return value_number(content, maker);
	target = type_target(content);
	if (!layout_is_object(target) && type_strip(target)->kind != TYPE_FUNCTION)
		return value_symbol(ACCESS_NO_TYPE, maker);
	/* A variable that is a union of a pointer and a number: the number may be a pointer to something else. */
	value = (struct value){ .kind = VALUE_ADDRESS,
				.detail = ambiguous && how == ACCESS_VARIABLE ? ACCESS_INFERRED
									      : how,
				.maker = maker,
				.type = target };
	return value;
}

struct value transfer_tls_gap(struct flow *flow, const struct reloc_slot *slot, u32 maker)
{
	struct value gap = value_const((s64)slot->vaddr, maker);

	gap.kind = VALUE_TLS_GAP;
	gap.detail = ACCESS_TLS;
	if (!slot->elsewhere)
		return gap;
	gap.type = data_image_declared_thread_local(flow->object->image, slot->symbol,
						    flow->cfg->insns[flow->insn].vaddr);
	return gap.type ? gap : value_symbol(ACCESS_NO_TLS, maker);
}

/* Loads from a GOT slot or another relocated pointer. */
static bool load_slot(struct flow *flow, u64 vaddr, u32 maker, struct value *value)
{
	struct data_image *image = flow->object->image;
	const struct reloc_slot *slot = data_image_slot(image, vaddr);
	u64 code = flow->asker.vaddr;
	const struct type *type;

	if (!slot)
		return false;
	if (slot->kind == SLOT_TPOFF) {
		*value = transfer_tls_gap(flow, slot, maker);
		return true;
	}
	*value = value_const((s64)slot->vaddr, maker);
	if (slot->kind != SLOT_ADDRESS || data_image_kind(image, vaddr) != IMAGE_GOT)
		return false;
	value->kind = VALUE_GLOBAL;
	value->detail = ACCESS_GLOBAL;
	if (!slot->elsewhere)
		return true;
	type = data_image_declared(image, slot->symbol, code);
	if (type && layout_is_object(type))
		*value = (struct value){
			.kind = VALUE_ADDRESS, .detail = ACCESS_GLOBAL, .maker = maker, .type = type
		};
	else
		*value = value_symbol(ACCESS_NO_GLOBAL, maker);
	return true;
}

static bool named(const struct flow *flow, s64 vaddr, const char *name)
{
	const struct symbol *symbol = dso_find_symbol(flow->object->dso, (u64)vaddr);

	return symbol && symbol->start == (u64)vaddr && !strcmp(symbol->raw, name);
}

/* this_cpu_off and __per_cpu_offset[n]: the distance from the template of per-CPU data to a CPU's copy. */
static bool load_percpu(struct flow *flow, const struct value *address, u32 maker,
			struct value *value)
{
	if (!flow->object->kernel)
		return false;
	if (address->kind == VALUE_PERCPU
		    ? !named(flow, address->offset, "this_cpu_off")
		    : address->kind != VALUE_GLOBAL ||
			      !named(flow, address->offset, "__per_cpu_offset"))
		return false;
	*value = value_const(0, maker);
	value->kind = VALUE_PERCPU;
	value->detail = ACCESS_GLOBAL;
	return true;
}

static const struct value *load_stack(struct flow *flow, const struct value *address, u16 width)
{
	const struct value *slot;

	if (address->kind != VALUE_STACK || address->stride)
		return NULL;
	if (width < 8)
		return state_narrow_slot(flow->now, address->offset);
	slot = state_slot(flow->now, address->offset);
	return slot && slot->kind != VALUE_NONE ? slot : NULL;
}

/*
 * True if a pointer to a number was cast from a pointer to smaller members: the load reads several of them.
 *
 *	struct counts { int use, weak; };
 *	long *both = (long *)&c->use;
 *	if (*both == ...)			struct counts (one of several)
 */
static bool spans_members(const struct value *stored, const struct value *typed)
{
	const struct type *number = type_strip(typed->type), *around = type_strip(stored->type);

	return !type_is_compound(number) && number->size && !typed->offset && !stored->stride &&
	       stored->offset >= 0 && type_is_compound(around) &&
	       (u64)stored->offset + number->size <= around->size &&
	       layout_extent(around, stored->offset, number->size) == LAYOUT_OVER;
}

/*
 * Choose the more specific of two facts: the declared type of the slot's variable, or the value last stored there.
 *
 *	declared	stored				result
 *	void *p		ADDRESS(struct node, 0)		stored
 *	struct head *h	ADDRESS(struct node, 0)		stored, if a node begins with a head
 *	struct head *h	ADDRESS(struct packet, 0)	declared: a cast
 *	struct node *n	NUMBER, or SYMBOL		declared
 *	void *p		SYMBOL				stored: it keeps its maker, so later uses tell its type, too
 */
static struct value better(const struct value *typed, const struct value *stored)
{
	if (!stored || stored->kind == VALUE_NUMBER)
		return *typed;
	if (stored->kind == VALUE_SYMBOL)
		return typed->kind == VALUE_SYMBOL ? *stored : *typed;
	if (typed->kind != VALUE_ADDRESS || stored->kind != VALUE_ADDRESS ||
	    (typed->detail == ACCESS_INFERRED && stored->detail != ACCESS_INFERRED))
		return *stored;
	if (layout_same(typed->type, stored->type) && !stored->offset && !stored->stride)
		return *typed;
	return layout_contains(stored->type, stored->offset, typed->type) ||
			       spans_members(stored, typed)
		       ? *stored
		       : *typed;
}

/* The virtual table of the class that begins at @offset, so that the types of its entries are known. */
static const struct type *vtable_at(const struct type *type, s64 offset, const struct type *unknown)
{
	const struct type *object = layout_part(type, offset);
	const struct type *vtable = object ? type_vtable(type, (u64)offset, object) : NULL;

	return vtable ? vtable : unknown;
}

/* Loads from a virtual table: a function, or at a negative offset the distance to a virtual base. */
static bool load_virtual(const struct value *address, u32 maker, struct value *value)
{
	const struct type *type = address->type;

	if (address->kind != VALUE_ADDRESS || !type->vtable || address->stride)
		return false;
	*value = (struct value){ .kind = VALUE_ADDRESS,
				 .detail = ACCESS_FLOW,
				 .maker = maker,
				 .type = type_virtual(type, address->offset) };
	if (address->offset < 0) {
		value->kind = VALUE_BASE_GAP;
		value->type = type;
		value->offset = address->offset;
	}
	return value->type != NULL;
}

/* The value of the member at @access, by the debug information. */
static struct value load_member(struct flow *flow, const struct value *address, u16 width,
				const struct access *access, u32 maker)
{
	s64 offset = access->offset;
	struct value value;
	u8 how = access->how == ACCESS_INFERRED ? ACCESS_INFERRED
		 : access->how == ACCESS_LOCAL	? ACCESS_VARIABLE
						: ACCESS_FLOW;

	if (offset == TYPE_OFFSET_ANY && address->kind == VALUE_ADDRESS && width == 8) {
		offset = layout_steps_pointer(access->type, address->offset, address->stride);
		how = ACCESS_INFERRED;
	}
	value = offset < 0 ? value_symbol(ACCESS_OUTSIDE, maker)
			   : transfer_typed(flow, access->type, (u64)offset, width, how, maker);
	if (value.kind == VALUE_ADDRESS && type_is_virtual_table(value.type))
		value.type = vtable_at(access->type, offset, value.type);
	if (value.kind == VALUE_SYMBOL && value.detail == ACCESS_AMBIGUOUS && flow->noting)
		infer_choice(flow->infer, maker, access->type, (u64)offset);
	if (flow->noting && value.maker == maker)
		infer_loaded(flow->infer, &value, access->type);
	if (flow->noting && value.maker == maker)
		infer_cursor_loaded(flow->infer, address, access, &value);
	if (value.kind == VALUE_SYMBOL && address->kind == VALUE_PERCPU && !address->type)
		value.detail = ACCESS_UNTYPED_LOAD;
	return value;
}

struct value transfer_load(struct flow *flow, const struct value *address, u16 width, u32 maker)
{
	const struct value *stored = load_stack(flow, address, width);
	struct value value, number, best;
	struct access access = { 0 };
	const struct type *target;
	struct spot spot;

	escape_read(flow, address, width);
	if (width > 8)
		width = 8;
	if (stored && width < 8) {
		number = value_number(stored->type->size == width ? stored->type : NULL, maker);
		stored = &number;
	}
	if ((address->kind == VALUE_GLOBAL && !address->stride &&
	     load_slot(flow, (u64)address->offset, maker, &value)) ||
	    load_percpu(flow, address, maker, &value) ||
	    thunk_load_gap(flow, address, width, maker, &value))
		return value;
	operand_resolve(flow, address, width, NULL, &access);
	answer_next_best(flow, address, width, NULL, &access);
	if (access.how == ACCESS_VTABLE && width == 8 && load_virtual(address, maker, &value))
		return value;
	if (!access.type) {
		if (stored)
			return *stored;
		if (width == 8 && access.why == ACCESS_OUTSIDE &&
		    header_find(flow, address, width, TYPE_NUMBER_INTEGER | TYPE_NUMBER_POINTER,
				&spot, &target) &&
		    target && layout_is_object(target))
			return (struct value){ .kind = VALUE_ADDRESS,
					       .detail = ACCESS_INFERRED,
					       .maker = maker,
					       .type = target };
		return width == 8 ? value_symbol(ACCESS_UNTYPED_LOAD, maker)
				  : value_number(NULL, maker);
	}
	value = load_member(flow, address, width, &access, maker);
	/* The slot got its variable's value before the debug information says that the variable is there. */
	if (flow->noting && stored && access.how == ACCESS_LOCAL && value.kind == VALUE_ADDRESS)
		infer_use(flow->infer, stored, value.type, value.offset, USE_STORED);
	best = better(&value, stored);
	if (flow->answering && stored && best.kind == VALUE_ADDRESS && best.maker == maker &&
	    stored->kind == VALUE_ADDRESS)
		infer_second(flow->infer, &best, stored);
	return best;
}
