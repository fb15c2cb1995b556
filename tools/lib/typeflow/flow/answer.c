// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The type that an instruction accesses. operand.c finds a type for the address; here it is checked against the width
 * of the access. An answer never contradicts its access.
 */
#include <string.h>

#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define STACK_CANARY 0x28 /* segment offset in glibc's and the kernel's x86-64 ABI */

static void set_canary(struct access *out)
{
	out->how = ACCESS_CANARY;
	out->why = ACCESS_WHY_NONE;
}

static bool is_canary(const struct flow *flow, const struct insn_mem *mem)
{
	u8 segment = flow->object->kernel ? INSN_SEG_GS : INSN_SEG_FS;

	return mem->segment == segment && mem->base == INSN_NO_REG && mem->index == INSN_NO_REG &&
	       mem->disp == STACK_CANARY;
}

/*
 * The bytes that the access covers. `rep stos` clears @width bytes for each count from (%rdi) on. If the count is not
 * known, the result is UINT64_MAX and no member is named.
 */
static u64 repeated(const struct flow *flow, const struct insn *insn, u16 width)
{
	const struct value *count = &flow->now->regs[X86_RCX];

	if (insn->op != INSN_STRING || !insn->rep)
		return width;
	return count->kind == VALUE_CONST && !count->stride && count->offset >= 0 &&
			       count->offset < UINT32_MAX
		       ? (u64)count->offset * width
		       : UINT64_MAX;
}

/*
 * It reads one number of eight bytes. If the type that later uses tell has several members there, the uses are on another
 * path, where the object is of another type.
 */
static bool loads_number(const struct insn *insn)
{
	return insn->op == INSN_MOV && insn->nr_operands == 2 && insn->operands[0].width == 8 &&
	       insn->operands[0].kind == INSN_REG && insn->operands[0].reg <= X86_R15;
}

/*
 * An answer must fit the accessed bytes. A part of a pointer is refused: it is something else. If several members are
 * accessed together, the answer is the smallest type that contains all of them, and no member is named.
 *
 *	struct item { long id, weight; };
 *	struct edge { long nr; struct item to; };
 *
 *	movups (%rsi),%xmm0	nr and to.id		struct edge (one of several)
 *	movups 8(%rsi),%xmm0	to.id and to.weight	struct item (one of several)
 */
static void check_extent(const struct flow *flow, const struct insn *insn, struct access *out)
{
	u64 size = repeated(flow, insn, out->width);
	const struct type *whole;

	if (!out->type || out->offset < 0)
		return;
	switch (layout_extent(out->type, out->offset, size)) {
	case LAYOUT_OVER:
		if (out->how == ACCESS_INFERRED && loads_number(insn)) {
			out->type = NULL;
			out->how = ACCESS_UNKNOWN;
			out->why = ACCESS_OUTSIDE;
			break;
		}
		whole = size == UINT64_MAX ? out->type
					   : layout_whole(out->type, (u64)out->offset, size);
		/*
		 * `rep stos` that fills an array clears only a part of the object: other instructions clear the rest.
		 */
		if (size == out->width || type_is_compound(type_strip(whole)))
			out->type = whole;
		out->offset = TYPE_OFFSET_ANY;
		break;
	case LAYOUT_AMID:
		out->type = NULL;
		out->how = ACCESS_UNKNOWN;
		out->why = ACCESS_OUTSIDE;
		break;
	default:
		break;
	}
}

/*
 * No program writes a part of a pointer: it is something else. To read a part is possible, for example to hash it, but it
 * is no longer sure that there is the pointer. Two bytes of it, or a part with a sign, are of no use.
 */
static void check_pointer(const struct insn *insn, const struct insn_operand *op,
			  struct access *out)
{
	const struct type *leaf =
		out->type && out->offset >= 0 && out->width < 8 &&
				(out->how == ACCESS_VARIABLE || out->how == ACCESS_FLOW ||
				 out->how == ACCESS_CALL || out->how == ACCESS_INFERRED)
			? layout_leaf(out->type, (u64)out->offset)
			: NULL;
	bool ambiguous;

	/* Another member of a union may have this width. */
	if (!leaf || leaf->kind != TYPE_POINTER ||
	    layout_content(out->type, (u64)out->offset, out->width, &ambiguous) || ambiguous)
		return;
	if (op->access == INSN_WRITE || out->width == 2 || insn->extends == INSN_EXTEND_SIGN) {
		out->type = NULL;
		out->how = ACCESS_UNKNOWN;
		out->why = ACCESS_OUTSIDE;
	} else {
		out->how = ACCESS_INFERRED;
	}
}

