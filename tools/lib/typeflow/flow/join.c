// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The join of two states where paths meet (a phi for each register and slot that differs).
 *
 *	struct item { struct item *next; long n; };
 *	while (i) { sum += i->n; i = i->next; }		for (p = a; p != end; p++) sum += *p;
 *
 *	.L3: add 0x8(%rdi),%rax				.L5: add (%rsi),%rax
 *	     mov (%rdi),%rdi				     add $0x8,%rsi
 *	     test %rdi,%rdi				     cmp %rdx,%rsi
 *	     jne .L3					     jne .L5
 *
 *	at	from above		from the loop		joined
 *	.L3	ADDRESS(item, 0)	ADDRESS(item, 0)	equal: kept
 *	.L5	ADDRESS(long, 0)	ADDRESS(long, 8)	ADDRESS(long, 0, stride 8): a pointer that steps by 8
 *		CONST 0			ADDRESS(item, 0)	ADDRESS(item, 0): null and small numbers are no address
 *		ADDRESS(item, 0)	ADDRESS(page, 0)	a new SYMBOL, made here; its uses may tell a type (infer.c)
 */
#include <string.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_UNROLLED	 8    /* elements that one iteration of an unrolled loop takes */
#define SMALLEST_POINTER 4096 /* numbers between its negative and it are nulls and error codes */

static bool is_nothing(const struct value *v)
{
	return v->kind == VALUE_CONST && !v->stride && v->offset < SMALLEST_POINTER &&
	       v->offset > -SMALLEST_POINTER;
}

static bool may_point(const struct value *v)
{
	return value_is_address(v) || v->kind == VALUE_SYMBOL;
}

static u64 distance(s64 a, s64 b)
{
	return a > b ? (u64)a - (u64)b : (u64)b - (u64)a;
}

/*
 * The span of two joined values. In a loop a growing value is widened at once: i = 0; i++ becomes "0 or more", so
 * that no pass is spent on each number.
 */
static void join_spans(const struct flow *flow, const struct value *a, const struct value *b,
		       struct value *out)
{
	u64 apart = distance(a->offset, b->offset);
	u8 span_a = a->span, span_b;

	out->span = SPAN_ANY;
	if (!out->stride)
		return;
	if ((a->stride && span_a == SPAN_LOOSE) || (b->stride && b->span == SPAN_LOOSE)) {
		out->span = SPAN_LOOSE;
		return;
	}
	if ((a->stride && !a->span) || (b->stride && !b->span))
		return;
	if (b->offset < a->offset) {
		/* Only the first join of two exact values outside of a loop may lower the start. */
		if (flow->widen || a->stride || b->stride)
			return;
		out->offset = b->offset;
	}
	span_a = value_span_of(a, 0, out->stride);
	span_b = value_span_of(b, b->offset < a->offset ? 0 : apart, out->stride);
	if (!a->stride)
		span_a = b->offset < a->offset ? value_span_of(a, apart, out->stride) : 0;
	out->span = MAX(span_a, span_b);
	if (flow->widen && span_b > span_a)
		out->span = SPAN_UP;
}

/*
 * True if the two point to different members. False for a pointer that steps by a short distance: a later
 * displacement decides which member it means, and that is not known here.
 */
static bool is_elsewhere(const struct flow *flow, const struct type *type, const struct value *a,
			 const struct value *b)
{
	u64 apart = distance(a->offset, b->offset);
	u32 step = MAX(a->stride, b->stride);

	if (step ? apart <= (u64)step * MAX_UNROLLED : flow->widen)
		return false;
	return !layout_together(type, a->offset, b->offset);
}

/* Two offsets into one type: can they be the same place in different elements? */
static bool join_offsets(const struct flow *flow, const struct value *a, const struct value *b,
			 struct value *out)
{
	u64 apart = distance(a->offset, b->offset);
	const struct type *type = type_strip(a->type), *array, *other;

	*out = *a;
	out->stride = stride_gcd(stride_gcd(a->stride, b->stride), apart);
	join_spans(flow, a, b, out);
	if (!type->size || apart > UINT16_MAX)
		return apart == 0;
	if (apart % type->size == 0 || !type_is_compound(type))
		return true;
	if (is_elsewhere(flow, type, a, b)) {
		/* &w->near[i] and &w->far[k]: only "somewhere in w" is known. */
		out->span = SPAN_LOOSE;
		return a->stride || b->stride;
	}
	if (a->stride && apart % a->stride == 0)
		return true;
	/* A loop over a row of a matrix; the displacement adds the start of the row: see layout_fit(). */
	if (flow->widen && a->stride && apart > 1 && a->stride % apart == 0)
		return true;
	if (a->offset < 0 || b->offset < 0)
		return false;
	array = layout_array(type, (u64)a->offset);
	other = layout_array(type, (u64)b->offset);
	/* One element past the end of the array, or one before its start, counts as inside. */
	if (!array)
		array = other;
	return array && type_target(array)->size && apart % type_target(array)->size == 0;
}

