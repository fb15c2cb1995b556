// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Symbolic evaluation of location expressions. A value is not a number but a base (register, frame, memory), plus a
 * constant. If an operation's result has no such form, the result is "nothing", and the evaluation goes on, because the
 * expression may have another piece after it.
 *
 *	DW_OP_breg5 (rdi) 8			in memory at rdi + 8
 *	DW_OP_breg5 (rdi) 8, DW_OP_stack_value	the value is rdi + 8
 *	DW_OP_fbreg -24				in memory at the frame base - 24
 *
 * The contents of registers are not known: the result must hold for all executions of the code. The data flow needs to
 * know which register or slot holds a variable, not its value. Example of a longer expression, the address of an
 * element (`&v[n]`):
 *
 *	operation		stack, the top is at the right
 *	DW_OP_breg5 (rdi) 0	REGISTER rdi
 *	DW_OP_breg4 (rsi) 0	REGISTER rdi | REGISTER rsi
 *	DW_OP_lit3		REGISTER rdi | REGISTER rsi | CONST 3
 *	DW_OP_shl		REGISTER rdi | SCALED rsi * 8
 *	DW_OP_plus		REGISTER rdi + rsi * 8
 *	DW_OP_stack_value	the same; it is the value, not an address: LOCATION_INDEXED
 *
 * If the table is static, DW_OP_addr takes the place of rdi. An address plus a scaled register has no form here, so the
 * result is "nothing". The same holds for most arithmetic, such as the sign extension `DW_OP_const1u 32, DW_OP_shl,
 * DW_OP_const1u 32, DW_OP_shra`.
 *
 * What happens if an expression is not understood:
 *
 *	no form for the result		LOCATION_NONE; a next piece is read
 *	an unknown operation		false: the size of its operands is not known, so the rest cannot be read
 *	more than STACK entries		the lowest entry is dropped
 *	an empty stack			pop() returns "nothing"
 *
 * DWARF 5, sections 2.5, 2.6 and 7.7.1.
 */
#include "dwarf/internal.h"

#define STACK 8

enum base {
	BASE_NOTHING, /* 0, so that a zeroed value is "nothing" */
	BASE_CONST,   /* @offset */
	/* vaddr + bias @offset: DW_OP_addr, or an entry of .debug_addr */
	BASE_ADDRESS,
	BASE_TLS, /* @offset in the object's TLS block */
	BASE_REGISTER,
	BASE_FRAME,  /* the frame base of the function, or the CFA */
	BASE_SCALED, /* register @index * @scale */
	BASE_PACKED, /* a number computed from @then bytes in memory at vaddr + bias @offset */
};

struct symbol_value {
	u8 base; /* enum base */
	u8 reg;
	bool deref;	  /* the 8 bytes in memory at base + @offset, plus @then */
	bool is_register; /* DW_OP_regN: the register itself, not an address */
	bool framed;	  /* BASE_FRAME because of DW_OP_fbreg */
	bool masked;	  /* only the lower bits of all that */
	u8 index, scale;  /* BASE_REGISTER: if @scale is not 0, plus register @index * @scale */
	/* constants that are added: @offset to the base, @then to the word that was read there (only with @deref) */
	s64 offset, then;
};

struct expr_run {
	const struct raw_unit *unit;
	struct cursor *bytes;
	struct symbol_value stack[STACK];
	u32 nr;
	/* The result is a value, not an address: by DW_OP_stack_value, or by an implicit value or pointer. */
	bool stack_value, implicit;
};

/* The stack is not cleared: an entry is written before it is read. */
static void run_init(struct expr_run *run, const struct raw_unit *unit, struct cursor *bytes)
{
	run->unit = unit;
	run->bytes = bytes;
	run->nr = 0;
	run->stack_value = false;
	run->implicit = false;
}

static void push(struct expr_run *run, struct symbol_value value)
{
	if (run->nr == STACK)
		memmove(run->stack, run->stack + 1, sizeof(run->stack[0]) * --run->nr);
	run->stack[run->nr++] = value;
}

static struct symbol_value pop(struct expr_run *run)
{
	if (!run->nr)
		return (struct symbol_value){ 0 };
	return run->stack[--run->nr];
}

