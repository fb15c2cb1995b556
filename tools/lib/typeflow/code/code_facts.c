// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several variables can describe one register at once: variables of inlined functions, or pointers to a structure and
 * to its first member.
 *
 *	struct node { struct head head; long key; };
 *	n (struct node *) in %rbx, h = &n->head (struct head *) in %rbx		fact: %rbx is ADDRESS(struct node, 0)
 *
 * Chooses the pointer to the largest structure, since the others are views of it; of equal ones the inner scope's. A
 * structure that the register does not point into, only beside, is the last choice.
 *
 * Example, from gcc -O2: long many(struct node *a, struct node *b), with two calls of copy().
 *
 *	a	DW_OP_reg5 (rdi) [140, 14f)	DW_OP_reg6 (rbp) [14f, 169)
 *	b	DW_OP_reg4 (rsi) [140, 153)	DW_OP_reg12 (r12) [153, 15a)
 *	x	DW_OP_reg3 (rbx) [14d, 168)
 *
 *	140: push %r12		facts: %rdi is ADDRESS(struct node, 0), %rsi is the same: a and b begin
 *	142: mov  %rsi,%r12
 *	145: push %rbp
 *	146: mov  %rdi,%rbp
 *	149: push %rbx
 *	14a: mov  (%rdi),%rbx
 *	14d: xor  %edi,%edi	fact: %rbx is a NUMBER of type long: x begins
 *	14f: call copy		fact: %rbp is ADDRESS(struct node, 0). The row of %rdi ends, which is no fact
 *	154: xor  %edi,%edi	fact: %r12 is ADDRESS(struct node, 0): b's row begins inside of the call
 *
 * The end of a location is no fact: the data flow still knows what the register holds. A fact is repeated at the
 * start of a block, and after an instruction that writes the register, as long as the location goes on: a loop that
 * steps through a list writes its variable, and the debug information has one location for the whole loop.
 *
 * How the facts are used if the data flow knows the register already: facts.c.
 */
#include <string.h>

#include "typeflow/code/code_facts.h"
#include "typeflow/code/untracked.h"
#include "typeflow/layout/layout.h"

#define MAX_NAMELESS 16
#define MAX_INDEXED  256

/* The meaning of a location for its register, until @high. */
struct held {
	u64 high, weight; /* @high: vaddr behind the last byte; @weight: see weight() */
	struct value value;
	u32 variable; /* index in func_vars.variables */
	u16 depth;    /* of its scope; 0: the function's */
	bool weak, beside, untracked;
};

struct facts_walk {
	const struct cfg *cfg;
	struct code_facts *facts;
	struct active {
		struct held *held;
		u32 nr, room;
	} active[INSN_NR_REGS];
	struct untracked untracked;
	u32 next, room;		      /* of locations; allocated facts */
	u64 named[INSN_NR_REGS / 64]; /* bits: registers with entries in @active */
};

static bool in_register(const struct location *location)
{
	return location->reg < INSN_NR_REGS &&
	       (location->kind == LOCATION_REG || location->kind == LOCATION_REG_PLUS ||
		location->kind == LOCATION_MEM_REG);
}

/*
 * The type of the part of a variable that a register holds. @ambiguous: of a union, in which there is also a number: the
 * number may be a pointer to something else.
 */
static const struct type *held_type(const struct variable *variable, const struct location *l,
				    bool *ambiguous)
{
	const struct type *type = type_strip(variable->type);

	*ambiguous = false;
	if (!l->piece_size && !type_is_compound(type))
		return type;
	return layout_content(type, l->piece_offset,
			      l->piece_size ? (u16)MIN(l->piece_size, 64) : 8, ambiguous);
}

/* The element of an array whose size is known only at run time; NULL: it is no such array. */
static const struct type *variable_length(const struct type *type)
{
	const struct type *stripped = type_strip(type);

	if (stripped->kind != TYPE_ARRAY || stripped->size)
		return NULL;
	return layout_is_object(type_target(stripped)) ? type_target(stripped) : NULL;
}

/*
 * The value that the location gives its register. False: it tells nothing of use.
 *
 *	location		type			value
 *	in %rbx			struct node *		ADDRESS(struct node, 0)
 *	in %rbx			long			NUMBER(long)
 *	%rbx + 8 is its value	struct node *		ADDRESS(struct node, -8): the node is 8 bytes behind it
 *	%rbx + 8 is its value	long			none: the register holds another number
 *	in memory at %rdi	struct node		ADDRESS(struct node, 0), weak
 *	in memory at %rdi + 8	struct node		none
 *	in %rbx			void *			none
 */
