// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From an address to a type and an offset, and the names for what has none.
 *
 * Not claimed: an offset outside a structure (a neighbour in an array, or the structure around
 * it: the operand does not tell which), anything through an integer or a void pointer, and an
 * indexed operand that no array fits.
 */
#include <string.h>

#include "typeflow/flow.h"
#include "typeflow/layout.h"

#define ALIGNMENT	  16   /* of what the ABI aligns most in a frame */
#define MAX_NAMELESS_SIZE 4096 /* from the function's return address on */

/*
 * Places that are known to be so many: in one array (or member), where the index is of no more
 * interest, or in several members of the type.
 */
enum bounds { BOUNDS_UNKNOWN, BOUNDS_ARRAY, BOUNDS_SEVERAL };

static enum bounds bounds_of(const struct value *address, const struct type *type, s64 offset,
			     u16 width)
{
	const struct type *stripped = type_strip(type);
	s64 last = offset + (s64)address->span * address->stride;
	u64 start, end;

	if (!type_is_compound(stripped) || !address->stride)
		return BOUNDS_UNKNOWN;
	if (address->span == SPAN_LOOSE)
		return BOUNDS_SEVERAL;
	if (!value_is_bounded(address) || offset < 0 || (u64)last + width > stripped->size)
		return BOUNDS_UNKNOWN;
	if (layout_together(stripped, offset, last))
		return BOUNDS_ARRAY;
	/* a[i - 1], where the first i is never taken. */
	return layout_fit(stripped, (u64)last, address->stride, width, &start, &end) == LAYOUT_EXACT
		       ? BOUNDS_UNKNOWN
		       : BOUNDS_SEVERAL;
}

static void set_any_member(struct access *out, const struct type *type, u8 how)
{
	out->type = type;
	out->offset = TYPE_OFFSET_ANY;
	out->how = how;
	out->why = ACCESS_WHY_NONE;
}

static void set_type(struct access *out, const struct type *type, s64 offset, u32 stride, u16 width,
		     u8 how)
{
	struct spot spot;
	enum access_why why = layout_spot(type, offset, stride, width, LAYOUT_OBJECT, &spot);

	out->why = (u8)why;
	out->how = ACCESS_UNKNOWN;
	if (why)
		return;
	out->type = spot.type;
	out->offset = spot.any || layout_steps_inside(spot.type, spot.offset, stride)
			      ? TYPE_OFFSET_ANY
			      : spot.offset;
	out->how = how;
}

/* An object that is walked in numbers: which of its members, one instruction does not tell. */
static void set_any(struct access *out, const struct type *type, s64 offset, u32 stride, u16 width,
		    u8 how)
{
	if (out->why == ACCESS_AMBIGUOUS && (width == stride || stride == 1) &&
	    layout_steps_inside(type, offset, stride))
		set_any_member(out, type, how);
}

static void set_pseudo(struct access *out, enum access_how how)
{
	out->how = (u8)how;
	out->why = ACCESS_WHY_NONE;
}

/* The register that lies in the slot, or is stored to it, as the function was entered with it. */
static u8 saved_register(struct flow *flow, s64 offset, const struct insn_operand *op)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	const struct value *value = state_slot(flow->now, offset);

	if (op->access == INSN_WRITE) {
		const struct insn_operand *from = &insn->operands[1]; /* behind the destination */

		value = insn->nr_operands > 1 && from->kind == INSN_REG &&
					from->reg < flow->now->nr_regs
				? &flow->now->regs[from->reg]
				: NULL;
	}
	return value && value->kind == VALUE_SYMBOL && !value->offset
		       ? maker_is_entry(flow->infer, value->maker)
		       : INSN_NO_REG;
}

/* Where the registers that the function pushes first begin, or what it is to return to. */
static s64 frame_end(const struct cfg *cfg)
{
	s64 end = -8;

	for (u32 i = 0; i < cfg->nr; i++) {
		const struct insn *insn = &cfg->insns[i];

		if (insn->op == INSN_PUSH && insn->operands[0].kind == INSN_REG)
			end -= 8;
		else if (insn->op != INSN_MOV || !insn->nr_operands ||
			 insn->operands[0].kind != INSN_REG || insn->operands[0].reg != X86_RBP)
			break;
	}
	return end;
}

/*
 * Memory to which a variable points, in a frame that has nothing else there: elements that fill all of
 * it up to the next variable, but for the alignment of that.
 */