static u64 uleb(struct expr_run *run)
{
	u64 value = 0;

	if (!raw_uleb(&run->bytes->pos, run->bytes->end, &value))
		run->bytes->failed = true;
	return value;
}

static s64 sleb(struct expr_run *run)
{
	s64 value = 0;

	if (!raw_sleb(&run->bytes->pos, run->bytes->end, &value))
		run->bytes->failed = true;
	return value;
}

static u64 fixed(struct expr_run *run, u32 size)
{
	u64 value;

	if (!raw_fixed(&run->bytes->pos, run->bytes->end, size, &value))
		run->bytes->failed = true;
	return value;
}

static s64 sign_extend(u64 value, u32 bits)
{
	return (s64)(value << (64 - bits)) >> (64 - bits);
}

static void push_const(struct expr_run *run, u64 value)
{
	push(run, (struct symbol_value){ .base = BASE_CONST, .offset = (s64)value });
}

static void push_address(struct expr_run *run, bool known, u64 value)
{
	push(run, (struct symbol_value){ .base = known ? BASE_ADDRESS : BASE_NOTHING,
					 .offset = (s64)value });
}

static void push_register(struct expr_run *run, u64 reg, s64 offset, bool itself)
{
	push(run, (struct symbol_value){ .base = reg < 128 ? BASE_REGISTER : BASE_NOTHING,
					 .reg = (u8)reg,
					 .offset = offset,
					 .is_register = itself });
}

static void add_constant(struct symbol_value *value, u64 addend)
{
	s64 *sum = value->deref ? &value->then : &value->offset;

	*sum = (s64)((u64)*sum + addend);
}

static bool is_plain_register(const struct symbol_value *value)
{
	return value->base == BASE_REGISTER && !value->deref && !value->is_register &&
	       !value->scale;
}

/*
 * A register plus an index: `&table[i]`. @b is the index: a scaled register, or a plain one with scale 1. False: @a and
 * @b have other forms. For two plain registers it cannot be told which one is the index; the upper one is taken.
 */
static bool add_index(struct expr_run *run, const struct symbol_value *a,
		      const struct symbol_value *b)
{
	struct symbol_value sum = *a;

	if (!is_plain_register(a) || a->masked || (b->base != BASE_SCALED && !is_plain_register(b)))
		return false;
	sum.index = b->base == BASE_SCALED ? b->index : b->reg;
	sum.scale = b->base == BASE_SCALED ? b->scale : 1;
	add_constant(&sum, (u64)b->offset);
	push(run, sum);
	return true;
}

/* A packed number plus or times a constant is packed, too: @b is the constant. False: something else. */
static bool keep_packed(struct expr_run *run, const struct symbol_value *a,
			const struct symbol_value *b)
{
	if (a->base != BASE_PACKED || b->base != BASE_CONST || b->deref)
		return false;
	push(run, *a);
	return true;
}

/* One of the two operands must be a constant, or both are registers. */
static void add(struct expr_run *run)
{
	struct symbol_value b = pop(run), a = pop(run);

	if (keep_packed(run, &a, &b))
		return;
	if (add_index(run, &a, &b) || add_index(run, &b, &a))
		return;
	if (b.base == BASE_CONST && !b.deref) {
		add_constant(&a, (u64)b.offset);
		push(run, a);
	} else if (a.base == BASE_CONST && !a.deref) {
		add_constant(&b, (u64)a.offset);
		push(run, b);
	} else {
		push(run, (struct symbol_value){ 0 });
	}
}

/* The difference of two registers has no form. */
static void subtract(struct expr_run *run)
{
	struct symbol_value b = pop(run), a = pop(run);

	if (keep_packed(run, &a, &b))
		return;
	if (b.base == BASE_CONST && !b.deref)
		add_constant(&a, 0 - (u64)b.offset);
	else
		a = (struct symbol_value){ 0 };
	push(run, a);
}

/* A register times an index register's possible scale: 1, 2, 4 or 8. */
static void scale(struct expr_run *run, bool shift)
{
	struct symbol_value b = pop(run), a = pop(run), product = { 0 };
	u64 factor = (u64)b.offset;

	if (keep_packed(run, &a, &b))
		return;
	if (shift)
		factor = factor < 4 ? (u64)1 << factor : 0;
	if (is_plain_register(&a) && b.base == BASE_CONST && !b.deref &&
	    (factor == 1 || factor == 2 || factor == 4 || factor == 8))
		product = (struct symbol_value){ .base = BASE_SCALED,
						 .index = a.reg,
						 .scale = (u8)factor,
						 .offset = (s64)((u64)a.offset * factor) };
	push(run, product);
}

