// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The transfer function: how one instruction changes the state (the values of registers and stack slots).
 *
 *	struct node { long key; struct node *kid[2]; };
 *
 *	instruction		value of what it writes
 *	mov  %rdi,%rbx		%rbx: ADDRESS(struct node, 0): a copy keeps value and maker
 *	add  $0x8,%rbx		%rbx: ADDRESS(struct node, 8)
 *	mov  (%rbx),%rax	%rax: ADDRESS(struct node, 0): offset 8 holds a struct node * (load.c)
 *	mov  $3,%ecx		%rcx: CONST 3
 *	push %rax		slot CFA-16: the value of %rax
 *	rdtsc			%rax, %rdx: unknown, for there is no rule
 *
 * An instruction without a rule sets everything that it writes to unknown. So no stale value survives it.
 *
 * A whole function, from gcc -O2. SYM(r) is a SYMBOL whose maker is register r at the entry:
 *
 *	int walk(struct node *n) { int s = 0; while (n) { s += step(n); n = n->next; } return s; }
 *
 *	instruction		changes of the state
 *	at the entry		%rsp: STACK CFA-8; %rdi: ADDRESS(struct node, 0) by a fact; all others: SYM(r)
 *	push %rbp		%rsp: STACK CFA-16; slot CFA-16: SYM(rbp)
 *	push %rbx		%rsp: STACK CFA-24; slot CFA-24: SYM(rbx)
 *	sub  $0x8,%rsp		%rsp: STACK CFA-32
 *	test %rdi,%rdi		none: flags are not part of the state
 *	je   30
 *	mov  %rdi,%rbx		%rbx: ADDRESS(struct node, 0)
 *	xor  %ebp,%ebp		%rbp: CONST 0
 *  10:	mov  %rbx,%rdi
 *	call step		%rdi, %rsi, %rcx ...: unknown (CLOBBERED); %rax: NUMBER(int); %rbx, %rbp stay
 *	mov  0x8(%rbx),%rbx	%rbx: ADDRESS(struct node, 0), made here
 *	add  %eax,%ebp		%rbp: NUMBER
 *	test %rbx,%rbx
 *	jne  10			the join at 10: %rbx equal but for its maker, %rbp: NUMBER
 *	add  $0x8,%rsp		%rsp: STACK CFA-24
 *	mov  %ebp,%eax
 *	pop  %rbx		%rbx: SYM(rbx), from the slot; %rsp: STACK CFA-16
 *	pop  %rbp		%rbp: SYM(rbp); %rsp: STACK CFA-8
 *
 * Besides, in the last walk of a round (flow.noting), some rules record uses of values, from which infer.c infers
 * types: stores into pointer members, comparisons, arguments, returned values.
 *
 * Limits. A condition tells nothing: behind `je`, %rdi may still be null. Only the frame's memory is followed: a value
 * that is stored to the heap and loaded again has the type of the member. Of a vector register, only the lowest eight
 * bytes are followed. The direction flag is taken for clear, as the ABI demands at calls.
 */
#include <string.h>

#include "typeflow/flow/address.h"
#include "typeflow/flow/compute.h"
#include "typeflow/layout/layout.h"

/*
 * The value that an operand gives; @nth: the instruction's maker for a new value.
 *
 *	%rbx				the register's value; of %ebx, %bl: narrowed
 *	$0x404060 in a mov		GLOBAL 0x404060, if the code is not position-independent and data lies there
 *	lea 8(%rbx)			the address itself
 *	mov %fs:0			an address: the thread pointer, as the ABI stores it at its own start
 *	mov 8(%rbx)			what load.c finds there
 */