static bool resolve_nameless(struct flow *flow, const struct value *address, u16 width,
			     struct access *out)
{
	for (u32 i = 0; i < flow->facts->nameless->len && !address->stride; i++) {
		const struct nameless *n =
			&g_array_index(flow->facts->nameless, struct nameless, i);
		const struct value *base = &flow->now->regs[n->reg];
		s64 start = base->offset + n->at, size = (s64)n->type->size, room, into;
		bool bounded = n->end != INT64_MAX;

		if (base->kind != VALUE_STACK || base->stride || flow->vaddr < n->low ||
		    flow->vaddr >= n->high || address->offset < start ||
		    (!bounded && (start < -MAX_NAMELESS_SIZE || start >= 0)) ||
		    operand_frame(flow, start, 1, &into))
			continue;
		room = bounded ? n->end - n->at : frame_end(flow->cfg) - start;
		into = address->offset - start;
		if (room % size >= ALIGNMENT || into >= room - room % size)
			continue;
		set_type(out, n->type, into % size, 0, width, ACCESS_INFERRED);
		return out->how != ACCESS_UNKNOWN;
	}
	return false;
}

/* An address in the frame that no variable covers. */
static void resolve_slot(struct flow *flow, const struct value *address, u16 width,
			 const struct insn_operand *op, struct access *out)
{
	u8 reg;

	out->why = flow->absent ? flow->absent : ACCESS_NO_VARIABLE;
	if (flow->absent || !op || address->stride || address->offset >= 0 ||
	    op->mem.index != INSN_NO_REG)
		return;
	/* Where to return to; also through a register, where the stack pointer was rounded. */
	if (address->offset == -8) {
		set_pseudo(out, ACCESS_STACK_OP);
		return;
	}
	if (op->mem.base != X86_RSP && op->mem.base != X86_RBP)
		return;
	reg = saved_register(flow, address->offset, op);
	if (flow->facts->vars && flow->facts->vars->go && reg != X86_RBP)
		reg = INSN_NO_REG;
	if (reg == X86_RBX || reg == X86_RBP || (reg >= 12 && reg <= 15))
		set_pseudo(out, ACCESS_SAVE);
	else if (flow->proto && flow->proto->varargs && reg != INSN_NO_REG && width >= 8)
		set_pseudo(out, ACCESS_VARARGS);
	else if (!kept_resolve(flow, address->offset, width, op, out))
		set_pseudo(out, ACCESS_SPILL);
}

/* a[i - 1]: the address before the index is added lies before the array, maybe in another variable. */
static bool resolve_biased(struct flow *flow, const struct value *address, u16 width,
			   struct access *out)
{
	for (u32 n = 1; address->stride && n <= 3; n++) {
		struct value at = *address;
		const struct type *type, *array;
		s64 into;
		u8 how;

		at.offset = (s64)((u64)at.offset + (u64)n * address->stride);
		if (!operand_variable(flow, &at, 1, &type, &into, &how))
			continue;
		array = type_strip(type);
		if (array->kind != TYPE_ARRAY || into >= address->stride ||
		    type_target(array)->size != address->stride)
			continue;
		set_type(out, type, into, address->stride, width, how);
		return out->how != ACCESS_UNKNOWN;
	}
	return false;
}

static void resolve_global(struct flow *flow, const struct value *address, u16 width,
			   struct access *out)
{
	u64 vaddr = (u64)address->offset;
	enum data_image_kind kind = data_image_kind(flow->object->image, vaddr);
	const struct symbol *symbol;

	if (cfg_in_table(flow->cfg, vaddr)) {
		set_pseudo(out, ACCESS_SWITCH);
		return;
	}
	if (kind == IMAGE_GOT) {
		set_pseudo(out, ACCESS_GOT);
		return;
	}
	symbol = dso_find_symbol(flow->object->dso, vaddr);
	if (symbol &&
	    (g_str_has_prefix(symbol->raw, "_ZTV") || g_str_has_prefix(symbol->raw, "_ZTT"))) {
		set_pseudo(out, ACCESS_VTABLE);
		return;
	}
	out->why = flow->absent ? flow->absent : ACCESS_NO_GLOBAL;
	if (kind == IMAGE_CONSTANT && !flow->absent)
		set_pseudo(out, ACCESS_CONSTANT);
}

/* Something that a variable points to, near what the register itself points to. */
static bool resolve_beside(struct flow *flow, const struct value *address, u16 width,
			   struct access *out)
{
	const struct type *type;
	s64 offset;

	if (!infer_find_beside(flow->infer, address, width, &type, &offset))
		return false;
	set_type(out, type, offset, 0, width, ACCESS_VARIABLE);
	return out->how != ACCESS_UNKNOWN;
}

static void resolve_pointer(struct flow *flow, const struct value *address, u16 width,
			    struct access *out)
{
	u8 how = address->detail;
	enum layout_origin origin = LAYOUT_POINTER;
	enum bounds bounds;
	enum access_why why;
	struct spot spot;
	u32 stride = address->stride;