/*
 * A mask keeps the lower bits. The result is no place of a variable: `low` is no pointer to what rdi points to. But it
 * may be an index, as in `&v[(unsigned)n]`.
 *
 *	char *low = (char *)((unsigned long)p & 0xff)	DW_OP_breg5 (rdi) 0, DW_OP_const1u 255, DW_OP_and
 */
static void mask(struct expr_run *run)
{
	struct symbol_value b = pop(run), a = pop(run);
	u64 bits = (u64)b.offset;

	if (b.base != BASE_CONST || b.deref ||
	    (bits != 0xff && bits != 0xffff && bits != 0xffffffff && bits != ~0ULL))
		a = (struct symbol_value){ 0 };
	a.masked |= bits != ~0ULL;
	push(run, a);
}

/*
 * One dereference of 8 bytes can be expressed: a pointer that was spilled to the stack, `DW_OP_fbreg -24, DW_OP_deref`.
 * A second one, or one of another size, gives "nothing". Fewer bytes of static memory are a packed number:
 *
 *	static int step = 5;	only 5 and 9 are stored	DW_OP_addr 401c, DW_OP_deref_size 1, DW_OP_lit4,
 *							DW_OP_mul, DW_OP_lit5, DW_OP_plus, DW_OP_stack_value
 */
static void dereference(struct expr_run *run, u64 size)
{
	struct symbol_value value = pop(run);

	if (value.base == BASE_ADDRESS && !value.deref && size && size < 8) {
		value.base = BASE_PACKED;
		value.then = (s64)size;
		push(run, value);
		return;
	}
	if (size != 8 || value.deref || value.scale || value.masked ||
	    (value.base != BASE_REGISTER && value.base != BASE_FRAME))
		value = (struct symbol_value){ 0 };
	value.deref = value.base != BASE_NOTHING;
	push(run, value);
}

/* A register's value at the function's entry. The data flow knows that value and where it is now. */
static void entry_value(struct expr_run *run)
{
	cursor_bytes(run->bytes, uleb(run));
	push(run, (struct symbol_value){ 0 });
}

/* DW_OP_implicit_value: the bytes of the value itself. Up to 8 bytes become a constant, little-endian. */
static void implicit_value(struct expr_run *run)
{
	u64 size = uleb(run), value = 0;
	const void *bytes = cursor_bytes(run->bytes, size);

	run->implicit = true;
	if (!bytes || size > sizeof(value)) {
		push(run, (struct symbol_value){ 0 });
		return;
	}
	memcpy(&value, bytes, size);
	push_const(run, value);
}

/* `DW_OP_const8u 10, DW_OP_form_tls_address`: offset 10 in the TLS block. The offset may also come from DW_OP_addr. */
static void thread_local_address(struct expr_run *run)
{
	struct symbol_value value = pop(run);

	value.base = (value.base == BASE_CONST || value.base == BASE_ADDRESS) && !value.deref
			     ? BASE_TLS
			     : BASE_NOTHING;
	push(run, value);
}

/* Operations that push constants and addresses. False: @op is another one. */
static bool run_constant(struct expr_run *run, u8 op)
{
	u64 value = 0;
	bool known;

	switch (op) {
	case DW_OP_addr:
		push_address(run, true, fixed(run, run->unit->address_size));
		break;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
		known = raw_indexed_address(run->unit, uleb(run), &value);
		push_address(run, known, value);
		break;
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		if (raw_indexed_address(run->unit, uleb(run), &value))
			push_const(run, value);
		else
			push(run, (struct symbol_value){ 0 });
		break;
	case DW_OP_const1u:
		push_const(run, fixed(run, 1));
		break;
	case DW_OP_const1s:
		push_const(run, (u64)sign_extend(fixed(run, 1), 8));
		break;
	case DW_OP_const2u:
		push_const(run, fixed(run, 2));
		break;
	case DW_OP_const2s:
		push_const(run, (u64)sign_extend(fixed(run, 2), 16));
		break;
	case DW_OP_const4u:
		push_const(run, fixed(run, 4));
		break;
	case DW_OP_const4s:
		push_const(run, (u64)sign_extend(fixed(run, 4), 32));
		break;
	case DW_OP_const8u:
	case DW_OP_const8s:
		push_const(run, fixed(run, 8));
		break;
	case DW_OP_constu:
		push_const(run, uleb(run));
		break;
	case DW_OP_consts:
		push_const(run, (u64)sleb(run));
		break;
	default:
		if (op < DW_OP_lit0 || op > DW_OP_lit31)
			return false;
		push_const(run, op - DW_OP_lit0);
		break;
	}
	return true;
}

