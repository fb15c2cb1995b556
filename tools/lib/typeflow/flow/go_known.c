// SPDX-License-Identifier: GPL-2.0-or-later
/* What is known of Go's code without the values of other instructions: see go.c. */
#include <string.h>

#include "dwarf/abi_go.h"
#include "dwarf/go.h"
#include "typeflow/flow/flow.h"

#define GOROUTINE_SLOT (-8) /* from the thread pointer */

/* Prefixes of functions that get keys, elements or values as unsafe.Pointer, and copy or compare them. */
static const char *const only_read[] = {
	"runtime.mapaccess", "runtime.mapassign", "runtime.mapdelete", "runtime.chansend",
	"runtime.growslice", "runtime.convT",	  "runtime.memequal",  "runtime.memhash",
	"runtime.efaceeq",   "runtime.ifaceeq",	  "runtime.newproc",
};

bool go_only_reads(const struct callee *callee)
{
	if (!callee->name || !g_str_has_prefix(callee->name, "runtime."))
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(only_read); i++)
		if (g_str_has_prefix(callee->name, only_read[i]))
			return true;
	return false;
}

bool go_find(const struct flow *flow)
{
	const struct symbol *symbol;

	if (!flow->facts->vars || !flow->facts->vars->go)
		return false;
	symbol = dso_find_symbol(flow->object->dso, flow->asker.vaddr);
	return !symbol || abi_go_is_internal(symbol->raw);
}

void go_enter(struct flow *flow, struct state *state)
{
	const struct type *goroutine;

	if (!flow->go)
		return;
	goroutine = debuginfo_go_named(flow->object->debug, "runtime.g");
	if (goroutine)
		state->regs[ABI_GO_GOROUTINE] = (struct value){ .kind = VALUE_ADDRESS,
								.detail = ACCESS_FLOW,
								.type = goroutine };
}

const struct type *go_goroutine_slot(const struct flow *flow, const struct insn_mem *mem)
{
	const struct type *goroutine = NULL;

	if (mem->segment != INSN_SEG_FS || mem->base != INSN_NO_REG || mem->index != INSN_NO_REG ||
	    mem->disp != GOROUTINE_SLOT)
		return NULL;
	if (flow->facts->vars && flow->facts->vars->go)
		goroutine = debuginfo_go_named(flow->object->debug, "runtime.g");
	return goroutine ? type_pointer_to(goroutine) : NULL;
}

const struct type *go_described(const struct flow *flow, const struct value *value)
{
	const struct symbol *types;

	if (value->kind != VALUE_GLOBAL || value->stride)
		return NULL;
	types = dso_symbol_named(flow->object->dso, "runtime.types");
	return types ? debuginfo_go_type(flow->object->debug, (u64)value->offset - types->start)
		     : NULL;
}

bool go_is_context(const struct flow *flow, const struct value *address)
{
	return address->kind == VALUE_SYMBOL && !address->stride &&
	       address->maker == maker_entry(flow->infer, X86_RDX) && flow->go;
}

bool go_is_closure(const struct flow *flow, const struct value *address)
{
	const struct type *type = address->kind == VALUE_ADDRESS && flow->proto && flow->proto->go
					  ? type_strip(address->type)
					  : NULL;

	return type && address->offset && !address->stride &&
	       (!strcmp(type->name, "uintptr") || !strcmp(type->name, "runtime.funcval"));
}
