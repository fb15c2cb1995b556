// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The address of a memory operand: base + index * scale + displacement, from values that are only partly known.
 *
 *	struct table { long nr; struct item items[8]; };	sizeof(struct item) is 24
 *	t->items[i].weight			lea (%rsi,%rsi,2),%rax	%rax: multiples of 3
 *						mov 0x10(%rdi,%rax,8),%rdx
 *
 *	%rdi		ADDRESS(struct table, 0)
 *	+ 0x10		ADDRESS(struct table, 0x10)
 *	+ %rax * 8	ADDRESS(struct table, 0x10, stride 24)
 */
#include "typeflow/flow/address.h"
#include "typeflow/flow/elements.h"
#include "typeflow/layout/layout.h"

#define MAX_COUNTED (1 << 30) /* bytes of an array */

void transfer_set(struct flow *flow, u8 reg, struct value value)
{
	if (reg >= STATE_REGS)
		return;
	infer_apply(flow->infer, &value);
	flow->now->regs[reg] = value;
}

struct value address_plain(struct flow *flow, s64 vaddr)
{
	struct value value = value_const(vaddr, here(flow, 0));

	value.kind = VALUE_GLOBAL;
	value.detail = ACCESS_GLOBAL;
	return value;
}

/* In code that is not position-independent a number can be an address. */
bool address_is_place(const struct flow *flow, s64 number)
{
	enum data_image_kind kind;

	if (!data_image_is_fixed(flow->object->image) || (number > -4096 && number < 4096))
		return false;
	kind = data_image_kind(flow->object->image, (u64)number);
	return kind != IMAGE_NOTHING && kind != IMAGE_PERCPU;
}

/* Its steps may lead out of an array. */
static bool may_leave(const struct value *sum)
{
	return sum->stride >= 2 && !value_is_bounded(sum);
}

/*
 * @base is in an array variable, or steps up from there. Base + index is an element of that array, if only the steps of the
 * index are known: for a[i - 1] the constant in the index, or in the displacement, does not mean the variable before the
 * array.
 */
static void keep_inside(struct flow *flow, const struct value *base, struct value *sum)
{
	struct value typed;
	const struct type *array;
	s64 into, size;

	if (sum->kind != base->kind || !may_leave(sum) || (base->stride && base->span != SPAN_UP) ||
	    base->kind == VALUE_ADDRESS || !value_is_address(base) ||
	    !operand_as_typed(flow, base, &typed))
		return;
	array = type_strip(typed.type);
	size = (s64)array->size;
	into = (s64)((u64)typed.offset + (u64)sum->offset - (u64)base->offset);
	if (array->kind != TYPE_ARRAY || (into >= 0 && into < size) ||
	    layout_fold(into, sum->stride) >= size)
		return;
	sum->offset =
		(s64)((u64)base->offset - (u64)typed.offset + (u64)layout_fold(into, sum->stride));
	sum->span = SPAN_ANY;
}

/* The stack or frame pointer, or the thread pointer: an array lies at a distance, which is added somewhere else. */
static bool is_frame(const struct flow *flow, const struct value *base)
{
	const struct value *regs = flow->now->regs;

	if (base->kind == VALUE_TLS)
		return base->offset == data_image_tls_base(flow->object->image);
	return base->kind == VALUE_STACK &&
	       (base->offset == regs[X86_RSP].offset ||
		(regs[X86_RBP].kind == VALUE_STACK && base->offset == regs[X86_RBP].offset));
}

/* @sum is in the first element of an array variable. */
static bool is_first_element(struct flow *flow, const struct value *sum)
{
	struct value at = *sum, typed;

	at.stride = 0;
	return operand_as_typed(flow, &at, &typed) && typed.offset >= 0 &&
	       typed.offset < sum->stride && type_strip(typed.type)->kind == TYPE_ARRAY;
}

/*
 * A loop counts up to 0 from a constant. So the array that it goes over ends at the address without the index, and another
 * one may begin there:
 *
 *	struct item items[64]; int order[64];		mov $-256,%rcx
 *	for (i = 0; i < 64; i++)			1: movslq order(,%rcx,4),%rdx
 *		sum += items[i].key;			add $4,%rcx; jne 1b
 */
static bool is_counted_from_start(struct flow *flow, const struct insn_mem *mem,
				  const struct value *sum)
{
	const u8 regs[] = { mem->base, mem->index };
	bool counted = false;

	for (u32 i = 0; i < ARRAY_SIZE(regs); i++) {
		const struct value *value = regs[i] < STATE_REGS ? &flow->now->regs[regs[i]] : NULL;

		if (regs[i] == INSN_NO_REG || (value && value_is_address(value) && !value->stride))
			continue;
		if (!value || value->kind != VALUE_CONST || !value->stride || value->offset >= 0)
			return false;
		counted = true;
	}
	return counted && is_first_element(flow, sum);
}

/*
 * The base of the operand is the address of an array. Not if it is the frame's: the compiler may have made a part of the
 * distance a part of the index.
 */
