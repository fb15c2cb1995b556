// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From an address to a type and an offset, or a pseudo type for memory that is no variable.
 *
 *	struct item { long id, weight; };	struct item table[8];		at 0x4040
 *
 *	mov 0x2f01(%rip),%rax	GLOBAL 0x4048			struct item, offset 8 (weight)
 *	mov 8(%rdi),%rax	ADDRESS(struct item, 8)		struct item, offset 8 (weight)
 *	mov -0x18(%rbp),%rax	STACK CFA-40, no variable	the type of the spilled value, or (stack spill)
 *	mov 0x2e10(%rip),%rax	GLOBAL 0x3fe8, in .got		(GOT slot)
 *
 * Refused: an offset outside of a structure, if it can be a neighbour in an array as well as the structure around it;
 * any access through an integer or a void pointer; an indexed operand that fits no array.
 */
#include <string.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define ALIGNMENT	  16   /* largest alignment of variables in a frame by the ABI */
#define MAX_BIAS	  3    /* elements before an array */
#define MAX_UNROLLED	  8    /* the same in an unrolled loop */
#define MAX_NAMELESS_SIZE 4096 /* bytes below the return address */

/*
 * Accesses with a known number of places: all in one array or member (then the index does not matter), or in several
 * members of the type.
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
	/* a[i - 1], where the first i is never used. */
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

static void set_spot(struct access *out, const struct spot *spot, u32 stride, u8 how)
{
	out->type = spot->type;
	out->offset = spot->any || layout_steps_inside(spot->type, spot->offset, stride)
			      ? TYPE_OFFSET_ANY
			      : spot->offset;
	out->how = how;
}

static void set_type(struct access *out, const struct type *type, s64 offset, u32 stride, u16 width,
		     u8 how)
{
	struct spot spot;
	enum access_why why = layout_spot(type, offset, stride, width, LAYOUT_OBJECT, &spot);

	out->why = (u8)why;
	out->how = ACCESS_UNKNOWN;
	if (!why)
		set_spot(out, &spot, stride, how);
}

/* A loop over all numbers of an object: the member is different at each iteration. */
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

/* If the slot holds, or the store writes, a register's value at the function's entry: that register. */
static u8 saved_register(struct flow *flow, s64 offset, const struct insn_operand *op)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	const struct value *value = state_slot(flow->now, offset);

	if (op->access == INSN_WRITE) {
		const struct insn_operand *from = &insn->operands[1]; /* the source operand */

		value = insn->nr_operands > 1 && from->kind == INSN_REG &&
					from->reg < flow->now->nr_regs
				? &flow->now->regs[from->reg]
				: NULL;
	}
	return value && value->kind == VALUE_SYMBOL && !value->offset
		       ? maker_is_entry(flow->infer, value->maker)
		       : INSN_NO_REG;
}

/* CFA offset of the lowest register that the prologue pushes; without pushes, of the return address. */
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
 * Memory to which a variable points, in a part of the frame that has no other variable. Its elements fill the space
 * up to the next variable, except for alignment.
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

