// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables with static storage, by address: file scope, namespaces, classes, and static
 * locals of functions. Of one unit when something in it is asked for; of all units, top
 * levels only, when that did not help.
 */
#include "dwarf/internal.h"

static struct variable *static_variable(struct debuginfo *debug, Dwarf_Die *die)
{
	struct variable *variable = g_hash_table_lookup(debug->variables, die->addr);

	if (!variable) {
		variable = g_new0(struct variable, 1);
		variable->name = dwarf_diename(die);
		variable->type = type_of_attr(debug, die);
		g_hash_table_insert(debug->variables, die->addr, variable);
	}
	return variable;
}

struct static_walk {
	struct debuginfo *debug;
	struct unit *unit;
	GArray *scratch;  /* struct location */
	GArray *anywhere; /* one range over everything */
	bool deep;	  /* into functions */
	u32 seen;
};

/* The ELF symbol's name for it, which a declaration is found by. */
const char *die_linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		return dwarf_formstring(&attr);
	return dwarf_diename(die);
}

static void add_declaration(struct static_walk *walk, Dwarf_Die *die)
{
	const char *name = die_linkage_name(die);

	if (!walk->deep && name && dwarf_hasattr(die, DW_AT_declaration))
		g_hash_table_insert(walk->unit->declared, (char *)name,
				    g_memdup2(die, sizeof(*die)));
}

/* A location without a list. */
static bool is_expression(Dwarf_Attribute *attr)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_exprloc:
	case DW_FORM_block:
	case DW_FORM_block1:
	case DW_FORM_block2:
	case DW_FORM_block4:
		return true;
	default:
		return false;
	}
}

static void add_static(struct static_walk *walk, Dwarf_Die *die)
{
	struct location_scope scope = { .ranges = walk->anywhere };
	Dwarf_Attribute attr;

	g_array_set_size(walk->scratch, 0);
	/* A list is a local's, whose value lies in somebody else's memory for a while. */
	if (!dwarf_attr_integrate(die, DW_AT_location, &attr))
		add_declaration(walk, die);
	else if (is_expression(&attr))
		locations_read(&attr, &scope, 0, walk->scratch);
	for (u32 i = 0; i < walk->scratch->len; i++) {
		struct location *location = &g_array_index(walk->scratch, struct location, i);
		struct static_row row = {
			.address = (u64)location->offset,
			.piece_offset = location->piece_offset,
			.piece_size = location->piece_size,
			.die = *die,
		};

		if (location->kind == LOCATION_MEM)
			g_array_append_val(walk->unit->statics, row);
		else if (location->kind == LOCATION_TLS)
			g_array_append_val(walk->unit->thread_locals, row);
	}
}

static bool holds_statics(int tag, bool deep)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return true;
	case DW_TAG_subprogram:
		return deep;
	default:
		return deep && tag_is_scope(tag);
	}
}