/* It computes with an integer in memory, which the operand is. */
static bool counts(const struct insn *insn)
{
	return insn->op == INSN_ADD || insn->op == INSN_SUB || insn->op == INSN_INC ||
	       insn->op == INSN_DEC || insn->op == INSN_MUL;
}

/* A general register that is written to or loaded from the operand. Of a value of unknown source, the kind is not known. */
static bool is_general(const struct flow *flow, const struct insn *insn,
		       const struct insn_operand *op)
{
	const struct insn_operand *other = &insn->operands[op == insn->operands ? 1 : 0];
	const struct value *value;

	if (insn->op != INSN_MOV || insn->nr_operands != 2 || other->kind != INSN_REG ||
	    other->reg > X86_R15)
		return false;
	value = &flow->now->regs[other->reg];
	return op->access != INSN_WRITE ||
	       (value->kind != VALUE_CONST && value->kind != VALUE_SYMBOL);
}

/*
 * What the operand may be, by the class of the register or the operation. A copy through a vector register, a constant that
 * is stored, and bits that are cleared may be of any kind.
 */
static u8 numbers_of(const struct flow *flow, const struct insn *insn,
		     const struct insn_operand *op)
{
	if (insn->floats)
		return TYPE_NUMBER_FLOAT;
	if (counts(insn) || insn->op == INSN_CMP || is_general(flow, insn, op))
		return TYPE_NUMBER_INTEGER | TYPE_NUMBER_POINTER;
	return 0;
}

/*
 * No program computes with a floating-point number that is an integer or pointer, or the reverse. Nor does it move a
 * pointer as one. So another type lies there: numbers behind a table of pointers, for example.
 *
 *	double *weights = (double *)(table + n);	weights[i] * w		mulsd (%rdi,%rsi,8),%xmm0
 */
static void check_number(const struct insn *insn, struct access *out)
{
	u8 there;

	if (!out->type || out->offset < 0 || out->width > 8 || (!insn->floats && !counts(insn)))
		return;
	there = type_numbers(out->type, (u64)out->offset, out->width);
	if (!there || there & out->numbers ||
	    (insn->floats == INSN_FLOATS_MOVE && there & TYPE_NUMBER_INTEGER))
		return;
	out->type = NULL;
	out->how = ACCESS_UNKNOWN;
	out->why = ACCESS_OUTSIDE;
}

/*
 * Bytes or untyped pointers at the end of a structure, as aligned as other structures are: the place of one that only a cast names.
 *
 *	struct net_device { ...; u8 priv[] __attribute__((aligned(64))); };
 */
static bool is_private_data(const struct type *type, s64 offset)
{
	const struct member *last = type_last_member(type);
	const struct type *element;

	if (!layout_ends_flexible(type) || offset < (s64)last->offset || last->offset % 8)
		return false;
	element = type_strip(type_target(type_strip(last->type)));
	return element->kind == TYPE_POINTER ? type_strip(type_target(element))->kind == TYPE_VOID
					     : element->kind == TYPE_BASE && element->size == 1;
}

/*
 * BTF has no locals, so a pointer keeps the type that it had before a cast. An access that does not fit a number is behind
 * such a cast: other members are there.
 *
 *	struct iphdr *ip = (void *)(skb->data + off);	u8 *data
 *	ip->saddr					mov 0xc(%rax),%edx: four bytes, and no u8
 *	help = (void *)ext + ext->offset[id];		struct nf_ct_ext *ext
 *	help->helper					mov (%rax,%rcx),%rdx: eight bytes, in steps of one
 */
static void check_cast(const struct flow *flow, const struct value *address, struct access *out)
{
	const struct type *type = out->type ? type_strip(out->type) : NULL;

	if (!type || !flow->facts->vars || !flow->facts->vars->by_btf || out->offset < 0 ||
	    out->width > 8 || out->how == ACCESS_GLOBAL)
		return;
	if (type->kind == TYPE_BASE ? out->width <= type->size && out->offset % (s64)type->size == 0
				    : !is_private_data(type, out->offset) &&
					      (!address->stride || address->stride >= out->width))
		return;
	out->type = NULL;
	out->how = ACCESS_UNKNOWN;
	out->why = ACCESS_OUTSIDE;
}

static void check_answer(const struct flow *flow, const struct insn *insn,
			 const struct insn_operand *op, const struct value *address,
			 struct access *out)
{
	check_extent(flow, insn, out);
	check_pointer(insn, op, out);
	check_number(insn, out);
	check_cast(flow, address, out);
}

