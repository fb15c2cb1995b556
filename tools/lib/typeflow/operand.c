// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several variables can be true of one register at once: those of inlined functions, and
 * pointers to a structure and to its first member. Each gives a candidate; one whose bytes
 * the access fits in beats one it does not, then the larger type wins, which is the
 * structure around the member, then the inner scope.
 *
 * What is not claimed: an offset outside a structure (a neighbour in an array, or the
 * structure around it: the operand does not tell which), anything through an integer or a
 * void pointer, and an indexed operand whose displacement may be biased.
 */
#include <string.h>

#include "typeflow/operand.h"

#define STACK_CANARY 0x28 /* from the segment's base: glibc's and the kernel's x86-64 ABI */

struct candidate {
	const struct type *type;
	s64 offset;
	u8 how;
	u8 why; /* where there is no type: the best reason so far */
	bool fits;
	u16 depth;
};

/* An array of structures counts as its elements. */
static void settle(struct candidate *c)
{
	const struct type *type = type_strip(c->type), *element = type;

	while (element->kind == TYPE_ARRAY)
		element = type_strip(type_target(element));
	if (type->kind != TYPE_ARRAY || !type_is_compound(element) || !element->size)
		return;
	c->type = type;
	while (type->kind == TYPE_ARRAY) {
		c->type = type_target(type);
		type = type_strip(c->type);
	}
	c->offset %= (s64)element->size;
	if (c->offset < 0)
		c->offset += (s64)element->size;
}

static void reject(struct candidate *best, enum access_why why)
{
	/* A later reason tells more: it got further. */
	if (!best->type && why > best->why)
		best->why = why;
}

static void offer(struct candidate *best, struct candidate *c, u16 width)
{
	bool better = !best->type;

	settle(c);
	c->fits = c->offset >= 0 && (u64)c->offset + width <= c->type->size;
	if (best->type) {
		if (c->fits != best->fits)
			better = c->fits;
		else if (c->type->size != best->type->size)
			better = c->type->size > best->type->size;
		else
			better = c->depth >= best->depth;
	}
	if (better)
		*best = *c;
}

/* A trailing array without a bound: what lies beyond the size is in it. */
static bool ends_flexible(const struct type *type)
{
	u32 nr;
	const struct member *members = type_members(type, &nr), *last;

	if (!nr)
		return false;
	last = &members[nr - 1];
	return last->type->kind == TYPE_ARRAY && last->size == 0;
}

/* The innermost array that covers @offset of @type, or NULL. */
static const struct type *array_at(const struct type *type, u64 offset, u32 depth)
{
	const struct type *stripped = type_strip(type);
	const struct member *members;
	u32 nr;

	if (depth > 16)
		return NULL;
	if (stripped->kind == TYPE_ARRAY) {
		const struct type *element = type_target(stripped), *inner = NULL;

		if (element->size)
			inner = array_at(element, offset % element->size, depth + 1);
		return inner ? inner : stripped;
	}
	members = type_members(stripped, &nr);
	for (u32 i = 0; i < nr; i++) {
		const struct member *m = &members[i];
		const struct type *found;

		if (offset < m->offset || (m->size && offset - m->offset >= m->size))
			continue;
		found = array_at(m->type, offset - m->offset, depth + 1);
		if (found)
			return found;
	}
	return NULL;
}

/* Whether steps of @scale can walk elements of that size; 1 means multiplied beforehand. */
static bool walks(u64 element, u8 scale)
{
	return scale == 1 || element == scale || (element > 8 && element % scale == 0);
}

/*
 * The displacement of an indexed operand can be biased: in a[i - 1] it speaks of what lies
 * before the array. True where the operand fits nothing that begins at @offset of @type, or
 * an array that begins soon after as well.
 */
static bool may_be_biased(const struct type *type, u64 offset, const struct insn_mem *mem)
{
	const struct type *here, *next;

	if (mem->index == INSN_NO_REG || mem->scale == 1)
		return false;
	here = array_at(type, offset, 0);
	if (!walks(here ? type_target(here)->size : type->size, mem->scale))
		return true;
	next = array_at(type, offset + mem->scale, 0);
	return next && next != here && type_target(next)->size == mem->scale;
}

/*
 * Through a pointer to @pointee, @distance bytes from where it points; @computed: the register
 * is not the variable's own, which lies some way from it or is the stack pointer as well.
 */