/* The type of the number or pointer at @at. With a stride: its type in all elements of one array. */
static const struct type *leaf_of(const struct value *at)
{
	const struct type *array;
	u64 start, end;

	if (at->offset < 0)
		return NULL;
	if (!at->stride)
		return layout_leaf(at->type, (u64)at->offset);
	/* Whole structures in an array: the same member of each. */
	if (at->span != SPAN_LOOSE && type_is_compound(type_strip(at->type)) &&
	    at->stride == type_strip(at->type)->size && (u64)at->offset < at->stride)
		return layout_leaf(at->type, (u64)at->offset);
	array = layout_array(at->type, (u64)at->offset);
	if (at->span == SPAN_LOOSE || !array || at->stride % MAX(type_target(array)->size, 1) ||
	    type_is_compound(type_strip(type_target(array))) ||
	    (value_is_bounded(at) && !layout_together(type_strip(at->type), at->offset,
						      at->offset + (s64)at->span * at->stride)) ||
	    layout_fit(at->type, (u64)at->offset, at->stride, (u16)type_target(array)->size, &start,
		       &end) < LAYOUT_STRIDED)
		return NULL;
	return layout_leaf(at->type, (u64)at->offset);
}

/* The structure that is the first member of @part; NULL: none. */
static const struct type *inner_part(const struct type *part)
{
	u32 at = 0;
	const struct member *m = type_member_at(type_strip(part), 0, &at);

	return m && !m->offset && m->type->size && type_is_compound(type_strip(m->type)) ? m->type
											 : NULL;
}

/* The largest structure that begins at both places. One of them may lie in a larger structure. */
static const struct type *common_part(const struct value *a, const struct value *b)
{
	const struct type *of_b = layout_part(b->type, b->offset);

	for (const struct type *part = layout_part(a->type, a->offset); part;
	     part = inner_part(part))
		for (const struct type *other = of_b; other; other = inner_part(other))
			if (layout_same(part, other))
				return part;
	return NULL;
}

/*
 * Members of different structures that have the same type: a "struct node **link" may point to either.
 *
 *	link = &tree->root;			lea 8(%rdi),%rax
 *	while (*link)
 *		link = &(*link)->child[k];	lea 0x10(%rdx,%rcx,8),%rax
 */
static bool join_leaves(const struct value *a, const struct value *b, struct value *out)
{
	const struct type *of_a = leaf_of(a), *of_b = leaf_of(b), *part = NULL;
	bool steps = a->stride || b->stride;

	if (!of_a || !of_b || !layout_same(of_a, of_b) || (steps && of_a->kind != TYPE_POINTER))
		return false;
	if (!steps)
		part = common_part(a, b);
	/*
	 * At the start of a structure a pointer is to the structure, not to the number that the structure begins
	 * with.
	 */
	if (!part && of_a->kind != TYPE_POINTER &&
	    (layout_part(a->type, a->offset) || layout_part(b->type, b->offset)))
		return false;
	out->type = part ? part : of_a;
	out->offset = 0;
	out->stride = 0;
	out->span = SPAN_ANY;
	return true;
}

static bool join_addresses(const struct flow *flow, const struct value *a, const struct value *b,
			   struct value *out)
{
	s64 apart;

	*out = *a;
	out->detail = how_weaker(a->detail, b->detail);
	if (layout_same(a->type, b->type)) {
		u8 how = out->detail;
		bool same = join_offsets(flow, a, b, out);

		out->detail = how;
		return same || join_leaves(a, b, out);
	}
	if (a->stride || b->stride)
		return join_leaves(a, b, out);
	/* One path has the member, the other the same member inside of the structure around it. */
	if (!__builtin_sub_overflow(a->offset, b->offset, &apart) &&
	    layout_contains(a->type, apart, b->type)) {
		out->type = b->type;
		out->offset = b->offset;
		return true;
	}
	if (!__builtin_sub_overflow(b->offset, a->offset, &apart) &&
	    layout_contains(b->type, apart, a->type))
		return true;
	return join_leaves(a, b, out);
}

