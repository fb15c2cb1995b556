// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Collects the facts about a function before the data flow analysis: code, variables, prototype, name.
 *
 *	fact		from			absent
 *	cfg		the bytes		the function cannot be analysed
 *	vars		debug information	no types of locals; operands without an answer have flow.absent
 *	proto		debug information	hidden parameters (`this`) have no type
 *	name		the symbol table	no clone, thunk or folded function is recognized
 *
 * The order matters: the prototype that a thunk's name leads to replaces flow->proto, and merged_is() compares it.
 */
#include "typeflow/flow/flow.h"

static enum access_why absence(enum debuginfo_absence why, bool has_debug)
{
	if (!has_debug)
		return ACCESS_NO_DEBUGINFO;
	return why == DEBUGINFO_NO_UNIT ? ACCESS_NO_UNIT : ACCESS_NO_FUNCTION;
}

static void read_name(struct flow *flow, u64 entry)
{
	const struct object *object = flow->object;
	const struct symbol *symbol = dso_find_symbol(object->dso, entry);

	if (!symbol)
		return;
	flow->altered = proto_is_altered(symbol->raw);
	if (object->debug)
		thunk_find(object, symbol->raw, flow);
	flow->merged = merged_is(object, symbol, flow->proto);
}

static void add_passed_objects(struct flow *flow)
{
	flow->passed = passed_objects_find(flow);
	if (!flow->passed)
		return;
	code_facts_free((struct code_facts *)flow->facts);
	flow->facts = code_facts_new(flow->cfg, passed_objects_vars(flow->passed));
}

bool flow_open(struct flow *flow, const struct range *ranges, u32 nr_ranges)
{
	const struct object *object = flow->object;
	enum debuginfo_absence why = DEBUGINFO_NO_UNIT;
	const struct func_vars *vars = NULL;
	u64 entry = ranges[0].low;

	if (!flow->cfg)
		flow->cfg = cfg_new(object->decoder, object->dso, object->image, ranges, nr_ranges,
				    call_no_return, (void *)object);
	if (!flow->cfg)
		return false;
	flow->asker.vaddr = entry;
	if (object->debug) {
		flow->asker.unit = debuginfo_unit(object->debug, entry);
		vars = debuginfo_function(object->debug, entry, &why);
		if (vars)
			flow->proto = debuginfo_proto_at(object->debug, entry);
	}
	read_name(flow, entry);
	flow->absent = vars ? ACCESS_WHY_NONE : absence(why, object->debug != NULL);
	flow->facts = code_facts_new(flow->cfg, vars);
	flow->of_go = vars && vars->go;
	flow->go = go_find(flow);
	add_passed_objects(flow);
	flow_init(flow);
	return true;
}

void flow_close(struct flow *flow)
{
	if (!flow->cfg)
		return;
	flow_release(flow);
	code_facts_free((struct code_facts *)flow->facts);
	passed_objects_free(flow->passed);
	cfg_free((struct cfg *)flow->cfg);
}