static void offer_pointee(struct candidate *best, const struct type *pointee, s64 distance,
			  bool computed, const struct insn_operand *op, u16 depth)
{
	const struct type *stripped = type_strip(pointee);
	struct candidate c = {
		.type = pointee, .offset = distance, .how = ACCESS_VARIABLE, .depth = depth
	};

	if (stripped->kind == TYPE_VOID || stripped->kind == TYPE_FUNCTION ||
	    stripped->incomplete || (!stripped->size && !ends_flexible(stripped))) {
		reject(best, ACCESS_NO_TYPE);
		return;
	}
	if (type_is_compound(stripped)) {
		bool inside = distance >= 0 &&
			      ((u64)distance < stripped->size || ends_flexible(stripped));

		if (!inside && op->mem.index != INSN_NO_REG && stripped->size == op->mem.scale) {
			/* An array of small structures, at a neighbour of the index. */
			c.offset = distance % (s64)stripped->size;
			c.offset += c.offset < 0 ? (s64)stripped->size : 0;
		} else if (!inside) {
			reject(best, ACCESS_OUTSIDE);
			return;
		}
		if (may_be_biased(stripped, (u64)c.offset, &op->mem)) {
			reject(best, ACCESS_AMBIGUOUS);
			return;
		}
	} else if (stripped->kind != TYPE_ARRAY) {
		/*
		 * Pointers to numbers and to pointers walk arrays of them. One that was computed
		 * from the register need not be where the register walks: buf = rsp + 48 says
		 * nothing of 16(%rsp).
		 */
		if (computed && (u64)distance >= stripped->size) {
			reject(best, ACCESS_OUTSIDE);
			return;
		}
		c.offset = distance % (s64)stripped->size;
		c.offset += c.offset < 0 ? (s64)stripped->size : 0;
	}
	offer(best, &c, op->width);
}

/* The part of a variable that a location is for: the member that begins with the piece. */
static const struct type *piece_type(const struct variable *variable,
				     const struct location *location)
{
	const struct type *type = type_strip(variable->type);
	u64 offset = location->piece_offset;

	if (!location->piece_size)
		return type;
	for (u32 depth = 0; depth < 16 && type->size != location->piece_size; depth++) {
		u32 nr, i;
		const struct member *members = type_members(type, &nr);

		for (i = 0; i < nr; i++)
			if (offset >= members[i].offset &&
			    offset - members[i].offset < members[i].size)
				break;
		if (i == nr)
			return NULL;
		offset -= members[i].offset;
		type = type_strip(members[i].type);
	}
	return offset == 0 && type->size == location->piece_size ? type : NULL;
}

/* Variables whose value is in @reg: pointers that the operand goes through. */
static void offer_register(struct candidate *best, const struct state *state, u8 reg, s64 disp,
			   const struct insn_operand *op)
{
	const struct location *location;
	u32 at = 0;

	if (reg >= INSN_NR_REGS)
		return;
	while ((location = state_next(state, state->in_register[reg], &at))) {
		const struct variable *variable = state_variable(state, location);
		const struct type *type = piece_type(variable, location);
		bool plus, computed;
		s64 distance;

		if (!type || type->kind != TYPE_POINTER) {
			reject(best, ACCESS_NO_POINTER);
			continue;
		}
		plus = location->kind == LOCATION_REG_PLUS;
		computed = plus || reg == X86_RSP || reg == state->cfa_reg;
		distance = plus ? (s64)((u64)disp - (u64)location->offset) : disp;
		offer_pointee(best, type_target(type), distance, computed, op, variable->depth);
	}
}

/* Variables in memory at @distance from whatever @list's locations count from. */
static void offer_slots(struct candidate *best, const struct state *state, const GArray *list,
			s64 distance, const struct insn_operand *op)
{
	const struct location *location;
	u32 at = 0;

	while ((location = state_next(state, list, &at))) {
		const struct variable *variable = state_variable(state, location);
		const struct type *type = type_strip(variable->type);
		u64 size = location->piece_size ? location->piece_size : type->size;
		u64 offset = (u64)distance - (u64)location->offset;
		struct candidate c = { .type = variable->type,
				       .how = ACCESS_LOCAL,
				       .depth = variable->depth };

		if (distance < location->offset || offset >= size)
			continue;
		/*
		 * Optimizers also say "at register + n" of a variable whose value still lies in
		 * the structure that it was read from: that memory is the structure's.
		 */
		if (location->kind == LOCATION_MEM_REG && !location->framed &&
		    location->reg != X86_RSP && location->reg != state->cfa_reg)
			continue;
		c.offset = (s64)(offset + location->piece_offset);
		if (op->mem.index != INSN_NO_REG) {
			const struct type *array = array_at(type, (u64)c.offset, 0);

			/* An index needs an array there, with elements of its step. */
			if (!array ||
			    (op->mem.scale > 1 && type_target(array)->size % op->mem.scale != 0)) {
				reject(best, ACCESS_AMBIGUOUS);
				continue;
			}
		}
		offer(best, &c, op->width);
	}
}

static void offer_frame(struct candidate *best, const struct state *state,
			const struct insn_operand *op)
{
	u8 base = op->mem.base;

	if (base >= INSN_NR_REGS)
		return;
	offer_slots(best, state, state->at_register[base], op->mem.disp, op);
	if (base == state->cfa_reg)
		offer_slots(best, state, state->in_frame,
			    (s64)((u64)op->mem.disp - (u64)state->cfa_offset), op);
}

static void finish(const struct candidate *best, struct access *out)
{
	if (best->type) {
		out->type = best->type;
		out->offset = best->offset;
		out->how = best->how;
		out->why = ACCESS_WHY_NONE;
	} else {
		out->how = ACCESS_UNKNOWN;
		out->why = best->why;
	}
}