static bool location_value(const struct code_facts *facts, const struct location *l,
			   struct value *value, bool *weak)
{
	const struct variable *variable = &facts->vars->variables[l->variable];
	const struct type *type, *target;
	bool ambiguous;

	*weak = false;
	target = variable_length(variable->type);
	if (l->kind == LOCATION_MEM_REG && target && !l->framed && l->reg != X86_RSP &&
	    !l->offset && !l->piece_size) {
		*value = (struct value){ .kind = VALUE_ADDRESS,
					 .detail = ACCESS_VARIABLE,
					 .type = target };
		*weak = true;
		return true;
	}
	if (l->kind == LOCATION_MEM_REG) {
		/*
		 * An object that is passed by address. Not for a number or pointer in memory at a register: there the
		 * register points to the structure that contains it. For `sqlite3 *db = v->db`, with db as first
		 * member, db is at (%rdi), which is v.
		 */
		if (l->framed || l->reg == X86_RSP || !layout_is_object(variable->type) ||
		    type_strip(variable->type)->kind == TYPE_POINTER ||
		    type_strip(variable->type)->kind == TYPE_BASE || l->offset || l->piece_size)
			return false;
		*value = (struct value){ .kind = VALUE_ADDRESS,
					 .detail = ACCESS_VARIABLE,
					 .type = variable->type };
		*weak = true;
		return true;
	}
	type = held_type(variable, l, &ambiguous);
	if (!type)
		return false;
	if (type->kind != TYPE_POINTER) {
		*value = value_number(type, 0);
		value->offset = 0;
		return l->kind == LOCATION_REG;
	}
	target = type_target(type);
	if (!layout_is_object(target) && type_strip(target)->kind != TYPE_FUNCTION)
		return false;
	*value = (struct value){ .kind = VALUE_ADDRESS,
				 .detail = ambiguous ? ACCESS_INFERRED : ACCESS_VARIABLE,
				 .type = target,
				 .offset = l->kind == LOCATION_REG_PLUS ? (s64)(0 - (u64)l->offset)
									: 0 };
	return true;
}

/* The register does not point into the variable's target: before it, or behind its end. */
static bool is_beside(const struct value *value)
{
	u64 size;

	if (value->kind != VALUE_ADDRESS || !value->offset)
		return false;
	size = type_strip(value->type)->size;
	return value->offset < 0 || (size && (u64)value->offset >= size &&
				     !layout_ends_flexible(type_strip(value->type)));
}

/*
 * Ranks several variables in one register, roughly in this order, the most useful one last: numbers, weak facts,
 * pointers to functions, pointers to numbers, to structures that the register points beside, to structures that it
 * points into.
 *
 *	struct node { struct head head; long key; };	24 bytes, struct head has 16
 *	n 1024, h 1016, (char *) 4, (void (*)(void)) 2, an int 0
 */
static u64 weight(const struct value *value, bool weak)
{
	const struct type *type;

	if (weak || value->kind != VALUE_ADDRESS)
		return weak ? 1 : 0;
	type = type_strip(value->type);
	if (type->kind == TYPE_FUNCTION)
		return 2;
	if (!type_is_compound(type))
		return 3 + type->size;
	/* The register points outside of this structure. A structure that it points into is better. */
	if (value->offset < 0 || (u64)value->offset > type->size)
		return 4 + MIN(type->size, 900);
	return 1000 + type->size;
}

static void add_fact(struct facts_walk *w, u32 insn, u8 reg, const struct held *held)
{
	struct code_facts *facts = w->facts;

	if (facts->nr == w->room) {
		w->room = MAX(2 * w->room, 64);
		facts->facts = g_renew(struct code_fact, facts->facts, w->room);
	}
	facts->facts[facts->nr++] = (struct code_fact){
		.insn = insn,
		.reg = reg,
		.weak = held->weak,
		.beside = held->beside,
		.untracked = held->untracked,
		.variable = held->variable,
		.value = held->value,
	};
}

static bool says_more(const struct held *held, const struct held *best)
{
	return !best || held->weight > best->weight ||
	       (held->weight == best->weight && held->depth >= best->depth);
}

/*
 * The variable that is in the register, if the instruction before wrote it: the only one of those that are not tracked
 * and may be there. NULL: none, or variables of several types.
 */