	if (address->type->vtable || type_is_virtual_table(address->type)) {
		set_pseudo(out, ACCESS_VTABLE);
		return;
	}
	if ((address->offset < 0 || (u64)address->offset >= type_strip(address->type)->size) &&
	    resolve_beside(flow, address, width, out))
		return;
	if (how == ACCESS_GLOBAL || how == ACCESS_TLS || how == ACCESS_LOCAL || !address->maker ||
	    (how == ACCESS_INFERRED && type_is_compound(type_strip(address->type)) &&
	     infer_starts_before(flow->infer, address->maker)))
		origin = LAYOUT_OBJECT;
	else if (infer_is_row(flow->infer, address->maker))
		origin = LAYOUT_ROW;
	bounds = bounds_of(address, address->type, address->offset, width);
	if (bounds == BOUNDS_SEVERAL) {
		set_any_member(out, address->type, how);
		return;
	}
	if (bounds == BOUNDS_ARRAY)
		stride = 0;
	why = layout_spot(address->type, address->offset, stride, width, origin, &spot);
	/* A row's neighbour, unless what holds one has something else there. */
	if (!why && origin == LAYOUT_ROW && !address->stride &&
	    !layout_is_neighbour(address->type, address->offset)) {
		how = ACCESS_INFERRED;
		if (layout_may_be_else(address->type, address->offset, width))
			why = ACCESS_AMBIGUOUS;
	}
	if (why == ACCESS_OUTSIDE && origin != LAYOUT_OBJECT && !address->stride &&
	    layout_around(address->type, address->offset, width, &spot)) {
		why = ACCESS_WHY_NONE;
		how = ACCESS_INFERRED;
	}
	out->why = (u8)why;
	if (why == ACCESS_OUTSIDE && flow->noting && !address->stride &&
	    type_is_compound(type_strip(address->type)))
		infer_touched_around(flow->infer, address, width);
	if (why == ACCESS_AMBIGUOUS && infer_stays_inside(flow->infer, address) &&
	    layout_has_width(address->type, width)) {
		set_any_member(out, address->type, ACCESS_INFERRED);
		return;
	}
	if (why && origin == LAYOUT_OBJECT)
		set_any(out, address->type, address->offset, address->stride, width, how);
	if (why)
		return;
	if (spot.row && flow->noting)
		infer_row(flow->infer, address->maker);
	out->type = spot.type;
	out->offset = spot.any || layout_steps_inside(spot.type, spot.offset, stride)
			      ? TYPE_OFFSET_ANY
			      : spot.offset;
	out->how = how;
}

/* Half of a pointer is never written alone: something else is there already, or still. */
static bool is_part_of_pointer(const struct type *type, u16 width, const struct insn_operand *op)
{
	return op && op->access == INSN_WRITE && width < 8 &&
	       type_strip(type)->kind == TYPE_POINTER;
}

void operand_resolve(struct flow *flow, const struct value *address, u16 width,
		     const struct insn_operand *op, struct access *out)
{
	const struct type *type;
	s64 into;
	u8 how;

	out->type = NULL;
	out->how = ACCESS_UNKNOWN;
	out->why = flow->absent ? flow->absent : ACCESS_NO_SOURCE;
	switch (address->kind) {
	case VALUE_STACK:
	case VALUE_GLOBAL:
	case VALUE_PERCPU:
	case VALUE_TLS:
		if (operand_variable(flow, address, width, &type, &into, &how) &&
		    !is_part_of_pointer(type, width, op)) {
			enum bounds bounds = bounds_of(address, type, into, width);

			if (bounds == BOUNDS_SEVERAL) {
				set_any_member(out, type, how);
				return;
			}
			set_type(out, type, into, bounds == BOUNDS_ARRAY ? 0 : address->stride,
				 width, how);
			if (!out->how && resolve_biased(flow, address, width, out))
				return;
			set_any(out, type, into, address->stride, width, how);
			if (out->how || address->kind != VALUE_GLOBAL)
				return;
		}
		if (resolve_biased(flow, address, width, out))
			return;
		if (address->kind == VALUE_STACK && resolve_nameless(flow, address, width, out))
			return;
		if (address->kind == VALUE_STACK)
			resolve_slot(flow, address, width, op, out);
		else if (address->kind == VALUE_TLS)
			out->why = ACCESS_NO_TLS;
		else
			resolve_global(flow, address, width, out);
		return;
	case VALUE_ADDRESS:
		resolve_pointer(flow, address, width, out);
		return;
	case VALUE_SYMBOL:
		if (resolve_beside(flow, address, width, out))
			return;
		if (flow->noting && op)
			infer_touched(flow->infer, address, width);
		if (address->detail)
			out->why = flow->absent ? flow->absent : address->detail;
		return;
	case VALUE_NUMBER:
		out->why = flow->absent ? flow->absent : address->detail;
		return;
	case VALUE_NONE:
		out->why = flow->absent ? flow->absent : ACCESS_UNREACHED;
		return;
	default:
		out->why = flow->absent ? flow->absent : ACCESS_NO_GLOBAL;
		return;
	}
}