static struct value read_operand(struct flow *flow, const struct insn *insn,
				 const struct insn_operand *op, u32 nth)
{
	struct value address, value;

	switch (op->kind) {
	case INSN_REG:
		if (op->reg >= STATE_REGS || op->high)
			return value_number(NULL, here(flow, nth));
		return compute_narrow(flow, &flow->now->regs[op->reg], op->width,
				      insn->extends == INSN_EXTEND_SIGN);
	case INSN_IMM:
		if (op->width >= 4 && address_is_place(flow, op->imm) && insn->op == INSN_MOV)
			return address_plain(flow, op->imm);
		return value_const(op->imm, here(flow, nth));
	default:
		if (insn->op == INSN_LEA)
			return transfer_address(flow, insn, op);
		if (op->mem.segment == INSN_SEG_FS && flow->of_go &&
		    go_goroutine_slot(flow, &op->mem))
			return transfer_typed(flow, go_goroutine_slot(flow, &op->mem), 0, op->width,
					      ACCESS_TLS, here(flow, nth));
		address = transfer_address(flow, insn, op);
		if (op->mem.segment == INSN_SEG_FS && address.kind == VALUE_TLS &&
		    !address.stride && address.offset == data_image_tls_base(flow->object->image)) {
			value = address;
			value.maker = here(flow, nth);
			value.detail = ACCESS_TLS;
			return value;
		}
		return transfer_load(flow, &address, op->width, here(flow, nth));
	}
}

/* A store into a member declared as a pointer: the stored value has that pointer type. */
static void note_store(struct flow *flow, const struct value *address, u16 width,
		       const struct value *value)
{
	const struct insn *insn = &flow->cfg->insns[flow->insn];
	struct access access = { 0 };
	struct value typed;

	if (!flow->noting || width != 8 ||
	    value_is_address(value) != (value->kind == VALUE_ADDRESS))
		return;
	/* The debug information says that a spilled variable is in its slot only from the next instruction on. */
	flow->vaddr = insn->vaddr + insn->size;
	operand_resolve(flow, address, width, NULL, &access);
	flow->vaddr = insn->vaddr;
	if (!access.type || access.offset < 0 || access.how == ACCESS_INFERRED)
		return;
	typed = transfer_typed(flow, access.type, (u64)access.offset, width, ACCESS_FLOW, 0);
	if (typed.kind == VALUE_ADDRESS) {
		infer_use(flow->infer, value, typed.type, 0, USE_STORED);
		infer_cursor_stored(flow->infer, address, &access, value);
	}
	if (typed.detail == ACCESS_AMBIGUOUS && value->kind == VALUE_SYMBOL && !value->offset &&
	    !value->stride)
		infer_choice(flow->infer, value->maker, access.type, (u64)access.offset);
}

/* An index means an element of the variable at @address, or of an array whose start or end is close. */
static void drop_indexed(struct flow *flow, const struct value *address)
{
	for (s64 n = -1; n <= 1; n++) {
		s64 at = address->offset + n * address->stride, into;
		const struct variable *variable = operand_frame(flow, at, 1, &into);

		if (variable && (!n || type_strip(variable->type)->kind == TYPE_ARRAY))
			state_drop_slots(flow->now, at - into, variable->type->size);
	}
}

/*
 * A store through a pointer of another source. It may be to memory of the frame whose address escaped. A pointer to a
 * structure is to the whole of it, so it is not to a smaller variable.
 */
static void store_elsewhere(struct flow *flow, const struct value *address, u16 width,
			    const struct value *value)
{
	const struct type *type = address->kind == VALUE_ADDRESS ? type_strip(address->type) : NULL;

	escape_address(flow, value, 0);
	if (width >= 8 && (type || address->kind == VALUE_SYMBOL))
		escape_drop(flow, type && type_is_compound(type) ? type->size : 0, true);
}

/*
 * A store into the frame changes its slots.
 *
 *	mov  %rax,8(%rsp)		sets the slot
 *	mov  %ecx,8(%rsp)		an int in %ecx: sets a narrow slot; else removes what was there
 *	movb $1,8(%rsp,%rcx)		removes all slots of the variable (array) around it; without a variable: none
 *	xsave (%rsp)			width 0, not known: removes 4096 bytes
 *
 * A store of eight bytes through another pointer removes the slots of escaped memory (calls.c).
 */