static const struct held *untracked_one(const struct active *active)
{
	const struct held *one = NULL;

	for (u32 i = 0; i < active->nr; i++) {
		const struct held *held = &active->held[i];

		if (!held->untracked)
			continue;
		if (one && !layout_same(one->value.type, held->value.type))
			return NULL;
		one = held;
	}
	return one;
}

/* Two structures at one address, of which neither is a part of the other, nor begins like it. */
static bool is_other_view(const struct value *a, const struct value *b)
{
	const struct type *of_a = type_strip(a->type), *of_b = type_strip(b->type);

	return of_a != of_b && type_is_compound(of_a) && type_is_compound(of_b) && of_a->size &&
	       of_b->size && !layout_contains(of_a, a->offset - b->offset, of_b) &&
	       !layout_contains(of_b, b->offset - a->offset, of_a) &&
	       (a->offset != b->offset ||
		(!layout_begins_as(of_a, of_b) && !layout_begins_as(of_b, of_a)));
}

/*
 * Two variables point to the same object as different structures, and only one of them is right on each path. Then the
 * type is not sure. If @best is out of its scope there, the one that is in its scope is better.
 *
 *	struct number *n = (struct number *)object;
 *	struct string *s = (struct string *)object;
 *	return object->tag == NUMBER ? n->value : s->length;
 */
static void add_facts(struct facts_walk *w, u32 insn, u8 reg, const struct held *best)
{
	const struct func_vars *vars = w->facts->vars;
	const struct active *active = &w->active[reg];
	u64 vaddr = w->cfg->insns[insn].vaddr;
	u32 first = w->facts->nr;
	struct held said = *best;

	add_fact(w, insn, reg, best);
	for (u32 i = 0; i < active->nr && !best->weak && best->value.kind == VALUE_ADDRESS; i++) {
		struct held other = active->held[i];

		if (&active->held[i] == best || other.beside || other.untracked || other.weak ||
		    other.value.kind != VALUE_ADDRESS || !is_other_view(&best->value, &other.value))
			continue;
		if (!code_facts_in_scope(vars, &vars->variables[said.variable], vaddr) &&
		    code_facts_in_scope(vars, &vars->variables[other.variable], vaddr)) {
			said = other;
			other = *best;
		}
		said.value.detail = other.value.detail = ACCESS_FLOW;
		add_fact(w, insn, reg, &other);
		w->facts->facts[w->facts->nr - 1].other = true;
	}
	w->facts->facts[first].value = said.value;
	w->facts->facts[first].variable = said.variable;
}

/* @assigned: by the instruction before. */
static void emit(struct facts_walk *w, u32 insn, u8 reg, bool assigned)
{
	struct active *active = &w->active[reg];
	u64 vaddr = w->cfg->insns[insn].vaddr;
	u32 kept = 0;
	const struct held *best = NULL;

	for (u32 i = 0; i < active->nr; i++) {
		struct held *held = &active->held[kept];

		if (i != kept)
			*held = active->held[i];
		if (held->high <= vaddr)
			continue;
		kept++;
		if (held->beside)
			add_fact(w, insn, reg, held);
		else if (!held->untracked && says_more(held, best))
			best = held;
	}
	active->nr = kept;
	if (!kept)
		w->named[reg / 64] &= ~((u64)1 << (reg % 64));
	if (!best && assigned)
		best = untracked_one(active);
	if (best)
		add_facts(w, insn, reg, best);
}

static void hold(struct active *active, const struct held *held)
{
	if (active->nr == active->room) {
		active->room = MAX(2 * active->room, 8);
		active->held = g_renew(struct held, active->held, active->room);
	}
	active->held[active->nr++] = *held;
}

/* Takes the locations that begin at or before @vaddr, and marks their registers in @regs. */
static void begin(struct facts_walk *w, u64 vaddr, u64 regs[2])
{
	const struct func_vars *vars = w->facts->vars;

	for (; w->next < vars->nr_locations && vars->locations[w->next].low <= vaddr; w->next++) {
		const struct location *l = &vars->locations[w->next];
		struct held held = { .high = l->high, .variable = l->variable };

		if (l->high <= vaddr || !in_register(l) ||
		    !location_value(w->facts, l, &held.value, &held.weak))
			continue;
		held.beside = is_beside(&held.value);
		if (held.beside)
			held.weak = false;
		w->facts->beside |= held.beside;
		held.untracked = w->facts->moves && untracked_location(&w->untracked, vars, l);
		if (held.untracked && held.value.kind != VALUE_ADDRESS)
			continue;
		held.weight = weight(&held.value, held.weak);
		held.depth = vars->variables[l->variable].depth;
		hold(&w->active[l->reg], &held);
		regs[l->reg / 64] |= (u64)1 << (l->reg % 64);
		w->named[l->reg / 64] |= (u64)1 << (l->reg % 64);
	}
}