static void walk_statics(struct static_walk *walk, Dwarf_Die *parent, u32 depth)
{
	Dwarf_Die child, imported;

	if (depth > MAX_DEPTH || dwarf_child(parent, &child) != 0)
		return;
	do {
		int tag = dwarf_tag(&child);

		if (walk->seen++ > MAX_UNIT_DIES)
			return;
		if (die_imported(&child, &imported))
			walk_statics(walk, &imported, depth + IMPORT_DEPTH);
		if (tag == DW_TAG_variable)
			add_static(walk, &child);
		else if (holds_statics(tag, walk->deep))
			walk_statics(walk, &child, depth + 1);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static int compare_statics(const void *pa, const void *pb)
{
	const struct static_row *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

static void clear(GArray **array)
{
	if (*array)
		g_array_unref(*array);
	*array = g_array_new(false, false, sizeof(struct static_row));
}

static void read_statics(struct debuginfo *debug, struct unit *unit, bool deep)
{
	struct range all = { 1, UINT64_MAX - 1 };
	struct static_walk walk = {
		.debug = debug,
		.unit = unit,
		.scratch = g_array_new(false, false, sizeof(struct location)),
		.anywhere = g_array_new(false, false, sizeof(struct range)),
		.deep = deep,
	};

	g_array_append_val(walk.anywhere, all);
	clear(&unit->statics);
	clear(&unit->thread_locals);
	if (!unit->declared)
		unit->declared = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	walk_statics(&walk, &unit->die, 0);
	g_array_sort(unit->statics, compare_statics);
	g_array_sort(unit->thread_locals, compare_statics);
	unit->statics_deep = deep;
	g_array_unref(walk.scratch);
	g_array_unref(walk.anywhere);
}

/* The variable of @rows that covers @address, the largest of those that begin together. */
static const struct variable *search(struct debuginfo *debug, const GArray *rows, u64 address,
				     u64 *start)
{
	const struct variable *best = NULL;
	u32 low = 0, high = rows->len;
	u64 found = 0;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (g_array_index(rows, struct static_row, mid).address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	/* Past empty ones (flexible, incomplete) that begin within the wanted one. */
	for (u32 steps = 0; low-- > 0 && steps < 8; steps++) {
		struct static_row *row = &g_array_index(rows, struct static_row, low);
		const struct variable *variable;
		u64 size;

		if (best && row->address != found)
			break;
		variable = static_variable(debug, &row->die);
		size = row->piece_size ? row->piece_size : variable->type->size;
		if (address != row->address && address - row->address >= size)
			continue;
		if (best && variable->type->size <= best->type->size)
			continue;
		best = variable;
		found = row->address;
		*start = row->address - row->piece_offset;
	}
	return best;
}

static void read_all_statics(struct debuginfo *debug)
{
	debug->all_statics = g_array_new(false, false, sizeof(struct static_row));
	debug->all_thread_locals = g_array_new(false, false, sizeof(struct static_row));
	for (u32 i = 0; i < debug->units->len; i++) {
		struct unit *unit = &g_array_index(debug->units, struct unit, i);

		if (!unit->statics)
			read_statics(debug, unit, false);
		g_array_append_vals(debug->all_statics, unit->statics->data, unit->statics->len);
		g_array_append_vals(debug->all_thread_locals, unit->thread_locals->data,
				    unit->thread_locals->len);
	}
	g_array_sort(debug->all_statics, compare_statics);
	g_array_sort(debug->all_thread_locals, compare_statics);
}

/* The variable of @unit at @address. */
static const struct variable *find_in_unit(struct debuginfo *debug, struct unit *unit, u64 address,
					   bool thread_local, u64 *start)
{
	const struct variable *variable;

	if (!unit->statics)
		read_statics(debug, unit, false);
	variable =
		search(debug, thread_local ? unit->thread_locals : unit->statics, address, start);
	if (variable || unit->statics_deep)
		return variable;
	read_statics(debug, unit, true);
	return search(debug, thread_local ? unit->thread_locals : unit->statics, address, start);
}

static const struct variable *find(struct debuginfo *debug, u64 address, u64 from,
				   const char *symbol, u64 symbol_address, bool thread_local,
				   u64 *start)
{
	struct unit *unit = unit_find(debug, from + debug->source.dwarf_bias);
	const struct variable *found = NULL;
	Dwarf_Die *declared;

	if (unit)
		found = find_in_unit(debug, unit, address, thread_local, start);
	if (!found && unit && symbol) {
		declared = g_hash_table_lookup(unit->declared, symbol);
		if (declared && !static_variable(debug, declared)->type->incomplete) {
			*start = symbol_address;
			return static_variable(debug, declared);
		}
	}
	if (found)
		return found;
	if (!debug->all_statics)
		read_all_statics(debug);
	return search(debug, thread_local ? debug->all_thread_locals : debug->all_statics, address,
		      start);
}

const struct variable *debuginfo_global(struct debuginfo *debug, u64 vaddr, u64 from,
					const char *symbol, u64 symbol_vaddr, u64 *start)
{
	u64 bias = debug->source.dwarf_bias;
	const struct variable *variable =
		find(debug, vaddr + bias, from, symbol, symbol_vaddr + bias, false, start);

	if (variable)
		*start -= bias;
	return variable;
}

const struct variable *debuginfo_thread_local(struct debuginfo *debug, u64 offset, u64 from,
					      const char *symbol, u64 symbol_offset, u64 *start)
{
	return find(debug, offset, from, symbol, symbol_offset, true, start);
}
