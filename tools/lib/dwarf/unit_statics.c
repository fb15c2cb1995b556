// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Variables with static storage of one unit, and what it declares of those of others. Example:
 *
 *	DW_TAG_variable "hits", DW_AT_location: DW_OP_addr 4010		rows: 4010
 *	DW_TAG_variable "tl", DW_AT_location: DW_OP_const8u 0,
 *				DW_OP_form_tls_address			thread_locals: 0
 *	DW_TAG_variable "tab", DW_AT_external, DW_AT_declaration	declared: "tab"
 *
 * The locations are read with the same code as those of a function's variables. That code needs a range in which a
 * location is valid; here it is one range of all addresses, and is not used.
 */
#include "dwarf/internal.h"

struct static_walk {
	struct debuginfo *debug;
	struct unit *unit;
	struct statics *statics;
	GArray *scratch;  /* struct location */
	GArray *anywhere; /* a single range that covers all addresses */
};

static void add_declaration(struct static_walk *walk, struct die_place place,
			    const struct raw_die *die)
{
	const char *name;

	if (!raw_has(die, RAW_DECLARATION))
		return;
	name = die_place_linkage_name(walk->debug, place);
	if (name)
		g_hash_table_insert(walk->unit->declared, (char *)name,
				    g_memdup2(&place, sizeof(place)));
}

/* Variables that the linker dropped have address 0. But the kernel's first per-cpu variable really is at 0. */
static bool is_left_out(const struct location *location, const struct raw_die *die)
{
	return !location->offset && !raw_has(die, RAW_EXTERNAL) && !raw_has(die, RAW_SPECIFICATION);
}

static void add_static(struct static_walk *walk, const struct unit_variable *variable)
{
	struct location_scope scope = { .ranges = walk->anywhere };
	struct die_place place = variable->place;
	struct cursor expression;
	struct raw_die die;

	if (!raw_read(place.unit, place.at, &die))
		return;
	if (!raw_has(&die, RAW_LOCATION)) {
		if (!variable->inner)
			add_declaration(walk, place, &die);
		return;
	}
	/* A location list means a local variable, whose value is in another variable's memory for some time. */
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
			.cu = place.unit->die.cu,
			.at = place.at,
		};

		if (location->kind == LOCATION_PACKED)
			row.piece_size = row.piece_size ? MIN(row.piece_size, (u32)location->then)
							: (u32)location->then;
		if ((location->kind == LOCATION_MEM || location->kind == LOCATION_PACKED) &&
		    !is_left_out(location, &die))
			g_array_append_val(walk->statics->rows, row);
		else if (location->kind == LOCATION_TLS)
			g_array_append_val(walk->statics->thread_locals, row);
	}
}

static int compare_statics(const void *pa, const void *pb)
{
	const struct static_row *a = pa, *b = pb;

	return a->address < b->address ? -1 : a->address > b->address;
}

void statics_init(struct statics *statics)
{
	statics->rows = g_array_new(false, false, sizeof(struct static_row));
	statics->thread_locals = g_array_new(false, false, sizeof(struct static_row));
}

void statics_sort(struct statics *statics)
{
	g_array_sort(statics->rows, compare_statics);
	g_array_sort(statics->thread_locals, compare_statics);
}

const struct statics *statics_of_unit(struct debuginfo *debug, struct unit *unit, bool inner)
{
	struct range all = { 1, UINT64_MAX - 1 };
	struct static_walk walk = {
		.debug = debug,
		.unit = unit,
		.statics = inner ? &unit->inner_statics : &unit->statics,
	};

	if (walk.statics->rows)
		return walk.statics;
	if (!unit_walk(debug, unit, inner))
		return NULL;
	walk.scratch = g_array_new(false, false, sizeof(struct location));
	walk.anywhere = g_array_new(false, false, sizeof(struct range));
	g_array_append_val(walk.anywhere, all);
	statics_init(walk.statics);
	if (!unit->declared)
		unit->declared = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
	for (u32 i = 0; i < unit->variables->len; i++) {
		const struct unit_variable *variable =
			&g_array_index(unit->variables, struct unit_variable, i);

		if (variable->inner == inner)
			add_static(&walk, variable);
	}
	statics_sort(walk.statics);
	g_array_unref(walk.scratch);
	g_array_unref(walk.anywhere);
	return walk.statics;
}
