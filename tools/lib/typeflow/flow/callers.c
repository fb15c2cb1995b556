// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parameters of a clone, by its callers. gcc passes to f.isra.0 a member instead of the structure around it, and
 * the debug information of the clone says nothing about that register:
 *
 *	static long mix(long c, struct reader *h) { return c + h->messages->severity; }
 *
 *	mix.isra.0:				its only caller:
 *	movslq 0x8(%rsi),%rax			mov  0x28(%rbx),%rsi	%rbx: ADDRESS(struct reader, 0)
 *	add    %rdi,%rax			call mix.isra.0		%rsi: ADDRESS(struct message, 0)
 *
 * So does va_arg() in f.constprop.0, where the number of arguments is known. Each caller is analysed in one round,
 * without its own callers. A register gets a type only if all call sites agree.
 */
#include <string.h>

#include "typeflow/flow/flow.h"

#define MAX_SITES 32
#define MAX_BYTES (1 << 17) /* of all callers */

static const u8 passing[] = { X86_RDI, X86_RSI, X86_RDX, X86_RCX, X86_R8, 9 };

struct arguments {
	struct value values[ARRAY_SIZE(passing)]; /* NONE: only nulls so far; SYMBOL: not known */
};

/* The clone calls itself with its own parameter. */
static bool is_passed_on(const struct flow *clone, const struct flow *caller, u8 reg,
			 const struct value *value)
{
	return caller->asker.vaddr == clone->asker.vaddr && value->kind == VALUE_SYMBOL &&
	       !value->offset && !value->stride && value->maker == maker_entry(caller->infer, reg);
}

/* The value that the caller passes, in a form that is independent of the caller: an address in a type, or unknown. */
static struct value passed(struct flow *caller, const struct value *value)
{
	struct value typed = *value;

	if (value->kind == VALUE_CONST && !value->offset && !value->stride)
		return (struct value){ .kind = VALUE_NONE };
	if (typed.kind != VALUE_ADDRESS && value_is_address(value) &&
	    !operand_as_typed(caller, value, &typed))
		return value_symbol(ACCESS_NO_SOURCE, 0);
	/* An element of an array: the element's type, whichever it is. */
	if (typed.kind == VALUE_ADDRESS && typed.stride && typed.span != SPAN_LOOSE &&
	    type_strip(typed.type)->size == typed.stride && typed.offset >= 0 &&
	    typed.offset < typed.stride)
		typed.stride = 0;
	typed.maker = 0;
	return typed.kind == VALUE_ADDRESS && !typed.stride ? typed
							    : value_symbol(ACCESS_NO_SOURCE, 0);
}

static void meet(struct flow *clone, struct flow *caller, struct arguments *all)
{
	for (u32 i = 0; i < ARRAY_SIZE(passing); i++) {
		struct value *met = &all->values[i];
		const struct value *value = &caller->now->regs[passing[i]];
		struct value here;

		if (is_passed_on(clone, caller, passing[i], value))
			continue;
		here = passed(caller, value);
		*met = join_values(clone, met, &here, 0);
		if (met->kind != VALUE_NONE && (met->kind != VALUE_ADDRESS || met->stride))
			*met = value_symbol(ACCESS_NO_SOURCE, 0);
	}
}

/* False: a call is in code that no path leads to. */
static bool ask(struct flow *clone, struct flow *caller, struct arguments *all)
{
	const struct cfg *cfg = caller->cfg;
	g_autofree u8 *sites = g_new0(u8, cfg->nr);
	bool reached = true;

	for (u32 i = 0; i < cfg->nr; i++)
		sites[i] = cfg->insns[i].target == clone->asker.vaddr;
	flow_walk_to(caller, sites);
	for (u32 i = 0; reached && i < cfg->nr; i++) {
		if (!sites[i])
			continue;
		reached = flow_state_at(caller, i);
		if (reached)
			meet(clone, caller, all);
	}
	return reached;
}

static bool ask_function(struct flow *clone, const struct func_vars *vars, struct arguments *all)
{
	struct flow caller = { .object = clone->object };
	bool known = flow_open(&caller, vars->ranges, vars->nr_ranges) && ask(clone, &caller, all);

	flow_close(&caller);
	return known;
}

static bool is_among(GPtrArray *functions, const struct func_vars *vars)
{
	return g_ptr_array_find(functions, vars, NULL);
}

/* The functions with the call sites. False: there are too many, or one of them is not known. */
static bool find_callers(const struct flow *clone, GPtrArray *callers)
{
	const struct object *object = clone->object;
	enum debuginfo_absence why;
	u64 bytes = 0;
	u32 nr;
	const u64 *sites =
		clones_sites(object->clones, object->dso, object->image, clone->asker.vaddr, &nr);

	if (!nr || nr > MAX_SITES)
		return false;
	for (u32 i = 0; i < nr; i++) {
		const struct func_vars *vars =
			debuginfo_function(object->debug, sites[i] - 1, &why);

		if (!vars)
			return false;
		if (is_among(callers, vars))
			continue;
		g_ptr_array_add(callers, (void *)vars);
		for (u32 r = 0; r < vars->nr_ranges; r++)
			bytes += vars->ranges[r].high - vars->ranges[r].low;
	}
	return bytes <= MAX_BYTES;
}

bool callers_decide(struct flow *flow)
{
	g_autoptr(GPtrArray) callers = NULL;
	struct arguments all = { 0 };
	bool known;

	if (!callers_may_tell(flow))
		return false;
	flow->infer->callers_asked = true;
	flow->widen = false;
	callers = g_ptr_array_new();
	known = find_callers(flow, callers);
	for (u32 i = 0; known && i < callers->len; i++)
		known = ask_function(flow, g_ptr_array_index(callers, i), &all);
	for (u32 i = 0; known && i < ARRAY_SIZE(passing); i++) {
		struct value entry =
			value_symbol(ACCESS_NO_SOURCE, maker_entry(flow->infer, passing[i]));

		if (all.values[i].kind == VALUE_ADDRESS)
			infer_use(flow->infer, &entry, all.values[i].type, all.values[i].offset,
				  USE_STORED);
	}
	return known && infer_decide(flow->infer);
}