/* An address that stands in the operand: a variable with static storage. */
static void global_access(const struct object *object, u64 code, const struct insn_operand *op,
			  struct access *out)
{
	struct candidate best = { .why = ACCESS_NO_GLOBAL };
	const struct symbol *symbol = dso_find_symbol(object->dso, (u64)op->mem.disp);
	const struct variable *variable;
	u64 start;

	variable = debuginfo_global(object->debug, (u64)op->mem.disp, code,
				    symbol ? symbol->raw : NULL, symbol ? symbol->start : 0,
				    &start);
	if (variable) {
		struct candidate c = {
			.type = variable->type,
			.offset = (s64)((u64)op->mem.disp - start),
			.how = ACCESS_GLOBAL,
		};
		const struct type *type = type_strip(c.type);

		if (type->kind == TYPE_VOID || type->incomplete)
			reject(&best, ACCESS_NO_TYPE);
		else if (op->mem.index != INSN_NO_REG &&
			 (!array_at(type, (u64)c.offset, 0) ||
			  may_be_biased(type, (u64)c.offset, &op->mem)))
			reject(&best, ACCESS_AMBIGUOUS);
		else
			offer(&best, &c, op->width);
	}
	finish(&best, out);
}

/* Leaves in *@offset the distance from the variable's start. */
static const struct variable *find_thread_local(const struct object *object, u64 code, u64 *offset)
{
	u64 start, vaddr = *offset + object->tls.vaddr;
	const struct variable *variable =
		debuginfo_thread_local(object->debug, *offset, code, NULL, 0, &start);

	if (variable) {
		*offset -= start;
		return variable;
	}
	/* gcc 12's split units give the address in the template instead. */
	variable = debuginfo_thread_local(object->debug, vaddr, code, NULL, 0, &start);
	*offset = vaddr - start;
	return variable;
}

static void segment_access(const struct object *object, u64 code, const struct insn_operand *op,
			   struct access *out)
{
	struct candidate best = { .why = ACCESS_UNSUPPORTED };
	bool plain = op->mem.base == INSN_NO_REG && op->mem.index == INSN_NO_REG;
	u8 canary_segment = object->kernel ? INSN_SEG_GS : INSN_SEG_FS;
	const struct variable *variable = NULL;
	u64 offset;

	if (plain && op->mem.disp == STACK_CANARY && op->mem.segment == canary_segment) {
		out->how = ACCESS_CANARY;
		out->why = ACCESS_WHY_NONE;
		return;
	}
	if (plain && op->mem.segment == INSN_SEG_FS && object->has_tls && op->mem.disp < 0) {
		/* Local-exec: the operand is the variable's offset from the thread pointer. */
		offset = (u64)op->mem.disp - (u64)tls_main_tpoff(&object->tls, 0);
		best.why = ACCESS_NO_TLS;
		if (offset < object->tls.memsz)
			variable = find_thread_local(object, code, &offset);
		if (variable) {
			struct candidate c = { .type = variable->type,
					       .offset = (s64)offset,
					       .how = ACCESS_TLS };

			offer(&best, &c, op->width);
		}
	}
	finish(&best, out);
}

static void memory_access(const struct object *object, const struct state *state,
			  const struct insn *insn, const struct insn_operand *op,
			  struct access *out)
{
	struct candidate best = { .why = ACCESS_NO_VARIABLE };
	const struct insn_mem *mem = &op->mem;

	out->width = op->width;
	out->roles = op->access;
	if (mem->segment != INSN_SEG_NONE) {
		if (object->debug || mem->disp == STACK_CANARY)
			segment_access(object, insn->vaddr, op, out);
		return;
	}
	if (!object->debug)
		return;
	if (insn->op == INSN_GATHER && mem->index >= X86_XMM0) {
		out->why = ACCESS_UNSUPPORTED;
		return;
	}
	if (mem->base == INSN_NO_REG) {
		global_access(object, insn->vaddr, op, out);
		return;
	}
	if (!state->vars)
		return;
	offer_frame(&best, state, op);
	if (!best.type)
		offer_register(&best, state, mem->base, mem->disp, op);
	/* Which of two registers is the pointer is up to the assembler when the scale is 1. */
	if (!best.type && mem->scale == 1)
		offer_register(&best, state, mem->index, mem->disp, op);
	finish(&best, out);
}

void operand_access(const struct object *object, const struct state *state, const struct insn *insn,
		    struct access *out)
{
	u8 absent = out->why;
	bool touches = false;

	for (u32 i = 0; i < insn->nr_operands; i++) {
		const struct insn_operand *op = &insn->operands[i];
		struct access access = { .why = absent };

		if (op->kind != INSN_MEM || !op->access || op->implicit)
			continue;
		memory_access(object, state, insn, op, &access);
		if (!touches || access.how != ACCESS_UNKNOWN)
			*out = access;
		touches = true;
		if (access.how != ACCESS_UNKNOWN)
			return;
	}
	if (touches)
		return;
	memset(out, 0, sizeof(*out));
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
