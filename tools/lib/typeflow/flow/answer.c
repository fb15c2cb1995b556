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
 * is no longer sure that there is the pointer.
 */
static void check_pointer(const struct insn_operand *op, struct access *out)
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
	if (op->access == INSN_WRITE) {
		out->type = NULL;
		out->how = ACCESS_UNKNOWN;
		out->why = ACCESS_OUTSIDE;
	} else {
		out->how = ACCESS_INFERRED;
	}
}

static void memory_access(struct flow *flow, const struct insn *insn, const struct insn_operand *op,
			  struct access *out)
{
	struct value address;

	memset(out, 0, sizeof(*out));
	out->width = op->width;
	out->roles = op->access;
	if (is_canary(flow, &op->mem) && !flow->object->kernel) {
		set_canary(out);
		return;
	}
	address = transfer_address(flow, insn, op);
	if (op->mem.segment == INSN_SEG_GS && !flow->object->kernel) {
		out->why = ACCESS_UNSUPPORTED;
		return;
	}
	bound_index(flow, op, &address);
	operand_resolve(flow, &address, op->width, op, out);
	check_extent(flow, insn, out);
	if (answer_next_best(flow, &address, op->width, op, out))
		check_extent(flow, insn, out);
	check_pointer(op, out);
	/* In the kernel the canary may be a known variable, so it is the last choice. */
	if (out->how == ACCESS_UNKNOWN && is_canary(flow, &op->mem))
		set_canary(out);
	if (out->how == ACCESS_UNKNOWN && insn->op == INSN_STRING && op->mem.base == X86_RSP)
		out->why = ACCESS_UNSUPPORTED;
}

void answer_access(struct flow *flow, const struct insn *insn, struct access *out)
{
	bool touches = false;

	memset(out, 0, sizeof(*out));
	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];
		struct access access;

		if (op->kind != INSN_MEM || !op->access || op->implicit)
			continue;
		memory_access(flow, insn, op, &access);
		if (!touches || access.how != ACCESS_UNKNOWN)
			*out = access;
		touches = true;
		if (access.how != ACCESS_UNKNOWN)
			return;
	}
	if (touches)
		return;
	if (!insn->stack_op) {
		out->why = ACCESS_NO_MEMORY;
		return;
	}
	out->how = ACCESS_STACK_OP;
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].implicit) {
			out->width = insn->operands[i].width;
			out->roles = insn->operands[i].access;
		}
}