static bool join_numbers(const struct flow *flow, const struct value *a, const struct value *b,
			 struct value *out)
{
	*out = *a;
	out->stride = stride_gcd(stride_gcd(a->stride, b->stride), distance(a->offset, b->offset));
	if (!out->stride && distance(a->offset, b->offset))
		out->stride = 1;
	join_spans(flow, a, b, out);
	if (a->kind != b->kind)
		out->kind = VALUE_NUMBER;
	if (a->maker != b->maker)
		out->maker = 0;
	if (out->type && (!b->type || !layout_same(a->type, b->type)))
		out->type = NULL;
	return true;
}

static bool is_number(const struct value *v)
{
	return v->kind == VALUE_CONST || v->kind == VALUE_NUMBER;
}

/* Two addresses of the same kind: in one variable, or in two variables of one type. */
static bool join_places(struct flow *flow, const struct value *a, const struct value *b,
			struct value *out)
{
	struct value of_a, of_b;

	if (operand_as_typed(flow, a, &of_a) && operand_as_typed(flow, b, &of_b) &&
	    (u64)a->offset - (u64)of_a.offset != (u64)b->offset - (u64)of_b.offset)
		return join_addresses(flow, &of_a, &of_b, out);
	out->stride = stride_gcd(stride_gcd(a->stride, b->stride), distance(a->offset, b->offset));
	join_spans(flow, a, b, out);
	if (operand_as_typed(flow, a, &of_a) && operand_as_typed(flow, b, &of_b) &&
	    type_is_compound(type_strip(of_a.type)) &&
	    is_elsewhere(flow, type_strip(of_a.type), &of_a, &of_b))
		out->span = SPAN_LOOSE;
	return out->stride != 0;
}

static bool try_join(struct flow *flow, const struct value *a, const struct value *b,
		     struct value *out)
{
	struct value typed;

	*out = *a;
	if (value_equal(a, b))
		return true;
	if (is_nothing(b) && may_point(a))
		return true;
	if (is_nothing(a) && may_point(b)) {
		*out = *b;
		return true;
	}
	if (is_number(a) && is_number(b))
		return join_numbers(flow, a, b, out);
	if (a->kind == VALUE_ADDRESS && b->kind == VALUE_ADDRESS)
		return join_addresses(flow, a, b, out);
	if (a->kind == b->kind && value_is_address(a))
		return join_places(flow, a, b, out);
	if (a->kind == VALUE_ADDRESS && operand_as_typed(flow, b, &typed))
		return join_addresses(flow, a, &typed, out);
	if (b->kind == VALUE_ADDRESS && operand_as_typed(flow, a, &typed))
		return join_addresses(flow, &typed, b, out);
	if (a->kind == VALUE_SYMBOL && b->kind == VALUE_SYMBOL && a->maker == b->maker &&
	    a->maker) {
		out->stride = stride_gcd(stride_gcd(a->stride, b->stride),
					 distance(a->offset, b->offset));
		join_spans(flow, a, b, out);
		return true;
	}
	return false;
}

/* A value that this join made in an earlier pass is kept. */
static bool is_made_by(const struct value *a, u32 maker)
{
	return a->maker == maker && maker &&
	       (a->kind == VALUE_SYMBOL ||
		(a->kind == VALUE_ADDRESS && a->detail == ACCESS_INFERRED));
}

struct value join_values(struct flow *flow, const struct value *a, const struct value *b, u32 maker)
{
	struct value out;

	if (a->kind == VALUE_NONE)
		return *b;
	if (b->kind == VALUE_NONE)
		return *a;
	if (is_made_by(a, maker))
		return *a;
	if (try_join(flow, a, b, &out)) {
		if (!value_equal(a, &out) && out.kind != VALUE_SYMBOL && maker)
			out.maker = maker;
		return out;
	}
	out = value_symbol(a->kind == VALUE_SYMBOL && a->detail ? a->detail : ACCESS_MERGED, maker);
	if (maker)
		infer_apply(flow->infer, &out);
	return out;
}

/* The frame pointer is lost where the frame ends: nobody stores by it then. */
static bool is_frame_pointer(u8 reg, const struct value *value)
{
	return reg == X86_RSP || (reg == X86_RBP && value->offset == -16);
}

/*
 * The slots of @state, from slot @first on, with addresses in the frame that are not in @other, or that the join forgets. The slots
 * before @first are the same in both.
 */