static void keep_operand_inside(struct flow *flow, const struct insn_mem *mem, u8 base,
				const struct value *start, struct value *sum)
{
	struct value typed;

	if (!may_leave(sum) || is_counted_from_start(flow, mem, sum))
		return;
	if (base < STATE_REGS && value_is_address(&flow->now->regs[base]) &&
	    !is_frame(flow, &flow->now->regs[base]))
		keep_inside(flow, &flow->now->regs[base], sum);
	else if (operand_as_typed(flow, start, &typed) && !typed.offset)
		keep_inside(flow, start, sum);
}

struct value address_add_index(struct flow *flow, const struct value *base,
			       const struct value *index)
{
	struct value sum, only = *index;

	if (!value_is_address(base) || base->stride || index->kind != VALUE_NUMBER)
		return address_add(flow, base, index);
	if (is_frame(flow, base)) {
		if (index->stride > 1 && !value_is_bounded(index) && code_facts_plain(flow->facts))
			only.offset = layout_fold(only.offset, only.stride);
		return address_add(flow, base, &only);
	}
	sum = address_add(flow, base, index);
	keep_inside(flow, base, &sum);
	return sum;
}

/* A pointer to which an index is added points into an array. */
void address_note_row(struct flow *flow, const struct value *base, const struct value *index)
{
	if (flow->noting && base->kind == VALUE_ADDRESS && !base->stride && !base->offset &&
	    index->stride && base->type->size > 1 && index->stride % base->type->size == 0)
		infer_row(flow->infer, base->maker, false);
}

/* An object's address plus the distance to its virtual base. */
static bool add_base(struct flow *flow, const struct value *a, const struct value *b,
		     struct value *sum)
{
	const struct value *gap = a->kind == VALUE_BASE_GAP ? a : b, *base = gap == a ? b : a;
	const struct type *object, *found;
	u64 offset;

	if (gap->kind != VALUE_BASE_GAP)
		return false;
	if (!gap->type && thunk_is_this(flow, base)) {
		*sum = transfer_typed(flow, flow->proto->params[0], 0, 8, ACCESS_FLOW, 0);
		sum->offset += base->offset;
		return sum->kind == VALUE_ADDRESS;
	}
	if (!gap->type || base->kind != VALUE_ADDRESS || base->stride)
		return false;
	found = type_virtual_base(gap->type, gap->offset, &object, &offset);
	if (!found || !layout_same(object, base->type))
		return false;
	*sum = *base;
	sum->type = found;
	sum->offset -= (s64)offset;
	return true;
}

/* As value_add(). In addition: thread pointer + distance = address of a thread-local variable. */
struct value address_add(struct flow *flow, const struct value *a, const struct value *b)
{
	const struct value *gap = a->kind == VALUE_TLS_GAP ? a : b, *base = gap == a ? b : a;
	struct value sum;

	if (add_base(flow, a, b, &sum)) {
		sum.maker = here(flow, 0);
		return sum;
	}
	if (gap->kind != VALUE_TLS_GAP || base->kind != VALUE_TLS) {
		sum = value_add(a, b, here(flow, 0));
		if (flow->noting && sum.kind == VALUE_ADDRESS && sum.stride == 1) {
			infer_moved(flow->infer, a, b, &sum);
			infer_moved(flow->infer, b, a, &sum);
		}
		return sum;
	}
	sum = *gap;
	sum.kind = gap->type ? VALUE_ADDRESS : VALUE_TLS;
	sum.maker = here(flow, 0);
	/* The thread pointer is given as an offset in this object's block, as if the object were the program. */
	sum.offset = (s64)((u64)gap->offset + (u64)base->offset -
			   (u64)data_image_tls_base(flow->object->image));
	sum.stride = stride_gcd(gap->stride, base->stride);
	sum.span = gap->stride ? gap->span : base->span;
	return sum;
}

static bool is_inside(const struct value *address)
{
	const struct type *type = address->kind == VALUE_ADDRESS ? type_strip(address->type) : NULL;

	return type && type_is_compound(type) && address->offset >= 0 &&
	       (u64)address->offset < type->size;
}

/*
 * A pointer variable is base + index, or points to the array that the index means. This is better than nothing, a
 * number, or an element beside the object that the base points to:
 *
 *	const struct header *h = table;				h is %rdi
 *	const struct entry *entries = (void *)(h + 1);		entries is %rdi + 8
 *	const struct entry *e = &entries[i];			e is %rdi + %rcx * 8 + 8
 *	return e->bits;						movzbl 0xb(%rdi,%rcx,8),%eax
 *
 * @base: the address without the index. @sum: with it.
 */
