// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A stack machine with values of 64 bits. Example: the linker's expression for the CFA in the PLT. An entry of the PLT
 * has 16 bytes:
 *
 *	1030: ff 25 ...		jmp  *slot(%rip)	CFA = rsp + 8
 *	1036: 68 00 00 00 00	push $0			CFA = rsp + 8
 *	103b: e9 ...		jmp  1020		CFA = rsp + 16
 *
 * One expression covers all entries: CFA = rsp + 8 + ((rip & 15) >= 11) * 8. At rip = 103b with rsp = 7ff0:
 *
 *	bytes	operation		stack, the top is at the right
 *	77 08	DW_OP_breg7 (rsp) 8	7ff8
 *	80 00	DW_OP_breg16 (rip) 0	7ff8 103b
 *	3f	DW_OP_lit15		7ff8 103b f
 *	1a	DW_OP_and		7ff8 b
 *	3b	DW_OP_lit11		7ff8 b b
 *	2a	DW_OP_ge		7ff8 1
 *	33	DW_OP_lit3		7ff8 1 3
 *	24	DW_OP_shl		7ff8 8
 *	22	DW_OP_plus		8000
 *
 * The result is the top of the stack at the end. A failure is stored in eval.result, and the operation goes on with
 * zeros. The main loop ends when it sees the failure. The first failure counts.
 *
 * Limits: division, DW_OP_addr, rotation and types are not implemented. Such an expression is garbled, and the walk
 * ends with UNWIND_BAD_RULE. Operations on variables and functions (calls, frame base) are not allowed here (DWARF 5,
 * section 6.4.2). For i386, too, values have 64 bits; the caller cuts the result and the addresses.
 */
#include "unwind/expr.h"

#include <dwarf.h>

#include "dso/frame_entries.h"

#define STACK_MAX      32
#define OPERATIONS_MAX 1024 /* limit, because a branch can go back */

struct eval {
	struct cursor c;
	const u8 *start; /* of the expression: branches must not leave it */
	const struct expr_input *input;
	u64 stack[STACK_MAX]; /* the top is at nr - 1 */
	u32 nr;
	/* the first failure; EXPR_OK: none so far */
	enum expr_result result;
};

static void fail(struct eval *e, enum expr_result why)
{
	if (e->result == EXPR_OK)
		e->result = why;
}

static void push(struct eval *e, u64 v)
{
	if (e->nr == STACK_MAX)
		fail(e, EXPR_GARBLED);
	else
		e->stack[e->nr++] = v;
}

static u64 pop(struct eval *e)
{
	if (!e->nr) {
		fail(e, EXPR_GARBLED);
		return 0;
	}
	return e->stack[--e->nr];
}

static void pick(struct eval *e, u32 depth)
{
	if (depth >= e->nr)
		fail(e, EXPR_GARBLED);
	else
		push(e, e->stack[e->nr - 1 - depth]);
}

static void push_register(struct eval *e, u64 reg, s64 offset)
{
	if (reg >= e->input->nr_regs || !(e->input->known >> reg & 1))
		fail(e, EXPR_NO_REGISTER);
	else
		push(e, e->input->regs[reg] + (u64)offset);
}

static void deref(struct eval *e, u32 size)
{
	u64 address = pop(e), v = 0;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		fail(e, EXPR_GARBLED);
	else if (e->result == EXPR_OK && !e->input->read(e->input->arg, address, size, &v))
		fail(e, EXPR_NO_MEMORY);
	push(e, v);
}

/* A shift by 64 bits or more is undefined in C. DWARF has no such limit: all bits become copies of the sign. */
static u64 shift_arithmetic(u64 v, u64 by)
{
	return (u64)((s64)v >> (by < 63 ? by : 63));
}

/*
 * Operations with two operands; @b is the top of the stack: DW_OP_minus of "7 3" is 4. Comparisons are signed (DWARF 5,
 * section 2.5.1.5).
 */
static void binary(struct eval *e, u8 op)
{
	u64 b = pop(e), a = pop(e);

	switch (op) {
	case DW_OP_and:
		return push(e, a & b);
	case DW_OP_or:
		return push(e, a | b);
	case DW_OP_xor:
		return push(e, a ^ b);
	case DW_OP_plus:
		return push(e, a + b);
	case DW_OP_minus:
		return push(e, a - b);
	case DW_OP_mul:
		return push(e, a * b);
	case DW_OP_shl:
		return push(e, b < 64 ? a << b : 0);
	case DW_OP_shr:
		return push(e, b < 64 ? a >> b : 0);
	case DW_OP_shra:
		return push(e, shift_arithmetic(a, b));
	case DW_OP_eq:
		return push(e, a == b);
	case DW_OP_ne:
		return push(e, a != b);
	case DW_OP_ge:
		return push(e, (s64)a >= (s64)b);
	case DW_OP_gt:
		return push(e, (s64)a > (s64)b);
	case DW_OP_le:
		return push(e, (s64)a <= (s64)b);
	case DW_OP_lt:
		return push(e, (s64)a < (s64)b);
	}
	fail(e, EXPR_GARBLED);
}