/* An address in the frame without a variable. */
static void resolve_slot(struct flow *flow, const struct value *address, u16 width,
			 const struct insn_operand *op, struct access *out)
{
	u8 reg;

	out->why = flow->absent ? flow->absent : ACCESS_NO_VARIABLE;
	/* Go's caller leaves room above the return address, in which the callee saves parameters that came in registers. */
	if (flow->absent || !op || address->stride || (address->offset >= 0 && !flow->go) ||
	    op->mem.index != INSN_NO_REG)
		return;
	/* The return address. A function that realigns its stack reaches it through another register. */
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

/* a[i - 1]: the address without the index lies up to @elements before the array, perhaps in another variable. */
static bool resolve_biased(struct flow *flow, const struct value *address, u16 width, u32 elements,
			   struct access *out)
{
	for (u32 n = 1; address->stride && n <= elements; n++) {
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

/* The stride is that of a number in the operand, not of a pointer that a loop moves. */
static bool is_indexed_place(const struct flow *flow, const struct insn_operand *op)
{
	const struct value *base;

	if (!op || op->mem.base >= STATE_REGS)
		return op != NULL;
	base = &flow->now->regs[op->mem.base];
	return !value_is_address(base) || !base->stride;
}

/*
 * The index is counted from a constant, so that with it the operand's displacement is a place that is accessed. In code that is
 * not position-independent the end of `bs` may be the start of the next variable:
 *
 *	for (p = bs + 8; p-- > bs;)		xor %eax,%eax; 1: sub $16,%rax; cmp $-128,%rax; je 2f
 *		s += p->g;			cvtss2sd bs+140(%rax),%xmm1
 */
static bool is_counted(const struct flow *flow, const struct insn_operand *op)
{
	const u8 regs[] = { op ? op->mem.base : INSN_NO_REG, op ? op->mem.index : INSN_NO_REG };
	bool counted = false;

	for (u32 i = 0; i < ARRAY_SIZE(regs); i++) {
		if (regs[i] == INSN_NO_REG)
			continue;
		if (regs[i] >= STATE_REGS || flow->now->regs[regs[i]].kind != VALUE_CONST)
			return false;
		counted = true;
	}
	return counted;
}

/* The address without the index is the start of an array, so it is more likely this one than a[i - 2] of the next one. */
static bool is_start_of_array(struct flow *flow, const struct value *address)
{
	struct value start = *address;
	const struct type *type;
	s64 into;
	u8 how;

	start.stride = 0;
	return operand_variable(flow, &start, 1, &type, &into, &how) && !into &&
	       type_strip(type)->kind == TYPE_ARRAY &&
	       type_strip(type)->size >= 2 * (u64)address->stride;
}

/*
 * The last elements of an array, or of another variable, and the array behind it has elements of the stride's size: it may
 * be a[i - 1], whose address without the index lies before `a`. If both have the same member there, it does not matter;
 * otherwise the answer is not sure.
 */
static void doubt_biased(struct flow *flow, const struct value *address, u16 width,
			 const struct insn_operand *op, struct access *out)
{
	bool indexed = is_indexed_place(flow, op);
	struct access next = { 0 };

	/* Code that is not optimized has no part of the index in the distance of an array: see address_add_index(). */
	if (address->stride < 2 || value_is_bounded(address) || address->span == SPAN_LOOSE ||
	    code_facts_plain(flow->facts) || is_counted(flow, op) ||
	    !resolve_biased(flow, address, width, indexed ? MAX_BIAS : MAX_UNROLLED, &next) ||
	    (next.offset == out->offset && layout_same(next.type, out->type)))
		return;
	if (indexed && !is_start_of_array(flow, address)) {
		out->type = next.type;
		out->offset = next.offset;
	}
	out->how = ACCESS_INFERRED;
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

/* An object to which another variable points, at a known distance from the register's value. */
static bool resolve_beside(struct flow *flow, const struct value *address, u16 width,
			   struct access *out)
{
	const struct type *type;
	s64 offset;
	u8 how;

	if (!infer_find_beside(flow->infer, address, width, &type, &offset, &how))
		return false;
	set_type(out, type, offset, 0, width, how);
	return out->how != ACCESS_UNKNOWN;
}

/* @array, an offset in @type, is before @start, where an index that only counts up begins. */
static bool is_before_start(const struct value *address, const struct type *type, s64 start,
			    s64 array, u16 width)
{
	return address->stride && address->span != SPAN_ANY && type_is_compound(type_strip(type)) &&
	       array >= 0 && array < start && (u64)start + width <= type_strip(type)->size;
}

/*
 * Not the next pointer in an array: no program reads a part of it. The uses of the register have told the wrong type.
 *
 *	for (at = &first; *at; at = &(*at)->next)	mov %rax,%r15	next is the first member: also the node
 *		if ((*at)->key == key)			cmp 8(%rax),%r14d
 */
static bool is_part_of_next(const struct value *address, u16 width)
{
	return address->detail == ACCESS_INFERRED && !address->stride && width < 8 &&
	       type_strip(address->type)->kind == TYPE_POINTER &&
	       (address->offset < 0 || address->offset >= 8);
}

/* A loop along the array that follows the header in the only structure that begins with it. */
static bool starts_array_around(const struct value *address, u16 width, struct spot *spot)
{
	const struct type *array;

	if (address->detail != ACCESS_INFERRED || address->stride != width ||
	    (u64)address->offset < type_strip(address->type)->size ||
	    !layout_around(address->type, address->offset, width, spot))
		return false;
	array = layout_array(spot->type, (u64)spot->offset);
	return array && type_target(array)->size == width;
}

/*
 * The pointer was moved back by one of two distances, to the structure around one of two members of a type:
 *
 *	stream = is_response(c) ? container_of(c, struct stream, response) : container_of(c, struct stream, request);
 *
 *	lea -0x80(%rcx),%r10		ADDRESS(channel, -0x80)
 *	lea -0x20(%rcx),%r9		ADDRESS(channel, -0x20)
 *	cmovs %r10,%r9			ADDRESS(channel, -0x80), up to 1 step of 0x60
 *	testb $8,9(%r9)			stream->flags
 */
static bool is_around_two(const struct value *address, u16 width, struct spot *spot)
{
	if (!address->stride || address->span != 1 ||
	    !layout_around_two(address->type, address->offset, address->stride, spot))
		return false;
	spot->fits = (u64)spot->offset + width <= type_strip(spot->type)->size;
	return spot->fits;
}

static bool is_outside(const struct value *address)
{
	const struct type *type = type_strip(address->type);

	return type_is_compound(type) && !layout_ends_flexible(type) &&
	       (address->offset < 0 || (u64)address->offset >= type->size);
}

/* Where the pointer in @address points to: a whole object, an element of an array, or not known. */
static enum layout_origin origin_of(const struct flow *flow, const struct value *address)
{
	u8 how = address->detail;

	if (how == ACCESS_GLOBAL || how == ACCESS_TLS || how == ACCESS_LOCAL || !address->maker ||
	    (how == ACCESS_INFERRED &&
	     (type_is_compound(type_strip(address->type)) || (flow->proto && flow->proto->go)) &&
	     infer_starts_before(flow->infer, address->maker)))
		return LAYOUT_OBJECT;
	/* In Rust and Go, a pointer to a structure is not cast to the larger structure that begins alike. */
	if (flow->proto && flow->proto->no_casts && is_outside(address) &&
	    layout_is_neighbour(address->type, address->offset))
		return LAYOUT_ROW;
	return infer_is_row(flow->infer, address->maker, address->offset < 0 && !address->stride)
		       ? LAYOUT_ROW
		       : LAYOUT_POINTER;
}

/*
 * It begins in the object and ends behind it: the pointer was cast to a larger type. Several small structures in an array
 * may be written at once, but not tags that larger structures begin with, and not structures without members.
 */
static bool reaches_out(const struct value *address, u16 width, const struct spot *spot)
{
	const struct type *type = type_strip(address->type);

	if (spot->fits || spot->any || !type_is_compound(type) || layout_ends_flexible(type))
		return false;
	return layout_is_number(type) || !type_last_member(type) || spot->offset ||
	       width % type->size;
}

/* The member at @address. out: @how is ACCESS_INFERRED if the pointer's type alone does not say it. */
static enum access_why find_member(const struct value *address, u32 stride, u16 width,
				   enum layout_origin origin, struct spot *spot, u8 *how)
{
	enum access_why why =
		layout_spot(address->type, address->offset, stride, width, origin, spot);

	/* Larger steps than a number's, but not the structure's: perhaps along an array behind it, or before it. */
	if (!why && origin == LAYOUT_POINTER && address->stride > 8 &&
	    spot->type == address->type && type_is_compound(type_strip(address->type)) &&
	    address->stride != type_strip(address->type)->size &&
	    !layout_array(address->type, (u64)MAX(spot->offset, 0)))
		*how = ACCESS_INFERRED;
	/* The steps are known to leave the object: (const char *)ip + ip->ihl * 4. */
	if (!why && origin == LAYOUT_POINTER && value_is_bounded(address) &&
	    layout_steps_inside(address->type, spot->offset, stride) &&
	    address->offset + (s64)address->span * address->stride + width >
		    (s64)type_strip(address->type)->size)
		return ACCESS_AMBIGUOUS;
	/* The next element of an array, unless a structure that contains an element has another member there. */
	if (!why && origin == LAYOUT_ROW && !address->stride && is_outside(address)) {
		*how = ACCESS_INFERRED;
		return !layout_is_neighbour(address->type, address->offset) &&
				       layout_is_number(address->type) &&
				       layout_may_be_else(address->type, address->offset, width)
			       ? ACCESS_AMBIGUOUS
			       : ACCESS_WHY_NONE;
	}
	if (!why && origin == LAYOUT_POINTER &&
	    (!address->stride || (width <= 8 && layout_is_number(address->type))) &&
	    reaches_out(address, width, spot))
		return ACCESS_OUTSIDE;
	if (origin != LAYOUT_OBJECT &&
	    (address->stride
		     ? why && starts_array_around(address, width, spot)
		     : why == ACCESS_OUTSIDE &&
			       layout_around(address->type, address->offset, width, spot))) {
		*how = ACCESS_INFERRED;
		return ACCESS_WHY_NONE;
	}
	return why;
}

/*
 * The function's name tells which structure it prints; its pointer is to the first member:
 *
 *	struct trace_event_raw_sched_switch *field = (void *)iter->ent;		of tracepoint sched_switch
 */
static bool is_in_record(const struct flow *flow, const struct value *address, u16 width,
			 struct spot *spot)
{
	const struct func_vars *vars = flow->facts->vars;
	const struct type *record = vars ? vars->record : NULL;

	if (!record || address->stride || address->offset < 0 ||
	    (u64)address->offset + width > record->size ||
	    !layout_contains(record, 0, address->type))
		return false;
	*spot = (struct spot){ .type = record, .offset = address->offset, .fits = true };
	return true;
}

/* No member fits: the object as a whole, or nothing. */
static void resolve_misfit(struct flow *flow, const struct value *address, u16 width,
			   const struct insn_operand *op, enum layout_origin origin, u8 how,
			   struct access *out)
{
	if (out->why == ACCESS_OUTSIDE && flow->noting && op && !address->stride &&
	    type_is_compound(type_strip(address->type)))
		infer_touched_around(flow->infer, address, width);
	if (out->why == ACCESS_AMBIGUOUS && infer_stays_inside(flow->infer, address) &&
	    layout_has_width(address->type, width))
		set_any_member(out, address->type, ACCESS_INFERRED);
	else if (origin == LAYOUT_OBJECT)
		set_any(out, address->type, address->offset, address->stride, width, how);
}

static void resolve_pointer(struct flow *flow, const struct value *address, u16 width,
			    const struct insn_operand *op, struct access *out)
{
	u8 how = address->detail;
	enum layout_origin origin;
	enum bounds bounds;
	struct spot spot;
	u32 stride = address->stride;

	if (address->type->vtable || type_is_virtual_table(address->type)) {
		set_pseudo(out, ACCESS_VTABLE);
		return;
	}
	if ((address->offset < 0 || (u64)address->offset >= type_strip(address->type)->size) &&
	    resolve_beside(flow, address, width, out))
		return;
	if (is_part_of_next(address, width)) {
		out->why = ACCESS_OUTSIDE;
		return;
	}
	if (is_around_two(address, width, &spot)) {
		set_spot(out, &spot, 0, ACCESS_INFERRED);
		return;
	}
	bounds = bounds_of(address, address->type, address->offset, width);
	if (bounds == BOUNDS_SEVERAL) {
		set_any_member(out, address->type, how);
		return;
	}
	if (bounds == BOUNDS_ARRAY)
		stride = 0;
	origin = origin_of(flow, address);
	out->why = (u8)find_member(address, stride, width, origin, &spot, &how);
	if (out->why && is_in_record(flow, address, width, &spot)) {
		out->why = ACCESS_WHY_NONE;
		set_spot(out, &spot, 0, ACCESS_INFERRED);
		return;
	}
	if (out->why) {
		resolve_misfit(flow, address, width, op, origin, how, out);
		return;
	}
	if (spot.row && flow->noting)
		infer_row(flow->infer, address->maker, false);
	if (spot.type == address->type && !spot.any &&
	    is_before_start(address, address->type, address->offset, spot.offset, width))
		set_any_member(out, address->type, how);
	else
		set_spot(out, &spot, stride, how);
}

/* No program writes half of a pointer: the slot holds another variable at this time. */
static bool is_part_of_pointer(const struct type *type, u16 width, const struct insn_operand *op)
{
	return op && op->access == INSN_WRITE && width < 8 &&
	       type_strip(type)->kind == TYPE_POINTER;
}

/* The register that the present instruction stores, or CFG_NONE. */
static u32 stored_register(const struct flow *flow)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	const struct insn_operand *from = &insn->operands[1];

	return insn->nr_operands > 1 && from->kind == INSN_REG ? from->reg : CFG_NONE;
}

/*
 * The store ends the time of the number or pointer in its slot, inside of its scope, and does not write the register in
 * which the variable is from then on: it writes another value there.
 *
 *	n = take(s); d = compute(n);	s: -8(%rsp) until 0x1166
 *	1160: movsd %xmm1,-8(%rsp)	d, not s
 */
static bool is_overwritten(struct flow *flow, const struct value *address, u16 width,
			   const struct insn_operand *op)
{
	const struct variable *before, *after;
	u64 vaddr = flow->vaddr;
	s64 into;

	if (!op || op->access != INSN_WRITE || address->kind != VALUE_STACK || address->stride)
		return false;
	before = operand_frame(flow, address->offset, width, &into);
	if (!before || type_is_compound(type_strip(before->type)) ||
	    type_strip(before->type)->kind == TYPE_ARRAY)
		return false;
	flow->vaddr += flow->cfg->insns[flow->insn].size;
	after = operand_frame(flow, address->offset, width, &into);
	if (after != before &&
	    (!code_facts_in_scope(flow->facts->vars, before, flow->vaddr) ||
	     code_facts_register(flow->facts, before, flow->vaddr) == stored_register(flow)))
		after = before;
	flow->vaddr = vaddr;
	return after != before;
}

/* A variable with storage of its own, in the frame or elsewhere. False: another one may be there. */
static bool resolve_variable(struct flow *flow, const struct value *address, u16 width,
			     const struct insn_operand *op, struct access *out)
{
	const struct type *type;
	enum bounds bounds;
	s64 into;
	u8 how;

	if (!operand_variable(flow, address, width, &type, &into, &how) ||
	    is_part_of_pointer(type, width, op) || is_overwritten(flow, address, width, op))
		return false;
	bounds = bounds_of(address, type, into, width);
	if (bounds == BOUNDS_SEVERAL) {
		set_any_member(out, type, how);
		return true;
	}
	set_type(out, type, into, bounds == BOUNDS_ARRAY ? 0 : address->stride, width, how);
	if (out->how && out->type == type &&
	    is_before_start(address, type, into, out->offset, width))
		set_any_member(out, type, how);
	if (!out->how && resolve_biased(flow, address, width, MAX_BIAS, out))
		return true;
	set_any(out, type, into, address->stride, width, how);
	if (out->how)
		doubt_biased(flow, address, width, op, out);
	return out->how || address->kind != VALUE_GLOBAL;
}

/* Memory at a fixed place: in the frame, in a section or in thread-local or per-CPU storage. */
static void resolve_place(struct flow *flow, const struct value *address, u16 width,
			  const struct insn_operand *op, struct access *out)
{
	if (resolve_variable(flow, address, width, op, out) ||
	    resolve_biased(flow, address, width, MAX_BIAS, out))
		return;
	if (address->kind == VALUE_STACK && resolve_nameless(flow, address, width, out))
		return;
	if (address->kind == VALUE_STACK)
		resolve_slot(flow, address, width, op, out);
	else if (address->kind == VALUE_TLS)
		out->why = ACCESS_NO_TLS;
	else
		resolve_global(flow, address, width, out);
}

/*
 * The pointer is of no type, but the debug information says that a number or pointer is in memory there: the optimizer left
 * it where it was, since its only use is in one place. Of a structure around it nothing is known.
 *
 *	static int compare(const void *a, const void *b)	a in %rdi
 *		const struct item *x = *(struct item **)a;	x in memory at %rdi + 0
 *
 *	mov (%rdi),%rax		struct item *
 *	mov 8(%rax),%rcx	struct item, offset 8
 */
static bool resolve_described(struct flow *flow, const struct value *address, u16 width,
			      struct access *out)
{
	for (u64 regs = address->stride ? 0 : flow->facts->frame_regs; regs; regs &= regs - 1) {
		u8 reg = (u8)__builtin_ctzll(regs);
		const struct value *base = &flow->now->regs[reg];
		const struct variable *variable;
		s64 into;

		if (base->kind != VALUE_SYMBOL || base->maker != address->maker || base->stride)
			continue;
		variable = code_facts_frame(flow->facts, reg, address->offset - base->offset, width,
					    flow->vaddr, &into);
		if (!variable || into || type_is_compound(type_strip(variable->type)) ||
		    type_strip(variable->type)->size != width)
			continue;
		set_type(out, variable->type, 0, 0, width, ACCESS_FLOW);
		return out->how != ACCESS_UNKNOWN;
	}
	return false;
}

void operand_resolve(struct flow *flow, const struct value *address, u16 width,
		     const struct insn_operand *op, struct access *out)
{
	out->type = NULL;
	out->how = ACCESS_UNKNOWN;
	out->why = flow->absent ? flow->absent : ACCESS_NO_SOURCE;
	switch (address->kind) {
	case VALUE_STACK:
	case VALUE_GLOBAL:
	case VALUE_PERCPU:
	case VALUE_TLS:
		resolve_place(flow, address, width, op, out);
		return;
	case VALUE_ADDRESS:
		resolve_pointer(flow, address, width, op, out);
		return;
	case VALUE_SYMBOL:
		if (resolve_beside(flow, address, width, out) ||
		    resolve_described(flow, address, width, out))
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