static void apply_indexed(struct flow *flow, const struct insn_operand *op,
			  const struct value *base, struct value *sum)
{
	const struct indexed *variable = NULL;
	const struct type *target = NULL;
	struct value along = *base;
	u8 how = ACCESS_VARIABLE;
	s64 offset;

	if (is_inside(sum) ||
	    (sum->kind != VALUE_ADDRESS && sum->kind != VALUE_SYMBOL && sum->kind != VALUE_NUMBER))
		return;
	variable = code_facts_indexed(flow->facts, flow->vaddr, &op->mem);
	if (variable && !__builtin_sub_overflow(op->mem.disp, variable->offset, &offset))
		target = variable->target;
	along.stride = sum->stride;
	if (!target && (!sum->stride || !infer_find_beside(flow->infer, &along, MAX(op->width, 1),
							   &target, &offset, &how)))
		return;
	if (offset < 0 || (u64)offset >= type_strip(target)->size)
		return;
	*sum = (struct value){ .kind = VALUE_ADDRESS,
			       .detail = how,
			       .type = target,
			       .offset = offset,
			       .maker = here(flow, 0) };
}

/*
 * The indexes of a gather may be of anything. Where they go neither along whole elements nor along an array at that place, the
 * member is not known. @base: the address without the indexes. @sum: with them.
 */
static void loosen(const struct value *base, struct value *sum)
{
	const struct type *type = sum->kind == VALUE_ADDRESS ? type_strip(sum->type) : NULL;

	if (type && sum->stride && type_is_compound(type) && type->size &&
	    sum->stride % type->size && base->kind == VALUE_ADDRESS &&
	    !layout_together(type, base->offset, base->offset + sum->stride))
		sum->span = SPAN_LOOSE;
}

/* table(%rdx,%rdx,2): three times the same number. */
static bool is_one_number(const struct flow *flow, const struct insn_mem *mem)
{
	return mem->base < X86_XMM0 && mem->base == mem->index &&
	       flow->now->regs[mem->base].kind == VALUE_NUMBER;
}

/*
 * Is the displacement a place? If the register counts up to 0 from a constant, it is the end of the array, where nothing of the
 * program may be.
 */
static bool is_at_place(const struct flow *flow, const struct insn_mem *mem, u8 reg)
{
	const struct value *count = reg < STATE_REGS ? &flow->now->regs[reg] : NULL;
	s64 scale = reg == mem->index ? mem->scale : 1;

	if (address_is_place(flow, mem->disp))
		return true;
	return count && count->kind == VALUE_CONST && count->stride && count->offset < 0 &&
	       count->offset > -MAX_COUNTED &&
	       address_is_place(flow, mem->disp + scale * count->offset);
}

struct value transfer_address(struct flow *flow, const struct insn *insn,
			      const struct insn_operand *op)
{
	const struct insn_mem *mem = &op->mem;
	struct value sum = value_const(mem->disp, 0), part, start;
	bool based = mem->base < STATE_REGS;
	u8 base = mem->base, index = mem->index;

	/* The distance to a virtual base is the index, whichever register holds it. */
	if (based && index < X86_XMM0 && mem->scale == 1 &&
	    flow->now->regs[base].kind == VALUE_BASE_GAP) {
		base = mem->index;
		index = mem->base;
	}

	if (mem->segment == INSN_SEG_FS) {
		sum.kind = VALUE_TLS;
		sum.offset = data_image_tls_base(flow->object->image) + mem->disp;
	} else if (mem->segment == INSN_SEG_GS && flow->object->kernel) {
		sum.kind = VALUE_PERCPU;
	} else if (op->relative || (!based && mem->index == INSN_NO_REG) ||
		   (!based && is_at_place(flow, mem, index)) ||
		   (based && is_at_place(flow, mem, base) &&
		    !value_is_address(&flow->now->regs[base]))) {
		sum = address_plain(flow, mem->disp);
	}
	if (based && !is_one_number(flow, mem))
		sum = address_add(flow, &flow->now->regs[base], &sum);
	if (based && index == INSN_NO_REG)
		keep_operand_inside(flow, mem, base, &sum, &sum);
	if (index != INSN_NO_REG) {
		if (index >= X86_XMM0) {
			part = value_number(NULL, 0);
			part.stride = elements_step(flow, index);
		} else {
			part = flow->now->regs[index];
		}
		/* Two unknown values: the base register is the pointer, the index register is a number. */
		if (sum.kind == VALUE_SYMBOL && part.kind == VALUE_SYMBOL && based)
			part = value_number(NULL, 0);
		part = value_scale(&part, mem->scale, here(flow, 0));
		if (is_one_number(flow, mem))
			part = value_add(&flow->now->regs[base], &part, here(flow, 0));
		address_note_row(flow, &sum, &part);
		start = sum;
		sum = value_is_address(&part) ? address_add_index(flow, &part, &sum)
					      : address_add_index(flow, &sum, &part);
		keep_operand_inside(flow, mem, base, &start, &sum);
		if (index >= X86_XMM0)
			loosen(&start, &sum);
		if (based && mem->segment == INSN_SEG_NONE)
			apply_indexed(flow, op, &start, &sum);
	}
	return sum;
}