static void store(struct flow *flow, const struct value *address, u16 width,
		  const struct value *value)
{
	note_store(flow, address, width, value);
	if (address->kind != VALUE_STACK) {
		store_elsewhere(flow, address, width, value);
		return;
	}
	if (address->stride) {
		drop_indexed(flow, address);
		return;
	}
	if (width > 8 || width == 0)
		state_drop_slots(flow->now, address->offset, width ? width : 4096);
	if (escape_has(flow, address->offset))
		escape_address(flow, value, 0);
	if (width >= 8 && value->kind != VALUE_NONE)
		state_set_slot(flow->now, address->offset, value);
	else if (value->kind == VALUE_NUMBER && value->type && value->type->size == width)
		state_set_narrow_slot(flow->now, address->offset, value);
	else
		state_drop_slots(flow->now, address->offset, width);
}

/*
 * Writing %eax clears the upper half, so the value is narrowed. Writing %ax, %al or %ah keeps the other bytes, so the
 * whole register is a number of which nothing is known.
 */
static void write_operand(struct flow *flow, const struct insn *insn, const struct insn_operand *op,
			  const struct value *value, const struct value *address)
{
	if (op->kind == INSN_MEM) {
		store(flow, address, op->width, value);
	} else if (op->kind == INSN_REG && op->reg < STATE_REGS) {
		bool part = op->high || (op->reg < X86_XMM0 && op->width < 4);
		struct value kept = part ? value_number(NULL, here(flow, 0)) : *value;

		if (!part && op->reg < X86_XMM0)
			kept = compute_narrow(flow, value, op->width, false);
		transfer_set(flow, op->reg, kept);
	}
}

/* to = to op from; imul also has a form with three operands. */
static void arithmetic(struct flow *flow, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0];
	struct value address = { 0 }, a, b, result;
	struct value one = value_const(insn->op == INSN_DEC ? -1 : 1, here(flow, 1));
	u32 last = insn->nr_operands - 1;

	if (to->kind == INSN_MEM)
		address = transfer_address(flow, insn, to);
	if (insn->zero) {
		result = value_const(0, here(flow, 0));
	} else if (insn->op == INSN_INC || insn->op == INSN_DEC) {
		a = read_operand(flow, insn, to, 0);
		result = value_add(&a, &one, here(flow, 0));
	} else {
		u32 first = insn->op == INSN_MUL && insn->nr_operands == 3 ? 1 : 0;

		a = read_operand(flow, insn, &insn->operands[first], 0);
		b = read_operand(flow, insn, &insn->operands[last], 1);
		/* index + immediate: if the immediate can be a variable's address, it is the base. */
		if (insn->op == INSN_ADD && insn->operands[last].kind == INSN_IMM &&
		    to->width >= 4 && (a.kind == VALUE_NUMBER || a.kind == VALUE_CONST) &&
		    address_is_place(flow, b.offset))
			b = address_plain(flow, b.offset);
		result = compute(flow, insn->op, &a, &b);
	}
	write_operand(flow, insn, to, &result, &address);
}

static void move(struct flow *flow, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0];
	struct value address = { 0 }, value;

	if (insn->nr_operands < 2)
		return;
	if (insn->nr_operands > 2 && insn->op == INSN_MOV) {
		/* Vector moves that mask or merge. */
		value = value_number(NULL, here(flow, 0));
		if (to->kind == INSN_MEM)
			address = transfer_address(flow, insn, to);
		write_operand(flow, insn, to, &value, &address);
		return;
	}
	value = read_operand(flow, insn, &insn->operands[1], 0);
	if (to->kind == INSN_MEM)
		address = transfer_address(flow, insn, to);
	write_operand(flow, insn, to, &value, &address);
}

/*
 * A join without a branch: cmove %rsi,%rdi keeps %rdi or takes %rsi. Its maker is the instruction, as that of a phi
 * is its block.
 */
static void conditional_move(struct flow *flow, const struct insn *insn)
{
	struct value a, b, result;

	if (insn->nr_operands < 2)
		return;
	a = read_operand(flow, insn, &insn->operands[0], 1);
	b = read_operand(flow, insn, &insn->operands[1], 1);
	result = join_values(flow, &a, &b, here(flow, 0));
	if (result.kind != VALUE_STACK) {
		escape_address(flow, &a, 0);
		escape_address(flow, &b, 0);
	}
	if (flow->noting && result.kind == VALUE_SYMBOL && result.maker == here(flow, 0)) {
		infer_source(flow->infer, here(flow, 0), &a);
		infer_source(flow->infer, here(flow, 0), &b);
	}
	write_operand(flow, insn, &insn->operands[0], &result, NULL);
}

