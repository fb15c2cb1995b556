// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Objects of the frame, where the debug information has no locals (BTF): what is passed by address to a parameter with a
 * type is an object of that type.
 *
 *	struct path path;			sub  $0x28,%rsp
 *	user_path(name, &path);			lea  0x8(%rsp),%rsi; call user_path	CFA-40: a struct path
 *	use(path.dentry);			mov  0x10(%rsp),%rdi			struct path +0x8 (dentry)
 *
 * One walk before all others finds the arguments of all calls. The objects become variables of the function, marked as
 * guessed: answers with them count as inferred. Of two that overlap, the one that contains the other is taken. If neither
 * does, the place has several objects, one after the other, and none of them is taken.
 */
#include "dwarf/abi.h"
#include "typeflow/flow/flow.h"
#include "typeflow/layout/layout.h"

#define MAX_OBJECTS 64
#define MIN_SIZE    4 /* a char is often one of several, in a buffer of unknown size */

struct frame_object {
	const struct type *type;
	s64 offset; /* from the CFA */
	bool doubtful;
};

/* The only variables of a function: the objects of its frame. */
struct passed_objects {
	struct func_vars vars;
	GArray *variables, *locations;
};

static s64 end_of(const struct frame_object *object)
{
	return object->offset + (s64)object->type->size;
}

static bool contains(const struct frame_object *outer, const struct frame_object *inner)
{
	return layout_contains(outer->type, inner->offset - outer->offset, inner->type);
}

/* Joins @new with what is known of its place. */
static void add_object(GArray *objects, struct frame_object new)
{
	for (u32 i = 0; i < objects->len; i++) {
		struct frame_object *known = &g_array_index(objects, struct frame_object, i);

		if (known->offset >= end_of(&new) || new.offset >= end_of(known))
			continue;
		if (contains(known, &new))
			return;
		if (!contains(&new, known))
			known->doubtful = new.doubtful = true;
		else if (!known->doubtful)
			g_array_remove_index(objects, i--);
	}
	if (objects->len < MAX_OBJECTS)
		g_array_append_val(objects, new);
}

static bool is_void_pointer(const struct type *type)
{
	return type->kind == TYPE_POINTER && type_strip(type_target(type))->kind == TYPE_VOID;
}

static void add_argument(struct flow *flow, const struct type *param, const struct value *value,
			 GArray *objects)
{
	struct value typed = transfer_typed(flow, param, 0, 8, ACCESS_CALL, 0);
	struct frame_object object = { .offset = value->offset };

	if (typed.kind != VALUE_ADDRESS || typed.offset || typed.stride)
		return;
	object.type = type_strip(typed.type);
	if (object.type->incomplete || object.type->size < MIN_SIZE || is_void_pointer(object.type))
		return;
	/* The frame ends at the return address. */
	if (object.type->size < UINT32_MAX && end_of(&object) <= -8)
		add_object(objects, object);
}

/* flow->now is the state before the call @insn. */
static void add_arguments(struct flow *flow, const struct insn *insn, GArray *objects)
{
	struct callee callee = callee_find(flow, insn);
	struct abi_part parts[ABI_MAX_PARTS];
	u32 nr;

	if (!callee.proto || callee.altered)
		return;
	nr = abi_parameters(callee.proto, parts, ARRAY_SIZE(parts));
	for (u32 i = 0; i < nr; i++) {
		const struct abi_part *part = &parts[i];
		const struct value *value = part->reg < STATE_REGS ? &flow->now->regs[part->reg]
								   : NULL;

		if (value && value->kind == VALUE_STACK && !value->stride && value->offset < -8 &&
		    !part->address && !part->offset && part->size == 8 && part->param != ABI_RESULT)
			add_argument(flow, callee.proto->params[part->param], value, objects);
	}
}

/* Is the address of a place in the frame taken anywhere? */
static bool takes_address(const struct cfg *cfg)
{
	for (u32 i = 0; i < cfg->nr; i++) {
		const struct insn *insn = &cfg->insns[i];
		const struct insn_operand *from = &insn->operands[1];

		if (insn->nr_operands < 2 || insn->operands[0].kind != INSN_REG)
			continue;
		if (insn->op == INSN_LEA && from->kind == INSN_MEM &&
		    (from->mem.base == X86_RSP || from->mem.base == X86_RBP))
			return true;
		if (insn->op == INSN_MOV && from->kind == INSN_REG && from->reg == X86_RSP &&
		    insn->operands[0].reg != X86_RBP)
			return true;
	}
	return false;
}

static void find_objects(const struct flow *of, GArray *objects)
{
	struct flow flow = { .object = of->object,
			     .cfg = of->cfg,
			     .facts = of->facts,
			     .asker = of->asker,
			     .proto = of->proto,
			     .altered = of->altered };
	g_autofree u8 *calls = g_new0(u8, of->cfg->nr);

	for (u32 i = 0; i < of->cfg->nr; i++)
		calls[i] = of->cfg->insns[i].flow == INSN_CALL;
	flow_init(&flow);
	flow_walk_to(&flow, calls);
	for (u32 i = 0; i < of->cfg->nr; i++)
		if (calls[i] && flow_state_at(&flow, i))
			add_arguments(&flow, &of->cfg->insns[i], objects);
	flow_release(&flow);
}

static void add_variable(struct passed_objects *passed, const struct frame_object *object)
{
	const struct range *all = passed->vars.ranges;
	struct variable variable = { .type = object->type,
				     .nr_scope = passed->vars.nr_ranges,
				     .guessed = true };
	struct location location = { .variable = passed->variables->len,
				     .offset = object->offset,
				     .kind = LOCATION_MEM_CFA,
				     .home = true };

	for (u32 i = 0; i < passed->vars.nr_ranges; i++) {
		location.low = all[i].low;
		location.high = all[i].high;
		g_array_append_val(passed->locations, location);
	}
	g_array_append_val(passed->variables, variable);
}

struct passed_objects *passed_objects_find(const struct flow *flow)
{
	const struct func_vars *vars = flow->facts->vars;
	g_autoptr(GArray) objects = NULL;
	struct passed_objects *passed;

	if (!vars || !vars->by_btf || !takes_address(flow->cfg))
		return NULL;
	objects = g_array_new(false, false, sizeof(struct frame_object));
	find_objects(flow, objects);
	passed = g_new0(struct passed_objects, 1);
	passed->vars = *vars;
	passed->variables = g_array_new(false, false, sizeof(struct variable));
	passed->locations = g_array_new(false, false, sizeof(struct location));
	for (u32 i = 0; i < objects->len; i++) {
		const struct frame_object *object = &g_array_index(objects, struct frame_object, i);

		if (!object->doubtful)
			add_variable(passed, object);
	}
	passed->vars.variables = (const struct variable *)(void *)passed->variables->data;
	passed->vars.nr_variables = passed->variables->len;
	passed->vars.locations = (const struct location *)(void *)passed->locations->data;
	passed->vars.nr_locations = passed->locations->len;
	passed->vars.scopes = vars->ranges;
	passed->vars.nr_scopes = vars->nr_ranges;
	return passed;
}

const struct func_vars *passed_objects_vars(const struct passed_objects *passed)
{
	return &passed->vars;
}

void passed_objects_free(struct passed_objects *passed)
{
	if (!passed)
		return;
	g_array_unref(passed->variables);
	g_array_unref(passed->locations);
	g_free(passed);
}