/* Operations for registers and the frame. False: @op is another one. */
static bool run_register(struct expr_run *run, u8 op)
{
	u64 reg;

	if (op >= DW_OP_reg0 && op <= DW_OP_reg31) {
		push_register(run, op - DW_OP_reg0, 0, true);
	} else if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_register(run, op - DW_OP_breg0, sleb(run), false);
	} else if (op == DW_OP_regx) {
		push_register(run, uleb(run), 0, true);
	} else if (op == DW_OP_bregx) {
		reg = uleb(run);
		push_register(run, reg, sleb(run), false);
	} else if (op == DW_OP_fbreg) {
		push(run, (struct symbol_value){
				  .base = BASE_FRAME, .offset = sleb(run), .framed = true });
	} else if (op == DW_OP_call_frame_cfa) {
		push(run, (struct symbol_value){ .base = BASE_FRAME });
	} else if (op == DW_OP_regval_type || op == DW_OP_GNU_regval_type) {
		reg = uleb(run);
		uleb(run);
		push_register(run, reg, 0, false);
	} else {
		return false;
	}
	return true;
}

/* Operations whose result cannot be represented: adjusts the stack only. False: unknown operation. */
static bool run_unspoken(struct expr_run *run, u8 op)
{
	switch (op) {
	case DW_OP_implicit_pointer:
	case DW_OP_GNU_implicit_pointer:
		fixed(run, run->unit->offset_size);
		sleb(run);
		run->implicit = true;
		push(run, (struct symbol_value){ 0 });
		return true;
	case DW_OP_div:
	case DW_OP_mod:
	case DW_OP_or:
	case DW_OP_xor:
	case DW_OP_shr:
	case DW_OP_shra:
	case DW_OP_eq:
	case DW_OP_ge:
	case DW_OP_gt:
	case DW_OP_le:
	case DW_OP_lt:
	case DW_OP_ne:
		pop(run);
		pop(run);
		break;
	case DW_OP_abs:
	case DW_OP_neg:
	case DW_OP_not:
		pop(run);
		break;
	default:
		return false;
	}
	push(run, (struct symbol_value){ 0 });
	return true;
}

/* Operations on the entries of the stack whose results may have a form. False: @op is another one. */
static bool run_stack(struct expr_run *run, u8 op)
{
	struct symbol_value a, b;

	switch (op) {
	case DW_OP_dup:
		a = pop(run);
		push(run, a);
		push(run, a);
		return true;
	case DW_OP_drop:
		pop(run);
		return true;
	case DW_OP_swap:
		a = pop(run);
		b = pop(run);
		push(run, a);
		push(run, b);
		return true;
	case DW_OP_plus_uconst:
		a = pop(run);
		add_constant(&a, uleb(run));
		push(run, a);
		return true;
	case DW_OP_plus:
		add(run);
		return true;
	case DW_OP_minus:
		subtract(run);
		return true;
	case DW_OP_and:
		mask(run);
		return true;
	case DW_OP_mul:
	case DW_OP_shl:
		scale(run, op == DW_OP_shl);
		return true;
	default:
		return false;
	}
}

static bool run_operation(struct expr_run *run, u8 op)
{
	u64 size;

	if (run_constant(run, op) || run_register(run, op) || run_stack(run, op))
		return true;
	switch (op) {
	case DW_OP_nop:
		return true;
	case DW_OP_stack_value:
		run->stack_value = true;
		return true;
	case DW_OP_deref:
		dereference(run, run->unit->address_size);
		return true;
	case DW_OP_deref_size:
		dereference(run, fixed(run, 1));
		return true;
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		size = fixed(run, 1);
		uleb(run);
		dereference(run, size);
		return true;
	case DW_OP_convert:
	case DW_OP_GNU_convert:
	case DW_OP_reinterpret:
	case DW_OP_GNU_reinterpret:
		uleb(run);
		return true;
	case DW_OP_entry_value:
	case DW_OP_GNU_entry_value:
		entry_value(run);
		return true;
	case DW_OP_implicit_value:
		implicit_value(run);
		return true;
	case DW_OP_form_tls_address:
	case DW_OP_GNU_push_tls_address:
		thread_local_address(run);
		return true;
	default:
		return run_unspoken(run, op);
	}
}

