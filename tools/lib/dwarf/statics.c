// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables with static storage, by address: file scope, namespaces, classes, and static
 * locals of functions. Of one unit when something in it is asked for; of all units, top
 * levels only, when that did not help.
 */
#include <string.h>

#include "dwarf/internal.h"

static struct variable *static_variable(struct debuginfo *debug, struct place place)
{
	struct variable *variable = g_hash_table_lookup(debug->variables, place.at);

	if (!variable) {
		variable = g_new0(struct variable, 1);
		variable->name = place_name(debug, place);
		variable->type = place_type(debug, place);
		g_hash_table_insert(debug->variables, (void *)place.at, variable);
	}
	return variable;
}

struct static_walk {
	struct debuginfo *debug;
	struct unit *unit;
	GArray *scratch;  /* struct location */
	GArray *anywhere; /* one range over everything */
};

static void add_declaration(struct static_walk *walk, struct place place, const struct raw_die *die)
{
	const char *name;

	if (!raw_has(die, RAW_DECLARATION))
		return;
	name = place_linkage_name(walk->debug, place);
	if (name)
		g_hash_table_insert(walk->unit->declared, (char *)name,
				    g_memdup2(&place, sizeof(place)));
}

static void add_static(struct static_walk *walk, struct place place)
{
	struct location_scope scope = { .ranges = walk->anywhere };
	struct cursor expression;
	struct raw_die die;

	if (!raw_read(place.unit, place.at, &die))
		return;
	if (!raw_has(&die, RAW_LOCATION)) {
		add_declaration(walk, place, &die);
		return;
	}
	/* A list is a local's, whose value lies in somebody else's memory for a while. */
	if (!raw_block(place.unit, &die, RAW_LOCATION, &expression) || !cursor_left(&expression) ||
	    *expression.pos == DW_OP_fbreg)
		return;
	g_array_set_size(walk->scratch, 0);
	locations_read(place.unit, &die, RAW_LOCATION, &scope, 0, walk->scratch);
	for (u32 i = 0; i < walk->scratch->len; i++) {
		struct location *location = &g_array_index(walk->scratch, struct location, i);
		struct static_row row = {
			.address = (u64)location->offset,
			.piece_offset = location->piece_offset,
			.piece_size = location->piece_size,
			.place = place,
		};

		if (location->kind == LOCATION_MEM)
			g_array_append_val(walk->unit->statics, row);
		else if (location->kind == LOCATION_TLS)
			g_array_append_val(walk->unit->thread_locals, row);
	}
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

static bool read_statics(struct debuginfo *debug, struct unit *unit, bool deep)
{
	struct range all = { 1, UINT64_MAX - 1 };
	struct static_walk walk = { .debug = debug, .unit = unit };

	if (!unit_walk(debug, unit, deep))
		return false;
	if (unit->statics && (unit->statics_deep || !unit->walked_deep))
		return true;
	walk.scratch = g_array_new(false, false, sizeof(struct location));
	walk.anywhere = g_array_new(false, false, sizeof(struct range));
	g_array_append_val(walk.anywhere, all);
	clear(&unit->statics);
	clear(&unit->thread_locals);
	if (!unit->declared)
		unit->declared = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for (u32 i = 0; i < unit->variables->len; i++)
		add_static(&walk, g_array_index(unit->variables, struct place, i));
	g_array_sort(unit->statics, compare_statics);
	g_array_sort(unit->thread_locals, compare_statics);
	unit->statics_deep = unit->walked_deep;
	g_array_unref(walk.scratch);
	g_array_unref(walk.anywhere);
	return true;
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
		variable = static_variable(debug, row->place);
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

		if (!read_statics(debug, unit, false))
			continue;
		g_array_append_vals(debug->all_statics, unit->statics->data, unit->statics->len);
		g_array_append_vals(debug->all_thread_locals, unit->thread_locals->data,
				    unit->thread_locals->len);
	}
	g_array_sort(debug->all_statics, compare_statics);
	g_array_sort(debug->all_thread_locals, compare_statics);
}

struct wanted {
	u64 address; /* libdw's, or an offset in the TLS block */
	const char *symbol;
	u64 symbol_address;
	bool thread_local;
};

/*
 * Whether a variable may be static in a function, for which the whole unit has to be walked:
 * compilers then name it "name.0", "function.name" or "_ZZ...", and where there is a table of
 * symbols, what has none is no variable.
 */
static bool may_be_local(const struct debuginfo *debug, const struct wanted *wanted)
{
	if (wanted->thread_local)
		return true;
	if (!wanted->symbol)
		return !debug->has_symbols;
	return strchr(wanted->symbol, '.') || g_str_has_prefix(wanted->symbol, "_ZZ");
}

/* The variable of @unit at @address. */
static const struct variable *find_in_unit(struct debuginfo *debug, struct unit *unit,
					   const struct wanted *wanted, u64 *start)
{
	const struct variable *variable;

	if (!read_statics(debug, unit, false))
		return NULL;
	variable = search(debug, wanted->thread_local ? unit->thread_locals : unit->statics,
			  wanted->address, start);
	if (variable || unit->statics_deep || !may_be_local(debug, wanted) ||
	    !read_statics(debug, unit, true))
		return variable;
	return search(debug, wanted->thread_local ? unit->thread_locals : unit->statics,
		      wanted->address, start);
}

/* "extern int table[];" */
static bool is_endless(const struct type *type)
{
	return !type->size && type_strip(type)->kind == TYPE_ARRAY;
}

/* What the unit declares under the symbol's name, if that tells the whole type. */
static const struct variable *find_declared(struct debuginfo *debug, const struct unit *unit,
					    const struct wanted *wanted)
{
	const struct place *place = NULL;
	const struct variable *variable;

	if (wanted->symbol && unit->declared)
		place = g_hash_table_lookup(unit->declared, wanted->symbol);
	if (!place)
		return NULL;
	variable = static_variable(debug, *place);
	return wanted->address - wanted->symbol_address < variable->type->size ||
			       is_endless(variable->type)
		       ? variable
		       : NULL;
}

static const struct variable *find(struct debuginfo *debug, u64 from, const struct wanted *wanted,
				   u64 *start)
{
	struct unit *unit = unit_find(debug, from + debug->source.dwarf_bias);
	const struct variable *found = NULL;

	if (unit)
		found = find_in_unit(debug, unit, wanted, start);
	if (!found && unit) {
		found = find_declared(debug, unit, wanted);
		if (found)
			*start = wanted->symbol_address;
	}
	if (found)
		return found;
	if (!debug->all_statics)
		read_all_statics(debug);
	return search(debug, wanted->thread_local ? debug->all_thread_locals : debug->all_statics,
		      wanted->address, start);
}

const struct variable *debuginfo_global(struct debuginfo *debug, u64 vaddr, u64 from,
					const char *symbol, u64 symbol_vaddr, u64 *start)
{
	u64 bias = debug->source.dwarf_bias;
	struct wanted wanted = { .address = vaddr + bias,
				 .symbol = symbol,
				 .symbol_address = symbol_vaddr + bias };
	const struct variable *variable = find(debug, from, &wanted, start);

	if (variable)
		*start -= bias;
	return variable;
}

const struct variable *debuginfo_thread_local(struct debuginfo *debug, u64 offset, u64 from,
					      const char *symbol, u64 symbol_offset, u64 *start)
{
	struct wanted wanted = { .address = offset,
				 .symbol = symbol,
				 .symbol_address = symbol_offset,
				 .thread_local = true };

	return find(debug, from, &wanted, start);
}