/* xchg, xadd, cmpxchg: memory and a register exchange values. */
static void exchange(struct flow *flow, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0], *with = &insn->operands[1];
	struct value address = { 0 }, old, new;

	if (insn->nr_operands < 2)
		return;
	if (to->kind != INSN_MEM && with->kind == INSN_MEM) {
		to = &insn->operands[1];
		with = &insn->operands[0];
	}
	if (to->kind == INSN_MEM)
		address = transfer_address(flow, insn, to);
	old = read_operand(flow, insn, to, 1);
	new = read_operand(flow, insn, with, 0);
	if (insn->op == INSN_CMPXCHG) {
		/*
		 * Either the accumulator held the expected value, and the new one is stored, or it is loaded from
		 * memory.
		 */
		note_store(flow, &address, to->width, &new);
		new = join_values(flow, &old, &new, 0);
		write_operand(flow, insn, to, &new, &address);
		transfer_set(flow, X86_RAX, old);
		return;
	}
	if (insn->op == INSN_XADD)
		new = value_add(&old, &new, here(flow, 0));
	write_operand(flow, insn, to, &new, &address);
	write_operand(flow, insn, with, &old, &address);
}

/*
 * A decoded push or pop has one operand that is written in the code, and last an implicit one for the memory at %rsp.
 * pushf has only the latter.
 */
static void push(struct flow *flow, const struct insn *insn)
{
	struct value *rsp = &flow->now->regs[X86_RSP];
	struct value value = value_number(NULL, here(flow, 0)), address;
	u16 width = insn->operands[insn->nr_operands - 1].width;

	if (insn->nr_operands > 1)
		value = read_operand(flow, insn, &insn->operands[0], 0);
	rsp->offset -= width;
	address = *rsp;
	store(flow, &address, width, &value);
}

static void pop(struct flow *flow, const struct insn *insn)
{
	struct value *rsp = &flow->now->regs[X86_RSP];
	struct value address = *rsp, value;
	u16 width = insn->operands[insn->nr_operands - 1].width;

	value = transfer_load(flow, &address, width, here(flow, 0));
	rsp->offset += width;
	if (insn->nr_operands > 1) {
		struct value to = { 0 };

		if (insn->operands[0].kind == INSN_MEM)
			to = transfer_address(flow, insn, &insn->operands[0]);
		write_operand(flow, insn, &insn->operands[0], &value, &to);
	}
}

static void leave(struct flow *flow)
{
	struct value *regs = flow->now->regs;
	struct value address = regs[X86_RBP];

	regs[X86_RSP] = address;
	regs[X86_RSP].offset += 8;
	transfer_set(flow, X86_RBP, transfer_load(flow, &address, 8, here(flow, 0)));
}

/*
 * A string instruction moves its pointers by the size of the elements.
 *
 *	stosq				%rdi + 8
 *	mov $4,%ecx; rep stosq		%rdi + 32: movs and stos end only when %rcx is 0
 *	rep stosq, %rcx not known	%rdi + n * 8
 *	repne scasb			%rdi + n * 1: may end before, at an equal byte
 */
static void string_step(struct flow *flow, const struct insn *insn)
{
	static const u8 pointers[] = { X86_RDI, X86_RSI };
	const struct value *count = &flow->now->regs[X86_RCX];
	bool whole = false; /* it ends only when the count is 0 */
	s64 steps;
	u16 width = 1;

	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM) {
			width = insn->operands[i].width;
			whole |= (insn->operands[i].access & INSN_WRITE) != 0;
		}
	whole &= count->kind == VALUE_CONST && !count->stride &&
		 !__builtin_mul_overflow(count->offset, (s64)width, &steps);
	for (u32 i = 0; i < ARRAY_SIZE(pointers); i++) {
		struct value *value = &flow->now->regs[pointers[i]];
		struct value step = value_const(width, 0);

		if (!insn_writes(insn, pointers[i]))
			continue;
		if (insn->rep && whole) {
			step = value_const(steps, 0);
		} else if (insn->rep) {
			step = value_number(NULL, 0);
			step.stride = width;
		}
		*value = value_add(value, &step, here(flow, 0));
	}
	/* A comparison may end before the count is 0. */
	if (insn->rep)
		transfer_set(flow, X86_RCX,
			     insn_writes(insn, X86_RFLAGS) ? value_number(NULL, here(flow, 1))
							   : value_const(0, here(flow, 1)));
	if (insn_writes(insn, X86_RAX))
		transfer_set(flow, X86_RAX, value_number(NULL, here(flow, 0)));
}

