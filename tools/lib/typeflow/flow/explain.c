// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks backwards from the operand, from each value to its maker, one instruction at a time. The state before each
 * instruction is computed again. The steps are reported forwards, from the source to the operand.
 *
 *	int get(struct list *l) { return l->head->value; }
 *
 *	0: mov (%rdi),%rax
 *	3: mov 8(%rax),%eax		the question
 *
 *	walked	state before it				step
 *	3	%rax: ADDRESS(struct node, 0), maker 0	3: %rax is the address of struct node +0
 *	0	%rdi: ADDRESS(struct list, 0)		0: loaded from struct list +0 (head)
 *	0						0: %rdi is the variable l: the address of struct list +0
 *
 * The walk ends at a variable, a call, a join, the function's entry, or after MAX_STEPS. It follows one register of
 * each instruction only, the pointer: the index is described at the question, but not followed.
 */
#include <string.h>

#include "typeflow/flow/explain.h"

#define MAX_STEPS 24

struct step {
	u64 vaddr;
	char *text;
};

static const char *const reg_names[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
					 "r8",	"r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

static const char *reg_name(u8 reg)
{
	return reg < ARRAY_SIZE(reg_names) ? reg_names[reg] : "a vector register";
}

/* ", up to 3 steps of 8 on" and the like; "" for an exact value */
static char *steps_text(const struct value *value)
{
	if (!value->stride)
		return g_strdup("");
	if (value_is_bounded(value))
		return g_strdup_printf(", up to %u steps of %u on", value->span, value->stride);
	if (value->span == SPAN_UP)
		return g_strdup_printf(", in steps of %u upwards", value->stride);
	if (value->span == SPAN_LOOSE)
		return g_strdup_printf(", or of another member, in steps of %u", value->stride);
	return g_strdup_printf(", in steps of %u", value->stride);
}

static char *value_text(const struct value *value)
{
	char place[400];
	g_autofree char *steps = steps_text(value);

	switch (value->kind) {
	case VALUE_ADDRESS:
		type_offset_text(value->type, value->offset, place, sizeof(place));
		return g_strdup_printf("the address of %s%s", place, steps);
	case VALUE_CONST:
		return g_strdup_printf("the number %lld%s", (long long)value->offset, steps);
	case VALUE_NUMBER:
		return value->type ? g_strdup_printf("a number (%s)", type_shown_name(value->type))
				   : g_strdup("a number");
	case VALUE_STACK:
		return g_strdup_printf("an address in the frame, CFA%+lld%s",
				       (long long)value->offset, steps);
	case VALUE_GLOBAL:
		return g_strdup_printf("the address %#llx%s", (unsigned long long)value->offset,
				       steps);
	case VALUE_BASE_GAP:
		return value->type ? g_strdup_printf("the distance of a virtual base, by %s",
						     type_shown_name(value->type))
				   : g_strdup("the distance of the object that has this base");
	case VALUE_TLS:
	case VALUE_TLS_GAP:
		return g_strdup_printf("thread-local storage +%#llx%s",
				       (unsigned long long)value->offset, steps);
	case VALUE_PERCPU:
		return g_strdup_printf("this CPU's copy of %#llx%s",
				       (unsigned long long)value->offset, steps);
	default:
		return g_strdup_printf("unknown: %s",
				       access_why_text(value->detail ? value->detail
								     : ACCESS_NO_SOURCE));
	}
}

static void add(GArray *steps, u64 vaddr, char *text)
{
	struct step step = { .vaddr = vaddr, .text = text };

	g_array_append_val(steps, step);
}

static const struct insn_operand *memory_operand(const struct insn *insn)
{
	for (u32 i = 0; i < insn->nr_operands; i++)
		if (insn->operands[i].kind == INSN_MEM && !insn->operands[i].implicit)
			return &insn->operands[i];
	return NULL;
}

/* The variable that the debug information puts in the register there, or NULL. */
static const struct variable *fact_for(const struct flow *flow, u32 insn, u8 reg,
				       const struct value *value)
{
	const struct code_facts *facts = flow->facts;
	const struct code_fact *best = NULL;

	if (value->kind != VALUE_ADDRESS || value->detail != ACCESS_VARIABLE)
		return NULL;
	for (u32 i = 0; i < facts->nr; i++) {
		const struct code_fact *f = &facts->facts[i];

		if (f->insn > insn)
			break;
		if (f->reg == reg && f->value.type == value->type)
			best = f;
	}
	return best ? &flow->facts->vars->variables[best->variable] : NULL;
}

/* The register from which the instruction's result comes, with its value in flow->now. False: none. */
static bool source(const struct flow *flow, const struct insn *insn, u8 *reg)
{
	const struct insn_operand *op = memory_operand(insn);

	if (op && op->mem.base < STATE_REGS) {
		bool index = op->mem.index < X86_XMM0 &&
			     value_is_address(&flow->now->regs[op->mem.index]) &&
			     !value_is_address(&flow->now->regs[op->mem.base]);

		*reg = index ? op->mem.index : op->mem.base;
		return true;
	}
	for (u32 i = insn->nr_operands; i-- > 0;)
		if (insn->operands[i].kind == INSN_REG && insn->operands[i].reg <= X86_R15 &&
		    insn->operands[i].access & INSN_READ) {
			*reg = insn->operands[i].reg;
			return true;
		}
	return false;
}

/*
 * Adds a step for the value of @reg at @insn. Returns the instruction that made the value; CFG_NONE: the walk ends.
 */
static u32 describe(struct flow *flow, u32 insn, u8 reg, GArray *steps)
{
	struct value value;
	const struct variable *variable;
	g_autofree char *text = NULL;
	u64 vaddr = flow->cfg->insns[insn].vaddr;
	u32 maker, block;

	if (!flow_state_at(flow, insn))
		return CFG_NONE;
	value = flow->now->regs[reg];
	text = value_text(&value);
	variable = fact_for(flow, insn, reg, &value);
	if (variable) {
		add(steps, vaddr,
		    g_strdup_printf("%%%s is the variable %s: %s", reg_name(reg),
				    variable->name ? variable->name : "without a name", text));
		return CFG_NONE;
	}
	add(steps, vaddr,
	    g_strdup_printf("%%%s is %s%s", reg_name(reg), text,
			    value.kind == VALUE_ADDRESS && value.detail == ACCESS_INFERRED
				    ? " (by its uses)"
				    : ""));
	maker = maker_is_insn(flow->infer, value.maker);
	if (maker != CFG_NONE)
		return maker;
	block = maker_is_join(flow->infer, value.maker);
	if (block != CFG_NONE)
		add(steps,
		    flow->cfg->insns[g_array_index(flow->cfg->blocks, struct block, block).first]
			    .vaddr,
		    g_strdup_printf("paths join here with different values of %%%s",
				    reg_name(reg)));
	else if (maker_is_entry(flow->infer, value.maker) != INSN_NO_REG)
		add(steps, flow->cfg->insns[0].vaddr,
		    g_strdup_printf("%%%s is set by the caller",
				    reg_name(maker_is_entry(flow->infer, value.maker))));
	return CFG_NONE;
}

/* Adds a step for what the maker does. Returns the register to continue with, or INSN_NO_REG. */
static u8 describe_maker(struct flow *flow, u32 maker, GArray *steps)
{
	const struct insn *insn = &flow->cfg->insns[maker];
	const struct access *access = &flow->answers[maker];
	char place[400];
	u8 reg;

	if (insn->op == INSN_CALLS) {
		const struct symbol *symbol =
			insn->target ? dso_find_symbol(flow->object->dso, insn->target) : NULL;

		add(steps, insn->vaddr,
		    g_strdup_printf("the call of %s returns it",
				    symbol ? symbol->raw : "a function pointer"));
		return INSN_NO_REG;
	}
	if (access->type) {
		type_offset_text(access->type, access->offset, place, sizeof(place));
		add(steps, insn->vaddr, g_strdup_printf("loaded from %s", place));
	} else if (memory_operand(insn) && insn->op != INSN_LEA) {
		add(steps, insn->vaddr,
		    g_strdup_printf("loaded from memory: %s",
				    access->how ? access_type_name(access)
						: access_why_text(access->why)));
	} else {
		add(steps, insn->vaddr, g_strdup("it is computed"));
	}
	return flow_state_at(flow, maker) && source(flow, insn, &reg) ? reg : INSN_NO_REG;
}

/* The possible values of an index register: "a number from 0 to 7". */
static char *index_text(const struct value *value)
{
	s64 high;

	if (value->kind != VALUE_CONST && value->kind != VALUE_NUMBER)
		return value_text(value);
	if (!value->stride)
		return g_strdup_printf("the number %lld", (long long)value->offset);
	high = value->offset + (s64)value->span * value->stride;
	if (value_is_bounded(value) && value->stride == 1)
		return g_strdup_printf("a number from %lld to %lld", (long long)value->offset,
				       (long long)high);
	if (value_is_bounded(value))
		return g_strdup_printf("a number from %lld to %lld in steps of %u",
				       (long long)value->offset, (long long)high, value->stride);
	if (value->span == SPAN_UP)
		return g_strdup_printf("a number of at least %lld, in steps of %u",
				       (long long)value->offset, value->stride);
	return g_strdup_printf("a number of unknown range, in steps of %u from %lld", value->stride,
			       (long long)value->offset);
}

/* Adds a step for the operand's index: "the index is %rdx * 8, where %rdx is ...". */
static void describe_index(struct flow *flow, const struct insn *insn, GArray *steps)
{
	const struct insn_operand *op = memory_operand(insn);
	g_autofree char *text = NULL;
	u8 base;

	if (op->mem.index >= X86_XMM0 || op->mem.base >= STATE_REGS)
		return;
	base = op->mem.index;
	/* If one of two registers holds an address, the other one is the index. */
	if (value_is_address(&flow->now->regs[base]) &&
	    !value_is_address(&flow->now->regs[op->mem.base]) && op->mem.scale == 1)
		base = op->mem.base;
	text = index_text(&flow->now->regs[base]);
	add(steps, insn->vaddr,
	    g_strdup_printf("the index is %%%s * %u, where %%%s is %s", reg_name(base),
			    op->mem.scale, reg_name(base), text));
}

void explain(struct flow *flow, u64 vaddr, const struct explain_sink *sink)
{
	g_autoptr(GArray) steps = g_array_new(false, false, sizeof(struct step));
	u32 insn = cfg_find(flow->cfg, vaddr);
	u8 reg;

	if (insn == CFG_NONE || !memory_operand(&flow->cfg->insns[insn]) ||
	    !flow_state_at(flow, insn))
		return;
	describe_index(flow, &flow->cfg->insns[insn], steps);
	if (!source(flow, &flow->cfg->insns[insn], &reg))
		reg = INSN_NO_REG;
	while (reg != INSN_NO_REG && steps->len < MAX_STEPS) {
		u32 maker = describe(flow, insn, reg, steps);

		if (maker == CFG_NONE || maker == insn)
			break;
		reg = describe_maker(flow, maker, steps);
		insn = maker;
	}
	for (u32 i = steps->len; i-- > 0;) {
		struct step *step = &g_array_index(steps, struct step, i);

		sink->step(sink->data, step->vaddr, step->text);
		g_free(step->text);
	}
}

void explain_answer(const struct access *access, u64 vaddr, const struct explain_sink *sink)
{
	g_autofree char *text = NULL;

	if (access->type) {
		g_autoptr(GString) place = g_string_new(NULL);
		struct type_use use = access_use(access);

		type_use_append(access->type, type_shown_name(access->type), access->offset, &use,
				place);
		text = g_strdup_printf("%s: %s", place->str, access_how_text(access->how));
	} else if (access->why == ACCESS_NO_MEMORY) {
		text = g_strdup_printf("%s: %s", access_type_name(access),
				       access_why_text(access->why));
	} else if (access->how != ACCESS_UNKNOWN) {
		text = g_strdup_printf("%s: %s", access_type_name(access),
				       access_how_text(access->how));
	} else {
		text = g_strdup_printf("unknown: %s", access_why_text(access->why));
	}
	sink->step(sink->data, vaddr, text);
}
