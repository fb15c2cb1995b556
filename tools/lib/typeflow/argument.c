// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where does an argument of a call point to? The state before the call has the value of the argument's register. Rows do not
 * have states, so the caller is analysed once more, as for an explanation.
 *
 *	void shut(struct shard *s) { pthread_mutex_lock(&s->lock); }
 *
 *	1139: lea 8(%rdi),%rdi		%rdi: ADDRESS(struct shard, 8)
 *	113d: call pthread_mutex_lock	the answer: struct shard, offset 8
 */
#include <elf.h>

#include "base/search.h"
#include "typeflow/analysed.h"
#include "typeflow/flow/flow.h"

static const u8 registers[TYPEFLOW_ARGUMENTS] = { X86_RDI, X86_RSI, X86_RDX,
						  X86_RCX, X86_R8,  X86_R8 + 1 };

/* The call with a byte at @vaddr; CFG_NONE: none has. */
static u32 call_at(const struct cfg *cfg, u64 vaddr)
{
	u32 next = SEARCH(i, 0, cfg->nr, cfg->insns[i].vaddr <= vaddr);
	const struct insn *call = next ? &cfg->insns[next - 1] : NULL;

	return call && call->op == INSN_CALLS && vaddr - call->vaddr < call->size ? next - 1
										  : CFG_NONE;
}

/* Runs rounds until the register has a typed value at @call. */
static bool find_value(struct flow *flow, u32 call, u8 reg, struct value *value)
{
	for (;;) {
		struct infer *next;

		flow_run(flow, CFG_NONE);
		if (!flow_state_at(flow, call))
			return false;
		*value = flow->now->regs[reg];
		if (value->kind != VALUE_SYMBOL)
			return true;
		next = flow_suspend(flow);
		if (!next)
			return true;
		flow_resume(flow, next, flow->round);
	}
}

static u8 parameter_of(const struct flow *flow, const struct value *value)
{
	u8 reg = maker_is_entry(flow->infer, value->maker);

	for (u8 i = 0; i < TYPEFLOW_ARGUMENTS; i++)
		if (registers[i] == reg)
			return i;
	return TYPEFLOW_ARGUMENTS;
}

static bool tell(struct flow *flow, const struct value *value, struct pointee *out)
{
	const struct variable *variable;
	s64 into;

	if (value->kind == VALUE_ADDRESS) {
		*out = (struct pointee){ .type = value->type,
					 .offset = value->offset,
					 .how = value->detail,
					 .parameter = parameter_of(flow, value) };
		return true;
	}
	if (value->kind != VALUE_STACK || value->stride)
		return false;
	variable = operand_frame(flow, value->offset, 1, &into);
	if (!variable || !variable->name)
		return false;
	*out = (struct pointee){ .type = variable->type,
				 .variable = variable->name,
				 .offset = into,
				 .how = ACCESS_LOCAL,
				 .parameter = TYPEFLOW_ARGUMENTS };
	return true;
}

static bool find(struct typeflow *typeflow, struct object_entry *entry, u64 vaddr, u32 nth,
		 struct pointee *out)
{
	const struct function *function = function_of(typeflow, entry, vaddr, UINT64_MAX);
	struct flow flow = { .object = &entry->object, .ask_callers = callers_decide };
	struct value value;
	bool found = false;
	u32 call;

	if (!entry->object.debug || !typeflow->decoder ||
	    dso_machine(entry->object.dso) != EM_X86_64 ||
	    !flow_open(&flow, (const struct range *)(void *)function->ranges->data,
		       function->ranges->len))
		return false;
	call = call_at(flow.cfg, vaddr);
	if (call != CFG_NONE) {
		flow.answers = g_new0(struct access, flow.cfg->nr);
		for (u32 i = 0; i < flow.cfg->nr; i++)
			flow.answers[i].why = ACCESS_UNREACHED;
		found = find_value(&flow, call, registers[nth], &value) && tell(&flow, &value, out);
	}
	flow_close(&flow);
	return found;
}

bool typeflow_argument(struct typeflow *flow, struct dso *dso, u64 vaddr, u32 nth,
		       struct pointee *out)
{
	bool found;

	if (vaddr == UINT64_MAX || nth >= TYPEFLOW_ARGUMENTS)
		return false;
	dso_lock(dso);
	found = find(flow, object_of(flow, dso), vaddr, nth, out);
	dso_unlock(dso);
	return found;
}

bool typeflow_variable(struct typeflow *flow, struct dso *dso, u64 vaddr, u64 from,
		       struct pointee *out)
{
	const struct variable *variable = NULL;
	struct object_entry *entry;
	u64 start;

	dso_lock(dso);
	entry = object_of(flow, dso);
	if (entry->object.debug)
		variable = debuginfo_global(entry->object.debug, vaddr, from, NULL, 0, &start);
	dso_unlock(dso);
	if (!variable || !variable->name)
		return false;
	*out = (struct pointee){ .type = variable->type,
				 .variable = variable->name,
				 .offset = (s64)(vaddr - start),
				 .how = ACCESS_GLOBAL,
				 .parameter = TYPEFLOW_ARGUMENTS };
	return true;
}