static void escape_slots(struct flow *flow, struct state *state, const struct state *other,
			 u32 first)
{
	u32 at = first;

	for (u32 i = first; i < state->nr_slots; i++) {
		const struct stack_slot *slot = &state->slots[i];
		const struct value *value = &slot->value, *met = NULL;
		struct value joined;

		if (value->kind != VALUE_STACK)
			continue;
		while (at < other->nr_slots && other->slots[at].offset < slot->offset)
			at++;
		if (at < other->nr_slots && other->slots[at].offset == slot->offset &&
		    !slot_is_narrow(&other->slots[at]))
			met = &other->slots[at].value;
		if (met && value_identical(value, met))
			continue;
		if (!met || !try_join(flow, value, met, &joined) || joined.kind != VALUE_STACK)
			escape_within(flow, state, value);
	}
}

/* By bits: the registers whose values are not equal byte for byte. Most are, where two paths meet. */
static u64 find_differing(const struct state *a, const struct state *b)
{
	u64 regs = 0;

	for (u32 reg = 0; reg < a->nr_regs; reg++)
		if (!value_identical(&a->regs[reg], &b->regs[reg]))
			regs |= (u64)1 << reg;
	return regs;
}

/* The number of slots at the start that are the same in both. */
static u32 slots_alike(const struct state *a, const struct state *b)
{
	u32 nr = MIN(a->nr_slots, b->nr_slots), same = 0;

	if (a->nr_slots == b->nr_slots &&
	    (!nr || !memcmp(a->slots, b->slots, nr * sizeof(*a->slots))))
		return nr;
	while (same < nr && !memcmp(&a->slots[same], &b->slots[same], sizeof(*a->slots)))
		same++;
	return same;
}

/* Records in both states what escapes: of the registers that are @differing, and of the slots from @first on. */
static void escape_lost(struct flow *flow, struct state *to, struct state *from, u64 differing,
			u32 first)
{
	for (; differing; differing &= differing - 1) {
		u8 reg = (u8)__builtin_ctzll(differing);
		const struct value *a = &to->regs[reg], *b = &from->regs[reg];
		struct value joined;

		if ((a->kind != VALUE_STACK && b->kind != VALUE_STACK) || value_equal(a, b) ||
		    (try_join(flow, a, b, &joined) && joined.kind == VALUE_STACK))
			continue;
		if (!is_frame_pointer(reg, a))
			escape_within(flow, to, a);
		if (!is_frame_pointer(reg, b))
			escape_within(flow, from, b);
	}
	escape_slots(flow, to, from, first);
	escape_slots(flow, from, to, first);
}

/* The slots before @first are the same. */
static bool join_slots(struct flow *flow, struct state *to, const struct state *from, u32 first)
{
	u32 kept = first, at = first;
	bool changed = false;

	for (u32 i = first; i < to->nr_slots; i++) {
		struct stack_slot *slot = &to->slots[i];
		struct value joined;

		while (at < from->nr_slots && from->slots[at].offset < slot->offset)
			at++;
		if (at == from->nr_slots || from->slots[at].offset != slot->offset) {
			changed = true;
			continue;
		}
		if (value_identical(&slot->value, &from->slots[at].value)) {
			to->slots[kept++] = *slot;
			continue;
		}
		if (!try_join(flow, &slot->value, &from->slots[at].value, &joined) ||
		    slot_is_narrow(slot) != slot_is_narrow(&from->slots[at]) ||
		    (slot_is_narrow(slot) && !joined.type)) {
			lost_add(flow, slot->offset);
			changed = true;
			continue;
		}
		if (!value_equal(&joined, &slot->value)) {
			slot->value = joined;
			changed = true;
		}
		to->slots[kept++] = *slot;
	}
	to->nr_slots = kept;
	return changed;
}

bool join_block(struct flow *flow, u32 block, struct state *from)
{
	struct state *to = flow->in[block];
	bool changed;
	u64 escaped, differing;
	u32 first;

	if (!to) {
		flow->in[block] = state_keep(&flow->pool, from);
		return true;
	}
	differing = find_differing(to, from);
	escaped = to->escaped;
	first = slots_alike(to, from);
	escape_lost(flow, to, from, differing, first);
	to->escaped |= from->escaped;
	changed = to->escaped != escaped;
	for (; differing; differing &= differing - 1) {
		u8 reg = (u8)__builtin_ctzll(differing);
		u32 maker = maker_join(flow->infer, block, reg);
		struct value joined;

		if (is_made_by(&to->regs[reg], maker))
			continue;
		joined = join_values(flow, &to->regs[reg], &from->regs[reg], maker);
		if (!value_equal(&joined, &to->regs[reg])) {
			to->regs[reg] = joined;
			changed = true;
		}
	}
	return join_slots(flow, to, from, first) || changed;
}