/* It may give a pointer variable its value. Sums are usually steps to an address: add 0x10(%r14),%rdx in va_arg(). */
static bool assigns(const struct insn *insn)
{
	return insn->op == INSN_MOV || insn->op == INSN_LEA || insn->op == INSN_CMOV;
}

/*
 * The facts before each instruction: of all registers with a variable at the start of a block, else of those where a
 * location begins here, or which the last instruction wrote. A call writes all caller-saved registers.
 */
static void walk_insns(struct facts_walk *w)
{
	const struct cfg *cfg = w->cfg;

	for (u32 i = 0; i < cfg->nr; i++) {
		const struct insn *last = i ? &cfg->insns[i - 1] : NULL;
		u64 regs[2] = { 0, 0 }, assigned[2] = { 0, 0 };

		begin(w, cfg->insns[i].vaddr, regs);
		if (!last || cfg->block_of[i] != cfg->block_of[i - 1]) {
			regs[0] = regs[1] = ~(u64)0;
		} else {
			regs[0] |= last->writes[0];
			regs[1] |= last->writes[1];
			if (last->flow == INSN_CALL) {
				regs[0] |= CALLER_SAVED;
				regs[1] = ~(u64)0;
			} else if (assigns(last)) {
				memcpy(assigned, last->writes, sizeof(assigned));
			}
		}
		for (u32 word = 0; word < ARRAY_SIZE(regs); word++)
			for (u64 left = regs[word] & w->named[word]; left; left &= left - 1)
				emit(w, i, (u8)(word * 64 + (u32)__builtin_ctzll(left)),
				     assigned[word] & left & -left);
	}
}

static void find_first(struct code_facts *facts, const struct cfg *cfg)
{
	u32 fact = 0;

	for (u32 i = 0; i < cfg->blocks->len; i++) {
		u32 insn = g_array_index(cfg->blocks, struct block, i).first;

		while (fact < facts->nr && facts->facts[fact].insn < insn)
			fact++;
		facts->first[i] = fact;
	}
}