static void swap(struct eval *e)
{
	u64 b = pop(e), a = pop(e);

	push(e, b);
	push(e, a);
}

/* @by is relative to the byte after the operand, and may be negative. A jump to the end ends the expression. */
static void jump(struct eval *e, s16 by)
{
	s64 to = e->c.pos - e->start + by;

	if (e->c.failed || to < 0 || to > e->c.end - e->start)
		fail(e, EXPR_GARBLED);
	else
		e->c.pos = e->start + to;
}

/* DW_OP_bra: the operand is read and the condition popped even if the branch is not taken. */
static void branch(struct eval *e)
{
	s16 by = (s16)cursor_u16(&e->c);

	if (pop(e))
		jump(e, by);
}

static bool constant(struct eval *e, u8 op, u64 *v)
{
	switch (op) {
	case DW_OP_const1u:
		*v = cursor_u8(&e->c);
		return true;
	case DW_OP_const1s:
		*v = (u64)(s64)(s8)cursor_u8(&e->c);
		return true;
	case DW_OP_const2u:
		*v = cursor_u16(&e->c);
		return true;
	case DW_OP_const2s:
		*v = (u64)(s64)(s16)cursor_u16(&e->c);
		return true;
	case DW_OP_const4u:
		*v = cursor_u32(&e->c);
		return true;
	case DW_OP_const4s:
		*v = (u64)(s64)(s32)cursor_u32(&e->c);
		return true;
	case DW_OP_const8u:
	case DW_OP_const8s:
		*v = cursor_u64(&e->c);
		return true;
	case DW_OP_constu:
		*v = cursor_uleb(&e->c);
		return true;
	case DW_OP_consts:
		*v = (u64)cursor_sleb(&e->c);
		return true;
	}
	if (op < DW_OP_lit0 || op > DW_OP_lit31)
		return false;
	*v = op - DW_OP_lit0;
	return true;
}

static void stack_operation(struct eval *e, u8 op)
{
	switch (op) {
	case DW_OP_dup:
		return pick(e, 0);
	case DW_OP_over:
		return pick(e, 1);
	case DW_OP_pick:
		return pick(e, cursor_u8(&e->c));
	case DW_OP_drop:
		pop(e);
		return;
	case DW_OP_swap:
		return swap(e);
	case DW_OP_deref:
		return deref(e, e->input->word);
	case DW_OP_deref_size:
		return deref(e, cursor_u8(&e->c));
	case DW_OP_neg:
		return push(e, 0 - pop(e));
	case DW_OP_not:
		return push(e, ~pop(e));
	case DW_OP_plus_uconst:
		return push(e, pop(e) + cursor_uleb(&e->c));
	case DW_OP_bra:
		return branch(e);
	case DW_OP_skip:
		return jump(e, (s16)cursor_u16(&e->c));
	case DW_OP_nop:
		return;
	}
	binary(e, op);
}

static void operation(struct eval *e)
{
	u8 op = cursor_u8(&e->c);
	u64 v;

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(e, op - DW_OP_breg0, cursor_sleb(&e->c));
	} else if (op == DW_OP_bregx) {
		v = cursor_uleb(&e->c);
		push_register(e, v, cursor_sleb(&e->c));
	} else if (constant(e, op, &v)) {
		push(e, v);
	} else {
		stack_operation(e, op);
	}
	if (e->c.failed)
		fail(e, EXPR_GARBLED);
}

enum expr_result expr_eval(const u8 *bytes, size_t size, const struct expr_input *input,
			   const u64 *stack0, u64 *result)
{
	struct eval e;

	e.c = cursor_of(bytes, size);
	e.start = bytes;
	e.input = input;
	e.nr = 0;
	e.result = EXPR_OK;
	if (stack0)
		push(&e, *stack0);
	for (u32 i = 0; e.result == EXPR_OK && cursor_left(&e.c); i++) {
		if (i == OPERATIONS_MAX)
			fail(&e, EXPR_GARBLED);
		else
			operation(&e);
	}
	*result = pop(&e);
	return e.result;
}
