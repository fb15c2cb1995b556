// SPDX-License-Identifier: GPL-2.0-or-later
/* The variables of one function, gathered from its entry and all scopes inside. */
#include <string.h>

#include "dwarf/internal.h"

struct gathering {
	struct debuginfo *debug;
	GArray *variables;  /* struct variable */
	GArray *locations;  /* struct location, libdw's addresses until the end */
	GArray *frame_base; /* struct location */
};

static void add_variable(struct gathering *g, Dwarf_Die *die, const GArray *ranges, u32 depth,
			 bool inlined)
{
	struct location_scope scope = { .ranges = ranges, .frame_base = g->frame_base };
	struct variable variable = { .depth = (u16)depth, .inlined = inlined };
	Dwarf_Attribute attr;
	u32 before = g->locations->len;

	if (g->variables->len >= MAX_ENTRIES)
		return;
	/* The origin's location counts too: there a static local of an inlined function has it. */
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		return;
	locations_read(&attr, &scope, g->variables->len, g->locations);
	if (g->locations->len == before)
		return;
	variable.name = dwarf_diename(die);
	variable.parameter = dwarf_tag(die) == DW_TAG_formal_parameter;
	variable.type = type_of_attr(g->debug, die);
	g_array_append_val(g->variables, variable);
}

static void gather(struct gathering *g, Dwarf_Die *parent, const GArray *ranges, u32 depth,
		   bool inlined)
{
	Dwarf_Die child;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) {
			add_variable(g, &child, ranges, depth, inlined);
		} else if (tag_is_scope(tag)) {
			g_autoptr(GArray) own = g_array_new(false, false, sizeof(struct range));

			die_ranges(&child, own);
			gather(g, &child, own->len ? own : ranges, depth + 1,
			       inlined || tag == DW_TAG_inlined_subroutine);
		}
	} while (g->variables->len < MAX_ENTRIES && dwarf_siblingof(&child, &child) == 0);
}

static int compare_locations(const void *pa, const void *pb)
{
	const struct location *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return a->variable < b->variable ? -1 : a->variable > b->variable;
}

static void *take(GArray *array, u32 *nr)
{
	*nr = array->len;
	return g_array_free(array, false);
}

static struct func_vars *read_function(struct debuginfo *debug, Dwarf_Die *die)
{
	struct func_vars *vars = g_new0(struct func_vars, 1);
	GArray *ranges = g_array_new(false, false, sizeof(struct range));
	struct gathering g = {
		.debug = debug,
		.variables = g_array_new(false, false, sizeof(struct variable)),
		.locations = g_array_new(false, false, sizeof(struct location)),
		.frame_base = g_array_new(false, false, sizeof(struct location)),
	};
	u64 bias = debug->source.dwarf_bias;
	Dwarf_Attribute attr;

	die_ranges(die, ranges);
	if (dwarf_attr_integrate(die, DW_AT_frame_base, &attr)) {
		struct location_scope scope = { .ranges = ranges };

		locations_read(&attr, &scope, 0, g.frame_base);
	}
	gather(&g, die, ranges, 0, false);
	g_array_sort(g.locations, compare_locations);
	for (u32 i = 0; i < g.locations->len; i++) {
		struct location *location = &g_array_index(g.locations, struct location, i);

		location->low -= bias;
		location->high -= bias;
		if (location->kind == LOCATION_MEM)
			location->offset = (s64)((u64)location->offset - bias);
	}
	for (u32 i = 0; i < ranges->len; i++) {
		g_array_index(ranges, struct range, i).low -= bias;
		g_array_index(ranges, struct range, i).high -= bias;
	}
	vars->name = dwarf_diename(die);
	vars->returns = type_of_attr(debug, die);
	vars->ranges = take(ranges, &vars->nr_ranges);
	vars->variables = take(g.variables, &vars->nr_variables);
	vars->locations = take(g.locations, &vars->nr_locations);
	g_array_unref(g.frame_base);
	return vars;
}

const struct func_vars *debuginfo_function(struct debuginfo *debug, u64 vaddr,
					   enum debuginfo_absence *why)
{
	u64 address = vaddr + debug->source.dwarf_bias;
	struct unit *unit = unit_find(debug, address);
	struct func_vars *vars;
	Dwarf_Die die;

	*why = DEBUGINFO_NO_UNIT;
	if (!unit)
		return NULL;
	*why = DEBUGINFO_NO_FUNCTION;
	if (!unit_function(debug, unit, address, &die))
		return NULL;
	*why = DEBUGINFO_OK;
	vars = g_hash_table_lookup(debug->functions, die.addr);
	if (!vars) {
		vars = read_function(debug, &die);
		g_hash_table_insert(debug->functions, die.addr, vars);
	}
	return vars;
}
