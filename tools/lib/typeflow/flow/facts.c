// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the debug information says of a register at an instruction (code_facts.h), and what the analysis already knows
 * of it: which of the two counts.
 */
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define LEAST_ADDRESS 4096 /* no object lies below */

static bool is_fixed_address(const struct value *v)
{
	return v->kind == VALUE_STACK || v->kind == VALUE_GLOBAL || v->kind == VALUE_TLS ||
	       v->kind == VALUE_PERCPU || v->kind == VALUE_TLS_GAP;
}

/* A variable says "pointer to a number or a part", and the known value already points to the structure around it. */
static bool knows_more(const struct value *known, const struct value *said)
{
	const struct type *said_type = type_strip(said->type);

	if (known->kind != VALUE_ADDRESS)
		return false;
	if (!type_is_compound(said_type))
		return type_is_compound(type_strip(known->type)) &&
		       (known->stride || known->offset < 0 ||
			layout_contains(known->type, known->offset, said_type));
	return known->detail != ACCESS_INFERRED && !known->stride &&
	       !layout_same(known->type, said->type) &&
	       layout_contains(known->type, known->offset, said->type);
}

/*
 * A pointer variable to memory of the frame that has no variable of its own: memory from alloca(), or an array whose
 * size is known only at run time. If the stack pointer was moved by an unknown distance, nothing else lies there;
 * otherwise the type is taken for one object only.
 */
static bool is_nameless_place(struct flow *flow, const struct code_fact *fact,
			      const struct value *known)
{
	s64 into;

	return known->kind == VALUE_STACK && fact->reg != X86_RSP && fact->reg != X86_RBP &&
	       fact->value.kind == VALUE_ADDRESS && !fact->value.offset &&
	       (type_is_compound(type_strip(fact->value.type)) || fact->weak) &&
	       (known->stride || !operand_frame(flow, known->offset, 1, &into));
}

/* Null, or a number that the code counts up from null, by a constant: no pointer, whatever is said of it. */
static bool is_index(const struct value *known)
{
	return known->kind == VALUE_CONST && known->offset >= 0 && known->offset < LEAST_ADDRESS &&
	       (!known->stride || known->span != SPAN_ANY || !known->offset);
}

/*
 * LLVM moves a loop's pointer to the member that the loop reads, and still says that the old pointer is in the
 * register:
 *
 *	fields.iter().map(|f| f.id)	%rax: ADDRESS(Field, 24, stride 32); "iter.ptr is in %rax"
 */
static bool is_between(const struct flow *flow, const struct value *known, const struct value *said)
{
	s64 size = (s64)type_strip(said->type)->size;

	/* In C an exact distance may lead to another object of the type, in the space behind a header. */
	return known->kind == VALUE_ADDRESS && known->detail != ACCESS_INFERRED && size &&
	       (known->stride || (flow->proto && flow->proto->no_casts)) &&
	       known->stride % size == 0 && layout_same(known->type, said->type) &&
	       (known->offset - said->offset) % size;
}

static void apply_fact(struct flow *flow, const struct code_fact *fact)
{
	struct value *known, value = fact->value;

	if (fact->reg >= STATE_REGS)
		return;
	known = &flow->now->regs[fact->reg];
	if (fact->untracked && known->kind != VALUE_SYMBOL && known->kind != VALUE_NONE)
		return;
	if (fact->other) {
		/* Go's compiler gives the variables of all cases of a type switch the register of the interface's value. */
		if (flow->answering && !flow->facts->vars->go && known->kind == VALUE_ADDRESS &&
		    known->detail == ACCESS_FLOW)
			infer_other(flow->infer, known, &value);
		return;
	}
	if (fact->beside) {
		infer_beside(flow->infer, known, &value);
		return;
	}
	if (is_fixed_address(known)) {
		if (is_nameless_place(flow, fact, known)) {
			bool apart = known->stride || known->offset > STATE_REALIGNED / 2;

			value.maker = apart ? known->maker : 0;
			*known = value;
		}
		return;
	}
	if (value.kind == VALUE_NUMBER) {
		if (known->kind == VALUE_SYMBOL && !known->offset && !known->stride) {
			value.maker = known->maker;
			*known = value;
		}
		if (known->kind == VALUE_NUMBER && !known->type)
			known->type = value.type;
		return;
	}
	if (fact->weak && known->kind != VALUE_SYMBOL && known->kind != VALUE_NONE)
		return;
	if (knows_more(known, &value))
		return;
	if (is_index(known) || is_between(flow, known, &value))
		return;
	if (flow->noting)
		infer_use(flow->infer, known, value.type, value.offset, USE_VARIABLE);
	/* A pointer that a loop moves, whose target type the debug information states: keep the stride. */
	if (known->kind == VALUE_ADDRESS && known->stride && value.type->size &&
	    known->stride % value.type->size == 0 && layout_same(known->type, value.type))
		value.stride = known->stride;
	value.maker = known->maker;
	/* The type from another variable may hold on its path only. */
	if (flow->answering && known->kind == VALUE_ADDRESS && known->detail != ACCESS_INFERRED &&
	    known->detail != ACCESS_VARIABLE)
		infer_second(flow->infer, &value, known);
	*known = value;
}

/* The facts of the blocks that are walked follow on each other, so flow->fact is at this instruction or behind it. */
void facts_step(struct flow *flow)
{
	const struct code_facts *facts = flow->facts;

	for (; flow->fact < facts->nr; flow->fact++) {
		const struct code_fact *fact = &facts->facts[flow->fact];

		if (fact->insn != flow->insn)
			return;
		apply_fact(flow, fact);
	}
}