/*
 * Moves of parts of vector registers. Only the lowest eight bytes of a vector register are tracked.
 *
 *	movq      %rax,%xmm0		lane 0 from operand 1, lane 1 is 0
 *	punpcklqdq %xmm1,%xmm0		lane 0 stays
 *	movhlps   %xmm1,%xmm0		lane 0 from the upper lane of %xmm1: not known
 *	movddup   8(%rdi),%xmm0		lane 0 from memory
 */
static void lanes(struct flow *flow, const struct insn *insn)
{
	const struct insn_operand *to = &insn->operands[0], *from;
	struct value value = value_number(NULL, here(flow, 0)), address = { 0 };
	u8 lane = insn->lanes[0];

	if (to->kind == INSN_MEM)
		address = transfer_address(flow, insn, to);
	if (lane == INSN_LANE_ZERO) {
		value = value_const(0, here(flow, 0));
	} else if (lane != INSN_LANE_UNKNOWN && INSN_LANE_OPERAND(lane) < insn->nr_operands) {
		from = &insn->operands[INSN_LANE_OPERAND(lane)];
		if (from->kind == INSN_MEM) {
			struct value at = transfer_address(flow, insn, from);

			at.offset += 8 * INSN_LANE_NR(lane);
			value = transfer_load(flow, &at, 8, here(flow, 0));
		} else if (from->kind == INSN_REG && INSN_LANE_NR(lane) == 0) {
			value = read_operand(flow, insn, from, 0);
		}
	}
	write_operand(flow, insn, to, &value, &address);
}

/*
 * @other is compared with a pointer into a known object. Inside of the object, only the innermost structure there is
 * recorded: if a list_head in a node is compared, the other pointer may be to a list_head that is in no node.
 */
static void note_equal(struct flow *flow, const struct value *known, const struct value *other)
{
	const struct type *part = NULL;

	if (known->kind == VALUE_ADDRESS && !known->stride)
		part = layout_least(known->type, known->offset);
	if (part)
		infer_use(flow->infer, other, part, 0, USE_ARGUMENT);
}

/* Two pointers that are compared have the same target type. */
static void note_compare(struct flow *flow, const struct insn *insn)
{
	struct value a, b;

	if (!flow->noting || insn->op != INSN_CMP || insn->nr_operands < 2 ||
	    insn->operands[0].width != 8 || insn->operands[1].kind == INSN_IMM)
		return;
	a = read_operand(flow, insn, &insn->operands[0], 0);
	b = read_operand(flow, insn, &insn->operands[1], 1);
	note_equal(flow, &a, &b);
	note_equal(flow, &b, &a);
}

/* The returned value has the function's return type. */
static void note_return(struct flow *flow)
{
	const struct func_vars *vars = flow->facts->vars;
	const struct type *type = vars ? type_strip(vars->returns) : NULL;

	if (flow->of_go)
		go_note_results(flow);
	if (flow->noting && type && type->kind == TYPE_POINTER)
		infer_use(flow->infer, &flow->now->regs[X86_RAX], type_target(type), 0, USE_STORED);
}

/*
 * Kernels with mitigations return by a jump: to __x86_return_thunk, or to what it was patched to at boot. With DWARF,
 * the function's variables say more than its result.
 */
static bool returns_by_thunk(const struct flow *flow, const struct insn *insn)
{
	const struct func_vars *vars = flow->facts->vars;
	const char *name = vars && vars->by_btf && insn->flow == INSN_JUMP && insn->target
				   ? callee_itself(flow->object, insn->target)->name
				   : NULL;

	return name && g_str_has_suffix(name, "return_thunk");
}