static int compare_rows(const void *pa, const void *pb)
{
	const struct frame_row *a = pa, *b = pb;

	if (a->reg != b->reg)
		return a->reg < b->reg ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

/* The number of variables that change their place. */
static u32 count_moving(const struct func_vars *vars)
{
	g_autofree bool *moves = g_new0(bool, vars->nr_variables + 1);
	u32 nr = 0;

	for (u32 i = 0; i < vars->nr_locations; i++)
		if (!vars->locations[i].home)
			moves[vars->locations[i].variable] = true;
	for (u32 i = 0; i < vars->nr_variables; i++)
		nr += moves[i];
	return nr;
}

/*
 * The variables in memory at the CFA or at a register, sorted by register and offset. @reach lets a look-up, which
 * walks backwards from the last row at or before its offset, stop early (frame_rows.c). @home: only locations
 * relative to the frame base count, since others may be the address of an object elsewhere.
 */
static void read_frame(struct code_facts *facts)
{
	const struct func_vars *vars = facts->vars;
	s64 reach = INT64_MIN;

	for (u32 i = 0; i < vars->nr_locations; i++) {
		const struct location *l = &vars->locations[i];
		u64 size = l->piece_size ? l->piece_size : vars->variables[l->variable].type->size;
		struct frame_row row = {
			.offset = l->offset,
			.low = l->low,
			.high = l->high,
			.size = (u32)MIN(size, UINT32_MAX),
			.piece_offset = l->piece_offset,
			.variable = l->variable,
			.reg = l->kind == LOCATION_MEM_CFA ? FACTS_CFA : l->reg,
			.home = l->home && l->framed,
		};

		if (size &&
		    (l->kind == LOCATION_MEM_CFA || (l->kind == LOCATION_MEM_REG && l->reg < 64)))
			g_array_append_val(facts->frame, row);
	}
	g_array_sort(facts->frame, compare_rows);
	for (u32 i = 0; i < facts->frame->len; i++) {
		struct frame_row *row = &g_array_index(facts->frame, struct frame_row, i);
		bool first = !i || row[-1].reg != row->reg;
		s64 end;

		if (__builtin_add_overflow(row->offset, row->size, &end))
			end = INT64_MAX;
		reach = first ? end : MAX(reach, end);
		row->reach = reach;
		if (!first)
			continue;
		if (row->reg == FACTS_CFA) {
			facts->cfa_first = i;
		} else {
			facts->frame_first[row->reg] = i;
			facts->frame_regs |= (u64)1 << row->reg;
		}
	}
}

/* The lowest offset of a variable above @at; its size may be unknown. */
static s64 next_above(const struct func_vars *vars, u8 reg, s64 at)
{
	s64 next = INT64_MAX;

	for (u32 i = 0; i < vars->nr_locations; i++) {
		const struct location *l = &vars->locations[i];

		if (l->kind == LOCATION_MEM_REG && l->reg == reg && l->offset > at)
			next = MIN(next, l->offset);
	}
	return next;
}

/*
 * Pointers equal to the stack or frame pointer plus a constant. clang makes memory of alloca() with constant size a
 * part of the frame, and the debug information describes only the pointer.
 */
static void read_nameless(struct code_facts *facts)
{
	const struct func_vars *vars = facts->vars;

	for (u32 i = 0; i < vars->nr_locations && facts->nameless->len < MAX_NAMELESS; i++) {
		const struct location *l = &vars->locations[i];
		const struct type *type = type_strip(vars->variables[l->variable].type);
		struct nameless row = {
			.reg = l->reg, .low = l->low, .high = l->high, .at = l->offset
		};

		if ((l->reg != X86_RSP && l->reg != X86_RBP) || l->piece_size ||
		    type->kind != TYPE_POINTER ||
		    (l->kind != LOCATION_REG && l->kind != LOCATION_REG_PLUS))
			continue;
		row.type = type_target(type);
		if (l->kind == LOCATION_REG)
			row.at = 0;
		if (!type_is_compound(type_strip(row.type)) || row.type->size <= 8)
			continue;
		row.end = next_above(vars, row.reg, row.at);
		g_array_append_val(facts->nameless, row);
	}
}

static void read_indexed(struct code_facts *facts)
{
	const struct func_vars *vars = facts->vars;

	for (u32 i = 0; i < vars->nr_locations && facts->indexed->len < MAX_INDEXED; i++) {
		const struct location *l = &vars->locations[i];
		const struct type *type = type_strip(vars->variables[l->variable].type);
		struct indexed row = { .low = l->low,
				       .high = l->high,
				       .offset = l->offset,
				       .base = l->reg,
				       .index = l->index,
				       .scale = l->scale };

		if (l->kind != LOCATION_INDEXED || l->piece_size || type->kind != TYPE_POINTER)
			continue;
		row.target = type_target(type);
		if (type_is_compound(type_strip(row.target)) && layout_is_object(row.target))
			g_array_append_val(facts->indexed, row);
	}
}

struct code_facts *code_facts_new(const struct cfg *cfg, const struct func_vars *vars)
{
	struct code_facts *facts = g_new0(struct code_facts, 1);
	struct facts_walk w = { .cfg = cfg, .facts = facts, .untracked = { .cfg = cfg } };
	u32 moving;

	facts->vars = vars;
	facts->frame = g_array_new(false, false, sizeof(struct frame_row));
	facts->nameless = g_array_new(false, false, sizeof(struct nameless));
	facts->indexed = g_array_new(false, false, sizeof(struct indexed));
	facts->cfa_first = CFG_NONE;
	memset(facts->frame_first, 0xff, sizeof(facts->frame_first));
	facts->first = g_new0(u32, cfg->blocks->len);
	if (!vars)
		return facts;
	moving = count_moving(vars);
	/* Of the kernel, which has BTF, all code is optimized. */
	facts->moves = moving > 0 || vars->by_btf;
	facts->optimized = moving * 5 > vars->nr_variables || vars->by_btf;
	walk_insns(&w);
	find_first(facts, cfg);
	untracked_free(&w.untracked);
	for (u32 i = 0; i < INSN_NR_REGS; i++)
		g_free(w.active[i].held);
	read_frame(facts);
	read_nameless(facts);
	read_indexed(facts);
	return facts;
}

void code_facts_free(struct code_facts *facts)
{
	if (!facts)
		return;
	g_free(facts->facts);
	g_free(facts->first);
	g_array_unref(facts->frame);
	g_array_unref(facts->nameless);
	g_array_unref(facts->indexed);
	g_free(facts);
}
