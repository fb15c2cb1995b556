// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The type of a stack slot that holds no variable: the compiler spilled a value there. If the value is known, the
 * slot has its type: a pointer to a structure, or a number of its declared type.
 *
 *	mov %rax,0x8(%rsp)	%rax: ADDRESS(struct node, 0): the slot is a struct node *
 */
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

/* The value that is stored, or the value in the slot that is read. */
static const struct value *value_of(struct flow *flow, s64 offset, const struct insn_operand *op)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	const struct insn_operand *from = &insn->operands[1]; /* the source operand */

	if (op->access != INSN_WRITE)
		return op->width < 8 ? state_narrow_slot(flow->now, offset)
				     : state_slot(flow->now, offset);
	if (insn->op != INSN_MOV || insn->nr_operands != 2 || from->kind != INSN_REG ||
	    from->high || from->reg >= flow->now->nr_regs)
		return NULL;
	return &flow->now->regs[from->reg];
}

/* The target type of a pointer with this value; NULL: there may be anything. */
static const struct type *pointee(const struct value *value)
{
	const struct type *type = type_strip(value->type);

	if (type->vtable || type->kind == TYPE_FUNCTION)
		return NULL;
	if (!value->offset || (value->stride && type->size && value->stride % type->size == 0 &&
			       value->offset % (s64)type->size == 0))
		return value->type;
	return value->stride ? NULL : layout_part(value->type, value->offset);
}

/* The variable that is in the slot after this store, by the debug information. */
static bool stored_variable(struct flow *flow, s64 offset, u16 width, struct access *out)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	const struct variable *variable;
	s64 into;

	flow->vaddr = insn->vaddr + insn->size;
	variable = operand_frame(flow, offset, width, &into);
	flow->vaddr = insn->vaddr;
	if (!variable || into || type_strip(variable->type)->size != width)
		return false;
	out->type = variable->type;
	out->offset = 0;
	out->how = variable->guessed ? ACCESS_INFERRED : ACCESS_LOCAL;
	out->why = ACCESS_WHY_NONE;
	return true;
}

bool kept_resolve(struct flow *flow, s64 offset, u16 width, const struct insn_operand *op,
		  struct access *out)
{
	const struct value *value = value_of(flow, offset, op);
	const struct type *type = NULL;
	struct value typed;

	if (op->access == INSN_WRITE && stored_variable(flow, offset, width, out))
		return true;
	if (!value)
		return false;
	if (value->kind == VALUE_NUMBER)
		type = value->type;
	else if (width == 8 && operand_as_typed(flow, value, &typed))
		type = pointee(&typed);
	if (type && value->kind != VALUE_NUMBER)
		type = type_pointer_to(type);
	if (!type || type->size != width)
		return false;
	out->type = type;
	out->offset = 0;
	out->how = value->kind == VALUE_ADDRESS && value->detail == ACCESS_INFERRED
			   ? ACCESS_INFERRED
			   : ACCESS_KEPT;
	out->why = ACCESS_WHY_NONE;
	return true;
}