/* Sets written registers without a rule to unknown. Only rules change the stack pointer. */
static void forget_written(struct flow *flow, const struct insn *insn)
{
	u64 written = insn->writes[0] & (((u64)1 << STATE_REGS) - 1);

	written &= ~((u64)1 << X86_RIP);
	if (insn->stack_op)
		written &= ~((u64)1 << X86_RSP);
	for (u8 reg = 0; written; reg++, written >>= 1)
		if (written & 1)
			transfer_set(flow, reg, value_symbol(ACCESS_COMPUTED, here(flow, 1)));
}

/* Forgets the content of memory operands that are written without a rule. */
static void forget_stored(struct flow *flow, const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];
		struct value address, none = { 0 };

		if (op->kind != INSN_MEM || !(op->access & INSN_WRITE) || op->implicit)
			continue;
		address = transfer_address(flow, insn, op);
		if (insn->rep && address.kind == VALUE_STACK && !address.stride)
			address.stride = op->width;
		store(flow, &address, op->width, &none);
	}
}

/* The result of an operation that always gives a number, in a general register. */
static struct value counted(struct flow *flow, const struct insn *insn)
{
	struct value value = value_number(NULL, here(flow, 0));
	const struct insn_operand *by = &insn->operands[insn->nr_operands - 1];

	if (insn->op == INSN_SETCC)
		value.span = 1;
	if (insn->op == INSN_SHR) {
		u32 bits = insn->operands[0].width * 8u;

		value.span = SPAN_UP;
		if (insn->nr_operands > 1 && by->kind == INSN_IMM && by->imm > 0 && by->imm < bits)
			value.span = value_span_of(&(struct value){ 0 },
						   ((u64)1 << (bits - (u64)by->imm)) - 1, 1);
	}
	return value;
}

/* All instructions without a rule of their own. Order: addresses of operands need the registers before the write. */
static void other(struct flow *flow, const struct insn *insn)
{
	forget_stored(flow, insn);
	forget_written(flow, insn);
	switch (insn->op) {
	case INSN_ADC:
	case INSN_SBB:
	case INSN_SHR:
	case INSN_SAR:
	case INSN_ROTATE:
	case INSN_NOT:
	case INSN_NEG:
	case INSN_SETCC:
	case INSN_COUNT:
	case INSN_MULWIDE:
	case INSN_DIV:
	case INSN_SIGN:
		for (u8 reg = 0; reg <= X86_R15; reg++)
			if (insn_writes(insn, reg) && reg != X86_RSP)
				transfer_set(flow, reg, counted(flow, insn));
		break;
	default:
		break;
	}
}

void transfer(struct flow *flow, const struct insn *insn)
{
	switch (insn->op) {
	case INSN_NOP:
	case INSN_PREFETCH:
	case INSN_TEST:
	case INSN_BT:
		break;
	case INSN_CMP:
		note_compare(flow, insn);
		break;
	case INSN_MOV:
	case INSN_LEA:
		move(flow, insn);
		break;
	case INSN_ADD:
	case INSN_SUB:
	case INSN_INC:
	case INSN_DEC:
	case INSN_AND:
	case INSN_OR:
	case INSN_XOR:
	case INSN_SHL:
	case INSN_MUL:
		if (insn->nr_operands)
			arithmetic(flow, insn);
		break;
	case INSN_CMOV:
		conditional_move(flow, insn);
		break;
	case INSN_XCHG:
	case INSN_XADD:
	case INSN_CMPXCHG:
		exchange(flow, insn);
		break;
	case INSN_PUSH:
		push(flow, insn);
		break;
	case INSN_POP:
		pop(flow, insn);
		break;
	case INSN_LEAVE:
		leave(flow);
		break;
	case INSN_STRING:
		forget_stored(flow, insn);
		string_step(flow, insn);
		break;
	case INSN_LANES:
		lanes(flow, insn);
		break;
	case INSN_CALLS:
		call_transfer(flow, insn);
		break;
	case INSN_RETURNS:
		note_return(flow);
		break;
	case INSN_JUMPS:
		if (returns_by_thunk(flow, insn))
			note_return(flow);
		else
			call_tail(flow, insn);
		break;
	default:
		other(flow, insn);
		break;
	}
}