/* The last choice: the only structure around a header that has such a member. */
static void check_header(struct flow *flow, const struct value *address, struct access *out)
{
	const struct type *target;
	struct spot spot;

	if (out->how != ACCESS_UNKNOWN || out->why != ACCESS_OUTSIDE ||
	    header_find(flow, address, out->width, out->numbers, &spot, &target) != 1)
		return;
	out->type = spot.type;
	out->offset = spot.offset;
	out->how = ACCESS_INFERRED;
	out->why = ACCESS_WHY_NONE;
}

static void memory_access(struct flow *flow, const struct insn *insn, const struct insn_operand *op,
			  struct access *out)
{
	struct value address;

	memset(out, 0, sizeof(*out));
	out->width = op->width;
	out->roles = op->access;
	out->numbers = numbers_of(flow, insn, op);
	if (is_canary(flow, &op->mem) && !flow->object->kernel) {
		set_canary(out);
		return;
	}
	if (flow->of_go && go_goroutine_slot(flow, &op->mem)) {
		out->type = go_goroutine_slot(flow, &op->mem);
		out->how = ACCESS_TLS;
		return;
	}
	address = transfer_address(flow, insn, op);
	if (op->mem.segment == INSN_SEG_GS && !flow->object->kernel) {
		out->why = ACCESS_UNSUPPORTED;
		return;
	}
	bound_index(flow, op, &address);
	operand_resolve(flow, &address, op->width, op, out);
	check_answer(flow, insn, op, &address, out);
	if (answer_next_best(flow, &address, op->width, op, out))
		check_answer(flow, insn, op, &address, out);
	check_header(flow, &address, out);
	if (flow->of_go && go_is_closure(flow, &address)) {
		out->type = NULL;
		out->how = ACCESS_UNKNOWN;
		out->why = ACCESS_OUTSIDE;
	}
	if (flow->of_go && out->how == ACCESS_UNKNOWN)
		go_captured(flow, insn, op, &address, out);
	/* In the kernel the canary may be a known variable, so it is the last choice. */
	if (out->how == ACCESS_UNKNOWN && is_canary(flow, &op->mem))
		set_canary(out);
	if (out->how == ACCESS_UNKNOWN && insn->op == INSN_STRING && op->mem.base == X86_RSP)
		out->why = ACCESS_UNSUPPORTED;
}

static bool is_access(const struct insn_operand *op)
{
	return op->kind == INSN_MEM && op->access && !op->implicit;
}

bool answer_alone(const struct insn *insn, struct access *out)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (is_access(&insn->operands[i]))
			return false;
	memset(out, 0, sizeof(*out));
	if (!insn->stack_op) {
		out->why = ACCESS_NO_MEMORY;
		return true;
	}
	out->how = ACCESS_STACK_OP;
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].implicit) {
			out->width = insn->operands[i].width;
			out->roles = insn->operands[i].access;
		}
	return true;
}

/* The only operand in memory, if it has no index and is read; NULL: there are others. */
static const struct insn_operand *only_read(const struct insn *insn)
{
	const struct insn_operand *only = NULL;

	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];

		if (op->kind != INSN_MEM)
			continue;
		if (only || op->implicit || op->access != INSN_READ ||
		    op->mem.index != INSN_NO_REG || op->mem.segment != INSN_SEG_NONE)
			return NULL;
		only = op;
	}
	return insn->op == INSN_STRING ? NULL : only;
}

/*
 * mov 0x2f01(%rip),%rax states its address itself. In a function without debug information, nothing is said of the frame, so
 * there is no answer for mov 8(%rsp),%rax.
 */
static bool is_fixed(const struct flow *flow, const struct insn *insn)
{
	const struct insn_operand *op = only_read(insn);

	return op && (op->relative || (flow->absent && op->mem.base == X86_RSP));
}

bool answer_fixed(struct flow *flow, u32 insn)
{
	if (!is_fixed(flow, &flow->cfg->insns[insn]))
		return false;
	flow->insn = insn;
	flow->vaddr = flow->cfg->insns[insn].vaddr;
	flow->now->regs[X86_RSP] = value_symbol(ACCESS_NO_SOURCE, 0);
	answer_access(flow, &flow->cfg->insns[insn], &flow->answers[insn]);
	if (flow->merged)
		merged_doubt(&flow->answers[insn]);
	return true;
}

void answer_access(struct flow *flow, const struct insn *insn, struct access *out)
{
	bool first = true;

	if (answer_alone(insn, out))
		return;
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];
		struct access access;

		if (!is_access(op))
			continue;
		memory_access(flow, insn, op, &access);
		if (first || access.how != ACCESS_UNKNOWN)
			*out = access;
		first = false;
		if (access.how != ACCESS_UNKNOWN)
			return;
	}
}