/* Evaluates up to the next DW_OP_piece or to the end. False: unknown operation. */
static bool run_expression(struct expr_run *run)
{
	while (cursor_left(run->bytes) && !run->bytes->failed) {
		u8 op = *run->bytes->pos;

		if (op == DW_OP_piece || op == DW_OP_bit_piece)
			break;
		run->bytes->pos++;
		if (!run_operation(run, op))
			return false;
	}
	return !run->bytes->failed;
}

/*
 * The kind of a result. Without DW_OP_stack_value, the result is the address of the variable (DWARF 5, section
 * 2.6.1.1); only DW_OP_regN names a register that holds it.
 *
 *	result			an address			a value
 *	REGISTER rdi + 8	LOCATION_MEM_REG		LOCATION_REG_PLUS
 *	ADDRESS 4010		LOCATION_MEM			LOCATION_ADDRESS
 *	CONST 42		LOCATION_NONE			LOCATION_CONST
 *	the word at CFA-24	LOCATION_MEM_DEREF_CFA		LOCATION_DEREF_CFA
 */
static enum location_kind kind_of(const struct symbol_value *value, bool is_value)
{
	if (value->masked)
		return LOCATION_NONE;
	if (value->is_register)
		return value->offset || value->deref ? LOCATION_NONE : LOCATION_REG;
	if (value->deref) {
		if (value->base == BASE_REGISTER)
			return is_value ? LOCATION_DEREF_REG : LOCATION_MEM_DEREF_REG;
		return is_value ? LOCATION_DEREF_CFA : LOCATION_MEM_DEREF_CFA;
	}
	switch (value->base) {
	case BASE_CONST:
		return is_value ? LOCATION_CONST : LOCATION_NONE;
	case BASE_ADDRESS:
		return is_value ? LOCATION_ADDRESS : LOCATION_MEM;
	case BASE_PACKED:
		return is_value ? LOCATION_PACKED : LOCATION_NONE;
	case BASE_TLS:
		return is_value ? LOCATION_NONE : LOCATION_TLS;
	case BASE_REGISTER:
		if (value->scale)
			return is_value ? LOCATION_INDEXED : LOCATION_NONE;
		return is_value ? LOCATION_REG_PLUS : LOCATION_MEM_REG;
	case BASE_FRAME:
		return is_value ? LOCATION_CFA_PLUS : LOCATION_MEM_CFA;
	default:
		return LOCATION_NONE;
	}
}

/* The most frequent case: a single register operation. */
static bool read_plain(struct cursor *bytes, struct location *out)
{
	size_t left = cursor_left(bytes);
	u8 op = left ? *bytes->pos : 0;

	if (op < DW_OP_reg0 || op > DW_OP_reg31 || (left > 1 && bytes->pos[1] != DW_OP_piece))
		return false;
	bytes->pos++;
	out->kind = LOCATION_REG;
	out->reg = (u8)(op - DW_OP_reg0);
	out->offset = 0;
	out->then = 0;
	return true;
}

bool expr_read(const struct raw_unit *unit, struct cursor *bytes, struct location *out,
	       bool *framed)
{
	struct symbol_value value;
	struct expr_run run;

	out->kind = LOCATION_NONE;
	*framed = false;
	if (read_plain(bytes, out))
		return true;
	run_init(&run, unit, bytes);
	if (!run_expression(&run))
		return false;
	if (!run.nr)
		return true;
	value = pop(&run);
	out->kind = (u8)kind_of(&value, run.stack_value || run.implicit);
	out->reg = value.reg;
	out->offset = value.offset;
	out->then = value.then;
	out->index = value.index;
	out->scale = value.scale;
	*framed = value.framed && value.base == BASE_FRAME;
	return true;
}
